#include "graphveil/nn/state.h"

#include <bit>
#include <cstring>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/nn/optimizer.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are stored as they lie in memory");

const Tensor& find(const State& state, const std::string& name, ScalarType type) {
  const auto found = state.find(name);
  if (found == state.end()) fail(ErrorKind::BadInput, "'{}' is missing", name);
  if (found->second.type != type) fail(ErrorKind::BadInput, "'{}' has the wrong type", name);
  return found->second;
}

}  // namespace

int64_t size_of(ScalarType type) {
  switch (type) {
    case ScalarType::F32: return 4;
    case ScalarType::F64:
    case ScalarType::I64: return 8;
    case ScalarType::U8: return 1;
  }
  fail(ErrorKind::Internal, "unknown scalar type");
}

ScalarType real_type() { return sizeof(Real) == 4 ? ScalarType::F32 : ScalarType::F64; }

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

Tensor to_tensor(ConstMatrixView matrix) {
  Tensor tensor{real_type(), {matrix.rows, matrix.cols}, {}};
  tensor.bytes.resize(static_cast<size_t>(matrix.size()) * sizeof(Real));
  if (matrix.size() == 0) return tensor;
  parallel_for(matrix.rows, kernels::rows_per_piece(matrix.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const auto row = matrix.row(r);
      std::memcpy(tensor.bytes.data() + static_cast<size_t>(r) * row.size_bytes(), row.data(), row.size_bytes());
    }
  });
  return tensor;
}

Tensor to_tensor(int64_t number) {
  Tensor tensor{ScalarType::I64, {1}, std::vector<uint8_t>(sizeof(number))};
  std::memcpy(tensor.bytes.data(), &number, sizeof(number));
  return tensor;
}

Tensor to_tensor(std::span<const uint8_t> bytes) {
  return {ScalarType::U8, {static_cast<int64_t>(bytes.size())}, {bytes.begin(), bytes.end()}};
}

void read_matrix(const State& state, const std::string& name, MatrixView out) {
  const Tensor& tensor = find(state, name, real_type());
  if (tensor.shape != std::vector<int64_t>{out.rows, out.cols}) {
    fail(ErrorKind::BadInput, "'{}' does not have the shape {} x {}", name, out.rows, out.cols);
  }
  for (int64_t r = 0; r < out.rows; ++r) {
    const auto row = out.row(r);
    if (!row.empty())
      std::memcpy(row.data(), tensor.bytes.data() + static_cast<size_t>(r) * row.size_bytes(), row.size_bytes());
  }
}

int64_t read_number(const State& state, const std::string& name) {
  const Tensor& tensor = find(state, name, ScalarType::I64);
  if (tensor.elements() != 1) fail(ErrorKind::BadInput, "'{}' has {} entries, want 1", name, tensor.elements());
  int64_t number = 0;
  std::memcpy(&number, tensor.bytes.data(), sizeof(number));
  return number;
}

std::vector<uint8_t> read_bytes(const State& state, const std::string& name) {
  return find(state, name, ScalarType::U8).bytes;
}

void save_parameters(const Parameters& parameters, State& state) {
  for (ParameterId id = 0; id < parameters.count(); ++id) {
    state[parameters.info(id).name] = to_tensor(parameters.value(id));
  }
}

void load_parameters(const State& state, Parameters& parameters) {
  for (ParameterId id = 0; id < parameters.count(); ++id) {
    read_matrix(state, parameters.info(id).name, parameters.value(id));
  }
}

void save_run(const Parameters& parameters, const Optimizer& optimizer, const Tape& tape, int64_t steps, State& state) {
  save_parameters(parameters, state);
  optimizer.save(state);
  state["run.steps"] = to_tensor(steps);
  state["run.dropout_draws"] = to_tensor(static_cast<int64_t>(tape.draws()));
}

int64_t load_run(const State& state, Parameters& parameters, Optimizer& optimizer, Tape& tape) {
  load_parameters(state, parameters);
  optimizer.load(state);
  tape.set_draws(static_cast<uint64_t>(read_number(state, "run.dropout_draws")));
  return read_number(state, "run.steps");
}

}  // namespace graphveil::nn
