#include "graphveil/report/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/load/atomic_file.h"

namespace graphveil::report {
namespace {

using nlohmann::json;
using nn::ScalarType;
using nn::Tensor;

constexpr const char* kMetadata = "__metadata__";
constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kLargestHeader = 100'000'000;  // as the reference implementation

constexpr std::array<std::pair<ScalarType, const char*>, 4> kTypeNames = {
    {{ScalarType::F32, "F32"}, {ScalarType::F64, "F64"}, {ScalarType::I64, "I64"}, {ScalarType::U8, "U8"}}};

const char* type_name(ScalarType type) {
  for (const auto& [known, name] : kTypeNames) {
    if (known == type) return name;
  }
  fail(ErrorKind::Internal, "unknown scalar type");
}

ScalarType type_from_name(const std::string& tensor, const std::string& text) {
  for (const auto& [type, name] : kTypeNames) {
    if (text == name) return type;
  }
  fail(ErrorKind::BadInput, "array '{}' has type '{}', want F32, F64, I64 or U8", tensor, text);
}

// A whole number from JSON, in [0, limit].
uint64_t count_from(const json& value, uint64_t limit, const std::string& tensor) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > limit) {
    fail(ErrorKind::BadInput, "array '{}' has a shape or place out of range", tensor);
  }
  return value.get<uint64_t>();
}

struct Place {
  uint64_t begin, end;
};

// One entry of the header, checked against the `available` bytes of arrays.
std::pair<Tensor, Place> read_entry(const std::string& name, const json& entry, uint64_t available) {
  if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry["dtype"].is_string() ||
      !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
      !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
    fail(ErrorKind::BadInput, "array '{}' is not described by dtype, shape and data_offsets", name);
  }
  Tensor tensor;
  tensor.type = type_from_name(name, entry["dtype"].get<std::string>());
  const Place place{count_from(entry["data_offsets"][0], available, name),
                    count_from(entry["data_offsets"][1], available, name)};
  // The product of the sizes, kept below what the file can hold so that it cannot overflow. A zero makes it zero.
  uint64_t elements = 1;
  bool empty = false;
  for (const json& size : entry["shape"]) {
    const uint64_t n = count_from(size, uint64_t{1} << 40, name);
    tensor.shape.push_back(static_cast<int64_t>(n));
    empty = empty || n == 0;
    if (n == 0 || empty) continue;
    if (elements > available / n) fail(ErrorKind::BadInput, "array '{}' is larger than the file", name);
    elements *= n;
  }
  const uint64_t bytes = empty ? 0 : elements * static_cast<uint64_t>(nn::size_of(tensor.type));
  if (place.end < place.begin || place.end - place.begin != bytes) {
    fail(ErrorKind::BadInput, "array '{}' takes {} bytes and has place for another number", name, bytes);
  }
  return {std::move(tensor), place};
}

Metadata read_metadata(const json& entry) {
  Metadata metadata;
  if (!entry.is_object()) fail(ErrorKind::BadInput, "the metadata are not an object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) fail(ErrorKind::BadInput, "metadata '{}' is not text", key);
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

}  // namespace

std::vector<uint8_t> to_safetensors(const nn::State& tensors, const Metadata& metadata) {
  json header = json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  uint64_t place = 0;
  for (const auto& [name, tensor] : tensors) {
    require(name != kMetadata, "no array may be called {}", kMetadata);
    const auto bytes = static_cast<uint64_t>(tensor.elements() * nn::size_of(tensor.type));
    require(bytes == tensor.bytes.size(), "array '{}' has {} bytes, its shape wants {}", name, tensor.bytes.size(),
            bytes);
    header[name] = {
        {"dtype", type_name(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {place, place + bytes}}};
    place += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::vector<uint8_t> file(kLengthBytes + text.size() + place);
  const uint64_t length = text.size();
  std::memcpy(file.data(), &length, kLengthBytes);
  std::memcpy(file.data() + kLengthBytes, text.data(), text.size());
  uint8_t* out = file.data() + kLengthBytes + text.size();
  for (const auto& [name, tensor] : tensors) out = std::copy(tensor.bytes.begin(), tensor.bytes.end(), out);
  return file;
}

TensorFile from_safetensors(std::span<const uint8_t> bytes) {
  if (bytes.size() < kLengthBytes)
    fail(ErrorKind::BadInput, "{} bytes are too few for a safetensors file", bytes.size());
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLargestHeader || length > bytes.size() - kLengthBytes) {
    fail(ErrorKind::BadInput, "the header claims {} bytes, the file has {}", length, bytes.size() - kLengthBytes);
  }
  const std::span<const uint8_t> text = bytes.subspan(kLengthBytes, length);
  const std::span<const uint8_t> arrays = bytes.subspan(kLengthBytes + length);
  const json header = json::parse(text.begin(), text.end(), nullptr, false);
  if (!header.is_object()) fail(ErrorKind::BadInput, "the header is not a JSON object");

  TensorFile file;
  std::vector<std::pair<Place, std::string>> places;
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata) {
      file.metadata = read_metadata(entry);
      continue;
    }
    auto [tensor, place] = read_entry(name, entry, arrays.size());
    const auto data = arrays.subspan(place.begin, place.end - place.begin);
    tensor.bytes.assign(data.begin(), data.end());
    file.tensors[name] = std::move(tensor);
    places.emplace_back(place, name);
  }
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.begin, a.first.end) < std::pair(b.first.begin, b.first.end);
  });
  uint64_t covered = 0;
  for (const auto& [place, name] : places) {
    if (place.begin != covered) fail(ErrorKind::BadInput, "array '{}' leaves a gap or overlaps another", name);
    covered = place.end;
  }
  if (covered != arrays.size()) fail(ErrorKind::BadInput, "{} bytes belong to no array", arrays.size() - covered);
  return file;
}

void write_safetensors(const std::string& path, const nn::State& tensors, const Metadata& metadata) {
  const std::vector<uint8_t> bytes = to_safetensors(tensors, metadata);
  load::AtomicFile file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
}

TensorFile read_safetensors(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "cannot open {}", path);
  const std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) fail(ErrorKind::Io, "cannot read {}", path);
  try {
    return from_safetensors(bytes);
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", path, error.what());
  }
}

}  // namespace graphveil::report
