#include "cli/command.h"

#include <iostream>
#include <memory>

#include "cli/progress_bar.h"

namespace graphveil::cli {

void add_common_options(CLI::App& command, Session& session) {
  command.add_flag("--json", session.json, "Print one JSON object on standard output and nothing else there");
  command.add_flag("-q,--quiet", session.quiet, "No progress on standard error");
  command.add_option("--threads", session.threads, "Threads to use (default: all processors)")
      ->check(CLI::Range(1, 4096));
  command.parse_complete_callback([&session] {
    Context context{.threads = session.threads, .progress = nullptr};
    if (!session.quiet) context.progress = std::make_shared<ProgressBar>();
    session.context.emplace(std::move(context));
  });
}

void print_result(const Session& session, const nlohmann::ordered_json& object, const std::string& text) {
  if (session.json) {
    std::cout << object.dump(2) << '\n';
  } else {
    std::cout << text;
  }
  std::cout.flush();
}

}  // namespace graphveil::cli
