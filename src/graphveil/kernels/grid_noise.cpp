#include "graphveil/kernels/grid_noise.h"
#include <cmath>
namespace graphveil::kernels {
void add_gaussian(std::span<int64_t> values, double stddev, const StreamName& s) { RandomStream r(s.seed, s.purpose, s.index); for (auto& v : values) v += std::llrint(stddev * r.gaussian()); }
void add_laplace(std::span<int64_t> values, double stddev, const StreamName& s) { RandomStream r(s.seed, s.purpose, s.index); for (auto& v : values) v += std::llrint(stddev * r.laplace()); }
void add_gumbel(std::span<int64_t> values, double stddev, const StreamName& s) { RandomStream r(s.seed, s.purpose, s.index); for (auto& v : values) v += std::llrint(stddev * r.gumbel()); }
}
