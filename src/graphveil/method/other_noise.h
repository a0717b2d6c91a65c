// Where a run keeps what it would have predicted with other noise: to compare noises at the price of one training.
#pragma once

namespace graphveil::method {

// Among Output::sums, which are the holder's: class probabilities as Output::predictions has them, under names that
// begin with this and go on with the noise. Nothing accounts for these.
inline constexpr const char* kOtherNoise = "predictions with other noise/";

}  // namespace graphveil::method
