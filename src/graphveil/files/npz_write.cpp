#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <zip.h>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/npy.h"
#include "graphveil/files/writers.h"

namespace graphveil::files {
namespace {

// The archive's bytes on their way into a file of ours. By name libzip would write a temporary file of its own beside
// it, which nobody removes when a signal ends the process: it holds the private graph.
class ZipOutput {
 public:
  explicit ZipOutput(AtomicFile& file) : file_(file) { zip_error_init(&error_); }
  ~ZipOutput() { zip_error_fini(&error_); }
  ZipOutput(const ZipOutput&) = delete;
  ZipOutput& operator=(const ZipOutput&) = delete;

  static zip_int64_t command(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<ZipOutput*>(self)->obey(data, length, command);
  }
  // What an exception from the file was; none passes through libzip.
  void rethrow() const {
    if (stopped_) std::rethrow_exception(stopped_);
  }

 private:
  zip_int64_t obey(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                              ZIP_SOURCE_SUPPORTS, ZIP_SOURCE_REMOVE, ZIP_SOURCE_BEGIN_WRITE,
                                              ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE,
                                              ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, -1);
      case ZIP_SOURCE_STAT: zip_error_set(&error_, ZIP_ER_READ, ENOENT); return -1;  // there is no archive yet
      case ZIP_SOURCE_ERROR: return zip_error_to_data(&error_, data, length);
      case ZIP_SOURCE_FREE:
      case ZIP_SOURCE_BEGIN_WRITE:
      case ZIP_SOURCE_COMMIT_WRITE:
      case ZIP_SOURCE_ROLLBACK_WRITE:
      case ZIP_SOURCE_REMOVE: return 0;
      case ZIP_SOURCE_WRITE: return put({static_cast<const std::byte*>(data), length});
      case ZIP_SOURCE_SEEK_WRITE: {
        const zip_int64_t to = zip_source_seek_compute_offset(static_cast<zip_uint64_t>(position_),
                                                              static_cast<zip_uint64_t>(end_), data, length, &error_);
        if (to >= 0) position_ = to;
        return to < 0 ? -1 : 0;
      }
      case ZIP_SOURCE_TELL_WRITE: return position_;
      default: zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0); return -1;
    }
  }
  zip_int64_t put(std::span<const std::byte> bytes) {
    try {
      file_.write_at(position_, bytes);
    } catch (...) {
      stopped_ = std::current_exception();
      zip_error_set(&error_, ZIP_ER_WRITE, EIO);
      return -1;
    }
    position_ += static_cast<int64_t>(bytes.size());
    end_ = std::max(end_, position_);
    return static_cast<zip_int64_t>(bytes.size());
  }

  AtomicFile& file_;
  zip_error_t error_;
  int64_t position_ = 0, end_ = 0;
  std::exception_ptr stopped_;
};

// Collects entries and writes them all in finish(); the arrays must live until then.
class NpzWriter {
 public:
  NpzWriter(AtomicFile& file, const std::string& path) : path_(path), output_(file) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_function_create(ZipOutput::command, &output_, &error);
    if (source) zip_.reset(zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error));
    const int code = zip_error_code_zip(&error);
    if (source && !zip_) zip_source_free(source);
    zip_error_fini(&error);
    if (!zip_) fail(ErrorKind::Io, "{}: cannot be written (zip error {})", path, code);
  }

  template <typename T>
  void add(const std::string& key, const char* descr, std::span<const T> values, const std::vector<int64_t>& shape) {
    headers_.push_back(std::make_unique<std::string>(npy_header(descr, shape)));
    std::string& header = *headers_.back();
    const zip_buffer_fragment_t fragments[] = {
        {reinterpret_cast<zip_uint8_t*>(header.data()), header.size()},
        {reinterpret_cast<zip_uint8_t*>(const_cast<T*>(values.data())), values.size_bytes()}};
    zip_source_t* source = zip_source_buffer_fragment(zip_.get(), fragments, values.empty() ? 1 : 2, 0);
    const zip_int64_t index = source ? zip_file_add(zip_.get(), (key + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      if (source) zip_source_free(source);
      fail(ErrorKind::Io, "{}: {}: {}", path_, key, zip_strerror(zip_.get()));
    }
    // A fixed date (1 January 1980): the same data gives the same bytes.
    zip_file_set_dostime(zip_.get(), static_cast<zip_uint64_t>(index), 0, 0x21, 0);
    zip_set_file_compression(zip_.get(), static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 6);
  }

  void finish() {
    struct Watch {
      Progress progress{"writing .npz", 1000};
      int64_t done = 0;
      std::exception_ptr stopped;  // must not pass through libzip
    } watch;
    zip_register_progress_callback_with_state(
        zip_.get(), 0.001,
        [](zip_t*, double share, void* state) {
          auto& w = *static_cast<Watch*>(state);
          const auto now = static_cast<int64_t>(share * 1000);
          try {
            w.progress.advance(now - w.done);
          } catch (...) {
            w.stopped = std::current_exception();
          }
          w.done = now;
        },
        nullptr, &watch);
    if (zip_close(zip_.get()) != 0) {
      output_.rethrow();
      fail(ErrorKind::Io, "{}: {}", path_, zip_strerror(zip_.get()));
    }
    (void)zip_.release();  // zip_close freed it
    if (watch.stopped) std::rethrow_exception(watch.stopped);
  }

 private:
  std::string path_;
  ZipOutput output_;
  std::vector<std::unique_ptr<std::string>> headers_;
  std::unique_ptr<zip_t, decltype(&zip_discard)> zip_{nullptr, zip_discard};
};

// Compressed rows with offsets as int32 where they fit, as SciPy keeps them.
struct RowArrays {
  std::vector<int32_t> narrow_offsets;
  std::vector<float> values;
  std::vector<int64_t> shape;

  void add_to(NpzWriter& writer, const std::string& prefix, const SparseView& matrix) {
    shape = {matrix.rows, matrix.cols};
    if (matrix.values.empty()) values.assign(matrix.indices.size(), 1.0f);
    const std::span<const float> data = matrix.values.empty() ? std::span<const float>(values) : matrix.values;
    writer.add<float>(prefix + "data", "<f4", data, {matrix.entries()});
    writer.add<int32_t>(prefix + "indices", "<i4", matrix.indices, {matrix.entries()});
    if (matrix.entries() <= INT32_MAX) {
      narrow_offsets.assign(matrix.offsets.begin(), matrix.offsets.end());
      writer.add<int32_t>(prefix + "indptr", "<i4", narrow_offsets, {matrix.rows + 1});
    } else {
      writer.add<int64_t>(prefix + "indptr", "<i8", matrix.offsets, {matrix.rows + 1});
    }
    writer.add<int64_t>(prefix + "shape", "<i8", shape, {2});
  }
};

std::vector<int64_t> widened(std::span<const int32_t> values) { return {values.begin(), values.end()}; }

}  // namespace

void write_npz(const graph::Dataset& dataset, const std::string& path) {
  graph::check(dataset);
  AtomicFile file(path);
  NpzWriter writer(file, path);
  RowArrays adjacency, attributes;
  adjacency.add_to(writer, "adj_", dataset.graph.out_view());
  if (dataset.features.is_sparse()) {
    attributes.add_to(writer, "attr_", dataset.features.sparse());
  } else {
    writer.add<float>("attr_matrix", "<f4", dataset.features.dense_values(),
                      {dataset.features.rows(), dataset.features.cols()});
  }
  const std::vector<int64_t> labels = widened(dataset.labels);
  writer.add<int64_t>("labels", "<i8", labels, {dataset.nodes()});
  std::vector<std::vector<int64_t>> parts;
  if (dataset.split) {
    parts = {widened(dataset.split->train), widened(dataset.split->val), widened(dataset.split->test)};
    const char* const names[] = {"idx_train", "idx_val", "idx_test"};
    for (size_t i = 0; i < parts.size(); ++i) {
      writer.add<int64_t>(names[i], "<i8", parts[i], {static_cast<int64_t>(parts[i].size())});
    }
  }
  const std::string found = joined_lines(dataset.found_in_data);
  if (!found.empty()) {
    writer.add<char>("found_in_data", "|u1", found, {static_cast<int64_t>(found.size())});
  }
  writer.finish();
  file.commit();
}

}  // namespace graphveil::files
