#include "graphveil/kernels/noise_fill.h"

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::kernels {
namespace {

template <typename Draw>
void fill_with(MatrixView out, const StreamName& name, Into into, Draw draw) {
  RandomStream stream(name.seed, name.purpose, name.index);
  for (int64_t r = 0; r < out.rows; ++r) {
    for (Real& value : out.row(r)) {
      const Real drawn = static_cast<Real>(draw(stream));
      value = into == Into::Add ? value + drawn : drawn;
    }
  }
}

}  // namespace

void fill_gaussian(MatrixView out, double stddev, const StreamName& name, Into into) {
  fill_with(out, name, into, [=](RandomStream& s) { return stddev * s.gaussian(); });
}

void fill_laplace(MatrixView out, double scale, const StreamName& name, Into into) {
  fill_with(out, name, into, [=](RandomStream& s) { return scale * s.laplace(); });
}

void fill_gumbel(MatrixView out, double scale, const StreamName& name, Into into) {
  fill_with(out, name, into, [=](RandomStream& s) { return scale * s.gumbel(); });
}

void fill_uniform(MatrixView out, double low, double high, const StreamName& name) {
  fill_with(out, name, Into::Overwrite, [=](RandomStream& s) { return low + (high - low) * s.uniform(); });
}

void fill_dropout_mask(MatrixView out, double keep_probability, const StreamName& name) {
  require(keep_probability > 0 && keep_probability <= 1, "keep probability is {}, want more than 0, at most 1",
          keep_probability);
  fill_with(out, name, Into::Overwrite,
            [=](RandomStream& s) { return s.bernoulli(keep_probability) ? 1 / keep_probability : 0.0; });
}

}  // namespace graphveil::kernels
