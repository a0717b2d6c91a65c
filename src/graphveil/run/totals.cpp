#include "graphveil/run/totals.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "graphveil/artifact/layout.h"
#include "graphveil/base/error.h"
#include "graphveil/method/method.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/join.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/statements.h"

namespace graphveil::run {
namespace {

using Degree = std::optional<int64_t>;

std::optional<Total> sum(std::span<const Covered> releases, Total total, account::Accountant accountant) {
  std::vector<budget::Spending> entries;
  Reserves reserves;
  for (const Covered& release : releases) {
    total.joined = total.joined || !release.joined.empty();
    // What is paid for still says whose graph it was: people who were declared apart before are not from here on.
    const bool paid = !release.disjoint && !release.everybody && reserves.paid(release);
    const std::optional<account::Ledger> ledger =
        paid ? std::optional(account::Ledger()) : ledger_at(release, total.degree);
    if (!ledger) return std::nullopt;
    add_spending(release, *ledger, total.delta, entries);
  }
  const double epsilon = budget::total_epsilon(entries, total.delta, accountant);
  if (std::isfinite(epsilon)) total.epsilon = epsilon;
  return total;
}

// The largest degree for which every release is quoted.
Degree common_degree(std::span<const Covered> releases) {
  Degree degree;
  for (const Covered& release : releases) {
    if (release.degree && (!degree || *release.degree < *degree)) degree = release.degree;
  }
  return degree;
}

}  // namespace

void add_spending(const Covered& release, const account::Ledger& ledger, double delta,
                  std::vector<budget::Spending>& entries) {
  entries.push_back({"", release.everybody ? account::Ledger() : ledger, delta, release.disjoint, release.people});
  if (release.everybody) entries.push_back({"", ledger, delta, false, ""});
}

std::optional<account::Ledger> ledger_at(const Covered& release, Degree degree) {
  if (!release.degree || degree == release.degree) return release.ledger;
  if (!degree) return std::nullopt;
  // Fewer edges cost no more, under record as well.
  const bool fewer = *degree < *release.degree;
  if (release.plan && release.relation == bound::Relation::Node && release.predictions == release.relation) {
    if (std::optional<account::Ledger> exact = ledger_at_degree(*release.plan, *degree)) return exact;
  }
  return fewer ? std::optional(release.ledger) : std::nullopt;
}

Covered covered(const artifact::Certificate& c) {
  Covered out{.ledger = c.plan.ledger(), .plan = c.plan, .relation = c.relation, .predictions = c.relation};
  if (!c.statements.empty()) out.degree = c.statements.front().degree;
  for (const artifact::Statement& s : c.statements) {
    if (s.what == "predictions") out.predictions = s.relation;
  }
  return out;
}

Total total_of(std::span<const Covered> releases, double delta, account::Accountant accountant) {
  require(!releases.empty(), "nothing was released, so there is no total");
  const bound::Relation relation = releases.front().predictions;
  for (const Covered& release : releases) {
    require(release.predictions == relation,
            "one release is covered under relation {}, another under {}: what they cost together has no meaning for "
            "either",
            bound::name(relation), bound::name(release.predictions));
  }
  return sum(releases, {"everything", relation, common_degree(releases), std::nullopt, delta}, accountant).value();
}

std::vector<Total> totals(std::span<const Covered> releases, double delta, account::Accountant accountant) {
  std::vector<Total> out{total_of(releases, delta, accountant)};
  const auto add = [&](std::span<const Covered> of, Total total) {
    if (std::optional<Total> found = sum(of, std::move(total), accountant)) out.push_back(std::move(*found));
  };
  std::vector<Covered> parameters;
  std::copy_if(releases.begin(), releases.end(), std::back_inserter(parameters),
               [](const Covered& release) { return release.parameters; });
  const bool apart = std::any_of(releases.begin(), releases.end(),
                                 [](const Covered& release) { return release.relation != release.predictions; });
  const bool one_relation = std::all_of(parameters.begin(), parameters.end(), [&](const Covered& release) {
    return release.relation == parameters.front().relation;
  });
  if (apart && one_relation && !parameters.empty()) {
    add(parameters, {"parameters", parameters.front().relation, common_degree(parameters), std::nullopt, delta});
  }
  const Total first = out.front();
  if (first.relation == bound::Relation::Node && first.degree) {
    std::vector<int64_t> degrees;
    for (const int64_t d : {int64_t{0}, *first.degree / 4, 4 * *first.degree, 16 * *first.degree}) {
      if (d != *first.degree && std::find(degrees.begin(), degrees.end(), d) == degrees.end()) degrees.push_back(d);
    }
    for (const int64_t d : degrees) add(releases, {"everything", first.relation, d, std::nullopt, delta});
  }
  return out;
}

std::string covers(const Total& total) {
  const char* const where = total.joined ? " in all graphs that were shown, together" : "";
  return fmt::format("relation {}{}", bound::name(total.relation),
                     total.degree ? fmt::format(", at most {} outgoing edges{}", *total.degree, where) : "");
}

mechanism::Plan inference_plan(const method::Method& method, const artifact::Certificate& c) {
  return method.inference_plan(c.noise, {c.relation, c.protect_degree, c.facts});
}

std::vector<Covered> covered_log(const std::string& folder, const artifact::Certificate& c,
                                 const method::Method& method, std::span<const budget::Spending> entries) {
  if (entries.empty() || entries[0].what != "training" || entries[0].disjoint || entries[0].ledger != c.plan.ledger()) {
    fail(ErrorKind::BadInput,
         "{}: its log of releases does not begin with its training, so what was spent is not known", folder);
  }
  const Covered training = covered(c);
  const int64_t reserved = reserved_predictions(c);
  int64_t drawn = 0;             // of those
  std::set<std::string> joined;  // each once
  bool apart = false;            // some people were declared to be in no other graph
  std::vector<Covered> out;
  for (const budget::Spending& entry : entries) {
    Covered release = training;
    release.people = entry.people;
    release.disjoint = entry.disjoint;
    release.everybody = apart && !entry.disjoint && entry.people != entries[0].people;
    apart = apart || entry.disjoint;
    release.id = entry.id;
    if (!out.empty()) {
      const bool from_reserve = entry.what == kReservedInference, joining = entry.what == kJoining;
      const bool paid = from_reserve || joining;
      release.plan = inference_plan(method, c);
      release.ledger = release.plan->ledger();
      release.parameters = false;
      if (from_reserve) {
        release.reserve_of = entries[0].certificate;
        release.reserve_size = reserved;
      }
      drawn += from_reserve;
      if (joining) {
        release.reserve_of = "rows of " + entries[0].certificate;
        release.joined = entry.joined;
      }
      if (joining != !entry.joined.empty() || (joining && why_no_joining(c, *release.plan)) ||
          !std::ranges::all_of(entry.joined, [&](const std::string& id) { return joined.insert(id).second; })) {
        fail(ErrorKind::BadInput, "{}: release {} in its log is of people who cannot have joined with it", folder,
             out.size() + 1);
      }
      if ((!paid && entry.what != kInference) || entry.ledger != (paid ? account::Ledger() : release.ledger) ||
          drawn > reserved || (paid && (entry.disjoint || entries[0].certificate.empty()))) {
        fail(ErrorKind::BadInput, "{}: release {} in its log is none that its predictions make", folder,
             out.size() + 1);
      }
    }
    out.push_back(std::move(release));
  }
  return out;
}

std::vector<Covered> covered_folder(const std::string& folder, const artifact::Certificate& c) {
  const std::string path = (std::filesystem::path(folder) / artifact::kHolder / artifact::kReleases).string();
  return covered_log(folder, c, Experiment::from(c)->method(), budget::read_spend_log(path));
}

std::optional<LogReading> read_log(const std::string& folder, const artifact::Certificate& c) {
  const std::string path = (std::filesystem::path(folder) / artifact::kHolder / artifact::kReleases).string();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    if (error) fail(ErrorKind::Io, "{}: cannot be read: {}", path, error.message());
    return std::nullopt;
  }
  const std::vector<budget::Spending> entries = budget::read_spend_log(path);
  Experiment experiment(c.method);
  for (const auto& [option, value] : c.config) experiment.set(option, value);
  LogReading out;
  out.totals = totals(covered_log(folder, c, experiment.method(), entries), c.delta);
  out.releases = static_cast<int64_t>(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].disjoint) out.disjoint.push_back(static_cast<int64_t>(i) + 1);
  }
  return out;
}

}  // namespace graphveil::run
