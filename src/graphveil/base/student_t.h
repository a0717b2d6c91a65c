// Student's t distribution.
#pragma once

#include <cstdint>

namespace graphveil {

// P(|T| <= t) with `freedom` degrees of freedom, at least 1 (Abramowitz and Stegun 26.7.3 and 26.7.4).
double student_t_within(double t, int64_t freedom);

// The t with P(|T| <= t) = level, for a level in (0, 1).
double student_t_quantile(double level, int64_t freedom);

}  // namespace graphveil
