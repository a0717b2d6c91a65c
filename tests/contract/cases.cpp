#include "tests/contract/cases.h"

#include <algorithm>

#include "graphveil/method/registry.h"

namespace graphveil::contract {
namespace {

using bound::Relation;

// Poisson batches of a quarter of the training nodes of a wide graph; so often that one that everybody is in shows.
const method::OptionValues kQuarters{{"batch-size", "18"}, {"steps", "24"}};

method::OptionValues joined(method::OptionValues a, const method::OptionValues& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void add_lap(std::vector<Case>& out) {
  const std::vector<Relation> edges{Relation::Edge, Relation::UndirectedEdge}, record{Relation::Record};
  const std::vector<Relation> nodes{Relation::Node, Relation::Record};
  out.push_back({"lap", joined(kQuarters, {{"rounds", "1"}}), nodes, {Shape::Hubs}});
  out.push_back({"lap", {{"batch-size", "3"}}, nodes, {}});
  out.push_back({"lap", {{"rounds", "3"}, {"edge-noise", "gaussian"}}});
  out.push_back({"lap", {{"rounds", "2"}, {"neighbors", "alike"}}, edges});
  out.push_back({"lap", {{"rounds", "2"}, {"neighbors", "differ"}, {"buckets", "4"}}, edges});
  out.push_back({"lap", {{"rounds", "3"}}, edges});
  out.push_back({"lap", {{"own-edges", "predict"}}, nodes});
  out.push_back({"lap", {{"layers", "3"}}, nodes});
  out.push_back({"lap", {{"weights", "drop"}, {"max-degree", "2"}}, record});
  out.push_back({"lap", {{"weights", "soft-cap"}, {"max-degree", "2"}, {"own-edges", "none"}}, record});
}

void add_gap(std::vector<Case>& out) {
  const std::vector<Relation> record{Relation::Record}, node{Relation::Node};
  out.push_back({"gap-ndp", {{"encoder-layers", "0"}, {"hops", "3"}}});
  out.push_back({"gap-ndp", {{"weights", "drop"}, {"max-degree", "2"}, {"batch-size", "3"}}, record});
  out.push_back(
      {"gap-ndp", joined(kQuarters, {{"encoder-rows", "embedding"}, {"base-layers", "1"}}), node, {Shape::Hubs}});
  for (const char* combine : {"sum", "max", "mean", "attention"}) {
    out.push_back({"gap-ndp",
                   {{"encoder-rows", "embedding"},
                    {"encoder-layers", "3"},
                    {"base-layers", "1"},
                    {"combine", combine},
                    {"dropout", "0.3"}},
                   node,
                   {Shape::Hubs}});
  }
  out.push_back({"gap-edp", {{"encoder-rows", "embedding"}, {"hops", "3"}, {"combine", "attention"}}});
  out.push_back({"gap-edp", {{"combine", "max"}, {"dropout", "0.3"}, {"head-layers", "3"}}, {}, {Shape::Hubs}});
  out.push_back({"progap-edp", {{"hops", "3"}, {"base-layers", "2"}}});
  out.push_back({"progap-ndp", {{"hops", "2"}, {"batch-size", "3"}}});
}

void add_samplers(std::vector<Case>& out) {
  const std::vector<Relation> edges{Relation::Edge, Relation::UndirectedEdge}, record{Relation::Record};
  const std::vector<Relation> node{Relation::Node}, nodes{Relation::Node, Relation::Record};
  const method::OptionValues plain{{"feature-rows", "as-is"}};
  out.push_back({"mlp-dp", joined(kQuarters, {{"layers", "2"}}), nodes, {Shape::Hubs}});
  out.push_back({"mlp-dp", {{"batch-size", "3"}, {"layers", "3"}, {"dropout", "0.3"}}});
  out.push_back({"sage-ndp", {{"batch-size", "3"}, {"max-degree", "2"}}});
  for (const char* name : {"gap-ndp", "sage-ndp"}) out.push_back({name, {{"setting", "inductive"}}, nodes});
  // Steps so long that what a neighbor sends decides on which side of zero its reader is.
  out.push_back({"sage-ndp",
                 {{"max-degree", "1"},
                  {"activation", "relu"},
                  {"hidden-dim", "2"},
                  {"pre-layers", "1"},
                  {"learning-rate", "3"},
                  {"optimizer", "sgd"},
                  {"steps", "8"},
                  {"max-grad-norm", "0.1"}},
                 nodes,
                 {Shape::Tree}});
  out.push_back({"dpgnn", {{"layers", "2"}, {"batch-size", "3"}}});
  for (const char* layers : {"1", "2", "3"}) {
    const method::OptionValues by_others = joined(plain, {{"layers", layers},
                                                          {"own-share", "0.1"},
                                                          {"linear", "true"},
                                                          {"decoder-layers", "0"},
                                                          {"learning-rate", "0.35"}});
    out.push_back({"dpgnn", by_others, node, {Shape::Tree}, 0.5});
    out.push_back({"dpgnn", joined(by_others, {{"max-degree", "2"}}), record, {Shape::Tree}, 0.5});
  }
  out.push_back({"dpgnn", {{"arch", "gin"}, {"layers", "2"}}});
  out.push_back({"dpgnn", {{"arch", "gat"}, {"encoder-layers", "1"}, {"heads", "2"}}});
  out.push_back({"dpgnn", {{"setting", "inductive"}, {"own-share", "0.3"}}});
  out.push_back({"dpar-gm", {{"column-cap", "2"}, {"batch-size", "3"}}, node});
  out.push_back({"diffusion-edp", {{"hops", "3"}}, edges});
  out.push_back({"dpar-em0", {{"column-cap", "1"}, {"setting", "inductive"}}});
  out.push_back({"dpar-em1", {{"column-cap", "2"}, {"sources", "3"}, {"row-limit", "0.2"}}});
  // As the paper has it: a source may be in no list, not even its own.
  for (const char* name : {"dpar-gm", "dpar-em0", "dpar-em1"}) {
    out.push_back({name, {{"list-weights", "values"}, {"train-on", "sources"}, {"sources", "4"}, {"column-cap", "2"}}});
    out.push_back({name, joined(plain, {{"column-cap", "1"}, {"picks", "4"}}), nodes, {Shape::Tree}, 0.01});
    out.push_back({name, {{"column-cap", "2"}, {"node-rate", "0.5"}}, node});
  }
  out.push_back({"dpar-gm",
                 {{"column-cap", "1"}, {"teleport", "0.02"}, {"sparsity", "1e-7"}, {"row-limit", "0.02"}},
                 nodes,
                 {Shape::Crossroads}});
}

void add_teachers(std::vector<Case>& out) {
  for (const char* teacher : {"sage", "mlp"}) {
    out.push_back({"privgnn", {{"teacher", teacher}, {"sampling-rate", "0.5"}}});
  }
  out.push_back({"privgnn", {{"nearest", "2"}, {"sampling-rate", "0.7"}, {"noise", "gumbel"}}});
  out.push_back({"privgnn", {{"nearest", "2"}, {"distance", "cosine"}, {"sampling-rate", "0.7"}}});
  out.push_back({"privgnn", {{"single-teacher", "true"}, {"queries", "3"}, {"noise", "gumbel"}}});
  out.push_back({"privgnn", {{"student", "plain"}, {"sampling-rate", "0.5"}, {"pretrain-epochs", "2"}}});
  out.push_back({"pate-m", {{"teacher", "ridge"}, {"teachers", "3"}, {"noise", "gaussian"}}});
  out.push_back({"pate-m", {{"teacher", "ridge"}, {"teachers", "3"}, {"noise", "discrete-laplace"}}});
  out.push_back({"pate-g", {{"teachers", "2"}, {"noise", "rr"}}});
  for (const char* prompt : {"gpf-plus", "all-in-one", "gppt"}) {
    out.push_back({"dp-gpl", {{"prompt", prompt}, {"teachers", "2"}, {"student", "prompt"}, {"noise", "gaussian"}}});
  }
  out.push_back({"dp-gpl", {{"teachers", "2"}, {"confident", "true"}, {"threshold", "0.5"}, {"arch", "gat"}}});
  out.push_back(
      {"dp-gpl", {{"teachers", "3"}, {"shots", "1"}, {"noise", "discrete-laplace"}, {"arch", "transformer"}}});
  out.push_back({"dp-gpl-w", {{"teachers", "3"}, {"degree-cuts", "1,3"}, {"weight-high", "3"}}});
  out.push_back({"dp-gpl-w", {{"teachers", "3"}, {"confident", "true"}}});
  out.push_back({"dp-gpl-w", {{"teachers", "9"}, {"confident", "true"}, {"degree-cuts", "1,3"}, {"weight-high", "3"}}});
  out.push_back({"dp-gpl", {{"teachers", "2"}, {"student", "ridge"}, {"noise", "gaussian"}}});
  out.push_back({"prompt-dpsgd", {{"batch-size", "3"}, {"arch", "gat"}}});
  out.push_back({"prompt-dpsgd", {{"shots", "1"}}});
  out.push_back({"prompt-dpsgd", kQuarters, {}, {Shape::Hubs}});
}

}  // namespace

bool Case::covers(Relation relation) const {
  return only.empty() || std::find(only.begin(), only.end(), relation) != only.end();
}

std::string Case::title() const {
  std::string name = method;
  for (const auto& [option, value] : options) name += " --" + option + " " + value;
  return name;
}

std::vector<Case> contract_cases() {
  std::vector<Case> out;
  for (const std::string& name : method::method_names()) out.push_back({name});
  out.push_back({"lpgnet", {{"hops", "3"}}});
  add_lap(out);
  add_gap(out);
  add_samplers(out);
  add_teachers(out);
  return out;
}

Made make_quick(const std::string& name, const method::OptionValues& options) {
  Made out{std::make_unique<Options>(), method::make_method(name)};
  out.method->declare(*out.options);
  for (const auto& [option, value] :
       out.method->quick({.epochs = 2, .steps = 3, .width = 4, .queries = std::nullopt})) {
    out.options->set(option, value);
  }
  for (const auto& [option, value] : options) out.options->set(option, value);
  return out;
}

}  // namespace graphveil::contract
