#include "graphveil/mechanism/strength.h"

#include <cmath>
#include <limits>
#include <variant>

#include "graphveil/base/error.h"

namespace graphveil::mechanism {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

template <typename Kind>
const Kind& released_as(const PlanLine& line) {
  const Kind* found = std::get_if<Kind>(&line.source());
  if (found == nullptr) {
    fail(ErrorKind::Internal, "'{}' releases {}, not {}", line.event.label(), bound::name(line.source()), Kind::kName);
  }
  return *found;
}

double sampling_rate(const account::Sampling& sampling) {
  struct Visitor {
    double operator()(const account::NoSampling&) const { return 1; }
    double operator()(const account::Poisson& s) const { return s.rate; }
    double operator()(const account::PoissonGroup& s) const { return s.rate; }
  };
  return std::visit(Visitor{}, sampling);
}

// Standard deviation of the noise on one number; 0 where there is none.
double noise_deviation(const PlanLine& line) {
  const account::Mechanism mechanism = mechanism_of(line.event).mechanism;
  const bool two_sided = std::holds_alternative<account::Laplace>(mechanism) ||
                         std::holds_alternative<account::DiscreteLaplace>(mechanism);
  return (two_sided ? std::sqrt(2.0) : 1.0) * noise_scale(line);
}

// P(right label) - P(a given wrong one), over the deviation of the difference, for one answer.
double response_lead(const account::RandomizedResponse& response) {
  const double odds = std::exp(-response.log_odds), others = static_cast<double>(response.classes - 1);
  const double right = 1 / (1 + others * odds), wrong = right * odds;
  const double lead = right - wrong;
  const double variance = right + wrong - lead * lead;
  return variance > 0 ? lead / std::sqrt(variance) : kUnlimited;
}

}  // namespace

double training_strength(const PlanLine& line, double samples, double parameters) {
  const auto& gradients = released_as<bound::source::Gradients>(line);
  const account::Single single = mechanism_of(line.event);
  // The sensitivity of full batches counts every sample that one record touches; that of a drawn one is a clipped
  // gradient.
  const bool whole = std::holds_alternative<account::NoSampling>(single.sampling);
  const double touched = whole ? static_cast<double>(gradients.deletions + gradients.insertions) : 1;
  const double noise = noise_deviation(line) / line.sensitivity() * touched;
  if (noise == 0) return kUnlimited;
  return std::sqrt(static_cast<double>(line.event.count())) * sampling_rate(single.sampling) * samples /
         (noise * std::sqrt(parameters));
}

double sum_strength(const PlanLine& line, double messages, double width) {
  released_as<bound::source::NeighborSum>(line);
  const double noise = noise_deviation(line);
  return noise == 0 ? kUnlimited : messages / (noise * std::sqrt(width));
}

double contact_strength(const PlanLine& line, double contacts) {
  if (!std::holds_alternative<bound::source::NeighborCounts>(line.source())) {
    released_as<bound::source::NeighborSum>(line);
  }
  const double noise = noise_deviation(line);
  return noise == 0 ? kUnlimited : std::sqrt(2.0 * static_cast<double>(line.event.count())) * contacts / noise;
}

double vote_strength(const PlanLine& line, double teachers, double classes) {
  if (std::holds_alternative<bound::source::Labels>(line.source())) {
    const account::Mechanism mechanism = mechanism_of(line.event).mechanism;
    const auto* response = std::get_if<account::RandomizedResponse>(&mechanism);
    if (response == nullptr) fail(ErrorKind::Internal, "'{}' gives labels by no response", line.event.label());
    return response_lead(*response) * std::sqrt(static_cast<double>(line.event.count()) / classes);
  }
  const auto& votes = released_as<bound::source::Votes>(line);
  const double noise = std::sqrt(2.0) * noise_deviation(line);
  if (noise == 0) return kUnlimited;
  return teachers * votes.weight / noise * std::sqrt(static_cast<double>(votes.queries * line.event.count()) / classes);
}

}  // namespace graphveil::mechanism
