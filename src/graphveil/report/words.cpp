#include "graphveil/report/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "graphveil/artifact/words.h"

namespace graphveil::report {

namespace {

// What is left of rounding where nothing is released is no cost that anybody should weigh.
std::string cost_in_words(const std::optional<double>& epsilon) {
  constexpr double kRounding = 1e-9;
  if (epsilon && *epsilon < kRounding) return "has no further cost (epsilon below 1e-9)";
  return fmt::format("costs epsilon {}", artifact::epsilon_text(epsilon));
}

}  // namespace

std::string in_words(const run::Prediction& p) {
  std::string text;
  switch (p.kind) {
    case run::PredictionKind::Stored:
      text = "This is the training graph: these are the predictions made with the model. They cost nothing more.\n";
      break;
    case run::PredictionKind::Free:
      text = "Predicting reads the model and each node's own record, and no edge: it costs nothing.\n";
      break;
    case run::PredictionKind::Raw: text = "Predicting reads neighbors in the clear: no guarantee covers it.\n"; break;
    case run::PredictionKind::Received:
      return fmt::format(
          "The model is public, and the graph is yours: predicting costs the people that it was trained on nothing "
          "(epsilon {} as published, no more). What these predictions tell about the people of your graph is yours to "
          "protect: no guarantee covers it.\n",
          artifact::epsilon_text(p.epsilon_total));
    case run::PredictionKind::Released:
      if (p.newcomers > 0) {
        text = fmt::format(
            "{} people joined the graph: their rows alone were released. That costs nobody more, as long as edges are "
            "counted in all graphs that were shown, together, also those that are gone since: training and all "
            "predictions so far cost at most epsilon {} at delta {:.3g}, relation {}{}. Recorded in "
            "holder/releases.jsonl.\n",
            p.newcomers, artifact::epsilon_text(p.epsilon_total), p.delta, bound::name(p.relation),
            p.degree ? fmt::format(", for a node with at most {} such outgoing edges", *p.degree) : "");
        break;
      }
      if (p.reserved_left) {
        text = fmt::format(
            "Another graph: this prediction was paid for with the training, {} more are. Training and all that was "
            "reserved cost at most epsilon {} at delta {:.3g} together, relation {}{}. Recorded in "
            "holder/releases.jsonl.\n",
            *p.reserved_left, artifact::epsilon_text(p.epsilon_total), p.delta, bound::name(p.relation),
            p.degree ? fmt::format(", for a node with at most {} outgoing edges", *p.degree) : "");
        break;
      }
      text = fmt::format(
          "Another graph: this prediction {} at delta {:.3g}; training and every prediction so far cost at most {} "
          "together, relation {}{}. Recorded in holder/releases.jsonl.\n",
          cost_in_words(p.epsilon), p.delta, artifact::epsilon_text(p.epsilon_total), bound::name(p.relation),
          p.degree ? fmt::format(", for a node with at most {} outgoing edges", *p.degree) : "");
      break;
  }
  for (const std::string& assumption : p.assumptions) text += fmt::format("Assumed: {}.\n", assumption);
  if (!p.not_releasable.empty() && p.audience != mechanism::Audience::Holder) {
    text += fmt::format("The run is not releasable, so they must NOT be {}:\n",
                        p.audience == mechanism::Audience::Public ? "published" : "handed to anybody");
    for (const std::string& reason : p.not_releasable) text += fmt::format("  - {}\n", reason);
    return text;
  }
  switch (p.audience) {
    case mechanism::Audience::Public: return text + "They may be published.\n";
    case mechanism::Audience::Owner: return text + "Each row is for the node it is about, and for nobody else.\n";
    case mechanism::Audience::Holder: return text + "They are the data holder's and must not leave.\n";
  }
  return text;
}

std::string class_called(const run::TrainOutcome& outcome, int32_t k) {
  return outcome.class_names.empty() ? std::to_string(k) : std::string(outcome.class_names[k]);
}

std::string majority_warning(const run::TrainOutcome& outcome) {
  const run::Evaluation& kept = outcome.evaluations.front();
  if (!kept.majority || kept.majority->beaten()) return "";
  const auto occurring = std::ranges::count_if(kept.classes, [](const nn::ClassScores& c) { return c.nodes > 0; });
  return fmt::format(
      "the model is not shown to be better than always answering '{}': it is right on {:.1f}% of the test nodes, that "
      "answer on {:.1f}% (by a sign test a lead like this is luck with a chance of {:.2g}; at most {:.2g} would "
      "count). "
      "Its balanced accuracy is {:.1f}%, that answer's {:.1f}%",
      class_called(outcome, kept.majority->label), 100 * kept.test_accuracy, 100 * kept.majority->share,
      kept.majority->luck, run::Majority::kLuck, 100 * kept.balanced_accuracy, 100.0 / static_cast<double>(occurring));
}

}  // namespace graphveil::report
