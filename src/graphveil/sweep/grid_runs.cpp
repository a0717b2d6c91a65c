#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/base/error.h"
#include "graphveil/method/registry.h"
#include "graphveil/sweep/plan.h"

namespace graphveil::sweep {
namespace {

using Choice = std::vector<std::pair<std::string, std::string>>;

// One choice of values for every option, all combinations.
std::vector<Choice> combinations(const Grid& grid) {
  std::vector<Choice> out{{}};
  for (const auto& [name, values] : grid.options) {
    require(!values.empty(), "option '{}' of the grid has no value", name);
    std::vector<Choice> longer;
    for (const Choice& choice : out) {
      for (const std::string& value : values) {
        longer.push_back(choice);
        longer.back().emplace_back(name, value);
      }
    }
    out = std::move(longer);
  }
  return out;
}

// What differs between rows of the grid: the method's words, and the options that are an axis.
std::string row_name(const Grid& grid, const std::string& method, const Choice& choice) {
  std::string name = method;
  for (size_t i = 0; i < choice.size(); ++i) {
    if (grid.options[i].second.size() > 1) name += fmt::format(" --{} {}", choice[i].first, choice[i].second);
  }
  return name;
}

// A name that a folder may have.
std::string folder_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (plain) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

bool has_budget(const std::string& method) {
  return method == "auto" || !method::make_method(method)->relations().empty();
}

Run grid_run(const Grid& grid, const std::string& method, const std::string& graph, std::optional<double> epsilon,
             const Choice& choice, std::optional<int64_t> seed, int64_t copy) {
  std::vector<std::string> words = split_words(method);
  words.insert(words.begin(), "train");
  words.insert(words.end(), {"--data", graph});
  if (epsilon) words.insert(words.end(), {"-e", fmt::format("{}", *epsilon)});
  for (const auto& [name, value] : choice) {
    words.push_back("--" + name);
    if (value != "true") words.push_back(value);
  }
  const std::string row = row_name(grid, method, choice);
  if (seed) {
    words.insert(words.end(), {"-s", std::to_string(*seed)});
  } else {
    words.insert(
        words.end(),
        {"--out", folder_name(fmt::format("{}-{}-e{}-{}", row, graph_name(graph), epsilon.value_or(0), copy))});
  }
  Run run = make_run(std::move(words));
  run.row = row;
  run.epsilon = epsilon;
  return run;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) out.push_back(quoted(text));
  return fmt::format("[{}]", fmt::join(out, ", "));
}

}  // namespace

std::vector<Run> grid_runs(const Grid& grid) {
  require(!grid.methods.empty(), "the grid has no methods");
  require(!grid.graphs.empty(), "the grid has no graphs");
  require(!grid.epsilon.empty(), "the grid has no epsilon");
  require(grid.fresh > 0 || !grid.seeds.empty(), "the grid has no seeds");
  for (const double epsilon : grid.epsilon) {
    require(epsilon > 0 && epsilon <= 1e6, "epsilon is {}, want a positive number", epsilon);
  }
  std::vector<std::optional<int64_t>> seeds(grid.seeds.begin(), grid.seeds.end());
  if (grid.fresh > 0) seeds.assign(static_cast<size_t>(grid.fresh), std::nullopt);
  const std::vector<Choice> choices = combinations(grid);
  std::vector<Run> runs;
  std::set<std::string> seen;
  for (size_t copy = 0; copy < seeds.size(); ++copy) {
    for (const std::string& graph : grid.graphs) {
      for (const std::string& method : grid.methods) {
        const std::vector<std::string> words = split_words(method);
        require(!words.empty(), "the grid has a method without a name");
        std::vector<std::optional<double>> budgets(grid.epsilon.begin(), grid.epsilon.end());
        if (!has_budget(words.front())) budgets = {std::nullopt};
        for (const Choice& choice : choices) {
          for (const std::optional<double>& epsilon : budgets) {
            Run run = grid_run(grid, method, graph, epsilon, choice, seeds[copy], static_cast<int64_t>(copy) + 1);
            if (copy == 0) check_run(run);
            if (seen.insert(run.id).second) runs.push_back(std::move(run));
          }
        }
      }
    }
  }
  return runs;
}

Plan plan_of(const Grid& grid, const std::string& title, const std::string& metric, const std::string& baseline) {
  std::string text = fmt::format("title = {}\nmetric = {}\n", quoted(title), quoted(metric));
  if (!baseline.empty()) text += fmt::format("baseline = {}\n", quoted(baseline));
  text += fmt::format("\n[grid]\nmethods = {}\ngraphs = {}\nepsilon = [{}]\n", quoted_list(grid.methods),
                      quoted_list(grid.graphs), fmt::join(grid.epsilon, ", "));
  text += grid.fresh > 0 ? fmt::format("fresh = {}\n", grid.fresh)
                         : fmt::format("seeds = [{}]\n", fmt::join(grid.seeds, ", "));
  if (!grid.options.empty()) text += "\n[grid.options]\n";
  for (const auto& [name, values] : grid.options) text += fmt::format("{} = {}\n", name, quoted_list(values));
  Plan plan = parse_plan(text, "the plan of this comparison", Size::Full);
  plan.name = "compare";
  return plan;
}

}  // namespace graphveil::sweep
