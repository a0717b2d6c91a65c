// Randomized response on the cells of a large, nearly empty table, without ever forming it: asymmetric randomized
// response (Imola, Murakami and Chaudhuri 2022) is plain randomized response on every cell followed by dropping each
// reported member with a fixed probability, which is post-processing.
#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

Noisy<std::vector<int64_t>> Release::randomized_set(const std::string& label,
                                                    bound::Bounded<std::vector<int64_t>> members, int64_t universe,
                                                    double thinning) {
  const account::RandomizedResponse response = planned_as<account::RandomizedResponse>(line(label));
  const std::vector<int64_t>& ones = members.value_;
  require(response.classes == 2, "'{}' is planned for {} classes; a cell has 2", label, response.classes);
  require(thinning > 0 && thinning <= 1, "thinning of '{}' is {}, want more than 0 and at most 1", label, thinning);
  require(members.sensitivity().amount == 1, "'{}': one record changes {} cells, want 1", label,
          members.sensitivity().amount);
  require(std::is_sorted(ones.begin(), ones.end()) && std::adjacent_find(ones.begin(), ones.end()) == ones.end() &&
              (ones.empty() || (ones.front() >= 0 && ones.back() < universe)),
          "'{}': members must rise strictly within [0, {})", label, universe);
  spend(label, members.sensitivity());
  if (observer_ != nullptr) {
    observer_->saw(label, {ones.begin(), ones.end()}, static_cast<int64_t>(ones.size()), members.sensitivity());
  }
  if (door_ != Door::Private) return finish(label, std::move(members.value_), response.log_odds);

  // A member is reported with probability t a, another cell with t (1 - a), a = e^l / (1 + e^l).
  const double lie = flip_probability(response.log_odds, 2);
  RandomStream random(seed_, purpose(label), point_.draws++);
  // Reports at the rate of the others over the whole universe; those that fall on members do not count.
  const std::vector<int64_t> flipped = random.poisson_sample(universe, thinning * lie);
  std::vector<int64_t> reported;
  reported.reserve(flipped.size() + ones.size());
  auto next = flipped.begin();
  for (const int64_t member : ones) {
    for (; next != flipped.end() && *next < member; ++next) reported.push_back(*next);
    if (next != flipped.end() && *next == member) ++next;
    if (random.bernoulli(thinning * (1 - lie))) reported.push_back(member);
  }
  reported.insert(reported.end(), next, flipped.end());
  return finish(label, std::move(reported), response.log_odds);
}

}  // namespace graphveil::mechanism
