#include "cli/attack_files.h"

#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/attack/folder_attacks.h"
#include "graphveil/attack/forge.h"
#include "graphveil/base/error.h"
#include "graphveil/files/format.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct FolderCommand {
  std::string folder, other, data_path, target = "year";
  int64_t pairs = 5000;
  int64_t seed = 0;
};

std::string within(const std::string& folder, const std::string& part, const char* file) {
  return (fs::path(folder) / part / file).string();
}

artifact::Certificate certificate_of(const std::string& folder) {
  const std::string path = run::certificate_path(folder);
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(artifact::read_text(path));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorKind::BadInput, "{}: is no certificate: {}", path, error.what());
  }
  return artifact::certificate_from_json(document, path);
}

// The part of a run folder where its certificate and its model lie: release/ or draft/.
std::string given_part(const std::string& folder) {
  return fs::path(run::certificate_path(folder)).parent_path().filename().string();
}

nn::State state_of(const std::string& path) { return artifact::from_safetensors(artifact::read_file(path), path); }

void run_forge(const FolderCommand& command, Session& session) {
  const std::string path = run::certificate_path(command.folder);
  const fs::path release = fs::path(path).parent_path();
  const auto beside = [&](const char* name) { return artifact::read_if_there((release / name).string()); };
  const run::Evidence evidence{.model = beside(artifact::kModel),
                               .config = beside(artifact::kConfig),
                               .schema = beside(artifact::kSchema),
                               .predictions = beside(artifact::kPredictions)};
  const std::vector<attack::Forgery> found = attack::forge(artifact::read_text(path), evidence);
  ordered_json rows = ordered_json::array();
  std::string text;
  int64_t passed = 0;
  for (const attack::Forgery& f : found) {
    rows.push_back({{"what", f.what}, {"digest_repaired", f.repaired}, {"caught", f.caught}, {"reason", f.reason}});
    passed += !f.caught;
    text += fmt::format("{:<44} {:<16} {}\n", f.what, f.repaired ? "digest repaired" : "",
                        f.caught ? "caught: " + f.reason : "PASSED");
  }
  text += fmt::format("{} of {} forgeries were caught\n", found.size() - static_cast<size_t>(passed), found.size());
  print_result(session, {{"attack", "forge"}, {"forgeries", found.size()}, {"passed", passed}, {"rows", rows}}, text);
  if (passed > 0) session.exit_code = kAnswerIsNo;
}

void run_support(const FolderCommand& command, Session& session) {
  const artifact::Certificate certificate = certificate_of(command.folder);
  const std::string path = within(command.folder, artifact::kHolder, artifact::kSums);
  if (!fs::exists(fs::path(command.folder) / artifact::kHolder)) {
    fail(ErrorKind::Io, "{}: there is no {}/, where a run keeps its released sums; name the whole run folder",
         command.folder, artifact::kHolder);
  }
  // A method that keeps none used what it released as it trained.
  const nn::State sums = fs::exists(path) ? state_of(path) : nn::State();
  const std::vector<attack::OffGrid> found = attack::support_attack(sums, certificate.plan);
  ordered_json rows = ordered_json::array();
  std::string text;
  int64_t telling = 0;
  for (const attack::OffGrid& f : found) {
    rows.push_back({{"name", f.name}, {"numbers", f.numbers}, {"telling", f.off}, {"grid", f.grid}});
    telling += f.off;
    text += fmt::format("{:<32} {} of {} numbers tell where they cannot come from (grid {:.3g})\n", f.name, f.off,
                        f.numbers, f.grid);
  }
  if (found.empty()) {
    text = fmt::format("nothing to look at: {} keeps no released sums; what it released went into its training\n",
                       certificate.method);
  }
  print_result(session, {{"attack", "support"}, {"telling", telling}, {"rows", rows}}, text);
  if (telling > 0) session.exit_code = kAnswerIsNo;
}

void run_differences(const FolderCommand& command, Session& session) {
  ordered_json rows = ordered_json::array();
  std::string text;
  bool shares = false;
  for (const auto& [part, file] :
       {std::pair{std::string(artifact::kHolder), artifact::kSums}, {given_part(command.folder), artifact::kModel}}) {
    const std::string a = within(command.folder, part, file);
    const std::string b = within(command.other, part == artifact::kHolder ? part : given_part(command.other), file);
    if (!fs::exists(a) || !fs::exists(b)) continue;
    for (const attack::Shared& f : attack::difference_attack(state_of(a), state_of(b))) {
      rows.push_back({{"file", part + "/" + file},
                      {"name", f.name},
                      {"numbers", f.numbers},
                      {"equal", f.equal},
                      {"shares_noise", f.shares_noise()},
                      {"differing_rows", f.differing_rows}});
      shares = shares || f.shares_noise();
      text += fmt::format("{:<44} {} of {} numbers are equal{}\n", fmt::format("{}/{} {}", part, file, f.name), f.equal,
                          f.numbers, f.shares_noise() ? ": NOISE IS SHARED" : "");
      if (f.shares_noise() && !f.differing_rows.empty()) {
        text += fmt::format("    and differ in rows {}: what changed is there\n", fmt::join(f.differing_rows, ", "));
      }
    }
  }
  require(!rows.empty(), "the two folders have no released numbers of the same shape");
  print_result(session, {{"attack", "differences"}, {"shares_noise", shares}, {"rows", rows}}, text);
  if (shares) session.exit_code = kAnswerIsNo;
}

void run_own_list(const FolderCommand& command, Session& session) {
  const artifact::Certificate certificate = certificate_of(command.folder);
  const graph::Dataset data = files::read_dataset(command.data_path, {files::facebook_target(command.target)});
  const std::unique_ptr<run::Experiment> experiment = run::Experiment::from(certificate);
  const run::Prepared prepared = run::prepared_as(*experiment, certificate);
  // What the public model says about everybody from features alone: the adversary runs it on a graph without edges.
  graph::Dataset bare = experiment->method().prepare(data);
  bare.graph = graph::Graph::from_edges(data.nodes(), {}, {});
  mechanism::Release door = run::clear_door(prepared);
  const graph::Split nobody;
  const method::Predictions alone =
      run::ask(prepared, state_of(within(command.folder, given_part(command.folder), artifact::kModel)), {bare, nobody},
               door, Seed::from_number(0));
  ordered_json object{{"attack", "own-list"}};
  std::string text;
  for (const std::string& part :
       {given_part(command.folder), std::string(artifact::kOwners), std::string(artifact::kHolder)}) {
    const std::string path = within(command.folder, part, artifact::kPredictions);
    if (!fs::exists(path)) {
      object[part] = nullptr;
      text += fmt::format("{:<10} no predictions: nothing to find\n", part);
      continue;
    }
    const Matrix given = attack::read_predictions(artifact::read_text(path), data.classes, path);
    const attack::Roc roc = attack::own_list_attack(data, given, method::values(alone), command.pairs,
                                                    Seed::from_number(static_cast<uint64_t>(command.seed)));
    object[part] = {{"auc", roc.auc}, {"tpr_at_1_percent_fpr", roc.tpr_at_1_percent}};
    text += fmt::format("{:<10} AUC {:.3f} of friends against strangers, TPR at 1% FPR {:.3f}\n", part, roc.auc,
                        roc.tpr_at_1_percent);
  }
  print_result(session, object, text);
}

}  // namespace

void add_file_attacks(CLI::App& attack, Session& session) {
  const auto add = [&](const char* name, const char* help, auto run_it) {
    auto command = std::make_shared<FolderCommand>();
    CLI::App* sub = attack.add_subcommand(name, help);
    sub->add_option("folder", command->folder, "The run folder that `train --out` wrote")->required();
    add_common_options(*sub, session);
    sub->callback([command, run_it, &session] { run_it(*command, session); });
    return std::pair{sub, command};
  };
  add("forge",
      "Edit a run's certificate and files in many ways and ask `verify` about each; exit 1 when one passes. For "
      "example: graphveil attack forge runs/first",
      run_forge);
  add("support",
      "Look for released numbers that cannot have come from some other graph; exit 1 when there are any. For "
      "example: graphveil attack support runs/first",
      run_support);
  const auto [differences, two] =
      add("differences",
          "Take the difference of two runs, and see whether noise was shared; exit 1 when it was. For "
          "example: graphveil attack differences runs/before runs/after",
          run_differences);
  differences->add_option("other", two->other, "Another run folder")->required();
  const auto [own_list, lists] =
      add("own-list",
          "Find friend lists in predictions that read them: in owners/ of a record run there are some, which "
          "is why they are the owners'; in release/ none. For example: graphveil attack own-list runs/first "
          "--data G",
          run_own_list);
  own_list->add_option("--data", lists->data_path, "The training graph: to judge the attack by")->required();
  own_list->add_option("--target", lists->target, "Facebook100: the column to predict")->capture_default_str();
  own_list->add_option("--pairs", lists->pairs, "Friends to find among as many strangers")
      ->check(CLI::Range(10, 100'000'000))
      ->capture_default_str();
  own_list->add_option("-s,--seed", lists->seed, "For the pairs")->capture_default_str();
}

}  // namespace graphveil::cli
