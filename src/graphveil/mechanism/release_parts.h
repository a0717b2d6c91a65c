// What the mechanisms of a Release share; for their sources alone.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graphveil/kernels/stream_name.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {

// The mechanism of a line as the type that the caller implements; throws Internal for another.
template <typename Kind>
Kind planned_as(const PlanLine& line) {
  const account::Single single = mechanism_of(line.event);
  const Kind* kind = std::get_if<Kind>(&single.mechanism);
  if (kind == nullptr) {
    fail(ErrorKind::Internal, "'{}' is planned as {}, and something else was asked for", line.event.label(),
         account::kind(single.mechanism));
  }
  return *kind;
}

// The scale at which noise is drawn: noise_scale and a hair, so that it is never less than the ledger's multiplier
// times the sensitivity, whatever that product lost to rounding (2^-53), and pure noise keeps its epsilon although
// samplers are right to a factor only. Values move by whole steps d >= 1 in every entry that moves, and their chances
// by e^(d / s) ideally, s the scale in steps. Laplace: right to 2^-122 (s + 2 r + 2) for every size r s, so within
// 2^-75 (d / s) of that for s up to 2^13, as grids have it. Discrete Laplace: right to 2^-80, and s is at most 2^13.
// Both are below the 2^-51 (d / s) that this gains.
inline double drawn_scale(const PlanLine& line) { return noise_scale(line) * (1 + 0x1p-50); }

template <typename T>
T clone_output(const T& value) {
  if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, IntegerMatrix<int64_t>>) {
    return value.clone();
  } else {
    return value;
  }
}

// Whether one value can stand in the other's place: matrices of one shape.
template <typename T>
bool same_shape(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, IntegerMatrix<int64_t>>) {
    return a.rows() == b.rows() && a.cols() == b.cols();
  } else {
    return true;
  }
}

template <typename T>
T Release::replayed(const std::string& label) {
  if (replayed_ >= replay_->size() || (*replay_)[replayed_].label != label) {
    fail(ErrorKind::Internal, "the replayed run asks for '{}', the recorded one gave {}", label,
         replayed_ < replay_->size() ? "'" + (*replay_)[replayed_].label + "'" : std::string("nothing more"));
  }
  const T* output = std::get_if<T>(&(*replay_)[replayed_++].output);
  if (output == nullptr) fail(ErrorKind::Internal, "'{}' was recorded as something else", label);
  return clone_output(*output);
}

// Behind the replay door the recorded output takes the place of the new one.
template <typename T>
Noisy<T> Release::finish(const std::string& label, T output, double noise_scale) {
  if (door_ == Door::Replay) {
    T recorded = replayed<T>(label);
    if (!same_shape(recorded, output)) fail(ErrorKind::Internal, "'{}' was recorded in another shape", label);
    output = std::move(recorded);
  }
  if (recording_ != nullptr) recording_->push_back({label, clone_output(output)});
  return Noisy<T>(std::move(output), noise_scale);
}

template <typename Kind, typename Add>
Noisy<IntegerMatrix<int64_t>> Release::with_whole_noise(const std::string& label,
                                                        bound::Bounded<bound::CountMatrix> input, Add&& add) {
  const PlanLine& planned = spend(label, input.sensitivity());
  planned_as<Kind>(planned);
  const double scale = noise_scale(planned);
  IntegerMatrix<int64_t> counts = std::move(input.value_.values);
  const int64_t first = input.value_.first_row * counts.cols();
  if (observer_ != nullptr) {
    observer_->saw(label, {counts.values().begin(), counts.values().end()}, counts.rows(), input.sensitivity());
  }
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    add(counts.values(), drawn_scale(planned), kernels::StreamName{seed_, name, point_.draws++}, first);
  }
  return finish(label, std::move(counts), scale);
}

}  // namespace graphveil::mechanism
