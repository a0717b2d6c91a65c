// One run of a sweep: a call of the program, and what can be told of it from its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace graphveil::sweep {

struct Run {
  std::vector<std::string> words;              // as typed behind the program's name: "train", "lap", "--data", ...
  std::string id;                              // of the words: the same words are the same run
  std::string row;                             // what tables call it; empty: by its method and options
  std::string method;                          // of a training, an attack or an audit; else empty
  std::string graph, data;                     // the name of the data, and its path as given
  std::optional<double> epsilon;               // asked for; none: no noise, or not said
  std::optional<int64_t> seed;                 // none: not said
  std::map<std::string, std::string> options;  // what else was given, by name without hyphens
  std::vector<std::string> measures;           // paths of names into its --json, of figures beyond the scores
  std::vector<size_t> after;                   // steps of the plan that make files it reads

  // "lap --hops 2": what tables call it.
  std::string label() const;
};

// The words of a command as a shell would have them; quotes hold a word together. A first word `graphveil` is left out.
// Throws InvalidArgument for a quote that is never closed.
std::vector<std::string> split_words(const std::string& command);
// The other way round.
std::string join_words(const std::vector<std::string>& words);

// Reads a run off its words.
Run make_run(std::vector<std::string> words);

// The value of an option, by its name or letter; none: it is not there.
std::optional<std::string> value_of(const std::vector<std::string>& words, const std::vector<std::string>& names);
// Gives an option that is there another value. Whether it was there.
bool replace_value(std::vector<std::string>& words, const std::vector<std::string>& names, const std::string& value);

// "cora" for "cora/cora.npz", "Berkeley13" for ".../Berkeley13_year.npz".
std::string graph_name(const std::string& path);

// Throws InvalidArgument, naming the command, unless it is one that a sweep can run; of a training also unless the
// method has the options and their values fit.
void check_run(const Run& run);

}  // namespace graphveil::sweep
