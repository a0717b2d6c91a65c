// graphveil complete: what may come next on a command line, for completion in a shell.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace graphveil::cli {
namespace {

const CLI::App* subcommand(const CLI::App& app, const std::string& name) {
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name() == name) return sub;
  }
  return nullptr;
}

}  // namespace

void add_complete_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("complete", "Print the commands and options that may follow");
  command->group("");  // for shells, not for people
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("words", *words);
  command->callback([words, &app] {
    const CLI::App* at = &app;
    for (const std::string& word : *words) {
      if (const CLI::App* sub = subcommand(*at, word)) at = sub;
    }
    for (const CLI::App* sub : at->get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); })) {
      std::cout << sub->get_name() << '\n';
    }
    for (const CLI::Option* option : at->get_options()) {
      for (const std::string& name : option->get_lnames()) std::cout << "--" << name << '\n';
    }
  });
}

}  // namespace graphveil::cli
