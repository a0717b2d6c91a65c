#include "graphveil/nn/stage.h"

#include <cstring>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"

namespace graphveil::nn {
namespace {

void put(std::vector<uint8_t>& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void put_number(std::vector<uint8_t>& out, int64_t number) { put(out, &number, sizeof number); }

// Reads from the front of what is left.
class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, const std::string& what) : rest_(bytes), what_(what) {}
  bool done() const { return rest_.empty(); }
  std::span<const uint8_t> take(int64_t size) {
    if (size < 0 || size > std::ssize(rest_)) fail(ErrorKind::BadInput, "{}: ends in the middle", what_);
    const auto front = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(static_cast<size_t>(size));
    return front;
  }
  int64_t number() {
    int64_t out = 0;
    std::memcpy(&out, take(sizeof out).data(), sizeof out);
    return out;
  }

 private:
  std::span<const uint8_t> rest_;
  const std::string& what_;
};

}  // namespace

Stage::Stage(const std::string& kind) : store_(current_context().checkpoints.get()) {
  if (store_ != nullptr) name_ = store_->next(kind);
}

std::optional<State> Stage::kept() const {
  if (store_ == nullptr) return std::nullopt;
  const std::optional<std::vector<uint8_t>> bytes = store_->load(name_);
  if (!bytes) return std::nullopt;
  return state_from_bytes(*bytes, "the checkpoint of stage " + name_);
}

void Stage::keep(const State& state) const {
  if (store_ != nullptr) store_->save(name_, to_bytes(state));
}

std::vector<uint8_t> to_bytes(const State& state) {
  std::vector<uint8_t> out;
  for (const auto& [name, tensor] : state) {
    put_number(out, std::ssize(name));
    put(out, name.data(), name.size());
    put_number(out, static_cast<int64_t>(tensor.type));
    put_number(out, std::ssize(tensor.shape));
    for (const int64_t size : tensor.shape) put_number(out, size);
    put_number(out, std::ssize(tensor.bytes));
    put(out, tensor.bytes.data(), tensor.bytes.size());
  }
  return out;
}

State state_from_bytes(std::span<const uint8_t> bytes, const std::string& what) {
  State state;
  for (Reader reader(bytes, what); !reader.done();) {
    const auto name = reader.take(reader.number());
    const int64_t type = reader.number();
    if (type < 0 || type > static_cast<int64_t>(ScalarType::U8)) fail(ErrorKind::BadInput, "{}: has no type", what);
    Tensor tensor{static_cast<ScalarType>(type), {}, {}};
    const int64_t dimensions = reader.number();
    if (dimensions < 0 || dimensions > 8) fail(ErrorKind::BadInput, "{}: has {} dimensions", what, dimensions);
    for (int64_t d = 0; d < dimensions; ++d) tensor.shape.push_back(reader.number());
    const auto data = reader.take(reader.number());
    tensor.bytes.assign(data.begin(), data.end());
    if (tensor.elements() * size_of(tensor.type) != std::ssize(tensor.bytes)) {
      fail(ErrorKind::BadInput, "{}: an array is not of its size", what);
    }
    state[std::string(name.begin(), name.end())] = std::move(tensor);
  }
  return state;
}

}  // namespace graphveil::nn
