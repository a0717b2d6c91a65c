#include "graphveil/base/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace graphveil {
namespace {

std::string with_hyphens(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

// The whole of `text` as a number, else nothing.
template <typename T>
std::optional<T> parse(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int64_t checked_integer(const std::string& name, const std::string& text, const std::string& values, int64_t low,
                        int64_t high) {
  const std::optional<int64_t> value = parse<int64_t>(text);
  if (!value || *value < low || *value > high) {
    fail(ErrorKind::InvalidArgument, "--{} is '{}', want {}", name, text, values);
  }
  return *value;
}

double checked_real(const std::string& name, const std::string& text, const std::string& values, double low,
                    double high) {
  const std::optional<double> value = parse<double>(text);
  if (!value || !std::isfinite(*value) || *value < low || *value > high) {
    fail(ErrorKind::InvalidArgument, "--{} is '{}', want {}", name, text, values);
  }
  return *value;
}

std::string integer_values(int64_t low, int64_t high) {
  return high == INT64_MAX ? fmt::format("integer, at least {}", low) : fmt::format("integer, {} to {}", low, high);
}

std::string real_values(double low, double high) {
  if (std::isinf(low) && std::isinf(high)) return "number";
  return std::isinf(high) ? fmt::format("number, at least {:g}", low) : fmt::format("number, {:g} to {:g}", low, high);
}

}  // namespace

void Options::when_set(std::function<void()> action) {
  Option& last = list_.back();
  last.set = [set = last.set, action = std::move(action)](const std::string& text) {
    set(text);
    action();
  };
}

void Options::add(Option option) {
  require(find(option.name) == nullptr, "option --{} is declared twice", option.name);
  list_.push_back(std::move(option));
}

void Options::integer(std::string name, int64_t& target, int64_t low, int64_t high, std::string help) {
  const std::string values = integer_values(low, high);
  add({name,
       {},
       std::move(help),
       values,
       false,
       [=, &target](const std::string& text) { target = checked_integer(name, text, values, low, high); },
       [&target] { return fmt::format("{}", target); }});
}

void Options::integer_or(std::string name, std::optional<int64_t>& target, std::string word, int64_t low, int64_t high,
                         std::string help) {
  const std::string values = fmt::format("{}, or {}", integer_values(low, high), word);
  add({name,
       {},
       std::move(help),
       values,
       true,
       [=, &target](const std::string& text) {
         if (text == word) {
           target.reset();
         } else {
           target = checked_integer(name, text, values, low, high);
         }
       },
       [word, &target] { return target ? fmt::format("{}", *target) : word; }});
}

void Options::real(std::string name, double& target, double low, double high, std::string help) {
  const std::string values = real_values(low, high);
  add({name,
       {},
       std::move(help),
       values,
       false,
       [=, &target](const std::string& text) { target = checked_real(name, text, values, low, high); },
       [&target] { return fmt::format("{}", target); }});
}

void Options::real_or(std::string name, std::optional<double>& target, std::string word, double low, double high,
                      std::string help) {
  const std::string values = fmt::format("{}, or {}", real_values(low, high), word);
  add({name,
       {},
       std::move(help),
       values,
       true,
       [=, &target](const std::string& text) {
         if (text == word) {
           target.reset();
         } else {
           target = checked_real(name, text, values, low, high);
         }
       },
       [word, &target] { return target ? fmt::format("{}", *target) : word; }});
}

void Options::boolean(std::string name, bool& target, std::string help) {
  add({name,
       {},
       std::move(help),
       "true|false",
       false,
       [name, &target](const std::string& text) {
         if (text != "true" && text != "false") {
           fail(ErrorKind::InvalidArgument, "--{} is '{}', want true or false", name, text);
         }
         target = text == "true";
       },
       [&target] { return std::string(target ? "true" : "false"); }});
}

void Options::text(std::string name, std::string& target, std::string help) {
  add({name,
       {},
       std::move(help),
       "text",
       true,
       [&target](const std::string& text) { target = text; },
       [&target] { return target; }});
}

const Option* Options::find(std::string_view name) const {
  const std::string wanted = with_hyphens(name);
  for (const Option& option : list_) {
    if (option.name == wanted ||
        std::find(option.aliases.begin(), option.aliases.end(), wanted) != option.aliases.end()) {
      return &option;
    }
  }
  return nullptr;
}

void Options::set(std::string_view name, const std::string& value) {
  const Option* option = find(name);
  if (option == nullptr) fail(ErrorKind::InvalidArgument, "there is no option --{}", with_hyphens(name));
  option->set(value);
}

std::string Options::to_toml() const {
  std::string toml;
  for (const Option& option : list_) {
    std::string value = option.text();
    if (option.quoted) {
      std::string escaped;
      for (const char c : value) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code == 0x7f) {
          escaped += fmt::format("\\u{:04x}", code);
          continue;
        }
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
      }
      value = "\"" + escaped + "\"";
    }
    toml += fmt::format("{} = {}\n", option.name, value);
  }
  return toml;
}

}  // namespace graphveil
