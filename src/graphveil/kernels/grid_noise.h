// TEMP
#pragma once
#include <cstdint>
#include <span>
#include "graphveil/kernels/noise_fill.h"
namespace graphveil::kernels {
void add_gaussian(std::span<int64_t> values, double stddev, const StreamName& stream);
void add_laplace(std::span<int64_t> values, double scale, const StreamName& stream);
void add_gumbel(std::span<int64_t> values, double scale, const StreamName& stream);
}
