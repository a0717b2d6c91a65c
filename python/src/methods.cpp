// What methods there are, with every option, as one JSON document: the estimator classes are made from it.
#include <nanobind/stl/string.h>
#include <nlohmann/json.hpp>

#include "graphveil/method/registry.h"
#include "graphveil/run/auto_choice.h"
#include "graphveil/run/experiment.h"
#include "python/src/bind.h"

namespace graphveil::python {
namespace {

using nlohmann::ordered_json;

ordered_json options_json(const Options& options) {
  ordered_json list = ordered_json::array();
  for (const Option& option : options.list()) {
    list.push_back({{"name", option.name},
                    {"aliases", option.aliases},
                    {"help", option.help},
                    {"values", option.values},
                    {"quoted", option.quoted},
                    {"default", option.text()}});
  }
  return list;
}

ordered_json method_json(const std::string& name) {
  const run::Experiment experiment(name);
  const method::Method& method = experiment.method();
  const method::Description about = method.describe();
  ordered_json relations = ordered_json::array(), presets = ordered_json::array();
  for (const bound::Relation relation : method.relations()) relations.push_back(bound::name(relation));
  for (const method::Preset& preset : method.presets())
    presets.push_back({{"name", preset.name}, {"what", preset.what}});
  return {{"name", about.name},
          {"level", about.level},
          {"releases", about.releases},
          {"paper", about.paper},
          {"relations", relations},
          {"presets", presets},
          {"two_graphs", method.wants_public_graph()},
          {"options", options_json(experiment.options())}};
}

ordered_json auto_json() {
  run::Settings settings;
  run::AutoWishes wishes;
  Options options;
  settings.declare(options);
  wishes.declare(options);
  return {{"name", "auto"},
          {"level", "node"},
          {"releases", "Method and settings chosen from public facts alone"},
          {"paper", ""},
          {"relations", ordered_json::array({"edge", "undirected-edge", "node", "record"})},
          {"presets", ordered_json::array()},
          {"two_graphs", false},
          {"options", options_json(options)}};
}

}  // namespace

void bind_methods(nb::module_& m) {
  m.def("methods", [] {
    ordered_json list = ordered_json::array();
    for (const std::string& name : method::method_names()) list.push_back(method_json(name));
    list.push_back(auto_json());
    return list.dump();
  });
  m.def(
      "method", [](const std::string& name) { return method_json(name).dump(); }, nb::arg("name"));
}

}  // namespace graphveil::python
