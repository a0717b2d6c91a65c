#include "graphveil/files/arrow_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "graphveil/files/bad_input.h"

namespace graphveil::files {
namespace {

template <typename T>
const T* buffer(const ArrowArray& array, int64_t i) {
  return static_cast<const T*>(array.buffers[i]);
}

bool bit(const uint8_t* bits, int64_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; }

bool is_null(const ArrowArray& array, int64_t i) {
  return array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] != nullptr &&
         !bit(buffer<uint8_t>(array, 0), i);
}

template <typename T>
std::string_view number_text(T value, CellText& room) {
  const auto [end, error] = std::to_chars(room.data(), room.data() + room.size(), value);
  return {room.data(), static_cast<size_t>(end - room.data())};
}

// A number that is none is a cell that says nothing, as data frames write it.
template <typename T>
std::string_view real_text(T value, char decimal, CellText& room) {
  if (std::isnan(value)) return {};
  const std::string_view text = number_text(value, room);
  if (decimal != '.') {
    char* const point = std::find(room.data(), room.data() + text.size(), '.');
    if (point != room.data() + text.size()) *point = decimal;
  }
  return text;
}

template <typename Offset>
std::string_view text_at(const ArrowArray& array, int64_t i) {
  const auto* offsets = buffer<Offset>(array, 1);
  return {buffer<char>(array, 2) + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])};
}

// A text of the view layout: 16 bytes, in which short texts lie themselves and long ones are named by buffer and place.
std::string_view view_at(const ArrowArray& array, int64_t i) {
  const char* view = buffer<char>(array, 1) + 16 * i;
  int32_t size = 0, which = 0, place = 0;
  std::memcpy(&size, view, 4);
  if (size <= 12) return {view + 4, static_cast<size_t>(size)};
  std::memcpy(&which, view + 8, 4);
  std::memcpy(&place, view + 12, 4);
  return {buffer<char>(array, 2 + which) + place, static_cast<size_t>(size)};
}

int64_t whole_at(const char* format, const ArrowArray& array, int64_t i) {
  switch (*format) {
    case 'c': return buffer<int8_t>(array, 1)[i];
    case 'C': return buffer<uint8_t>(array, 1)[i];
    case 's': return buffer<int16_t>(array, 1)[i];
    case 'S': return buffer<uint16_t>(array, 1)[i];
    case 'i': return buffer<int32_t>(array, 1)[i];
    case 'I': return buffer<uint32_t>(array, 1)[i];
    default: return buffer<int64_t>(array, 1)[i];
  }
}

bool known_format(const std::string_view format) {
  for (const std::string_view known : {"u", "U", "vu", "c", "C", "s", "S", "i", "I", "l", "L", "f", "g", "b", "n"}) {
    if (format == known) return true;
  }
  return false;
}

// Entry i of an array, its own offset counted in.
std::string_view text_of(const ArrowSchema& schema, const ArrowArray& array, int64_t row, char decimal,
                         CellText& room) {
  const int64_t i = array.offset + row;
  const char* format = schema.format;
  if (*format == 'n' || is_null(array, i)) return {};
  if (schema.dictionary != nullptr) {
    return text_of(*schema.dictionary, *array.dictionary, whole_at(format, array, i), decimal, room);
  }
  switch (*format) {
    case 'u': return text_at<int32_t>(array, i);
    case 'U': return text_at<int64_t>(array, i);
    case 'v': return view_at(array, i);
    case 'b': return bit(buffer<uint8_t>(array, 1), i) ? "true" : "false";
    case 'f': return real_text(buffer<float>(array, 1)[i], decimal, room);
    case 'g': return real_text(buffer<double>(array, 1)[i], decimal, room);
    case 'L': return number_text(buffer<uint64_t>(array, 1)[i], room);
    default: return number_text(whole_at(format, array, i), room);
  }
}

void drop(ArrowArray& array) {
  if (array.release != nullptr) array.release(&array);
  array = {};
}

}  // namespace

ArrowTable::ArrowTable(ArrowArrayStream* stream, std::string name, char decimal)
    : name_(std::move(name)), decimal_(decimal) {
  if (stream->release == nullptr) bad_file(name_, "the stream was read already");
  stream_ = std::exchange(*stream, {});
  const int code = stream_.get_schema(&stream_, &schema_);
  std::string wrong;
  if (code != 0) {
    wrong = last_error(code);
  } else if (std::string_view(schema_.format) != "+s") {
    wrong = fmt::format("its rows are of Arrow type '{}', want a table: a struct of columns", schema_.format);
  }
  std::set<std::string> seen;
  for (int64_t c = 0; wrong.empty() && c < schema_.n_children; ++c) {
    const char* column = schema_.children[c]->name;
    columns_.emplace_back(column != nullptr && *column != '\0' ? column : fmt::format("column{}", c + 1));
    if (!seen.insert(columns_.back()).second) wrong = fmt::format("it has column '{}' twice", columns_.back());
  }
  if (wrong.empty()) return;
  // No destructor will run.
  if (schema_.release != nullptr) schema_.release(&schema_);
  stream_.release(&stream_);
  bad_file(name_, "{}", wrong);
}

ArrowTable::~ArrowTable() {
  drop(batch_);
  if (schema_.release != nullptr) schema_.release(&schema_);
  if (stream_.release != nullptr) stream_.release(&stream_);
}

std::string ArrowTable::last_error(int code) {
  const char* text = stream_.get_last_error != nullptr ? stream_.get_last_error(&stream_) : nullptr;
  return fmt::format("the stream failed: {}", text != nullptr ? text : std::strerror(code));
}

void ArrowTable::check_column(size_t column, bool id) const {
  const ArrowSchema& schema = *schema_.children[column];
  const ArrowSchema& values = schema.dictionary != nullptr ? *schema.dictionary : schema;
  const std::string_view format = values.format;
  const bool real = format == "f" || format == "g";
  const bool indexed = schema.dictionary == nullptr || std::string_view("cCsSiIlL").find(*schema.format) < 8;
  if (!known_format(format) || values.dictionary != nullptr || !indexed) {
    bad_file(name_, "column '{}' is of Arrow type '{}', want text, whole numbers, float or double, or truth values",
             columns_[column], format);
  }
  if (id && real) {
    bad_file(name_,
             "column '{}' holds ids and is of Arrow type '{}', numbers with a fraction: cast it to whole numbers "
             "or text",
             columns_[column], format);
  }
}

bool ArrowTable::next() {
  first_row_ += batch_.length;
  drop(batch_);
  const int code = stream_.get_next(&stream_, &batch_);
  if (code != 0) bad_file(name_, "{}", last_error(code));
  if (batch_.release == nullptr) return false;
  if (batch_.n_children != static_cast<int64_t>(columns_.size())) {
    bad_file(name_, "a batch has {} columns, the table {}", batch_.n_children, columns_.size());
  }
  return true;
}

std::string_view ArrowTable::cell(size_t column, int64_t row, CellText& room) const {
  return text_of(*schema_.children[column], *batch_.children[column], batch_.offset + row, decimal_, room);
}

}  // namespace graphveil::files
