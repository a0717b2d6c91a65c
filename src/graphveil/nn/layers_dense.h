// Layers that treat every row by itself, and the input that first layers share.
#pragma once

#include <optional>
#include <string>

#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// What a layer reads: a value on the tape, or rows picked from features, which are only ever multiplied.
class Input {
 public:
  Input(Var x) : tape_(x.tape), dense_(x) {}
  Input(Tape& tape, const SparseInput& x) : tape_(&tape), sparse_(x) {}
  Input(Tape& tape, const GatheredInput& x) : tape_(&tape), gathered_(x) {}

  Tape& tape() const { return *tape_; }
  // The input with dropout applied: to entries when dense, to stored entries when sparse. Throws Unsupported for
  // picked rows of dense features.
  Input dropped(double probability) const;
  Var times(Var weight) const;
  Var times(Var weight, Var bias) const;  // plus a bias
  bool on_tape() const { return dense_.has_value(); }
  // The value on the tape. Throws Unsupported for picked features.
  Var dense() const;

 private:
  Tape* tape_;
  std::optional<Var> dense_;
  SparseInput sparse_;
  std::optional<GatheredInput> gathered_;
  double sparse_dropout_ = 0;
};

// x W + b. W is in x out (the transpose of PyTorch's); both start as U(-1/sqrt(in), 1/sqrt(in)).
class Linear {
 public:
  Linear(Parameters& parameters, const std::string& name, int64_t in, int64_t out, RandomStream& random,
         bool bias = true);
  Var operator()(const Input& x) const;

  // The parts, for layers that put something between product and bias.
  Var product(const Input& x) const;
  Var biased(Var x) const;

 private:
  Parameters* parameters_;
  ParameterId weight_;
  std::optional<ParameterId> bias_;
};

}  // namespace graphveil::nn
