// graphveil methods: what exists.
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/help.h"
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

struct Shown {
  method::Role role;
  const char* name;   // for --json
  const char* title;  // for people
};
constexpr Shown kRoles[] = {
    {method::Role::Yours, "yours", "Yours to use, each with a guarantee:"},
    {method::Role::Baseline, "baseline", "Baselines, with a guarantee too, to compare with:"},
    {method::Role::Reference, "reference",
     "References without a guarantee, to see what privacy costs; nothing of theirs may leave:"},
};

const char* role_name(const std::string& method) {
  for (const Shown& shown : kRoles) {
    if (shown.role == method::role_of(method)) return shown.name;
  }
  return "";
}

std::string relations_text(const method::Method& method) {
  std::string text;
  for (const bound::Relation relation : method.relations()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", bound::name(relation));
  }
  return text;
}

constexpr const char* kAutoProtects = "node, record, undirected-edge, edge";
constexpr const char* kAutoReleases = "Chooses a method and its settings from public facts alone, and says why";

std::string grouped_methods() {
  const int64_t width = terminal_width();
  std::string text;
  for (const Shown& shown : kRoles) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", wrapped(shown.title, width));
    const auto add = [&](const std::string& name, const std::string& protects, const std::string& releases) {
      const std::string all = protects.empty() ? releases : fmt::format("{}. Protects: {}.", releases, protects);
      text += help_row(name, all, width);
    };
    if (shown.role == method::Role::Yours) add("auto", kAutoProtects, kAutoReleases);
    for (const std::string& name : method::method_names()) {
      if (method::role_of(name) != shown.role) continue;
      const auto method = method::make_method(name);
      add(name, relations_text(*method), method->describe().releases);
    }
  }
  return text +
         fmt::format("\n{}\n", wrapped("Protects: what --relation can be, the default first. node: a person with "
                                       "everything about it; record: what a person's own row and list say; "
                                       "undirected-edge: one friendship; edge: one direction of it. More about "
                                       "one: graphveil train METHOD --help.",
                                       width));
}

}  // namespace

void add_methods_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("methods", "List the methods: what each is, releases and protects");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "As the table of the readme");
  add_common_options(*command, session);
  command->callback([markdown, &session] {
    if (*markdown) {
      print_result(session, {{"markdown", methods_table()}}, methods_table());
      return;
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string& name : method::method_names()) {
      const auto method = method::make_method(name);
      const method::Description d = method->describe();
      nlohmann::ordered_json relations = nlohmann::ordered_json::array();
      for (bound::Relation relation : method->relations()) relations.push_back(bound::name(relation));
      list.push_back({{"name", d.name},
                      {"level", d.level},
                      {"role", role_name(name)},
                      {"releases", d.releases},
                      {"predictions", predictions_for(*method)},
                      {"relations", relations},
                      {"variant", method->variant()},
                      {"paper", d.paper}});
    }
    print_result(session, {{"methods", list}}, grouped_methods());
  });
}

}  // namespace graphveil::cli
