#include "tests/fuzz/prices.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/event_json.h"
#include "graphveil/base/error.h"

namespace graphveil::fuzz {
namespace {

using namespace account;

class Reader {
 public:
  explicit Reader(Input input) : input_(input) {}

  Ledger ledger() {
    Ledger out;
    const size_t lines = 1 + below(2);
    for (size_t i = 0; i < lines; ++i) out.add(event(3, true));
    return out;
  }
  double delta() { return pick({1e-6, 1e-6, 1e-15, 1e-100, 0.3, 0.0, 1.0}); }
  double epsilon() { return pick({1.0, 0.0, 0.01, 30.0, 1000.0}); }
  Accountant accountant() { return below(4) == 0 ? Accountant::Rdp : Accountant::Pld; }

 private:
  size_t below(size_t bound) {
    if (at_ >= input_.size()) return 0;
    return input_[at_++] % bound;
  }
  double pick(std::initializer_list<double> values) { return values.begin()[below(values.size())]; }

  double noise() { return pick({1, 3, 0.4, 30, 1e-3, 1e-10, 1e6, 0}); }
  double rate() { return pick({0.1, 0.5, 0.01, 1, 1e-6, 1e-17, 0, 0.999999}); }
  int64_t count() { return static_cast<int64_t>(pick({1, 2, 9, 40, 1000, 0, 1e12})); }

  Mechanism mechanism() {
    switch (below(6)) {
      case 0: return Gaussian{noise()};
      case 1: return Laplace{noise()};
      case 2: return Exponential{pick({0.5, 0.01, 3, 1e3, 3e8, 0})};
      case 3:
        return RandomizedResponse{pick({1, 0.1, 20, 100, 699, 1e4, 0}), static_cast<int64_t>(pick({2, 3, 10, 1e9}))};
      case 4: return DiscreteLaplace{noise()};
      default: return DiscreteGaussian{noise()};
    }
  }
  Sampling sampling() {
    switch (below(4)) {
      case 0: return NoSampling{};
      case 1:
      case 2: return Poisson{rate()};
      default:
        return PoissonGroup{rate(), static_cast<int64_t>(pick({1, 3, 20, 0, 300})),
                            static_cast<int64_t>(pick({0, 1, 19}))};
    }
  }
  Trials trials() {
    if (below(2) == 0) return PositivePoisson{pick({3, 0.5, 40, 1e-9, 1e9})};
    return NegativeBinomial{pick({0, 1, 0.5, -0.9, 1000}), pick({0.1, 0.9, 1e-9})};
  }
  // A few events in all, so that one price does not take long.
  Event event(int depth, bool searches) {
    const size_t kind = depth > 0 && left_ > 0 ? below(searches ? 6 : 5) : 0;
    if (left_ > 0) --left_;
    if (kind == 3) return Event("", Sampled{rate(), share(event(depth - 1, searches))}, count());
    if (kind == 4) {
      Composed body;
      const size_t size = 1 + below(2);
      for (size_t i = 0; i < size; ++i) body.events.push_back(event(depth - 1, searches));
      return Event("", std::move(body), 1 + static_cast<int64_t>(below(3)));
    }
    if (kind == 5) {
      const Trials how = trials();
      return Event("", Tuned{how, share(event(1, false))}, 1 + static_cast<int64_t>(below(2)));
    }
    const Mechanism what = mechanism();
    return Event("", what, sampling(), count());
  }
  static std::shared_ptr<const Event> share(Event event) { return std::make_shared<const Event>(std::move(event)); }

  Input input_;
  size_t at_ = 0;
  int left_ = 6;
};

void expect(bool good, const char* what, double value, const Ledger& ledger) {
  if (good) return;
  std::fprintf(stderr, "%s %g of %s\n", what, value, to_json(ledger).dump().c_str());
  std::abort();
}

}  // namespace

void run_prices(Input input) {
  Reader reader(input);
  try {
    const Accountant accountant = reader.accountant();
    const double delta = reader.delta(), at = reader.epsilon();
    const Ledger ledger = reader.ledger();
    const double epsilon = spent_epsilon(ledger, delta, accountant);
    expect(epsilon >= 0, "epsilon", epsilon, ledger);
    const double back = spent_delta(ledger, at, accountant);
    expect(back >= 0 && back <= 1, "delta", back, ledger);
  } catch (const Error& error) {
    const bool refusal = error.kind() == ErrorKind::Unsupported || error.kind() == ErrorKind::InvalidArgument;
    if (refusal && std::strlen(error.what()) > 0) return;
    std::fprintf(stderr, "unexpected error: %s\n", error.what());
    std::abort();
  }
}

std::vector<std::string> price_seeds() {
  std::vector<std::string> seeds;
  // A search over discrete Laplace noise of 0.001, which once wrote beyond its memory: accountant, delta, epsilon, one
  // line, tuned, positive-poisson 3, one mechanism, discrete-laplace, 0.001, no sampling, once.
  seeds.push_back(std::string("\1\0\0\0\5\0\0\0\4\4\0\0", 12));
  // Numbers that follow no pattern, for nests of all shapes.
  uint32_t state = 12345;
  for (int seed = 0; seed < 24; ++seed) {
    std::string bytes;
    for (int i = 0; i < 48; ++i) {
      state = state * 1664525 + 1013904223;
      bytes += static_cast<char>(state >> 24);
    }
    seeds.push_back(bytes);
  }
  return seeds;
}

}  // namespace graphveil::fuzz
