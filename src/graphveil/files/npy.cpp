#include "graphveil/files/npy.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "graphveil/files/bad_input.h"

namespace graphveil::files {
namespace {

static_assert(std::endian::native == std::endian::little, "the readers take values from files as they are");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr int64_t kMaxElements = int64_t{1} << 40;

// The text after 'name': in a header such as {'descr': '<f4', 'fortran_order': False, 'shape': (3,), }.
std::string_view entry(const NpyArray& array, std::string_view header, std::string_view name) {
  const size_t at = header.find(fmt::format("'{}':", name));
  if (at == header.npos) bad_field(array.file, array.key, "the header does not give '{}'", name);
  std::string_view rest = header.substr(at + name.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

void parse_type(NpyArray& array, std::string_view text) {
  const size_t close = text.size() < 2 || text[0] != '\'' ? text.npos : text.find('\'', 1);
  if (close == text.npos || close < 3) bad_field(array.file, array.key, "the type is not that of one plain array");
  const std::string_view type = text.substr(1, close - 1);
  const char order = type[0];
  array.kind = type[1];
  const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), array.item_bytes);
  const bool integer = array.kind == 'i' || array.kind == 'u';
  const int size = array.item_bytes;
  const bool known = (array.kind == 'b' && size == 1) ||
                     (integer && (size == 1 || size == 2 || size == 4 || size == 8)) ||
                     (array.kind == 'f' && (size == 4 || size == 8));
  if (error != std::errc() || end != type.data() + type.size() || !known) {
    bad_field(array.file, array.key, "values of type '{}' cannot be read; want bool, integers, float32 or float64",
              type);
  }
  if (order == '>') bad_field(array.file, array.key, "big-endian values ('{}') cannot be read", type);
  if (order != '<' && order != '|' && order != '=') bad_field(array.file, array.key, "unknown byte order '{}'", type);
}

void parse_shape(NpyArray& array, std::string_view text) {
  const size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == text.npos) bad_field(array.file, array.key, "the shape is broken");
  const char* at = text.data() + 1;
  const char* const end = text.data() + close;
  int64_t product = 1;
  while (at < end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    int64_t length = 0;
    const auto [next, error] = std::from_chars(at, end, length);
    if (error != std::errc()) bad_field(array.file, array.key, "the shape is broken");
    if (length < 0 || length > kMaxElements) bad_field(array.file, array.key, "a length of {} is out of range", length);
    at = next;
    array.shape.push_back(length);
    if (length > 0 && product > kMaxElements / length) bad_field(array.file, array.key, "the array is too large");
    product *= length;
  }
}

// Calls take(i, value) for the values in row-major order.
template <typename T, typename Take>
void visit(const NpyArray& array, Take take) {
  const std::byte* data = array.bytes.data() + array.values_at;
  const auto load = [&](int64_t i) {
    T value;
    std::memcpy(&value, data + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  };
  const int64_t size = array.size();
  if (array.fortran_order && array.shape.size() == 2) {
    const int64_t rows = array.shape[0], cols = array.shape[1];
    for (int64_t i = 0; i < size; ++i) take(i, load(i / cols + i % cols * rows));
  } else {
    for (int64_t i = 0; i < size; ++i) take(i, load(i));
  }
}

template <typename Take>
void visit_any(const NpyArray& array, Take take) {
  const bool is_signed = array.kind == 'i';
  if (array.kind == 'f') return array.item_bytes == 4 ? visit<float>(array, take) : visit<double>(array, take);
  switch (array.item_bytes) {
    case 1: return is_signed ? visit<int8_t>(array, take) : visit<uint8_t>(array, take);
    case 2: return is_signed ? visit<int16_t>(array, take) : visit<uint16_t>(array, take);
    case 4: return is_signed ? visit<int32_t>(array, take) : visit<uint32_t>(array, take);
    default: return is_signed ? visit<int64_t>(array, take) : visit<uint64_t>(array, take);
  }
}

// Element i of an array with several axes lies in row i / (elements of a row).
int64_t row_of(const NpyArray& array, int64_t i) {
  return array.shape.size() < 2 ? i : i / (array.size() / array.shape[0]);
}

}  // namespace

int64_t NpyArray::size() const {
  int64_t product = 1;
  for (int64_t length : shape) product *= length;
  return product;
}

NpyArray parse_npy(std::string file, std::string key, std::vector<std::byte> bytes) {
  NpyArray array;
  array.file = std::move(file);
  array.key = std::move(key);
  array.bytes = std::move(bytes);
  const std::string_view text(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
  if (text.size() < 12 || text.substr(0, 6) != kMagic) bad_field(array.file, array.key, "not a NumPy array");

  // Version 1 has a 2-byte header length, versions 2 and 3 a 4-byte one.
  const int major = text[6];
  if (major < 1 || major > 3) bad_field(array.file, array.key, "unknown .npy version {}", major);
  const size_t length_bytes = major == 1 ? 2 : 4;
  uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, text.data() + 8, length_bytes);
  array.values_at = 8 + length_bytes + header_bytes;
  if (array.values_at > text.size()) bad_field(array.file, array.key, "the header is cut short");
  const std::string_view header = text.substr(8 + length_bytes, header_bytes);

  parse_type(array, entry(array, header, "descr"));
  const std::string_view order = entry(array, header, "fortran_order");
  if (!order.starts_with("True") && !order.starts_with("False"))
    bad_field(array.file, array.key, "the order is broken");
  array.fortran_order = order.starts_with("True");
  parse_shape(array, entry(array, header, "shape"));
  if (array.shape.size() > 2) bad_field(array.file, array.key, "has {} axes, want at most 2", array.shape.size());

  const auto present = static_cast<int64_t>(text.size() - array.values_at);
  if (present != array.size() * array.item_bytes) {
    bad_field(array.file, array.key, "holds {} bytes of values, its header says {}", present,
              array.size() * array.item_bytes);
  }
  return array;
}

std::vector<int64_t> integers(const NpyArray& array) {
  std::vector<int64_t> values(static_cast<size_t>(array.size()));
  visit_any(array, [&](int64_t i, auto value) {
    using T = decltype(value);
    if constexpr (std::is_floating_point_v<T>) {
      if (!(std::abs(value) < T(1LL << 53)) || value != std::floor(value)) {
        bad_row(array.file, array.key, row_of(array, i), "{} is not a whole number", value);
      }
    } else if constexpr (std::is_same_v<T, uint64_t>) {
      if (value > uint64_t{INT64_MAX}) bad_row(array.file, array.key, row_of(array, i), "{} is too large", value);
    }
    values[i] = static_cast<int64_t>(value);
  });
  return values;
}

std::vector<float> floats(const NpyArray& array) {
  std::vector<float> values(static_cast<size_t>(array.size()));
  visit_any(array, [&](int64_t i, auto value) {
    // A double beyond float's range would become infinite (its conversion is undefined): refuse it before.
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
        bad_row(array.file, array.key, row_of(array, i), "{} is not a finite 32-bit number", value);
      }
    }
    values[i] = static_cast<float>(value);
  });
  return values;
}

std::string npy_header(const std::string& descr, const std::vector<int64_t>& shape) {
  std::string lengths;
  for (int64_t length : shape) lengths += fmt::format("{}, ", length);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, lengths);
  // NumPy asks that the values start at a multiple of 64 bytes; spaces and a newline fill the gap.
  const size_t total = (kMagic.size() + 4 + text.size() + 1 + 63) / 64 * 64;
  text.append(total - kMagic.size() - 4 - text.size() - 1, ' ');
  text += '\n';
  std::string header(kMagic);
  header += std::string("\x01\x00", 2);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace graphveil::files
