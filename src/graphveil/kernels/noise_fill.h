// Fast fills with random numbers from a named stream (seed, purpose, index) of base/random. Entry (r, c) depends
// on the stream's name and on its position r * cols + c alone: same bits for any number of threads, any stride.
// The bits of a stream are used once: give every fill its own (purpose, index).
#pragma once

#include <cstdint>
#include <string_view>

#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/kernels/into.h"

namespace graphveil::kernels {

// Names a stream of random bits.
struct StreamName {
  const Seed& seed;
  std::string_view purpose;
  uint64_t index = 0;
};

// Normal with mean 0. The tails are true out to 11 sigma; never infinite.
void fill_gaussian(MatrixView out, double stddev, const StreamName& stream, Into into = Into::Overwrite);
// Density exp(-|x| / scale) / (2 scale).
void fill_laplace(MatrixView out, double scale, const StreamName& stream, Into into = Into::Overwrite);
// Distribution function exp(-exp(-x / scale)).
void fill_gumbel(MatrixView out, double scale, const StreamName& stream, Into into = Into::Overwrite);
// Uniform in [low, high].
void fill_uniform(MatrixView out, double low, double high, const StreamName& stream);
// 1 / keep_probability with probability keep_probability (to within 2^-32), else 0: a dropout mask.
void fill_dropout_mask(MatrixView out, double keep_probability, const StreamName& stream);

}  // namespace graphveil::kernels
