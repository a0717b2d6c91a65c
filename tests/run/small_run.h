// Quick experiments on a small graph and their run folders, shared by the tests of run, report and budget.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "graphveil/report/write_run.h"
#include "graphveil/run/train.h"

namespace graphveil::run {

inline graph::Dataset tiny(uint64_t seed = 1) {
  return graph::generate(graph::preset("tiny"), Seed::from_number(seed));
}

using OptionList = std::vector<std::pair<std::string, std::string>>;

// The method with few epochs, narrow where it can be.
inline std::unique_ptr<Experiment> quick(const std::string& method, const OptionList& options = {}) {
  auto experiment = std::make_unique<Experiment>(method);
  for (const auto& [name, value] :
       experiment->method().quick({.epochs = 3, .steps = 3, .width = 8, .queries = std::nullopt})) {
    experiment->set(name, value);
  }
  if (experiment->method().wants_public_graph()) {
    for (const auto& [name, value] :
         {std::pair{"private-nodes", "120"}, {"public-nodes", "150"}, {"public-test", "60"}}) {
      experiment->set(name, value);
    }
  }
  for (const auto& [name, value] : options) experiment->set(name, value);
  return experiment;
}

inline TrainOutcome train_quick(const std::string& method, const OptionList& options = {}) {
  return train(*quick(method, options), {tiny(), std::nullopt});
}

// The graph without the undirected edge u - v.
inline graph::Graph without_edge(const graph::Graph& graph, int32_t u, int32_t v) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> neighbors;
  for (int32_t a = 0; a < graph.nodes(); ++a) {
    for (const int32_t b : graph.out(a)) {
      if (!((a == u && b == v) || (a == v && b == u))) neighbors.push_back(b);
    }
    offsets.push_back(static_cast<int64_t>(neighbors.size()));
  }
  return graph::Graph::from_out_lists({std::move(offsets), std::move(neighbors)});
}

// The smallest epsilon that K Gaussian releases have at this delta, mu the root of the sum of their 1/multiplier^2:
// delta(epsilon) = Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2), solved by bisection.
inline double gaussian_epsilon(double mu, double delta) {
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const auto excess = [&](double e) { return phi(-e / mu + mu / 2) - std::exp(e) * phi(-e / mu - mu / 2) - delta; };
  double low = 0, high = 1;
  if (excess(0) <= 0) return 0;
  while (excess(high) > 0) high *= 2;
  for (int i = 0; i < 200; ++i) (excess((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  return high;
}

// An experiment on a small graph, prepared and with its parts.
struct Ready {
  std::unique_ptr<Experiment> experiment;
  Parts parts;
  Prepared prepared;
};

inline Ready ready(const std::string& method, const OptionList& options) {
  Ready out{quick(method, options), {}, {}};
  const InputData input{tiny(), std::nullopt};
  out.parts = make_parts(*out.experiment, input, Seed::from_number(1));
  out.prepared = prepare(*out.experiment, chosen_relation(*out.experiment, true), public_facts(out.parts, input));
  return out;
}

// A place for run folders, removed at the end.
class SmallRun : public testing::Test {
 protected:
  SmallRun() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = fmt::format("graphveil-{}-{}-{}", info->test_suite_name(), info->name(), getpid());
    std::replace(name.begin(), name.end(), '/', '-');
    place_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove_all(place_);
    std::filesystem::create_directory(place_);
    folder_ = (place_ / "run").string();
  }
  ~SmallRun() override { std::filesystem::remove_all(place_); }

  // Trains on data_ and writes folder_.
  artifact::Certificate train_one(const std::string& method, const OptionList& options = {},
                                  const std::optional<std::string>& signing_key = std::nullopt) {
    std::filesystem::remove_all(folder_);
    const std::unique_ptr<Experiment> experiment = quick(method, options);
    artifact::RunFolder folder(folder_);
    TrainOutcome outcome = train(*experiment, {data_, std::nullopt});
    report::write_run(folder, outcome, outcome.ran(*experiment), artifact::fingerprint(data_),
                      signing_key ? &*signing_key : nullptr);
    return outcome.certificate;
  }

  // Where certificate and model lie: release/, or draft/ of a run that is not releasable.
  const char* given() const {
    return std::filesystem::exists(folder_ + "/" + artifact::kDraft) ? artifact::kDraft : artifact::kRelease;
  }
  std::string path(const char* part, const char* file) const { return folder_ + "/" + part + "/" + file; }
  bool has(const char* part, const char* file) const { return std::filesystem::exists(path(part, file)); }
  std::string read(const char* part, const char* file) const {
    std::ifstream in(path(part, file), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const char* part, const char* file, const std::string& text) const {
    std::ofstream(path(part, file), std::ios::binary) << text;
  }

  // Everything below the place of this test, as text.
  std::vector<std::string> left() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place_)) {
      out.push_back(std::filesystem::relative(entry.path(), place_).string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  std::filesystem::path place_;
  std::string folder_;
  graph::Dataset data_ = tiny();
};

// An Ed25519 key pair (openssl genpkey -algorithm ed25519; openssl pkey -pubout), and the public half of another.
inline const std::string kPrivateKey =
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIMvMpBESDI4NaKsoJKTdNb7ME10ullObkKjK7f7S5PHg\n-----END PRIVATE "
    "KEY-----\n";
inline const std::string kPublicKey =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAyUAHwq0PFG2qcHHcR5V8Qw8Hg84KDaGpW9aI4isuxR4=\n-----END PUBLIC "
    "KEY-----\n";
inline const std::string kOtherPublicKey =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAR0tm7PaTstYbTSfyxgjavJbfp1QTYVUYJG3LtgIAmyI=\n-----END PUBLIC "
    "KEY-----\n";

}  // namespace graphveil::run
