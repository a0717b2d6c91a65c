#include "graphveil/files/mat5.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <zlib.h>

#include "graphveil/files/bad_input.h"
#include "graphveil/files/expansion.h"

namespace graphveil::files {
namespace {

using Bytes = std::span<const std::byte>;

constexpr size_t kHeaderBytes = 128;
constexpr int64_t kMaxMatElements = int64_t{1} << 40;

// Data types of elements (mi...) and classes of arrays (mx...), as the format numbers them.
enum Type : uint32_t {
  kInt8 = 1,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kSingle,
  kDouble = 9,
  kInt64 = 12,
  kUInt64,
  kMatrix,
  kCompressed
};
enum Class : uint8_t { kSparseClass = 5, kFirstNumericClass = 6, kLastNumericClass = 15 };
constexpr uint32_t kComplexFlag = 0x0800;

uint32_t load_u32(Bytes bytes, size_t at) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Element {
  uint32_t type = 0;
  Bytes data;
};

// Takes one element after the other off the front of a block.
class Elements {
 public:
  Elements(const std::string& file, std::string field, Bytes bytes, bool padded)
      : file_(file), field_(std::move(field)), bytes_(bytes), padded_(padded) {}

  bool at_end() const { return bytes_.empty(); }

  Element next() {
    if (bytes_.size() < 8) bad_field(file_, field_, "is cut short");
    const uint32_t first = load_u32(bytes_, 0);
    // Small form: up to 4 bytes of data inside the 8-byte tag itself.
    if (first >> 16 != 0) {
      const size_t size = first >> 16;
      if (size > 4) bad_field(file_, field_, "has a broken tag");
      const Element small{first & 0xffff, bytes_.subspan(4, size)};
      bytes_ = bytes_.subspan(8);
      return small;
    }
    const size_t size = load_u32(bytes_, 4);
    if (size > bytes_.size() - 8) {
      bad_field(file_, field_, "declares {} bytes where {} are left", size, bytes_.size() - 8);
    }
    const Element element{first, bytes_.subspan(8, size)};
    // Elements inside a matrix fill up to a multiple of 8; compressed ones at the top do not.
    const size_t step = padded_ ? (size + 7) / 8 * 8 : size;
    bytes_ = bytes_.subspan(8 + std::min(step, bytes_.size() - 8));
    return element;
  }

 private:
  const std::string& file_;
  std::string field_;
  Bytes bytes_;
  bool padded_;
};

// Unpacks a compressed element. `budget` is what this file may still unpack to.
std::vector<std::byte> inflated(const std::string& file, Bytes packed, int64_t& budget) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> cleanup(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());

  // The unpacked element starts with its own tag, which tells how much will come.
  std::vector<std::byte> out(8);
  const auto unpack_rest = [&](size_t from) {
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + from);
    stream.avail_out = static_cast<uInt>(out.size() - from);
    const int status = inflate(&stream, Z_SYNC_FLUSH);
    if ((status != Z_OK && status != Z_STREAM_END) || stream.avail_out != 0) {
      bad_field(file, "compressed variable", "is damaged or cut short");
    }
  };
  unpack_rest(0);
  const int64_t size = load_u32(out, 4);
  if (load_u32(out, 0) != kMatrix) bad_field(file, "compressed variable", "is not a matrix");
  if (size > budget || !can_expand_to(static_cast<int64_t>(packed.size()), size)) {
    bad_field(file, "compressed variable", "claims to unpack to {} bytes, which {} bytes cannot hold honestly", size,
              packed.size());
  }
  budget -= size;
  out.resize(8 + static_cast<size_t>(size));
  unpack_rest(8);
  return out;
}

template <typename From, typename To>
void convert(Bytes data, std::vector<To>& out) {
  out.resize(data.size() / sizeof(From));
  for (size_t i = 0; i < out.size(); ++i) {
    From value;
    std::memcpy(&value, data.data() + i * sizeof(From), sizeof(From));
    out[i] = static_cast<To>(value);
  }
}

template <typename To>
std::vector<To> numbers(const std::string& file, const std::string& field, const Element& element) {
  std::vector<To> out;
  switch (element.type) {
    case kInt8: convert<int8_t>(element.data, out); break;
    case kUInt8: convert<uint8_t>(element.data, out); break;
    case kInt16: convert<int16_t>(element.data, out); break;
    case kUInt16: convert<uint16_t>(element.data, out); break;
    case kInt32: convert<int32_t>(element.data, out); break;
    case kUInt32: convert<uint32_t>(element.data, out); break;
    case kInt64: convert<int64_t>(element.data, out); break;
    case kUInt64: convert<uint64_t>(element.data, out); break;
    case kSingle:
    case kDouble:
      if constexpr (std::is_floating_point_v<To>) {
        element.type == kSingle ? convert<float>(element.data, out) : convert<double>(element.data, out);
        break;
      }
      [[fallthrough]];
    default: bad_field(file, field, "holds values of type {} where other numbers are wanted", element.type);
  }
  return out;
}

void read_sparse(const std::string& file, MatMatrix& matrix, Elements& elements) {
  const std::string& field = matrix.name;
  matrix.row_indices = numbers<int64_t>(file, field, elements.next());
  matrix.offsets = numbers<int64_t>(file, field, elements.next());
  matrix.values = numbers<double>(file, field, elements.next());
  if (static_cast<int64_t>(matrix.offsets.size()) != matrix.cols + 1 || matrix.offsets.front() != 0 ||
      !std::is_sorted(matrix.offsets.begin(), matrix.offsets.end())) {
    bad_field(file, field, "has broken column offsets");
  }
  // MATLAB may keep more room than entries: the last offset is the number that counts.
  const int64_t entries = matrix.offsets.back();
  if (entries > static_cast<int64_t>(std::min(matrix.row_indices.size(), matrix.values.size()))) {
    bad_field(file, field, "has {} row indices and {} values for {} entries", matrix.row_indices.size(),
              matrix.values.size(), entries);
  }
  matrix.row_indices.resize(static_cast<size_t>(entries));
  matrix.values.resize(static_cast<size_t>(entries));
  for (int64_t c = 0; c < matrix.cols; ++c) {
    for (int64_t i = matrix.offsets[c]; i < matrix.offsets[c + 1]; ++i) {
      if (matrix.row_indices[i] < 0 || matrix.row_indices[i] >= matrix.rows) {
        bad_row(file, field, c, "index {} is out of range, want 0 to {}", matrix.row_indices[i], matrix.rows - 1);
      }
    }
  }
}

// The body of one matrix element, when its name is wanted.
std::optional<MatMatrix> read_matrix(const std::string& file, Bytes body, std::span<const std::string> wanted) {
  Elements elements(file, "variable", body, true);
  const Element flags = elements.next();
  const Element shape = elements.next();
  const Element label = elements.next();
  MatMatrix matrix;
  matrix.name.assign(reinterpret_cast<const char*>(label.data.data()), label.data.size());
  if (std::find(wanted.begin(), wanted.end(), matrix.name) == wanted.end()) return std::nullopt;

  if (flags.type != kUInt32 || flags.data.size() < 8) bad_field(file, matrix.name, "has broken flags");
  const uint32_t word = load_u32(flags.data, 0);
  const uint32_t array_class = word & 0xff;
  matrix.sparse = array_class == kSparseClass;
  if ((word & kComplexFlag) != 0 ||
      (!matrix.sparse && (array_class < kFirstNumericClass || array_class > kLastNumericClass))) {
    bad_field(file, matrix.name, "is not a real numeric matrix");
  }
  const auto dims = numbers<int64_t>(file, matrix.name, shape);
  if (dims.size() != 2 || dims[0] < 0 || dims[1] < 0 || (dims[1] > 0 && dims[0] > kMaxMatElements / dims[1])) {
    bad_field(file, matrix.name, "has a broken shape");
  }
  matrix.rows = dims[0];
  matrix.cols = dims[1];
  if (matrix.sparse) {
    read_sparse(file, matrix, elements);
  } else {
    matrix.values = numbers<double>(file, matrix.name, elements.next());
    if (static_cast<int64_t>(matrix.values.size()) != matrix.rows * matrix.cols) {
      bad_field(file, matrix.name, "holds {} values for {} x {}", matrix.values.size(), matrix.rows, matrix.cols);
    }
  }
  return matrix;
}

void check_header(const std::string& file, Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kHeaderBytes));
  if (text.starts_with("\x89HDF") || text.starts_with("MATLAB 7.3")) {
    bad_file(file, "a MATLAB 7.3 (HDF5) file, which cannot be read: save it again with -v7");
  }
  if (!text.starts_with("MATLAB 5.0")) bad_file(file, "not a MATLAB 5 file");
  if (text.size() < kHeaderBytes) bad_file(file, "the header is cut short");
  if (text.substr(126) == "MI") bad_file(file, "big-endian values cannot be read");
  if (text.substr(126) != "IM") bad_file(file, "the byte order mark is broken");
}

}  // namespace

std::vector<MatMatrix> read_mat5(const std::string& file, std::span<const std::byte> bytes,
                                 std::span<const std::string> wanted) {
  check_header(file, bytes);
  int64_t budget = expansion_limit(static_cast<int64_t>(bytes.size()));
  std::vector<MatMatrix> found;
  Elements elements(file, "variable", bytes.subspan(kHeaderBytes), false);
  while (!elements.at_end() && found.size() < wanted.size()) {
    const Element element = elements.next();
    std::optional<MatMatrix> matrix;
    if (element.type == kCompressed) {
      const std::vector<std::byte> body = inflated(file, element.data, budget);
      matrix = read_matrix(file, Bytes(body).subspan(8), wanted);
    } else if (element.type == kMatrix) {
      matrix = read_matrix(file, element.data, wanted);
    }
    if (matrix) found.push_back(std::move(*matrix));
  }
  return found;
}

}  // namespace graphveil::files
