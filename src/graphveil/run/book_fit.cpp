#include "graphveil/run/book_fit.h"

#include <cmath>

#include "graphveil/account/drawn.h"
#include "graphveil/base/error.h"
#include "graphveil/run/certify.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/search.h"

namespace graphveil::run {
namespace {

constexpr double kMost = 1e6;      // times its own noise
constexpr double kPrecise = 1.02;  // factor between noises that fit and do not

}  // namespace

std::optional<Fit> fitting(const Prepared& prepared, const BookReading& book) {
  const auto with_noise = [&](double factor) -> std::optional<Fit> {
    try {
      Prepared other = prepared;
      other.noise = prepared.noise * factor;
      other.plan = planned(prepared, other.noise);
      other.reserved = reserved_plan(prepared, other.noise);
      BookReading with = book;
      with.releases.push_back({0, "", "", Stage::Reserved, covered(certify(other, other.plan, false, {})), "", "", ""});
      with.releases.back().covered.people = book.people.front();
      const std::optional<int64_t> spent = spent_millionths(with);
      if (!spent || *spent > book.cap.millionths) return std::nullopt;
      return Fit{other.noise,
                 account::drawn_epsilon(with_reserve(other.plan, other.reserved).ledger(), book.cap.delta)};
    } catch (const Error&) {
      return std::nullopt;  // a noise that the method cannot have
    }
  };
  double low = 1, high = 2;
  std::optional<Fit> found = with_noise(high);
  while (!found && high < kMost) {
    low = high;
    high *= 4;
    found = with_noise(high);
  }
  while (found && high > low * kPrecise) {
    const double middle = std::sqrt(low * high);
    if (const std::optional<Fit> better = with_noise(middle)) {
      found = better;
      high = middle;
    } else {
      low = middle;
    }
  }
  return found;
}

}  // namespace graphveil::run
