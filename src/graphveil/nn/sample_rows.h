// Which rows of a value belong to which sample, grouped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace graphveil::nn {

// Whether row r belongs to sample r, for every row of so many samples.
bool each_its_own_row(std::span<const int32_t> owners, int64_t samples);

// Built from the owner of every row by a counting sort; reuses its memory.
class SampleRows {
 public:
  // owners[r] in [0, samples).
  void assign(std::span<const int32_t> owners, int64_t samples);

  int64_t samples() const { return static_cast<int64_t>(offsets_.size()) - 1; }
  int64_t rows() const { return offsets_.back(); }
  std::span<const int32_t> owners() const { return owners_; }
  // Row r belongs to sample r, for all r: the usual case, with the cheapest rule.
  bool one_row_each() const { return one_row_each_; }
  // The rows of sample s are order()[offsets()[s] .. offsets()[s + 1]); when `contiguous`, order() is empty
  // and stands for 0, 1, 2, ...
  bool contiguous() const { return contiguous_; }
  std::span<const int64_t> offsets() const { return offsets_; }
  std::span<const int32_t> order() const { return order_; }

 private:
  std::span<const int32_t> owners_;
  std::vector<int64_t> offsets_ = {0};
  std::vector<int32_t> order_;
  bool one_row_each_ = true;
  bool contiguous_ = true;
};

}  // namespace graphveil::nn
