#include "graphveil/method/dpgpl/degree_classes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/base/error.h"

namespace graphveil::method {
namespace {

constexpr int64_t kPublicClasses = 3;

size_t class_of(int64_t degree, const std::vector<int64_t>& cuts) {
  return static_cast<size_t>(std::lower_bound(cuts.begin(), cuts.end(), degree) - cuts.begin());
}

}  // namespace

void DegreeClasses::declare(Options& options) {
  options.text("degree-cuts", cuts_,
               "Cut points of outgoing edges, declared public, such as 2,5: up to 2, 3 to 5, more. public: thirds of "
               "the public graph's nodes");
  options.real("weight-low", low_, 1e-3, 1000, "What a vote of the class of fewest edges weighs");
  options.real("weight-high", high_, 1e-3, 1000, "What a vote of the class of most edges weighs");
}

std::optional<std::vector<int64_t>> DegreeClasses::given() const {
  if (cuts_ == kPublic) return std::nullopt;
  std::vector<int64_t> cuts;
  const char* at = cuts_.data();
  const char* end = at + cuts_.size();
  while (true) {
    int64_t cut = 0;
    const auto [next, error] = std::from_chars(at, end, cut);
    const bool rising = cuts.empty() || cut > cuts.back();
    if (error != std::errc() || cut < 0 || !rising || (next != end && *next != ',')) {
      fail(ErrorKind::InvalidArgument, "--degree-cuts is '{}', want public, or rising whole numbers such as 2,5",
           cuts_);
    }
    cuts.push_back(cut);
    if (next == end) return cuts;
    at = next + 1;
  }
}

void DegreeClasses::check() const {
  given();
  require(low_ <= high_, "--weight-low is {} and --weight-high {}: want the first to be no more than the second", low_,
          high_);
}

int64_t DegreeClasses::count() const {
  const auto cuts = given();
  return cuts ? std::ssize(*cuts) + 1 : kPublicClasses;
}

double DegreeClasses::weight(int64_t c) const {
  // The last is `high` to the bit: the plan is made for it.
  if (c + 1 == count()) return high_;
  return low_ + (high_ - low_) * static_cast<double>(c) / static_cast<double>(count() - 1);
}

std::string DegreeClasses::who(int64_t c) const {
  const auto cuts = given();
  if (!cuts) {
    return fmt::format("records of degree class {} of {}, by thirds of the public graph's degrees", c + 1, count());
  }
  const auto i = static_cast<size_t>(c);
  if (i == cuts->size()) return fmt::format("records with more than {} outgoing edges", cuts->back());
  if (c == 0) return fmt::format("records with at most {} outgoing edges", cuts->front());
  return fmt::format("records with {} to {} outgoing edges", (*cuts)[i - 1] + 1, (*cuts)[i]);
}

std::vector<int64_t> DegreeClasses::cuts_on(const graph::Graph& public_graph) const {
  if (const auto cuts = given()) return *cuts;
  std::vector<int64_t> degrees;
  for (int64_t v = 0; v < public_graph.nodes(); ++v) degrees.push_back(public_graph.out_degree(v));
  std::sort(degrees.begin(), degrees.end());
  std::vector<int64_t> cuts;
  for (int64_t c = 1; c < kPublicClasses; ++c) {
    const int64_t cut = degrees.empty() ? 0 : degrees[degrees.size() * static_cast<size_t>(c) / kPublicClasses];
    cuts.push_back(cuts.empty() ? cut : std::max(cut, cuts.back() + 1));
  }
  return cuts;
}

WeightedParts DegreeClasses::parts(const Task& task, int64_t teachers, const std::optional<int64_t>& shots) const {
  const graph::Graph& public_graph = required_public(task).data.value().graph;
  const std::vector<int64_t> cuts = cuts_on(public_graph);
  std::vector<double> nodes(cuts.size() + 1, 0);
  for (int64_t v = 0; v < public_graph.nodes(); ++v) nodes[class_of(public_graph.out_degree(v), cuts)] += 1;
  const double all = std::max<double>(1, static_cast<double>(public_graph.nodes()));
  std::vector<int64_t> size, first;  // teachers of each class, and which they are
  WeightedParts out;
  for (size_t c = 0; c < nodes.size(); ++c) {
    first.push_back(std::ssize(out.weights));
    size.push_back(std::max<int64_t>(1, std::llround(static_cast<double>(teachers) * nodes[c] / all)));
    out.weights.insert(out.weights.end(), static_cast<size_t>(size[c]), weight(static_cast<int64_t>(c)));
  }
  out.parts.resize(out.weights.size());
  std::vector<int32_t> records = task.split.train;
  std::sort(records.begin(), records.end());
  for (const int32_t u : records) {
    if (task.data.labels[u] == graph::kUnlabeled) continue;
    const size_t c = class_of(task.data.graph.out_degree(u), cuts);
    std::vector<int32_t>& part = out.parts[static_cast<size_t>(first[c] + bound::teacher_of(u, size[c]))];
    if (!shots || std::ssize(part) < *shots) part.push_back(u);
  }
  return out;
}

WeightedParts ranked_parts(const Task& task, int64_t teachers, double low, double high,
                           const std::optional<int64_t>& shots, ShotsPer per) {
  const auto degree = [&](int32_t u) { return task.data.graph.out_degree(u); };
  const bool by_class = per == ShotsPer::Class && shots;
  std::vector<std::vector<int32_t>> ranked(by_class ? static_cast<size_t>(task.data.classes) : 1);
  for (const int32_t u : task.split.train) {
    const int32_t label = task.data.labels[u];
    if (label != graph::kUnlabeled) ranked[by_class ? static_cast<size_t>(label) : 0].push_back(u);
  }
  const auto count = static_cast<size_t>(teachers);
  WeightedParts out{TeacherParts(count), {}};
  for (std::vector<int32_t>& records : ranked) {
    std::stable_sort(records.begin(), records.end(), [&](int32_t a, int32_t b) { return degree(a) < degree(b); });
    for (size_t t = 0; t < count; ++t) {
      size_t first = t * records.size() / count, end = (t + 1) * records.size() / count;
      if (by_class) {
        const size_t size = std::min(static_cast<size_t>(*shots), records.size());
        first = count > 1 ? t * (records.size() - size) / (count - 1) : 0;
        end = first + size;
      } else if (shots) {
        end = std::min(end, first + static_cast<size_t>(*shots));
      }
      out.parts[t].insert(out.parts[t].end(), records.begin() + static_cast<std::ptrdiff_t>(first),
                          records.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  std::vector<double> means;
  for (std::vector<int32_t>& part : out.parts) {
    std::sort(part.begin(), part.end());
    double sum = 0;
    for (const int32_t u : part) sum += static_cast<double>(degree(u));
    means.push_back(part.empty() ? 0 : sum / static_cast<double>(part.size()));
  }
  const auto [least, most] = std::ranges::minmax(means);
  double sum = 0;
  for (const double mean : means) {
    out.weights.push_back(low + (high - low) * (most > least ? (mean - least) / (most - least) : 0));
    sum += out.weights.back();
  }
  for (double& w : out.weights) w *= static_cast<double>(teachers) / sum;
  return out;
}

}  // namespace graphveil::method
