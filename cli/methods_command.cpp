// graphveil methods: what exists.
#include <memory>

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

// One row per method: what it protects and for whom it predicts.
std::string methods_table() {
  std::string text = "| method | what it is | protects | predictions are for |\n| --- | --- | --- | --- |\n";
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    std::string relations, audiences;
    for (const bound::Relation relation : method->relations()) {
      relations += fmt::format("{}`{}`", relations.empty() ? "" : ", ", bound::name(relation));
      const std::string audience(mechanism::name(method->predictions(relation).audience));
      if (audiences.find(audience) == std::string::npos) audiences += (audiences.empty() ? "" : ", ") + audience;
    }
    text += fmt::format("| `{}` | {} | {} | {} |\n", name, method->describe().releases,
                        relations.empty() ? "nothing" : relations, audiences.empty() ? "holder" : audiences);
  }
  return text;
}

}  // namespace

void add_methods_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("methods", "List the methods: name, level, what each releases");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "As the table of the readme");
  add_common_options(*command, session);
  command->callback([markdown, &session] {
    if (*markdown) {
      print_result(session, {{"markdown", methods_table()}}, methods_table());
      return;
    }
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
                      {"variant", method->variant()},
                      {"paper", d.paper}});
      text += fmt::format("{:<10} {:<5} {}\n", d.name, d.level, d.releases);
      if (!method->variant().empty()) text += fmt::format("{:<16} by default {}\n", "", method->variant());
    }
    print_result(session, {{"methods", list}}, text);
  });
}

}  // namespace graphveil::cli
