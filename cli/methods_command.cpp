// graphveil methods: what exists.
#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/method/registry.h"

namespace graphveil::cli {

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
                      {"covers", relations.empty() ? "nothing" : std::string(method::name(method->covers()))},
                      {"relations", relations},
                      {"paper", d.paper}});
      text += fmt::format("{:<10} {:<5} {}\n", d.name, d.level, d.releases);
    }
    print_result(session, {{"methods", list}}, text);
  });
}

}  // namespace graphveil::cli
