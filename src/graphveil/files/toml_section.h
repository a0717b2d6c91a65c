// Reading TOML that people wrote, strictly. For sources alone: it brings toml++ along.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

// What toml++ asserts, a broken file can break; it then reports an error by itself.
#ifndef TOML_ASSERT
#define TOML_ASSERT(expr) static_cast<void>(0)
#endif
#include <toml++/toml.h>

#include "graphveil/base/error.h"
#include "graphveil/base/similar.h"

namespace graphveil::files {

inline constexpr size_t kMostEntries = 1'000'000;  // of one list

// One table of a file: hands out its values by key, and refuses keys that nobody asked for. All throw BadInput, naming
// the file, the line and the key. `where` is what messages call the table; the file's name must outlive this.
class TomlSection {
 public:
  TomlSection(const std::string& file, const std::string& where, const toml::table& table)
      : file_(file), where_(where), table_(table) {}

  template <typename... Args>
  [[noreturn]] void refuse(const toml::node* node, fmt::format_string<Args...> format, Args&&... args) const {
    const auto line = node ? node->source().begin.line : table_.source().begin.line;
    fail(ErrorKind::BadInput, "{}: line {}: {}", file_, line, fmt::format(format, std::forward<Args>(args)...));
  }

  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  const toml::node& required(const char* key) {
    const toml::node* node = find(key);
    if (!node) refuse(nullptr, "{} needs '{}'", where_, key);
    return *node;
  }

  std::string text(const toml::node& node, const char* key) const {
    if (!node.is_string()) refuse(&node, "'{}' must be a text in quotes", key);
    return std::string(*node.value<std::string_view>());
  }
  std::string text(const char* key) { return text(required(key), key); }
  std::string text_or(const char* key, std::string otherwise) {
    const toml::node* node = find(key);
    return node ? text(*node, key) : std::move(otherwise);
  }
  bool flag_or(const char* key, bool otherwise) {
    const toml::node* node = find(key);
    if (!node) return otherwise;
    if (!node->is_boolean()) refuse(node, "'{}' must be true or false", key);
    return *node->value<bool>();
  }
  double number(const toml::node& node, const char* key) const {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || std::abs(*value) > 1e300) refuse(&node, "'{}' must be a number", key);
    return *value;
  }
  double number_or(const char* key, double otherwise) {
    const toml::node* node = find(key);
    return node ? number(*node, key) : otherwise;
  }
  // A list of texts, none twice.
  std::vector<std::string> texts(const toml::node& node, const char* key, bool may_be_empty) const {
    const toml::array* array = node.as_array();
    if (!array || array->size() > kMostEntries || (array->empty() && !may_be_empty)) {
      refuse(&node, "'{}' must be a list of texts in quotes", key);
    }
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const toml::node& entry : *array) {
      out.push_back(text(entry, key));
      if (!seen.insert(out.back()).second) refuse(&entry, "'{}' has '{}' twice", key, out.back());
    }
    return out;
  }
  std::vector<std::string> texts_or(const char* key, std::vector<std::string> otherwise, bool may_be_empty = false) {
    const toml::node* node = find(key);
    return node ? texts(*node, key, may_be_empty) : std::move(otherwise);
  }
  // One of a few words.
  template <typename T>
  T word_or(const char* key, T otherwise, std::initializer_list<std::pair<const char*, T>> words) {
    const toml::node* node = find(key);
    if (!node) return otherwise;
    const std::string seen = text(*node, key);
    std::string wanted;
    for (const auto& [word, value] : words) {
      if (seen == word) return value;
      wanted += fmt::format("{}\"{}\"", wanted.empty() ? "" : ", ", word);
    }
    refuse(node, "'{}' is \"{}\", want one of {}", key, seen, wanted);
  }

  void refuse_other_keys() const {
    for (const auto& [key, node] : table_) {
      const std::string seen(key.str());
      if (std::find(known_.begin(), known_.end(), seen) != known_.end()) continue;
      refuse(&node, "{} has no '{}'{}", where_, seen, did_you_mean(seen, known_));
    }
  }

 private:
  const std::string& file_;
  std::string where_;
  const toml::table& table_;
  std::vector<std::string> known_;
};

}  // namespace graphveil::files
