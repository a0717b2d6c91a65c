#include "graphveil/artifact/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"

namespace graphveil::artifact {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeader = 100'000'000;  // the layout's own limit

const std::pair<const char*, nn::ScalarType> kTypes[] = {{"F32", nn::ScalarType::F32},
                                                         {"F64", nn::ScalarType::F64},
                                                         {"I64", nn::ScalarType::I64},
                                                         {"U8", nn::ScalarType::U8}};

const char* type_name(nn::ScalarType type) {
  for (const auto& [name, value] : kTypes) {
    if (value == type) return name;
  }
  fail(ErrorKind::Internal, "unknown scalar type");
}

nn::ScalarType type_from_name(const std::string& name, const std::string& where) {
  for (const auto& [known, value] : kTypes) {
    if (name == known) return value;
  }
  fail(ErrorKind::BadInput, "{}: dtype '{}' is not one of F32, F64, I64, U8", where, name);
}

uint64_t unsigned_number(const nlohmann::json& value, const std::string& where, const char* field_name) {
  if (!value.is_number_unsigned())
    fail(ErrorKind::BadInput, "{}: '{}' holds what is not a natural number", where, field_name);
  return value.get<uint64_t>();
}

// One array of the header, its place checked against the data part.
struct Entry {
  std::string name;
  nn::Tensor tensor;
  uint64_t begin = 0, end = 0;
};

Entry read_entry(const std::string& name, const nlohmann::json& description, uint64_t data_bytes,
                 const std::string& what) {
  const std::string where = what + ": array '" + name + "'";
  Entry entry{name, {type_from_name(string_field(description, "dtype", where), where), {}, {}}, 0, 0};
  const auto& shape = field(description, "shape", where);
  if (!shape.is_array()) fail(ErrorKind::BadInput, "{}: 'shape' is not a list", where);
  const auto size = static_cast<uint64_t>(nn::size_of(entry.tensor.type));
  uint64_t bytes = size;
  for (const auto& extent : shape) {
    const uint64_t length = unsigned_number(extent, where, "shape");
    // Divide instead of multiply: the product may not fit.
    if (length != 0 && bytes > data_bytes / length)
      fail(ErrorKind::BadInput, "{}: its shape is larger than the file", where);
    bytes *= length;
    entry.tensor.shape.push_back(static_cast<int64_t>(length));
  }
  const auto& offsets = field(description, "data_offsets", where);
  if (!offsets.is_array() || offsets.size() != 2) fail(ErrorKind::BadInput, "{}: 'data_offsets' is not a pair", where);
  entry.begin = unsigned_number(offsets[0], where, "data_offsets");
  entry.end = unsigned_number(offsets[1], where, "data_offsets");
  if (entry.begin > entry.end || entry.end > data_bytes || entry.end - entry.begin != bytes) {
    fail(ErrorKind::BadInput, "{}: bytes {} to {} do not fit its shape or the file", where, entry.begin, entry.end);
  }
  return entry;
}

}  // namespace

void to_safetensors(const nn::State& state, const std::function<void(std::span<const uint8_t>)>& put) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  uint64_t position = 0;
  for (const auto& [name, tensor] : state) {
    header[name] = {{"dtype", type_name(tensor.type)},
                    {"shape", tensor.shape},
                    {"data_offsets", {position, position + tensor.bytes.size()}}};
    position += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // so that the arrays start aligned
  std::vector<uint8_t> before(kLengthBytes);
  const uint64_t length = text.size();
  std::memcpy(before.data(), &length, kLengthBytes);
  before.insert(before.end(), text.begin(), text.end());
  put(before);
  for (const auto& [name, tensor] : state) put(tensor.bytes);
}

std::vector<uint8_t> to_safetensors(const nn::State& state) {
  std::vector<uint8_t> bytes;
  to_safetensors(state, [&](std::span<const uint8_t> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  return bytes;
}

nn::State from_safetensors(std::span<const uint8_t> bytes, const std::string& what) {
  if (bytes.size() < kLengthBytes) fail(ErrorKind::BadInput, "{}: too short for a safetensors file", what);
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeader || length > bytes.size() - kLengthBytes) {
    fail(ErrorKind::BadInput, "{}: a header of {} bytes does not fit a file of {}", what, length, bytes.size());
  }
  const std::span<const uint8_t> data = bytes.subspan(kLengthBytes + length);
  const nlohmann::json header = parse_strict_json(
      std::string(bytes.begin() + kLengthBytes, bytes.begin() + static_cast<int64_t>(kLengthBytes + length)), what);
  if (!header.is_object()) fail(ErrorKind::BadInput, "{}: its header is not a JSON object", what);

  std::vector<Entry> entries;
  for (const auto& [name, description] : header.items()) {
    if (name != "__metadata__") entries.push_back(read_entry(name, description, data.size(), what));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  uint64_t position = 0;
  nn::State state;
  for (Entry& entry : entries) {
    if (entry.begin != position) {
      fail(ErrorKind::BadInput, "{}: array '{}' starts at byte {}, want {}: arrays overlap or leave gaps", what,
           entry.name, entry.begin, position);
    }
    position = entry.end;
    const auto part = data.subspan(entry.begin, entry.end - entry.begin);
    entry.tensor.bytes.assign(part.begin(), part.end());
    state.emplace(entry.name, std::move(entry.tensor));
  }
  if (position != data.size()) {
    fail(ErrorKind::BadInput, "{}: {} bytes at the end belong to no array", what, data.size() - position);
  }
  return state;
}

}  // namespace graphveil::artifact
