#include "cli/rehearsal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "graphveil/artifact/words.h"
#include "graphveil/run/rehearse.h"

namespace graphveil::cli {
namespace {

// What the method itself was told; none: nothing, or it does not ask.
std::optional<double> declared_degree(const run::Experiment& experiment) {
  const Option* option = experiment.options().find("mean-degree");
  if (option == nullptr) return std::nullopt;
  const std::string text = option->text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string verdict(const run::Rehearsal& r) {
  constexpr double kNothing = 0.03, kMost = 0.9;
  // Two standard deviations of a share of so many: what chance alone may give.
  const double chance = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(1, r.test_nodes)));
  const double gained = r.accuracy - r.majority;
  if (gained < std::max(kNothing, chance)) {
    return "the noise leaves nothing to learn from: expect what always naming the most frequent class gives. A larger "
           "epsilon, more people, fewer features or another method (graphveil advise) would help";
  }
  if (r.without_noise && gained < kMost * (*r.without_noise - r.majority)) {
    return "the noise costs something, and leaves something to learn from";
  }
  return "on such people the noise costs little";
}

}  // namespace

void run_rehearsal(const run::Experiment& experiment, const run::InputData& input, std::optional<double> mean_degree,
                   const std::string& chosen, const Session& session) {
  if (!mean_degree) mean_degree = declared_degree(experiment);
  const run::Rehearsal r = run::rehearse(experiment, input, mean_degree);
  nlohmann::ordered_json object{{"rehearsal", true},
                                {"method", experiment.method().describe().name},
                                {"spent", 0},
                                {"test_accuracy", r.accuracy},
                                {"without_noise", nullptr},
                                {"majority", r.majority},
                                {"epsilon", nullptr},
                                {"verdict", verdict(r)},
                                {"assumed", r.assumed}};
  if (r.without_noise) object["without_noise"] = *r.without_noise;
  if (r.certificate.epsilon) object["epsilon"] = *r.certificate.epsilon;
  std::string text = chosen + fmt::format("rehearsal      {:.1f}% of made-up people are told right", 100 * r.accuracy);
  if (r.without_noise) text += fmt::format("; with hardly any noise {:.1f}%", 100 * *r.without_noise);
  text += fmt::format("; always naming the most frequent class {:.1f}%\n", 100 * r.majority);
  text += fmt::format("               {}\n", verdict(r));
  if (r.certificate.epsilon) {
    text += fmt::format("the run        would cost epsilon {} at delta {:.3g}; the rehearsal cost nothing\n",
                        artifact::epsilon_text(r.certificate.epsilon), r.certificate.delta);
  }
  for (const std::string& line : r.assumed) text += fmt::format("assumed        {}\n", line);
  text +=
      "               Your people may be harder to tell apart, classes less equal, and a column most of whose values "
      "lie in "
      "a small\n               part of its declared range tells less: then the noise costs more. A bad rehearsal is to "
      "be "
      "believed,\n               a good one promises nothing.\n";
  print_result(session, object, text);
}

}  // namespace graphveil::cli
