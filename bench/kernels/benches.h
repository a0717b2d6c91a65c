// The groups of measurements.
#pragma once

#include "bench/kernels/machine.h"

namespace graphveil::bench {

void bench_sparse(const Machine& machine);
void bench_dense(const Machine& machine);
void bench_rows(const Machine& machine);
void bench_noise(const Machine& machine);

}  // namespace graphveil::bench
