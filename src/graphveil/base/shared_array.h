// An immutable array whose memory is kept alive by whoever made it: a vector, or a mapped file.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace graphveil {

// Copying shares the memory. Reads like a std::span<const T>.
template <typename T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(std::vector<T> values) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    span_ = *owner;
    owner_ = std::move(owner);
  }
  SharedArray(std::span<const T> span, std::shared_ptr<const void> owner) : span_(span), owner_(std::move(owner)) {}

  const T* data() const { return span_.data(); }
  size_t size() const { return span_.size(); }
  bool empty() const { return span_.empty(); }
  const T& operator[](size_t i) const { return span_[i]; }
  auto begin() const { return span_.begin(); }
  auto end() const { return span_.end(); }
  std::span<const T> span() const { return span_; }
  operator std::span<const T>() const { return span_; }

 private:
  std::span<const T> span_;
  std::shared_ptr<const void> owner_;
};

}  // namespace graphveil
