// Sums over rows and maps by column, compiled once per level. Sums run in double, a few registers of columns at a time
// down all rows.
#pragma once

#include "graphveil/kernels/isa/columns.h"
#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

constexpr int kDoubles = GRAPHVEIL_VECTOR_BYTES / 8;
typedef double Doubles __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(8), may_alias));

inline void read(const Real* from, Doubles& to) { to = __builtin_convertvector(load<kDoubles>(from), Doubles); }
inline void read(const Real* from, double& to) { to = static_cast<double>(*from); }

// One column, or a register of them, of the row sums.
template <typename Lanes>
inline Lanes lanes_at(const Real* from) {
  Lanes value;
  read(from, value);
  return value;
}

// These are overloads and not one template: a type loses its alignment as a template argument.
inline void add_to(double* to, Doubles value) { *reinterpret_cast<Doubles*>(to) += value; }
inline void add_to(double* to, double value) { *to += value; }
inline void take(const double* from, Doubles& to) { to = *reinterpret_cast<const Doubles*>(from); }
inline void take(const double* from, double& to) { to = *from; }
inline void put(double* to, Doubles value) { *reinterpret_cast<Doubles*>(to) = value; }
inline void put(double* to, double value) { *to = value; }

// Calls add<Lanes, B>(first column) with B registers of doubles at a time, then with one column at a time.
template <typename Add>
inline void each_block(int64_t cols, Add add) {
  int64_t c = 0;
  for (; c + 2 * kDoubles <= cols; c += 2 * kDoubles) add.template operator()<Doubles, 2>(c);
  for (; c + kDoubles <= cols; c += kDoubles) add.template operator()<Doubles, 1>(c);
  for (; c < cols; ++c) add.template operator()<double, 1>(c);
}

void columns_add_sums(ColumnRows x, int64_t rows, int64_t cols, double* sums) noexcept {
  each_block(cols, [&]<typename Lanes, int B>(int64_t first) {
    Lanes sum[B];
    for (int b = 0; b < B; ++b) take(sums + first + b * kDoubles, sum[b]);
    for (int64_t r = 0; r < rows; ++r) {
      for (int b = 0; b < B; ++b) sum[b] += lanes_at<Lanes>(x.data + r * x.stride + first + b * kDoubles);
    }
    for (int b = 0; b < B; ++b) put(sums + first + b * kDoubles, sum[b]);
  });
}

void columns_add_rounded(const Real* x, int64_t cols, double big, double* sums) noexcept {
  each_block(cols, [&]<typename Lanes, int B>(int64_t first) {
    for (int b = 0; b < B; ++b) {
      const Lanes value = lanes_at<Lanes>(x + first + b * kDoubles);
      add_to(sums + first + b * kDoubles, (value + big) - big);
    }
  });
}

// Two sums at once: sums += a, products += a b, where terms(row, column, a, b) sets a and b.
template <typename Terms>
inline void add_pairs(int64_t rows, int64_t cols, double* sums, double* products, Terms terms) {
  each_block(cols, [&]<typename Lanes, int B>(int64_t first) {
    Lanes sum[B], product[B];
    for (int b = 0; b < B; ++b) {
      take(sums + first + b * kDoubles, sum[b]);
      take(products + first + b * kDoubles, product[b]);
    }
    for (int64_t r = 0; r < rows; ++r) {
      for (int b = 0; b < B; ++b) {
        Lanes one, other;
        terms(r, first + b * kDoubles, one, other);
        sum[b] += one;
        product[b] += one * other;
      }
    }
    for (int b = 0; b < B; ++b) {
      put(sums + first + b * kDoubles, sum[b]);
      put(products + first + b * kDoubles, product[b]);
    }
  });
}

void columns_add_moments(ColumnRows x, int64_t rows, int64_t cols, const Real* shift, double* sums,
                         double* squares) noexcept {
  add_pairs(rows, cols, sums, squares, [&]<typename Lanes>(int64_t r, int64_t c, Lanes& one, Lanes& other) {
    one = other = lanes_at<Lanes>(x.data + r * x.stride + c) - lanes_at<Lanes>(shift + c);
  });
}

void columns_add_products(ColumnRows g, ColumnRows x, int64_t rows, int64_t cols, const Real* shift, double* sums,
                          double* products) noexcept {
  add_pairs(rows, cols, sums, products, [&]<typename Lanes>(int64_t r, int64_t c, Lanes& one, Lanes& other) {
    one = lanes_at<Lanes>(g.data + r * g.stride + c);
    other = lanes_at<Lanes>(x.data + r * x.stride + c) - lanes_at<Lanes>(shift + c);
  });
}

void columns_scale(ColumnRows x, int64_t rows, int64_t cols, const Real* shift, const Real* scale, const Real* offset,
                   Real* y, int64_t y_stride) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* in = x.data + r * x.stride;
    Real* out = y + r * y_stride;
    each_register(cols, [&](int64_t c, auto read, auto write) {
      write(out + c, (read(in + c) - read(shift + c)) * read(scale + c) + read(offset + c));
    });
  }
}

void columns_combine(ColumnRows g, ColumnRows x, int64_t rows, int64_t cols, const Real* g_scale, const Real* shift,
                     const Real* scale, const Real* offset, Real* y, int64_t y_stride) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* gradient = g.data + r * g.stride;
    const Real* in = x.data + r * x.stride;
    Real* out = y + r * y_stride;
    each_register(cols, [&](int64_t c, auto read, auto write) {
      write(out + c, read(gradient + c) * read(g_scale + c) + (read(in + c) - read(shift + c)) * read(scale + c) +
                         read(offset + c));
    });
  }
}

constexpr ColumnKernels kColumnsTable{.add_sums = columns_add_sums,
                                      .add_rounded = columns_add_rounded,
                                      .add_moments = columns_add_moments,
                                      .add_products = columns_add_products,
                                      .scale = columns_scale,
                                      .combine = columns_combine};

}  // namespace
}  // namespace graphveil::kernels::isa
