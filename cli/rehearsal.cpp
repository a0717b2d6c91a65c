#include "cli/rehearsal.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/help.h"
#include "graphveil/artifact/words.h"

namespace graphveil::cli {
namespace {

constexpr int64_t kIndent = 15;

// Whether an accuracy is more than always naming the most frequent class gives, by more than chance may.
bool learned(const run::Rehearsal& r, double accuracy) {
  constexpr double kNothing = 0.03;
  // Two standard deviations of a share of so many.
  const double chance = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(1, r.test_nodes)));
  return accuracy - r.majority >= std::max(kNothing, chance);
}

std::string verdict(const run::Rehearsal& r) {
  constexpr double kMost = 0.9;
  if (!learned(r, r.cases.back().accuracy)) {
    return "the noise leaves nothing to learn from, even of people who are easily told apart: expect what always "
           "naming "
           "the most frequent class gives. A larger epsilon, more people, fewer features or another method (graphveil "
           "advise) would help";
  }
  const bool costs = std::ranges::any_of(r.cases, [&](const run::RehearsedCase& one) {
    return one.without_noise && learned(r, *one.without_noise) &&
           one.accuracy - r.majority < kMost * (*one.without_noise - r.majority);
  });
  return costs ? "the noise costs something, and leaves something to learn from"
               : "on such people the noise costs little";
}

std::string case_text(const run::RehearsedCase& one) {
  std::string text =
      fmt::format("{:{}}features that say {:<9} {:.1f}% right", "", kIndent, one.word, 100 * one.accuracy);
  if (one.without_noise) text += fmt::format(" (almost no noise: {:.1f}%)", 100 * *one.without_noise);
  return text + "\n";
}

// The text in lines that fit, behind a word.
std::string paragraph(const char* word, const std::string& text) {
  std::string lines = wrapped(text, std::max<int64_t>(40, terminal_width() - kIndent));
  for (size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 1)) {
    lines.insert(at + 1, std::string(kIndent, ' '));
  }
  return fmt::format("{:<{}}{}\n", word, kIndent, lines);
}

}  // namespace

void run_rehearsal(const run::Experiment& experiment, const run::InputData& input, const run::DeclaredPeople& declared,
                   const std::string& chosen, const Session& session) {
  const run::Rehearsal r = run::rehearse(experiment, input, declared);
  nlohmann::ordered_json object{{"rehearsal", true},
                                {"method", experiment.method().describe().name},
                                {"spent", 0},
                                {"cases", nlohmann::ordered_json::array()},
                                {"majority", r.majority},
                                {"epsilon", nullptr},
                                {"verdict", verdict(r)},
                                {"assumed", r.assumed}};
  std::string text =
      chosen + paragraph("rehearsal", fmt::format("made-up people; the most frequent class alone is {:.1f}% right",
                                                  100 * r.majority));
  std::string lost;
  for (const run::RehearsedCase& one : r.cases) {
    text += case_text(one);
    if (!learned(r, one.accuracy)) lost += fmt::format("{}{}", lost.empty() ? "" : ", ", one.word);
    nlohmann::ordered_json row{{"features_say", one.word},   {"separation", one.separation},
                               {"homophily", one.homophily}, {"test_accuracy", one.accuracy},
                               {"without_noise", nullptr},   {"beats_majority", learned(r, one.accuracy)}};
    if (one.without_noise) row["without_noise"] = *one.without_noise;
    object["cases"].push_back(row);
  }
  if (!lost.empty()) text += paragraph("", fmt::format("no better than one answer for everybody: {}", lost));
  text += paragraph("", verdict(r));
  if (r.certificate.epsilon) {
    object["epsilon"] = *r.certificate.epsilon;
    text += paragraph("the run", fmt::format("would cost epsilon {} at delta {:.3g}; the rehearsal cost nothing",
                                             artifact::epsilon_text(r.certificate.epsilon), r.certificate.delta));
  }
  for (const std::string& line : r.assumed) text += paragraph("assumed", line);
  text +=
      paragraph("",
                "This measures what the noise leaves, not your data: which of the three your people are like, if any, "
                "nothing here knows, and a column most of whose values lie in a small part of its declared range "
                "says less. Where the noise leaves nothing, believe it; the rest is no promise.");
  print_result(session, object, text);
}

}  // namespace graphveil::cli
