// The options that every method has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graphveil/account/accounting.h"
#include "graphveil/base/options.h"
#include "graphveil/bound/relation.h"
#include "graphveil/learn/propagate.h"

namespace graphveil::run {

using account::Accounting;

// How predictions are judged.
enum class Metric {
  Auto,  // accuracy, and beside it ROC AUC where there are two classes
  Accuracy,
  F1,        // macro-F1
  Balanced,  // balanced accuracy: the mean of the recalls
  RocAuc,    // wants two classes
};

struct Settings {
  double epsilon = 1;
  std::optional<double> noise_multiplier;   // instead of epsilon: the knob of the method's plan
  std::optional<double> delta;              // none: from public numbers
  std::optional<bound::Relation> relation;  // none: the method's default for the graph
  int64_t protect_degree = 100;
  std::optional<int64_t> entity_size;  // nodes that one person is, at most; none: nobody says that one is several
  Accounting accounting = Accounting::Tight;
  int64_t propagate = 0;  // see learn/propagate.h
  double alpha = 0.25;
  learn::Propagated propagated = learn::Propagated::Logits;
  std::string split = "75/10/15";  // or two parts, train and test, or "file": the masks that came with the data
  std::string public_data;         // "val": validation labels are declared public; empty: nothing is
  Metric metric = Metric::Auto;
  std::optional<int64_t> tune;         // settings that are tried, at node level on average; none: no search
  std::string tune_over = "auto";      // the options that are searched, with commas; see run/search.h
  std::string class_weights = "none";  // see run/class_weights.h
  std::optional<int64_t> predictions;  // on other graphs that are paid for beforehand; see run/reserve.h
  int64_t repeats = 1;
  std::optional<int64_t> seed;  // none: from the operating system
  // For a method that wants a public graph: how one graph is split; of two graphs, how many public nodes test.
  std::optional<int64_t> private_nodes, public_nodes, public_test;
  bool balanced = false;  // of one graph: as many private nodes of every class

  // What the holder says about the data, for the first page of its certificate: declared, never read off it.
  std::string data_name, controller, purpose;
  std::optional<int64_t> people;

  // A method that wants a public graph takes the sizes of the parts instead of --split and --public-labels.
  void declare(Options& options, bool wants_public_graph = false);
};

}  // namespace graphveil::run
