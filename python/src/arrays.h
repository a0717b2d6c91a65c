// Arrays between Python and the library, without a copy where both sides have the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "graphveil/base/matrix.h"
#include "graphveil/base/shared_array.h"

namespace graphveil::python {

namespace nb = nanobind;

template <typename T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The array's memory, which Python's object keeps alive for as long as anybody reads it.
template <typename Array, typename T>
SharedArray<T> borrowed(const Array& array, std::type_identity<T>) {
  auto* kept = new Array(array);
  const std::shared_ptr<const void> owner(static_cast<const void*>(kept), [kept](const void*) {
    const nb::gil_scoped_acquire locked;
    delete kept;
  });
  return {std::span<const T>(array.data(), array.size()), owner};
}
template <typename T>
SharedArray<T> borrowed(const Vector<T>& array) {
  return borrowed(array, std::type_identity<T>());
}
template <typename T>
SharedArray<T> borrowed(const Table<T>& array) {
  return borrowed(array, std::type_identity<T>());
}

template <typename T>
std::span<const T> span_of(const Vector<T>& array) {
  return {array.data(), array.size()};
}

// Library memory as a NumPy array that nobody writes to; `Owner` is whatever keeps it alive.
template <typename T, typename Owner>
nb::ndarray<nb::numpy, const T> lent(const T* data, std::initializer_list<size_t> shape, Owner owner) {
  static const T nothing{};
  auto* kept = new Owner(std::move(owner));
  const nb::capsule capsule(kept, [](void* p) noexcept { delete static_cast<Owner*>(p); });
  return nb::ndarray<nb::numpy, const T>(data != nullptr ? data : &nothing, shape, capsule);
}
template <typename T>
nb::ndarray<nb::numpy, const T> lent(const SharedArray<T>& array) {
  return lent<T>(array.data(), {array.size()}, array);
}

// A matrix, or a list, that becomes Python's own.
template <typename T>
nb::ndarray<nb::numpy, T> given(std::vector<T> values, std::initializer_list<size_t> shape) {
  static T nothing{};
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule capsule(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->empty() ? &nothing : kept->data(), shape, capsule);
}
inline nb::ndarray<nb::numpy, Real> given(Matrix matrix) {
  static Real nothing{};
  auto* kept = new Matrix(std::move(matrix));
  const nb::capsule capsule(kept, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return nb::ndarray<nb::numpy, Real>(kept->size() > 0 ? kept->data() : &nothing,
                                      {static_cast<size_t>(kept->rows()), static_cast<size_t>(kept->cols())}, capsule);
}

}  // namespace graphveil::python
