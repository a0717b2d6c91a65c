#include "graphveil/base/student_t.h"

#include <cmath>
#include <numbers>

#include "graphveil/base/error.h"

namespace graphveil {

double student_t_within(double t, int64_t freedom) {
  require(freedom >= 1, "{} degrees of freedom, want at least 1", freedom);
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(freedom)));
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  // cos + 2/3 cos^3 + 2*4/(3*5) cos^5 + ... for odd numbers, 1 + 1/2 cos^2 + 1*3/(2*4) cos^4 + ... for even ones.
  double term = odd ? cosine : 1, sum = 0;
  for (int64_t power = odd ? 1 : 0; power <= freedom - 2; power += 2) {
    sum += term;
    term *= static_cast<double>(power + 1) / static_cast<double>(power + 2) * cosine * cosine;
  }
  return odd ? (angle + sine * sum) * 2 / std::numbers::pi : sine * sum;
}

double student_t_quantile(double level, int64_t freedom) {
  require(level > 0 && level < 1, "level is {}, want more than 0 and less than 1", level);
  double low = 0, high = 1;
  while (student_t_within(high, freedom) < level) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (student_t_within(middle, freedom) < level ? low : high) = middle;
  }
  return high;
}

}  // namespace graphveil
