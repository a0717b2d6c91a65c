#include "graphveil/method/dpgpl/gpf_plus.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::gpf_plus_test {
namespace {

// x + softmax(x A) P, entry by entry in double.
TEST(GpfPlus, AddsVectorsByAttention) {
  nn::Parameters parameters;
  const GpfPlusLayers layers(parameters, 3, {.inputs = 2, .hidden = 5}, 4, Seed::from_number(1));
  Matrix x(2, 2);
  std::ranges::copy(std::vector<Real>{1, -2, 0.5, 3}, x.values().begin());
  nn::Tape tape(Seed::from_number(2));
  tape.start();
  const nn::Var y = layers.prompted(tape.input(x));
  const ConstMatrixView vectors = parameters.value(0), attention = parameters.value(1);
  ASSERT_EQ(vectors.rows, 3);
  ASSERT_EQ(attention.cols, 3);
  for (int64_t r = 0; r < 2; ++r) {
    double shares[3], sum = 0;
    for (int64_t k = 0; k < 3; ++k) {
      shares[k] = std::exp(double{x(r, 0)} * attention(0, k) + double{x(r, 1)} * attention(1, k));
      sum += shares[k];
    }
    for (int64_t c = 0; c < 2; ++c) {
      double wanted = x(r, c);
      for (int64_t k = 0; k < 3; ++k) wanted += shares[k] / sum * vectors(k, c);
      EXPECT_NEAR(y.value()(r, c), wanted, 1e-5);
    }
  }
}

// Before it is tuned it has no opinion.
TEST(GpfPlus, StartsUniform) {
  GpfPlus prompt(small_prompt(PromptKind::GpfPlus), backbone().network(), kClasses, Seed::from_number(1));
  const Matrix said = prompt.probabilities(backbone().graph(), first_numbers(5));
  for (const Real p : said.values()) EXPECT_FLOAT_EQ(p, 1.0F / kClasses);
}

}  // namespace
}  // namespace graphveil::method::gpf_plus_test
