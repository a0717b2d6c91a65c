// What a run must remember to go on from where it stopped: named arrays, ready for a model file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::nn {

class Optimizer;
class Parameters;
class Tape;

enum class ScalarType { F32, F64, I64, U8 };

int64_t size_of(ScalarType type);
ScalarType real_type();  // F32 in the product

// Little-endian numbers in row-major order.
struct Tensor {
  ScalarType type = ScalarType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t elements() const;
};

using State = std::map<std::string, Tensor>;

Tensor to_tensor(ConstMatrixView matrix);
Tensor to_tensor(int64_t number);
Tensor to_tensor(std::span<const uint8_t> bytes);
// The named array into `out`. Throws BadInput when it is missing, or of another shape or type.
void read_matrix(const State& state, const std::string& name, MatrixView out);
int64_t read_number(const State& state, const std::string& name);
std::vector<uint8_t> read_bytes(const State& state, const std::string& name);

// Parameters under their own names.
void save_parameters(const Parameters& parameters, State& state);
void load_parameters(const State& state, Parameters& parameters);
// Everything one training step depends on: parameters, optimiser ("optimizer.*"), dropout draws and the number of
// steps done ("run.*"). Batches and noise are named by the step, so they need no state of their own.
void save_run(const Parameters& parameters, const Optimizer& optimizer, const Tape& tape, int64_t steps, State& state);
// Returns the number of steps done.
int64_t load_run(const State& state, Parameters& parameters, Optimizer& optimizer, Tape& tape);

}  // namespace graphveil::nn
