// graphveil methods: what exists.
#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/method/registry.h"

namespace graphveil::cli {
namespace {

// Who may see predictions under each relation.
nlohmann::ordered_json predictions_for(const method::Method& method) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const bound::Relation relation : method.relations()) {
    out[std::string(bound::name(relation))] = mechanism::name(method.predictions(relation).audience);
  }
  return out;
}

}  // namespace

void add_methods_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("methods", "List the methods: name, level, what each releases");
  add_common_options(*command, session);
  command->callback([&session] {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::string text;
    for (const std::string& name : method::method_names()) {
      const auto method = method::make_method(name);
      const method::Description d = method->describe();
      nlohmann::ordered_json relations = nlohmann::ordered_json::array();
      for (bound::Relation relation : method->relations()) relations.push_back(bound::name(relation));
      list.push_back({{"name", d.name},
                      {"level", d.level},
                      {"releases", d.releases},
                      {"predictions", predictions_for(*method)},
                      {"relations", relations},
                      {"paper", d.paper}});
      text += fmt::format("{:<10} {:<5} {}\n", d.name, d.level, d.releases);
    }
    print_result(session, {{"methods", list}}, text);
  });
}

}  // namespace graphveil::cli
