#include "graphveil/sweep/run.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/similar.h"
#include "graphveil/run/experiment.h"

namespace graphveil::sweep {
namespace {

const std::vector<std::string> kData = {"--data"}, kPrivate = {"--private"}, kEpsilon = {"-e", "--epsilon"},
                               kSeed = {"-s", "--seed"};

bool is_option(const std::string& word) {
  return word.size() >= 2 && word[0] == '-' && (word[1] == '-' || (word[1] >= 'a' && word[1] <= 'z'));
}

template <typename Number>
std::optional<Number> number_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  Number value{};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  return error == std::errc() && end == text->data() + text->size() ? std::optional(value) : std::nullopt;
}

// Options and values of the words, in order; a switch has an empty value.
std::vector<std::pair<std::string, std::string>> options_of(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_option(words[i])) continue;
    const size_t equals = words[i].find('=');
    if (equals != std::string::npos && words[i].starts_with("--")) {
      out.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
    } else {
      out.emplace_back(words[i], i + 1 < words.size() && !is_option(words[i + 1]) ? words[i + 1] : "");
    }
    std::ranges::replace(out.back().first, '_', '-');
  }
  return out;
}

bool one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

std::string without_hyphens(const std::string& option) { return option.substr(option.find_first_not_of('-')); }

// Options of `train` that are no method's.
const std::set<std::string> kOfTheCommand = {
    "data",       "private",          "out",           "o",       "budget",
    "config",     "preset",           "quick",         "sign",    "compare",
    "target",     "curves",           "full-batch",    "threads", "log-tensorboard",
    "log-mlflow", "checkpoint-every", "checkpoint-key"};

}  // namespace

std::string Run::label() const {
  if (!row.empty()) return row;
  std::string text = method.empty() ? join_words(words) : method;
  for (const auto& [name, value] : options) {
    text += fmt::format(" --{}{}{}", name, value.empty() ? "" : " ", value);
  }
  return text;
}

std::vector<std::string> split_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (const char c : command) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      begun = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (begun) words.push_back(std::exchange(word, ""));
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  require(quote == 0, "a quote is never closed in: {}", command);
  if (begun) words.push_back(word);
  if (!words.empty() && words.front() == "graphveil") words.erase(words.begin());
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'") == std::string::npos;
    const char quote = word.find('\'') == std::string::npos ? '\'' : '"';
    text += plain ? word : fmt::format("{}{}{}", quote, word, quote);
  }
  return text;
}

std::optional<std::string> value_of(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  for (const auto& [name, value] : options_of(words)) {
    if (one_of(name, names)) return value;
  }
  return std::nullopt;
}

bool replace_value(std::vector<std::string>& words, const std::vector<std::string>& names, const std::string& value) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (!one_of(words[i], names)) continue;
    words[i + 1] = value;
    return true;
  }
  return false;
}

std::string graph_name(const std::string& path) {
  std::filesystem::path file(path);
  if (!file.has_filename()) file = file.parent_path();
  std::string name = file.stem().string();
  if (constexpr std::string_view kYear = "_year"; name.ends_with(kYear)) name.resize(name.size() - kYear.size());
  return name;
}

Run make_run(std::vector<std::string> words) {
  Run run;
  require(!words.empty(), "a run has no command");
  std::string text;
  for (const std::string& word : words) text += word + '\x1f';
  run.id = sha256_text(text).substr(0, 16);
  const size_t place = words[0] == "attack" ? 2 : 1;
  if ((words[0] == "train" || words[0] == "attack" || words[0] == "audit") && words.size() > place) {
    run.method = words[place];
  }
  run.data = value_of(words, kData).value_or(value_of(words, kPrivate).value_or(""));
  if (!run.data.empty()) run.graph = graph_name(run.data);
  run.epsilon = number_of<double>(value_of(words, kEpsilon));
  run.seed = number_of<int64_t>(value_of(words, kSeed));
  for (const auto& [name, value] : options_of(words)) {
    if (!one_of(name, kData) && !one_of(name, kEpsilon) && !one_of(name, kSeed)) {
      run.options[without_hyphens(name)] = value;
    }
  }
  run.words = std::move(words);
  return run;
}

void check_run(const Run& run) {
  static const std::vector<std::string> known = {"train",     "attack",   "audit", "account",
                                                 "calibrate", "pretrain", "data",  "verify"};
  require(one_of(run.words[0], known), "'{}' is not a command that a sweep runs{}; there are {}", run.words[0],
          did_you_mean(run.words[0], known), "train, attack, audit, account, calibrate, pretrain, data, verify");
  if (run.words[0] != "train" || run.method == "auto") return;
  require(!run.method.empty() && !is_option(run.method), "'{}' names no method", join_words(run.words));
  run::Experiment experiment(run.method);
  try {
    if (const auto preset = value_of(run.words, {"--preset"})) experiment.use_preset(*preset);
    for (const auto& [option, value] : options_of(run.words)) {
      const std::string name = without_hyphens(option);
      if (kOfTheCommand.contains(name)) continue;
      if (name == "public" && experiment.method().wants_public_graph()) continue;
      experiment.set(name, value.empty() ? "true" : value);
    }
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", join_words(run.words), error.what());
  }
}

}  // namespace graphveil::sweep
