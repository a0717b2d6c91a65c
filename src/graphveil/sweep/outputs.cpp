#include "graphveil/sweep/outputs.h"

#include <filesystem>
#include <span>

#include "graphveil/files/atomic_file.h"
#include "graphveil/sweep/chart.h"
#include "graphveil/sweep/tables.h"

namespace graphveil::sweep {

std::vector<std::string> write_outputs(const std::string& folder, const Plan& plan, const Summary& summary,
                                       const std::map<std::string, Result>& results, const OutputWishes& wishes) {
  std::vector<std::string> paths;
  const auto write = [&](const char* name, const std::string& text) {
    paths.push_back((std::filesystem::path(folder) / name).string());
    files::AtomicFile file(paths.back());
    file.write(std::as_bytes(std::span(text)));
    file.commit(0600);
  };
  write("plan.toml", plan.text);
  write("table.md", markdown_page(plan, summary, results));
  if (wishes.csv) write("results.csv", csv_table(plan, results));
  if (wishes.tex) write("table.tex", latex_table(plan, summary, results));
  if (wishes.svg) {
    if (const std::string chart = accuracy_chart(summary, plan.title); !chart.empty()) write("accuracy.svg", chart);
  }
  return paths;
}

}  // namespace graphveil::sweep
