// Which methods the contract tests run, with which options.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/method/method.h"
#include "tests/contract/graphs.h"

namespace graphveil::contract {

// A method with options, and what it is tried on beside small graphs.
struct Case {
  std::string method;
  method::OptionValues options = {};
  std::vector<bound::Relation> only = {};  // empty: all that the method can protect
  std::vector<Shape> shapes = {Shape::Hubs, Shape::Tree};
  double noise = 2;

  bool covers(bound::Relation relation) const;
  std::string title() const;
};

// The defaults of every registered method, and the options that change what is read.
std::vector<Case> contract_cases();

// A method with its options set.
struct Made {
  std::unique_ptr<Options> options;
  std::unique_ptr<method::Method> method;
};

// Made small, by options that say how long and how wide and nothing else: the contract is about privacy, not accuracy.
// This is the one place that knows such options.
Made make_quick(const std::string& method, const method::OptionValues& options = {});

}  // namespace graphveil::contract
