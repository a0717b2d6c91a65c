#include "cli/method_options.h"

#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/base/similar.h"

namespace graphveil::cli {

void add_method_options(CLI::App& command, const Options& options, TypedOptions& typed) {
  for (const Option& option : options.list()) {
    std::string names;
    for (const std::string& alias : option.aliases) names += (alias.size() == 1 ? "-" : "--") + alias + ",";
    names += "--" + option.name;
    command
        .add_option_function<std::string>(
            names, [&typed, name = option.name](const std::string& value) { typed[name] = value; }, option.help)
        ->type_name(fmt::format("[{}] ({})", option.text(), option.values));
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

void apply_config(const std::string& path, const Options& options,
                  const std::function<void(const std::string& name, const std::string& value)>& set) {
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, "{}: is a folder, want a TOML file", path);
  std::istringstream in(artifact::read_text(path));
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(in);
  } catch (const CLI::Error& error) {
    fail(ErrorKind::BadInput, "{}: {}", path, error.what());
  }
  std::set<std::string> seen;
  for (const CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of a section's begin and end
    if (!item.parents.empty()) {
      fail(ErrorKind::BadInput, "{}: section '{}' is not known; write plain `name = value` lines", path,
           item.parents.front());
    }
    if (options.find(item.name) == nullptr) {
      std::vector<std::string> known;
      for (const Option& option : options.list()) known.push_back(option.name);
      fail(ErrorKind::BadInput, "{}: there is no option '{}'{}", path, item.name, did_you_mean(item.name, known));
    }
    if (!seen.insert(item.name).second)
      fail(ErrorKind::BadInput, "{}: option '{}' stands there twice", path, item.name);
    if (item.inputs.size() != 1) fail(ErrorKind::BadInput, "{}: option '{}' wants one value", path, item.name);
    try {
      set(item.name, item.inputs[0]);
    } catch (const Error& error) {
      fail(ErrorKind::BadInput, "{}: {}", path, error.what());
    }
  }
}

}  // namespace graphveil::cli
