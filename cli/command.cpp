#include "cli/command.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/ranges.h>

#include "cli/progress_bar.h"
#include "graphveil/base/error.h"
#include "graphveil/base/large_memory.h"
#include "graphveil/base/resources.h"
#include "graphveil/base/scratch_file.h"
#include "graphveil/files/atomic_file.h"

namespace graphveil::cli {
namespace {

constexpr const char* kScratchFolder = "/var/tmp";  // unlike /tmp it lies on a disk

int64_t memory_bytes(const Session& session) {
  require(!std::isnan(session.memory_gb), "--memory is no number");
  return session.memory_gb > 0 ? static_cast<int64_t>(session.memory_gb * 1e9) : free_memory_bytes() / 4 * 3;
}

// A scratch folder that was asked for is looked at now: later, what the data need would decide whether it is missed.
void keep_within(const Session& session) {
  if (session.memory_gb > 0 || session.scratch_given) {
    constexpr int64_t kOnePage = 4096;
    ::close(open_scratch_file(session.scratch, kOnePage));
  }
  limit_memory(memory_bytes(session), session.scratch);
}

}  // namespace

void add_common_options(CLI::App& command, Session& session) {
  command.add_flag("--json", session.json, "Print one JSON object on standard output and nothing else there");
  command.add_flag("-q,--quiet", session.quiet, "No progress on standard error");
  command.add_option("--threads", session.threads, "Threads to use (default: all processors)")
      ->check(CLI::Range(1, 4096));
  command.parse_complete_callback([&session] {
    if (!session.scratch.empty()) keep_within(session);
    Context context{.threads = session.threads, .progress = session.progress};
    if (!session.quiet && !session.progress) context.progress = std::make_shared<ProgressBar>();
    session.context.emplace(std::move(context));
  });
}

void add_memory_options(CLI::App& command, Session& session) {
  const char* const folder = std::getenv("TMPDIR");
  session.scratch = folder != nullptr && *folder != '\0' ? folder : kScratchFolder;
  command
      .add_option("--memory", session.memory_gb,
                  "GB that may be resident; larger arrays lie in scratch files (default: three quarters of what is "
                  "free)")
      ->check(CLI::Range(0.1, 1e6));
  command
      .add_option("--scratch", session.scratch,
                  "Folder for those files, on a disk; they hold private data and have no name (default: TMPDIR, or "
                  "/var/tmp)")
      ->each([&session](const std::string&) { session.scratch_given = true; });
}

void add_force_option(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "Write over a file that is there already");
}

void check_output(const std::string& path, bool force, const std::vector<std::string>& endings) {
  require(std::ranges::any_of(endings, [&](const std::string& ending) { return path.ends_with(ending); }),
          "{}: the name must end in {}", path.empty() ? "the output" : path, fmt::join(endings, " or "));
  if (!force && std::filesystem::exists(path)) {
    fail(ErrorKind::Io, "{}: exists already; give --force to write over it, or another name", path);
  }
  const files::AtomicFile claim(path);  // whether anything can be written there
}

int64_t usual_train_nodes(int64_t nodes) {
  constexpr double kShare = 0.75;
  return std::max<int64_t>(1, std::llround(kShare * static_cast<double>(nodes)));
}

nlohmann::ordered_json totals_json(const std::vector<run::Total>& totals) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const run::Total& t : totals) {
    list.push_back({{"what", t.what},
                    {"relation", bound::name(t.relation)},
                    {"degree", t.degree ? nlohmann::ordered_json(*t.degree) : nlohmann::ordered_json(nullptr)},
                    {"epsilon", t.epsilon ? nlohmann::ordered_json(*t.epsilon) : nlohmann::ordered_json(nullptr)},
                    {"delta", t.delta}});
  }
  return list;
}

void print_result(const Session& session, const nlohmann::ordered_json& object, const std::string& text) {
  if (session.answered) return session.answered(object);
  if (session.json) {
    std::cout << object.dump(2) << '\n';
  } else {
    std::cout << text;
  }
  std::cout.flush();
}

}  // namespace graphveil::cli
