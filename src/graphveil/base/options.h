// Options declared once: the program, config files and Python all read this table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"

namespace graphveil {

// One option. `set` checks and stores text; `text` reads the present value back in the form `set` takes.
struct Option {
  std::string name;                  // "hidden-dim"
  std::vector<std::string> aliases;  // "lr", or one letter
  std::string help;
  std::string values;   // what it takes, for people: "integer, 1 to 64", "concat|sum|max"
  bool quoted = false;  // text in a config file, rather than a number or true/false
  std::function<void(const std::string&)> set;
  std::function<std::string()> text;
};

// A table of options bound to variables that outlive it. Underscores and hyphens in names are the same.
// A value that does not fit throws InvalidArgument naming the option, the value and the range.
class Options {
 public:
  void integer(std::string name, int64_t& target, int64_t low, int64_t high, std::string help);
  // An integer, or the word for "none".
  void integer_or(std::string name, std::optional<int64_t>& target, std::string word, int64_t low, int64_t high,
                  std::string help);
  // A finite number in [low, high].
  void real(std::string name, double& target, double low, double high, std::string help);
  void real_or(std::string name, std::optional<double>& target, std::string word, double low, double high,
               std::string help);
  void boolean(std::string name, bool& target, std::string help);
  void text(std::string name, std::string& target, std::string help);
  // One of a few words.
  template <typename Enum>
  void choice(std::string name, Enum& target, std::vector<std::pair<std::string, Enum>> words, std::string help);
  // Another name for the option declared last.
  void alias(std::string name) { list_.back().aliases.push_back(std::move(name)); }

  // What else happens when the option declared last is set.
  void when_set(std::function<void()> action);

  // Throws InvalidArgument when there is no such option.
  void set(std::string_view name, const std::string& value);
  const Option* find(std::string_view name) const;
  const std::vector<Option>& list() const { return list_; }
  // name = value lines that a config file takes.
  std::string to_toml() const;

 private:
  void add(Option option);
  std::vector<Option> list_;
};

template <typename Enum>
void Options::choice(std::string name, Enum& target, std::vector<std::pair<std::string, Enum>> words,
                     std::string help) {
  std::string values;
  for (const auto& [word, value] : words) values += (values.empty() ? "" : "|") + word;
  Option option{name, {}, std::move(help), values, true, {}, {}};
  option.set = [name, words, values, &target](const std::string& text) {
    for (const auto& [word, value] : words) {
      if (word == text) {
        target = value;
        return;
      }
    }
    fail(ErrorKind::InvalidArgument, "--{} is '{}', want {}", name, text, values);
  };
  option.text = [words, &target] {
    for (const auto& [word, value] : words) {
      if (value == target) return word;
    }
    return std::string();
  };
  add(std::move(option));
}

}  // namespace graphveil
