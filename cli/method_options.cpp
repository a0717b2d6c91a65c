#include "cli/method_options.h"

#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

// What toml++ asserts, a broken file can break; it then reports an error by itself.
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/similar.h"

namespace graphveil::cli {
namespace {

// A number, a word or a switch as it would be typed; none for anything else.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* yes = node.as_boolean()) return yes->get() ? "true" : "false";
  return std::nullopt;
}

}  // namespace

void add_method_options(CLI::App& command, const Options& options, TypedOptions& typed) {
  for (const Option& option : options.list()) {
    std::string names;
    for (const std::string& alias : option.aliases) names += (alias.size() == 1 ? "-" : "--") + alias + ",";
    names += "--" + option.name;
    command
        .add_option_function<std::string>(
            names, [&typed, name = option.name](const std::string& value) { typed[name] = value; }, option.help)
        ->type_name(fmt::format("[default {}; {}]", option.text().empty() ? "none" : option.text(), option.values));
  }
  // As GAP has it: --full-batch, --full-batch true.
  if (options.find("batch-size") != nullptr && options.find("full-batch") == nullptr) {
    command
        .add_option_function<bool>(
            "--full-batch",
            [&typed](bool full) {
              if (full) typed["batch-size"] = "full";
            },
            "The same as --batch-size full")
        ->expected(0, 1)
        ->default_str("true");
  }
}

std::string preset_help(const method::Method& method) {
  std::string help = "default: ours";
  for (const method::Preset& preset : method.presets()) help += fmt::format(". {}: {}", preset.name, preset.what);
  return help;
}

void apply_config(const std::string& path, const Options& options,
                  const std::function<void(const std::string& name, const std::string& value)>& set) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a TOML file", path);
  toml::table table;
  try {
    table = toml::parse(artifact::read_text(path), path);
  } catch (const toml::parse_error& error) {
    fail(ErrorKind::BadInput, "{}: line {}: {}", path, error.source().begin.line, error.description());
  }
  std::set<std::string> seen;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (node.is_table() || node.is_array_of_tables()) {
      fail(ErrorKind::BadInput, "{}: section '{}' is not known; write plain `name = value` lines", path, name);
    }
    const Option* option = options.find(name);
    if (option == nullptr) {
      std::vector<std::string> known;
      for (const Option& other : options.list()) known.push_back(other.name);
      fail(ErrorKind::BadInput, "{}: there is no option '{}'{}", path, name, did_you_mean(name, known));
    }
    if (!seen.insert(option->name).second) fail(ErrorKind::BadInput, "{}: option '{}' stands there twice", path, name);
    const std::optional<std::string> value = value_text(node);
    if (!value) fail(ErrorKind::BadInput, "{}: option '{}' wants one value", path, name);
    try {
      set(option->name, *value);
    } catch (const Error& error) {
      fail(ErrorKind::BadInput, "{}: {}", path, error.what());
    }
  }
}

}  // namespace graphveil::cli
