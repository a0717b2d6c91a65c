#include "graphveil/run/settings.h"

#include "graphveil/base/error.h"

namespace graphveil::run {

void Settings::declare(Options& options, bool wants_public_graph) {
  options.real("epsilon", epsilon, 1e-6, 1e6, "Privacy budget");
  options.alias("e");
  options.real_or("noise-multiplier", noise_multiplier, "auto", 1e-4, 1e8,
                  "Fixes the noise, as a multiple of what the method calls 1, instead of --epsilon");
  options.real_or("delta", delta, "auto", 0, 0.999999,
                  "Failure probability; auto is 1/10^digits(nodes) at node level, 1/10^(digits(nodes) + 2) at edge "
                  "level, 0 where each line is one release of noise that allows it");
  options.alias("d");
  options.choice<std::optional<bound::Relation>>("relation", relation,
                                                 {{"auto", std::nullopt},
                                                  {"edge", bound::Relation::Edge},
                                                  {"undirected-edge", bound::Relation::UndirectedEdge},
                                                  {"node", bound::Relation::Node},
                                                  {"record", bound::Relation::Record}},
                                                 "What is protected: an edge, a node with all its edges, or a node's "
                                                 "own record; auto: the method's default for this "
                                                 "graph");
  options.integer("protect-degree", protect_degree, 1, INT32_MAX,
                  "Under node: epsilon is quoted for nodes with at most so many outgoing edges");
  options.integer_or("entity-size", entity_size, "none", 1, 1000,
                     "Under node and record: one person is at most so many nodes; the certificate then has what that "
                     "costs them. Declared, and checked where the data say who is who");
  options.choice("accounting", accounting, {{"tight", Accounting::Tight}, {"published", Accounting::Published}},
                 "tight: proved. published: the paper's arithmetic (for dpgnn its mechanism too), never valid");
  options.integer("propagate", propagate, 0, 1000,
                  "Personalized-PageRank steps over the scores at prediction; predictions are then the holder's alone");
  options.real("alpha", alpha, 0, 1, "How much of a node's own scores each step of --propagate keeps");
  options.choice("propagate-on", propagated,
                 {{"logits", learn::Propagated::Logits}, {"probabilities", learn::Propagated::Probabilities}},
                 "What --propagate averages over neighbors");
  if (wants_public_graph) {
    options.integer_or("private-nodes", private_nodes, "none", 1, INT32_MAX,
                       "Of one graph: labeled nodes to protect, chosen at random");
    options.integer_or("public-nodes", public_nodes, "none", 1, INT32_MAX, "Of one graph: public nodes, test included");
    options.integer_or("public-test", public_test, "none", 0, INT32_MAX,
                       "Labeled public nodes kept to evaluate on, chosen at random");
    options.boolean("balanced", balanced,
                    "Of one graph: as many private nodes of every class. Reads labels: for --accounting published, and "
                    "methods that promise nothing");
  } else {
    options.text("split", split, "Percentages train/val/test or train/test, or file for the masks in the data");
    options.choice<std::string>("public-labels", public_data, {{"none", ""}, {"val", "val"}},
                                "Labels that you declare public: val lets those of validation nodes pick the epoch");
    options.alias("public");  // its name before methods had a --public graph
  }
  options.choice(
      "metric", metric,
      {{"auto", Metric::Auto},
       {"accuracy", Metric::Accuracy},
       {"f1", Metric::F1},
       {"balanced", Metric::Balanced},
       {"roc-auc", Metric::RocAuc},
       {"auc", Metric::RocAuc}},
      "By what predictions are judged: shown first, and what --tune goes by. f1 is macro-F1, balanced the mean "
      "of the recalls; auto: accuracy, and of two classes ROC AUC too");
  options.text("class-weights", class_weights,
               "Weights of the classes in training: none, CLASS=WEIGHT,... (public; others 1), or balanced: one over a "
               "class's share, where labels are private from a count with noise, which is charged");
  options.integer_or("predictions", predictions, "none", 1, 100000,
                     "So many predictions on other graphs of the same people are paid for beforehand, by epsilon");
  options.integer_or("tune", tune, "none", 2, 10000,
                     "Tries so many settings and keeps the best; at edge level for nothing, at node level on average, "
                     "and charged");
  options.text("tune-over", tune_over,
               "Options that --tune chooses, with commas between them; auto: all that the method offers and you do not "
               "set");
  options.integer("repeats", repeats, 1, 100000, "Trainings, each with its own split and seed");
  options.alias("r");
  options.integer_or("seed", seed, "random", 0, INT64_MAX,
                     "A number makes the run reproducible, noise included: for experiments, never releasable");
  options.alias("s");
  const std::string page = ", for the certificate's first page (declared, and published with it)";
  options.text("data-name", data_name, "What the data is" + page);
  options.text("controller", controller, "Who answers for the data" + page);
  options.text("purpose", purpose, "What the model is for" + page);
  options.integer_or("people", people, "unknown", 1, INT64_MAX, "How many people are in the data" + page);
}

}  // namespace graphveil::run
