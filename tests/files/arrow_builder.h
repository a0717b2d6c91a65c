// Arrow streams of a few rows, made by hand after the specification: what a data frame would hand over.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/files/arrow.h"

namespace graphveil::files {

// One column: its format and, for each batch, its buffers.
class ArrowColumn {
 public:
  ArrowColumn(std::string name, std::string format) : name_(std::move(name)), format_(std::move(format)) {}
  virtual ~ArrowColumn() = default;
  const std::string& name() const { return name_; }
  const std::string& format() const { return format_; }
  // The array of rows [begin, end); buffers live as long as the column.
  virtual void fill(ArrowArray& array, size_t begin, size_t end) = 0;

 protected:
  const void** keep(std::vector<const void*> buffers) {
    lists_.push_back(std::move(buffers));
    return lists_.back().data();
  }
  const uint8_t* bits(const std::vector<bool>& values) {
    auto& made = bytes_.emplace_back(values.size() / 8 + 1, 0);
    for (size_t i = 0; i < values.size(); ++i) made[i / 8] = static_cast<uint8_t>(made[i / 8] | values[i] << (i % 8));
    return made.data();
  }
  std::deque<std::vector<uint8_t>> bytes_;

 private:
  std::string name_, format_;
  std::deque<std::vector<const void*>> lists_;
};

// Texts; none is a null. The format is "u", "U" or "vu".
class TextColumn final : public ArrowColumn {
 public:
  TextColumn(std::string name, std::vector<std::optional<std::string>> cells, const std::string& format = "u")
      : ArrowColumn(std::move(name), format), cells_(std::move(cells)) {}
  void fill(ArrowArray& array, size_t begin, size_t end) override {
    std::vector<bool> there;
    std::string& text = texts_.emplace_back();
    std::vector<int64_t> offsets{0};
    for (size_t i = begin; i < end; ++i) {
      there.push_back(cells_[i].has_value());
      text += cells_[i].value_or("");
      offsets.push_back(static_cast<int64_t>(text.size()));
    }
    array.null_count = -1;  // not counted
    if (format() == "vu") {
      auto& views = bytes_.emplace_back(16 * (end - begin) + 1, 0);
      for (size_t i = 0; i + 1 < offsets.size(); ++i) {
        const auto size = static_cast<int32_t>(offsets[i + 1] - offsets[i]), place = static_cast<int32_t>(offsets[i]);
        std::memcpy(&views[16 * i], &size, 4);
        if (size <= 12) {
          std::memcpy(&views[16 * i + 4], text.data() + place, static_cast<size_t>(size));
        } else {
          std::memcpy(&views[16 * i + 12], &place, 4);
        }
      }
      array.n_buffers = 3;
      array.buffers = keep({bits(there), views.data(), text.data()});
      return;
    }
    const bool large = format() == "U";
    auto& made = bytes_.emplace_back(offsets.size() * (large ? 8 : 4), 0);
    for (size_t i = 0; i < offsets.size(); ++i) {
      const auto small = static_cast<int32_t>(offsets[i]);
      large ? std::memcpy(&made[8 * i], &offsets[i], 8) : std::memcpy(&made[4 * i], &small, 4);
    }
    array.n_buffers = 3;
    array.buffers = keep({bits(there), made.data(), text.data()});
  }

 private:
  std::vector<std::optional<std::string>> cells_;
  std::deque<std::string> texts_;
};

// Numbers without nulls.
template <typename T>
class NumberColumn final : public ArrowColumn {
 public:
  NumberColumn(std::string name, std::string format, std::vector<T> cells)
      : ArrowColumn(std::move(name), std::move(format)), cells_(std::move(cells)) {}
  void fill(ArrowArray& array, size_t begin, size_t) override {
    // By an offset, as slices of a larger array are.
    array.offset = static_cast<int64_t>(begin);
    array.n_buffers = 2;
    array.buffers = keep({nullptr, cells_.data()});
  }

 private:
  std::vector<T> cells_;
};

// A stream of batches of at most `per_batch` rows. It keeps the columns alive.
class ArrowStream {
 public:
  ArrowStream(std::vector<std::shared_ptr<ArrowColumn>> columns, size_t rows, size_t per_batch = 2)
      : columns_(std::move(columns)), rows_(rows), per_batch_(per_batch) {
    stream_.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) { return self(s)->schema(out); };
    stream_.get_next = [](ArrowArrayStream* s, ArrowArray* out) { return self(s)->next(out); };
    stream_.get_last_error = [](ArrowArrayStream*) { return "a pipe broke"; };
    stream_.release = [](ArrowArrayStream* s) {
      ++self(s)->released;
      s->release = nullptr;
    };
    stream_.private_data = this;
  }
  ArrowStream(const ArrowStream&) = delete;
  ArrowStream& operator=(const ArrowStream&) = delete;

  ArrowArrayStream* get() { return &stream_; }
  int released = 0;                // how often the consumer let go of the stream
  int batches_out = 0;             // batches that the consumer holds
  std::optional<size_t> fails_at;  // the row from which on get_next fails
  std::string row_format = "+s";

 private:
  static ArrowStream* self(ArrowArrayStream* s) { return static_cast<ArrowStream*>(s->private_data); }

  int schema(ArrowSchema* out) {
    *out = {};
    out->format = row_format.c_str();
    out->name = "";
    for (const auto& column : columns_) {
      ArrowSchema child{};
      child.format = column->format().c_str();
      child.name = column->name().c_str();
      children_.push_back(std::make_unique<ArrowSchema>(child));
    }
    for (const auto& child : children_) pointers_.push_back(child.get());
    out->n_children = static_cast<int64_t>(pointers_.size());
    out->children = pointers_.data();
    out->release = [](ArrowSchema* s) { s->release = nullptr; };
    return 0;
  }

  struct Batch {
    ArrowStream* stream;
    std::vector<ArrowArray> arrays;
    std::vector<ArrowArray*> pointers;
  };

  int next(ArrowArray* out) {
    *out = {};
    if (fails_at && at_ >= *fails_at) return 5;
    if (at_ >= rows_) return 0;
    const size_t end = std::min(rows_, at_ + per_batch_);
    auto* batch = new Batch{this, std::vector<ArrowArray>(columns_.size()), {}};
    for (size_t c = 0; c < columns_.size(); ++c) {
      batch->arrays[c].length = static_cast<int64_t>(end - at_);
      columns_[c]->fill(batch->arrays[c], at_, end);
      batch->pointers.push_back(&batch->arrays[c]);
    }
    out->length = static_cast<int64_t>(end - at_);
    out->n_children = static_cast<int64_t>(columns_.size());
    out->children = batch->pointers.data();
    out->private_data = batch;
    out->release = [](ArrowArray* a) {
      const std::unique_ptr<Batch> held(static_cast<Batch*>(a->private_data));
      --held->stream->batches_out;
      a->release = nullptr;
    };
    ++batches_out;
    at_ = end;
    return 0;
  }

  std::vector<std::shared_ptr<ArrowColumn>> columns_;
  size_t rows_, per_batch_, at_ = 0;
  ArrowArrayStream stream_{};
  std::vector<std::unique_ptr<ArrowSchema>> children_;
  std::vector<ArrowSchema*> pointers_;
};

inline std::shared_ptr<ArrowColumn> texts(const std::string& name, std::vector<std::optional<std::string>> cells,
                                          const std::string& format = "u") {
  return std::make_shared<TextColumn>(name, std::move(cells), format);
}
template <typename T>
std::shared_ptr<ArrowColumn> numbers(const std::string& name, const std::string& format, std::vector<T> cells) {
  return std::make_shared<NumberColumn<T>>(name, format, std::move(cells));
}

}  // namespace graphveil::files
