// Neighbors at the ends of what there can be: the last edge, the last label of a class, the last record of a teacher,
// the only training node. Nothing in the open may tell on which of the two a run was: not whether it is refused, nor
// what it says, nor the names, shapes and audiences of what it gives out.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/registry.h"
#include "graphveil/report/write_run.h"
#include "graphveil/run/train.h"
#include "tests/contract/harness.h"
#include "tests/files/builders.h"
#include "tests/method/vouched.h"

namespace graphveil::contract::extreme_neighbors_test {
namespace {

using bound::Relation;

constexpr int32_t kW = 0;  // the node that is blank; it trains

graph::Dataset with_labels(graph::Dataset data, const std::vector<int32_t>& labels) {
  data.labels = SharedArray<int32_t>(labels);
  return data;
}

// A graph, and what its neighbor lacks.
struct Extreme {
  std::string name;
  SmallGraph graph;
};

std::vector<Extreme> extremes(bool symmetric) {
  SmallGraph usual = small_graph(2, symmetric);
  std::vector<int32_t> labels(usual.data.labels.begin(), usual.data.labels.end());
  for (size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<int32_t>(v % 2);
  labels[kW] = 0;
  usual.data = with_labels(usual.data, labels);
  std::vector<Extreme> out;
  {
    Extreme e{"the last edge", usual};
    e.graph.data.graph =
        symmetric ? graph::Graph::from_undirected_edges(9, {{kW}}, {{1}}) : graph::Graph::from_edges(9, {{kW}}, {{1}});
    out.push_back(e);
  }
  {
    Extreme e{"the last label of a class", usual};
    labels[kW] = 2;
    e.graph.data = with_labels(usual.data, labels);
    out.push_back(e);
  }
  {
    Extreme e{"the only training node", usual};
    e.graph.split.train = {kW};
    out.push_back(e);
  }
  {
    Extreme e{"the only label", usual};
    std::vector<int32_t> one(labels.size(), graph::kUnlabeled);
    one[kW] = 1;
    e.graph.data = with_labels(usual.data, one);
    out.push_back(e);
  }
  return out;
}

// The neighbors of an extreme that lack it.
std::vector<Neighbors> lacking(const Extreme& extreme, Relation relation) {
  std::vector<Neighbors> out;
  for (Neighbors& pair : all_neighbors(extreme.graph, relation)) {
    const bool edge_gone = bound::edge_level(relation) && pair.other.graph.edges() < pair.present.graph.edges();
    if (edge_gone || (pair.node && *pair.node == kW)) out.push_back(std::move(pair));
  }
  // Where any edge will do, one is enough.
  if (bound::edge_level(relation) && !out.empty()) out.resize(1);
  return out;
}

struct Case {
  std::string method;
  std::vector<std::pair<std::string, std::string>> options;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::string& name : method::method_names()) {
    if (!method::make_method(name)->relations().empty()) out.push_back({name, {}});
  }
  out.push_back({"lap", {{"own-edges", "predict"}}});
  out.push_back({"lap", {{"rounds", "2"}}});
  out.push_back({"dpar-gm", {{"column-cap", "2"}}});
  out.push_back({"dpar-em0", {{"column-cap", "2"}}});
  out.push_back({"dpar-em1", {{"column-cap", "2"}}});
  out.push_back({"gap-ndp", {{"encoder-rows", "embedding"}}});
  // As many teachers as records: each has one, and the neighbor's has none.
  out.push_back({"pate-m", {{"teachers", "5"}}});
  out.push_back({"pate-g", {{"teachers", "5"}}});
  out.push_back({"dp-gpl", {{"teachers", "5"}}});
  out.push_back({"dp-gpl", {{"teachers", "5"}, {"student", "prompt"}}});
  out.push_back({"dp-gpl-w", {{"teachers", "5"}}});
  for (const char* teacher : {"sage", "mlp", "ridge"}) out.push_back({"privgnn", {{"teacher", teacher}}});
  return out;
}

void set_quick(Options& options, const Case& c) {
  const auto set_if_there = [&](const char* name, const char* value) {
    if (options.find(name) != nullptr) options.set(name, value);
  };
  for (const char* name : {"epochs", "encoder-epochs", "teacher-epochs", "backbone-epochs"}) set_if_there(name, "2");
  for (const char* name : {"steps", "encoder-steps"}) set_if_there(name, "3");
  for (const char* name : {"hidden-dim", "teacher-hidden-dim", "svd"}) set_if_there(name, "4");
  for (const auto& [name, value] : c.options) options.set(name, value);
}

std::string shapes_of(const nn::State& state) {
  std::string out;
  for (const auto& [name, tensor] : state) {
    out += fmt::format("{} {}", name, static_cast<int>(tensor.type));
    // As many columns as the largest released count: post-processing of noisy numbers.
    const bool follows_counts = name.ends_with("likelihood/priors");
    for (size_t i = 0; i < tensor.shape.size() - follows_counts; ++i) out += fmt::format(" {}", tensor.shape[i]);
    out += "\n";
  }
  return out;
}

// The first line in which two texts differ, for messages; empty: they are the same.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream x(a), y(b);
  std::string p, q;
  while (true) {
    const bool more = static_cast<bool>(std::getline(x, p)), others = static_cast<bool>(std::getline(y, q));
    if (!more && !others) return "";
    if (more != others || p != q) return fmt::format("'{}' and '{}'", more ? p : "", others ? q : "");
  }
}

// All that a run shows in the open of what it was given, its noise apart.
std::string seen_of(const method::Method& method, Relation relation, const graph::Dataset& data,
                    const graph::Split& split) {
  try {
    const method::Setting setting{relation,
                                  10,
                                  {data.nodes(), static_cast<int64_t>(split.train.size()), data.features.cols(),
                                   data.classes, static_cast<int64_t>(public_split().train.size())}};
    const mechanism::Plan plan = method.plan(2, setting);
    mechanism::Release release = mechanism::Release::open(
        relation, plan, {std::numeric_limits<double>::infinity(), 1e-5}, Seed::from_number(1).derived("noise"));
    const graph::Dataset prepared = method.prepare(data), around = method.prepare(public_data());
    const method::Task task{.data = prepared,
                            .split = split,
                            .relation = relation,
                            .protect_degree = 10,
                            .seed = Seed::from_number(1).derived("training"),
                            .public_graph = method::vouched_graph(around, public_split())};
    const method::Output output = method.run(task, release);
    const Matrix& rows = method::values(output.predictions);
    return fmt::format("{}{} x {} for {}, complete {}, as planned {}", shapes_of(output.model.value()), rows.rows(),
                       rows.cols(), mechanism::name(method::audience(output.predictions)), release.complete(),
                       release.spent() == plan);
  } catch (const Error& error) {
    return fmt::format("{}: {}", name(error.kind()), error.what());
  }
}

class Extremes : public testing::TestWithParam<Case> {};

TEST_P(Extremes, LookTheSameInTheOpen) {
  const auto method = method::make_method(GetParam().method);
  Options options;
  method->declare(options);
  set_quick(options, GetParam());
  for (const Relation relation : method->relations()) {
    for (const bool symmetric : {true, false}) {
      // Whether a graph is symmetric is public, and a list under record leaves nothing of a symmetric graph but that.
      if (!symmetric && (relation == Relation::UndirectedEdge || GetParam().method.starts_with("dpar"))) continue;
      for (const Extreme& extreme : extremes(symmetric)) {
        for (const Neighbors& pair : lacking(extreme, relation)) {
          const std::string a = seen_of(*method, relation, pair.present, pair.split);
          const std::string b = seen_of(*method, relation, pair.other, pair.split);
          EXPECT_EQ(difference(a, b), "") << GetParam().method << ", " << extreme.name << ", " << pair.what;
          // Nor is either refused: who trains is public, and what they hold may be anything.
          const bool labels_are_public = bound::edge_level(relation);
          if (!labels_are_public) {
            EXPECT_EQ(a.find(": "), std::string::npos) << a << extreme.name;
          }
        }
      }
    }
  }
}

std::string title(const testing::TestParamInfo<Case>& info) {
  std::string out = info.param.method;
  for (const auto& [name, value] : info.param.options) out += "_" + name + "_" + value;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Registry, Extremes, testing::ValuesIn(cases()), title);

// A whole run as the program does it: what it says before, the certificate, and the files of release/.
std::string run_of(const Case& c, Relation relation, graph::Dataset data, const graph::Split& split,
                   const std::string& folder) {
  data.split = split;
  std::string said = artifact::caveat(relation, data.graph.symmetric());
  try {
    run::Experiment experiment(c.method);
    for (const char* name : {"epochs", "encoder-epochs", "steps", "encoder-steps"}) {
      if (experiment.options().find(name) != nullptr) experiment.set(name, "2");
    }
    if (experiment.options().find("hidden-dim") != nullptr) experiment.set("hidden-dim", "4");
    for (const auto& [name, value] : c.options) experiment.set(name, value);
    experiment.set("relation", std::string(bound::name(relation)));
    experiment.set("split", "file");
    experiment.set("protect-degree", "10");
    const auto planned = [&](const run::Prepared& prepared) {
      for (const std::string& line : experiment.method().outlook(prepared.plan, prepared.setting)) said += line + "\n";
      for (const std::string& line : experiment.method().drowned(prepared.plan, prepared.setting)) said += line + "\n";
    };
    artifact::RunFolder claim(folder);
    run::TrainOutcome outcome = run::train(experiment, {data, std::nullopt}, {.planned = planned});
    report::write_run(claim, outcome, experiment, artifact::fingerprint(data));
    nlohmann::ordered_json certificate = to_json(outcome.certificate);
    for (const char* own : {"created", "model_sha256", "predictions_sha256", "data_fingerprint", "digest"}) {
      certificate.erase(own);
    }
    said += certificate.dump(1) + "\n" + shapes_of(outcome.trained.output.model.value());
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string path = std::filesystem::relative(entry.path(), folder).string();
      if (!path.starts_with(artifact::kHolder)) files.insert(path);
    }
    for (const std::string& path : files) said += path + "\n";
  } catch (const Error& error) {
    said += fmt::format("{}: {}", name(error.kind()), error.what());
  }
  std::filesystem::remove_all(folder);
  return said;
}

TEST(ExtremeRuns, SayTheSameAndLeaveTheSameFiles) {
  const files::TemporaryFolder place;
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    if (method->wants_public_graph()) continue;
    for (const Relation relation : method->relations()) {
      for (const Extreme& extreme : extremes(true)) {
        // A list of one's own that is gone leaves a directed graph, and that is public.
        if (relation == Relation::Record || relation == Relation::Edge) continue;
        for (const Neighbors& pair : lacking(extreme, relation)) {
          const Case c{name, {}};
          const std::string a = run_of(c, relation, pair.present, pair.split, place.path("run"));
          const std::string b = run_of(c, relation, pair.other, pair.split, place.path("run"));
          EXPECT_EQ(difference(a, b), "") << name << ", " << extreme.name;
          // At edge level labels are public, and too few of them may be refused.
          if (bound::edge_level(relation) && extreme.name != "the last edge") continue;
          EXPECT_NE(a.find("release/certificate.json"), std::string::npos) << name << ", " << extreme.name << ": " << a;
        }
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::contract::extreme_neighbors_test
