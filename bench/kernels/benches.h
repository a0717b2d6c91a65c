// The groups of measurements.
#pragma once

#include "bench/kernels/machine.h"

namespace graphveil::bench {

// What the project promises: A x at 16 and 64 columns, and the Gaussian fill, each against its limit. Returns whether
// all hold.
bool bench_promises(int rounds);

void bench_sparse(const Machine& machine);
void bench_dense(const Machine& machine);
void bench_rows(const Machine& machine);
void bench_noise(const Machine& machine);
void bench_convolution(const Machine& machine);
// The kernels of whole trainings on a graph of Berkeley13's size, for docs/performance.md.
void bench_methods(const Machine& machine);

}  // namespace graphveil::bench
