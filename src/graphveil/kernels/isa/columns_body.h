// Sums over rows and maps by column, compiled once per level. Sums run in double, a few registers of columns at a time
// down all rows.
#pragma once

#include "graphveil/kernels/isa/columns.h"
#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

constexpr int kDoubles = GRAPHVEIL_VECTOR_BYTES / 8;
typedef double Doubles __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(8), may_alias));

inline Doubles widen(const Real* from) { return __builtin_convertvector(load<kDoubles>(from), Doubles); }
inline Doubles load_doubles(const double* from) { return *reinterpret_cast<const Doubles*>(from); }
inline void add_doubles(double* to, Doubles value) { *reinterpret_cast<Doubles*>(to) += value; }

// Calls block<B>(first column) with B registers of doubles at a time, then one(column) for what is left.
template <typename Block, typename One>
inline void each_block(int64_t cols, Block block, One one) {
  int64_t c = 0;
  for (; c + 2 * kDoubles <= cols; c += 2 * kDoubles) block.template operator()<2>(c);
  for (; c + kDoubles <= cols; c += kDoubles) block.template operator()<1>(c);
  for (; c < cols; ++c) one(c);
}

void columns_add_sums(ColumnRows x, int64_t rows, int64_t cols, double* sums) noexcept {
  const auto block = [&]<int B>(int64_t c) {
    Doubles sum[B] = {};
    for (int64_t r = 0; r < rows; ++r) {
      for (int b = 0; b < B; ++b) sum[b] += widen(x.data + r * x.stride + c + b * kDoubles);
    }
    for (int b = 0; b < B; ++b) add_doubles(sums + c + b * kDoubles, sum[b]);
  };
  const auto one = [&](int64_t c) {
    for (int64_t r = 0; r < rows; ++r) sums[c] += static_cast<double>(x.data[r * x.stride + c]);
  };
  each_block(cols, block, one);
}

void columns_add_moments(ColumnRows x, int64_t rows, int64_t cols, const double* shift, double* sums,
                         double* squares) noexcept {
  const auto block = [&]<int B>(int64_t c) {
    Doubles sum[B] = {}, square[B] = {}, middle[B];
    for (int b = 0; b < B; ++b) middle[b] = load_doubles(shift + c + b * kDoubles);
    for (int64_t r = 0; r < rows; ++r) {
      for (int b = 0; b < B; ++b) {
        const Doubles difference = widen(x.data + r * x.stride + c + b * kDoubles) - middle[b];
        sum[b] += difference;
        square[b] += difference * difference;
      }
    }
    for (int b = 0; b < B; ++b) {
      add_doubles(sums + c + b * kDoubles, sum[b]);
      add_doubles(squares + c + b * kDoubles, square[b]);
    }
  };
  const auto one = [&](int64_t c) {
    for (int64_t r = 0; r < rows; ++r) {
      const double difference = static_cast<double>(x.data[r * x.stride + c]) - shift[c];
      sums[c] += difference;
      squares[c] += difference * difference;
    }
  };
  each_block(cols, block, one);
}

void columns_add_products(ColumnRows g, ColumnRows x, int64_t rows, int64_t cols, const Real* shift, double* sums,
                          double* products) noexcept {
  const auto block = [&]<int B>(int64_t c) {
    Doubles sum[B] = {}, product[B] = {}, middle[B];
    for (int b = 0; b < B; ++b) middle[b] = widen(shift + c + b * kDoubles);
    for (int64_t r = 0; r < rows; ++r) {
      for (int b = 0; b < B; ++b) {
        const Doubles gradient = widen(g.data + r * g.stride + c + b * kDoubles);
        sum[b] += gradient;
        product[b] += gradient * (widen(x.data + r * x.stride + c + b * kDoubles) - middle[b]);
      }
    }
    for (int b = 0; b < B; ++b) {
      add_doubles(sums + c + b * kDoubles, sum[b]);
      add_doubles(products + c + b * kDoubles, product[b]);
    }
  };
  const auto one = [&](int64_t c) {
    for (int64_t r = 0; r < rows; ++r) {
      const auto gradient = static_cast<double>(g.data[r * g.stride + c]);
      sums[c] += gradient;
      products[c] += gradient * (static_cast<double>(x.data[r * x.stride + c]) - static_cast<double>(shift[c]));
    }
  };
  each_block(cols, block, one);
}

// map(column, lanes) for whole registers, then last(column, number of lanes).
template <typename Map, typename Last>
inline void each_register(int64_t cols, Map map, Last last) {
  int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) map(c);
  if (c < cols) last(c, cols - c);
}

void columns_scale(ColumnRows x, int64_t rows, int64_t cols, const Real* shift, const Real* scale, const Real* offset,
                   Real* y, int64_t y_stride) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* in = x.data + r * x.stride;
    Real* out = y + r * y_stride;
    each_register(
        cols,
        [&](int64_t c) {
          const Reals from_mean = load<kLanes>(in + c) - load<kLanes>(shift + c);
          store<kLanes>(out + c, from_mean * load<kLanes>(scale + c) + load<kLanes>(offset + c));
        },
        [&](int64_t c, int64_t rest) {
          const Reals from_mean = load_first(in + c, rest, 0) - load_first(shift + c, rest, 0);
          store_first(out + c, rest, from_mean * load_first(scale + c, rest, 0) + load_first(offset + c, rest, 0));
        });
  }
}

void columns_combine(ColumnRows g, ColumnRows x, int64_t rows, int64_t cols, const Real* g_scale, const Real* shift,
                     const Real* scale, const Real* offset, Real* y, int64_t y_stride) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* gradient = g.data + r * g.stride;
    const Real* in = x.data + r * x.stride;
    Real* out = y + r * y_stride;
    each_register(
        cols,
        [&](int64_t c) {
          const Reals from_mean = load<kLanes>(in + c) - load<kLanes>(shift + c);
          store<kLanes>(out + c, load<kLanes>(gradient + c) * load<kLanes>(g_scale + c) +
                                     from_mean * load<kLanes>(scale + c) + load<kLanes>(offset + c));
        },
        [&](int64_t c, int64_t rest) {
          const Reals from_mean = load_first(in + c, rest, 0) - load_first(shift + c, rest, 0);
          store_first(out + c, rest,
                      load_first(gradient + c, rest, 0) * load_first(g_scale + c, rest, 0) +
                          from_mean * load_first(scale + c, rest, 0) + load_first(offset + c, rest, 0));
        });
  }
}

constexpr ColumnKernels kColumnsTable{.add_sums = columns_add_sums,
                                      .add_moments = columns_add_moments,
                                      .add_products = columns_add_products,
                                      .scale = columns_scale,
                                      .combine = columns_combine};

}  // namespace
}  // namespace graphveil::kernels::isa
