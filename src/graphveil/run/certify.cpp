#include "graphveil/run/certify.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/drawn.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/infinity.h"
#include "graphveil/base/version.h"
#include "graphveil/run/declared.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/search.h"
#include "graphveil/run/statements.h"

namespace graphveil::run {
namespace {

constexpr double kOtherDeltas[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

std::vector<std::string> assumptions_of(const Prepared& prepared, const DataOrigin& origin) {
  const method::Method& method = prepared.experiment->method();
  const Settings& settings = prepared.experiment->settings();
  std::vector<std::string> out = method.assumptions(prepared.setting.relation);
  if (settings.public_data == "val") out.emplace_back(kPublicValidation);
  if (prepared.setting.relation == bound::Relation::Node && !method.every_degree()) {
    out.emplace_back("the degree for which epsilon is quoted was declared, not read off the data");
  }
  if (settings.entity_size.value_or(1) > 1) {
    out.push_back(fmt::format("nobody is more than {} nodes: declared, not read off the data", *settings.entity_size));
  }
  if (method.wants_public_graph()) out.emplace_back(kPublicGraph);
  out.emplace_back(
      bound::edge_level(prepared.setting.relation)
          ? "which ids are there, their features and their labels, and whether the graph is symmetric, are public: "
            "only "
            "edges are private"
          : "the feature columns, their ranges, the classes, whether the graph is symmetric, and which ids are there, "
            "have a label and train, are public");
  if (!origin.schema_sha256.empty()) {
    out.push_back(fmt::format("the schema with SHA-256 {} was declared public: columns, ranges and classes follow it",
                              origin.schema_sha256));
  }
  for (const std::string& found : origin.found_in_data) {
    out.push_back(fmt::format("{} was read off the data and is taken to be public", found));
  }
  if (prepared.setting.relation == bound::Relation::Record) {
    out.emplace_back("edges that other nodes list are theirs: this says nothing about them, nor about one friendship");
  }
  return out;
}

// Why what a valid certificate speaks of should still not be given away.
constexpr double kLess = 0.01;
std::vector<std::string> not_releasable(const Prepared& prepared, std::optional<double> epsilon,
                                        std::optional<double> less, bool reproducible_seed) {
  std::vector<std::string> out;
  if (reproducible_seed) {
    out.emplace_back("the run had a seed: whoever guesses it can draw the noise again and take it away");
  }
  const method::PublicFacts& facts = prepared.setting.facts;
  const int64_t people = std::max(facts.nodes, facts.train_nodes);
  if (std::optional<std::string> why = exposed_outright(prepared.delta, people)) out.push_back(std::move(*why));
  // Where records take part with a chance of about delta, the noise may be next to nothing and epsilon still be small:
  // a hundredth of delta tells. Noise that hides a record makes epsilon grow by little.
  if (prepared.delta > 0) {
    constexpr double kTimes = 4, kMore = 4;
    if (!epsilon || !less || !(*less <= kTimes * *epsilon + kMore)) {
      out.push_back(
          fmt::format("epsilon is {:.3g} at delta {:.3g} and {:.3g} at {:.3g}: whoever is drawn is hardly hidden, "
                      "only the chance to be drawn is small",
                      epsilon.value_or(kInfinity), prepared.delta, less.value_or(kInfinity), kLess * prepared.delta));
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> exposed_outright(double delta, int64_t people) {
  if (delta * static_cast<double>(people) <= 1) return std::nullopt;
  return fmt::format("delta {:.3g} is more than 1 in {}: somebody may be exposed outright", delta, people);
}

DataOrigin origin_of(const graph::Dataset& data) {
  DataOrigin origin{data.found_in_data, {}, {}, {}};
  // Names are given out where a schema declares them public.
  if (!data.schema.empty()) {
    const auto* text = reinterpret_cast<const uint8_t*>(data.schema.data());
    origin.schema_sha256 = sha256_hex({text, data.schema.size()});
    origin.class_names = data.class_names.list();
    origin.feature_names = data.feature_names.list();
  }
  return origin;
}

artifact::Certificate certify(const Prepared& prepared, const mechanism::Plan& trained, bool reproducible_seed,
                              const DataOrigin& origin) {
  const mechanism::Plan spent = with_reserve(trained, prepared.reserved);
  const method::Method& method = prepared.experiment->method();
  const Settings& settings = prepared.experiment->settings();
  artifact::Certificate c;
  c.version = version();
  c.method = method.describe().name;
  c.config = prepared.experiment->values();
  c.relation = prepared.setting.relation;
  c.protect_degree = prepared.setting.protect_degree;
  c.facts = prepared.setting.facts;
  c.accounting = settings.accounting;
  c.noise = prepared.noise;
  c.reproducible_seed = reproducible_seed;
  c.found_in_data = origin.found_in_data;
  c.schema_sha256 = origin.schema_sha256;
  c.class_names = origin.class_names;
  c.feature_names = origin.feature_names;
  if (!prepared.is_private()) {
    c.reasons.emplace_back("the method adds no noise and promises nothing");
    return c;
  }
  c.plan = spent;
  c.delta = prepared.delta;
  std::vector<Priced> asked{{spent.ledger(), c.delta}, {spent.ledger(), kLess * c.delta}};
  for (const double delta : kOtherDeltas) asked.push_back({spent.ledger(), delta});
  const std::vector<std::optional<double>> proved = proved_epsilons(asked);
  c.epsilon = proved[0];
  for (size_t i = 2; i < asked.size(); ++i) c.epsilon_at.push_back({asked[i].delta, proved[i]});
  c.sampler_epsilon = c.delta > 0 ? account::sampler_epsilon(spent.ledger()) : 0;
  if (prepared.as_published()) c.published_epsilon = prepared.published_epsilon;
  c.reasons = prepared.reasons;
  if (c.valid()) {
    c.statements =
        statements(method, spent, prepared.setting, c.delta, settings.propagate == 0, settings.entity_size.value_or(1));
    c.not_releasable = not_releasable(prepared, c.epsilon, proved[1], reproducible_seed);
    c.assumptions = assumptions_of(prepared, origin);
    c.remarks = method.remarks(c.relation);
    if (const std::string variant = method.variant(); !variant.empty()) {
      c.remarks.insert(c.remarks.begin(), "not its paper's algorithm throughout: " + variant);
    }
    if (settings.tune) c.remarks.push_back(search_remark(prepared));
    if (!prepared.reserved.empty()) {
      c.remarks.push_back(
          fmt::format("this covers the training and {} later predictions on other graphs of the same "
                      "people, made or not: lines that begin with 'later' are theirs",
                      *settings.predictions));
    }
  }
  return c;
}

}  // namespace graphveil::run
