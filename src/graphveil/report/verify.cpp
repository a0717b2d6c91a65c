#include "graphveil/report/verify.h"

#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/version.h"
#include "graphveil/report/json_fields.h"

namespace graphveil::report {
namespace {

// Room for the last digits of decimal text, nothing else.
constexpr double kPrinting = 1e-9;

bool close(double a, double b) { return std::abs(a - b) <= kPrinting * std::max(std::abs(a), std::abs(b)); }

// The noise in the data's own units that a line's event asks for, given its sensitivity.
double expected_noise_scale(const mechanism::SpentLine& line) {
  struct Visitor {
    double sensitivity;
    double operator()(const account::Gaussian& m) const { return m.noise_multiplier * sensitivity; }
    double operator()(const account::Laplace& m) const { return m.noise_multiplier * sensitivity; }
    double operator()(const account::Exponential& m) const { return 2 * sensitivity / m.range; }
    double operator()(const account::RandomizedResponse& m) const { return m.log_odds; }
    double operator()(const account::DiscreteLaplace& m) const { return m.noise_multiplier * sensitivity; }
    double operator()(const account::DiscreteGaussian& m) const { return m.noise_multiplier * sensitivity; }
  };
  return std::visit(Visitor{line.sensitivity}, line.event.mechanism());
}

// Whether a claim of at most `claimed` is below what was found.
bool too_low(const std::optional<double>& claimed, double found) {
  if (!claimed) return false;
  return !(found <= *claimed * (1 + kPrinting));
}

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) fail(ErrorKind::Io, "{}: cannot be read", path);
  return bytes;
}

}  // namespace

Verdict verify(const nlohmann::json& document, std::span<const uint8_t> model, const std::string& what) {
  Verdict verdict{certificate_from_json(document, what), std::nullopt, {}};
  const Certificate& c = verdict.certificate;
  auto& reasons = verdict.reasons;

  reasons = c.reasons;
  if (c.accounting != Accounting::Tight) reasons.push_back("its accounting is the paper's, not a proof");
  if (!digest_fits(document)) reasons.push_back("its text was changed after it was written");
  if (bool_field(document, "valid", what) != c.valid()) reasons.push_back("its field 'valid' contradicts the rest");
  if (c.version != version()) {
    reasons.push_back(fmt::format("it was written by version {}, this is {}", c.version, version()));
  }
  for (const mechanism::SpentLine& line : c.lines) {
    if (!(line.sensitivity > 0) || !close(line.noise_scale, expected_noise_scale(line))) {
      reasons.push_back(fmt::format("line '{}': noise {} with sensitivity {} is not what its event says",
                                    line.event.label(), line.noise_scale, line.sensitivity));
    }
  }

  const account::Ledger ledger = c.ledger();
  const double epsilon = account::spent_epsilon(ledger, c.delta);
  if (std::isfinite(epsilon)) verdict.epsilon = epsilon;
  if (!c.epsilon && c.reasons.empty()) reasons.push_back("it claims no finite epsilon");
  if (too_low(c.epsilon, epsilon)) {
    reasons.push_back(fmt::format("it claims epsilon {:.9g}, its events cost {:.9g}", *c.epsilon, epsilon));
  }
  for (const EpsilonAt& at : c.epsilon_at) {
    const double found = account::spent_epsilon(ledger, at.delta);
    if (too_low(at.epsilon, found)) {
      reasons.push_back(fmt::format("at delta {:.3g} it claims epsilon {:.9g}, its events cost {:.9g}", at.delta,
                                    *at.epsilon, found));
    }
  }
  if (c.model_sha256 != sha256_hex(model)) reasons.push_back("the model file is not the one it was written for");
  return verdict;
}

Verdict verify_run(const std::string& folder) {
  const std::string path = folder + "/certificate.json";
  const std::vector<uint8_t> text = read_file(path);
  const std::vector<uint8_t> model = read_file(folder + "/model.safetensors");
  return verify(parse_json(std::string(text.begin(), text.end()), path), model, path);
}

}  // namespace graphveil::report
