// graphveil predict: predictions of a trained model, for the training graph or another one.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/budget_option.h"
#include "cli/command.h"
#include "cli/launch.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/format.h"
#include "graphveil/report/words.h"
#include "graphveil/run/predict.h"

namespace graphveil::cli {
namespace {

struct PredictCommand {
  std::string folder, data_path, out_path, target = "year";
  run::PredictOptions options;
  BudgetOption budget;
};

// The book that was named, or the one that the run was trained under, where it lay then.
std::optional<std::string> book_of(const PredictCommand& command, const std::string& data_path) {
  if (!command.budget.typed()) {
    if (std::optional<std::string> kept = kept_book(command.folder)) return kept;
  }
  return find_book(command.budget, data_path);
}

const char* kind_name(run::PredictionKind kind) {
  switch (kind) {
    case run::PredictionKind::Stored: return "stored";
    case run::PredictionKind::Free: return "free";
    case run::PredictionKind::Released: return "released";
    case run::PredictionKind::Raw: return "not covered";
    case run::PredictionKind::Received: return "received";
  }
  return "";
}

// A rank but the first: it reads, computes and writes nothing.
void predict_beside(const PredictCommand& command) {
  const std::string path = own_file(command.data_path);
  const graph::Dataset data = files::read_dataset(path, {files::facebook_target(command.target)});
  check_same_graph(data);
  check_books(book_of(command, path).has_value());
  run::predict_beside(data);
}

void run_predict(const PredictCommand& command, const Session& session) {
  require(!command.out_path.empty(), "--out is empty, want the name of a file");
  if (std::filesystem::exists(command.out_path)) {
    fail(ErrorKind::Io, "{}: exists already; choose another file or remove it", command.out_path);
  }
  for (const char* part : {artifact::kRelease, artifact::kDraft}) {
    const std::filesystem::path given = std::filesystem::weakly_canonical(std::filesystem::path(command.folder) / part);
    require(std::filesystem::weakly_canonical(command.out_path).parent_path() != given,
            "--out {} lies in {}/ of the run, which holds what it was certified with and nothing else; choose another",
            command.out_path, part);
  }
  // Opened before anything is spent: a prediction that cannot be written would be paid for in vain.
  files::AtomicFile file(command.out_path);
  const std::string path = own_file(command.data_path);
  const graph::Dataset data = files::read_dataset(path, {files::facebook_target(command.target)});
  check_same_graph(data);
  const std::optional<std::string> book = book_of(command, path);
  check_books(book.has_value());
  file.reserve(data.nodes() * (24 + 10 * int64_t{data.classes}));
  run::PredictOptions options = command.options;
  options.book = book.value_or("");
  options.largest_entity = files::largest_entity(path);
  const run::Prediction prediction = run::predict(command.folder, data, options);
  file.write(std::as_bytes(std::span(prediction.csv)));
  const bool everybody = prediction.audience == mechanism::Audience::Public && prediction.not_releasable.empty();
  file.commit(everybody ? 0666 : 0600);

  nlohmann::ordered_json object;
  object["kind"] = kind_name(prediction.kind);
  object["audience"] = mechanism::name(prediction.audience);
  object["relation"] = bound::name(prediction.relation);
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  object["epsilon_inference"] = number(prediction.epsilon);
  object["epsilon_total"] = number(prediction.epsilon_total);
  object["delta"] = prediction.delta;
  object["degree"] = prediction.degree ? nlohmann::ordered_json(*prediction.degree) : nlohmann::ordered_json(nullptr);
  object["releasable"] = prediction.audience != mechanism::Audience::Holder && prediction.not_releasable.empty();
  if (prediction.newcomers > 0) object["newcomers"] = prediction.newcomers;
  if (prediction.reserved_left) object["reserved_left"] = *prediction.reserved_left;
  object["assumptions"] = prediction.assumptions;
  object["not_releasable"] = prediction.not_releasable;
  object["rows"] = prediction.rows;
  object["out"] = command.out_path;
  print_result(session, object, report::in_words(prediction) + fmt::format("predictions    {}\n", command.out_path));
}

}  // namespace

void add_predict_command(CLI::App& app, Session& session) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* sub = app.add_subcommand(
      "predict", "Predict with a trained model: free on the training graph, recorded and charged on another one");
  sub->add_option("folder", command->folder,
                  "The run folder that `train --out` wrote, or its release/ as you received it")
      ->required();
  sub->add_option("--data", command->data_path, "Graph: file or folder, see docs/formats.md")->required();
  sub->add_option("-o,--out", command->out_path, "CSV file to write; must not exist")->required();
  sub->add_option("--total-epsilon", command->options.total_epsilon,
                  "The most that training and all predictions together may cost; default: what training did");
  sub->add_flag("--disjoint", command->options.disjoint,
                "Declare that nobody of this graph is in any other graph this run has read");
  sub->add_flag(
      "--joined", command->options.joined,
      "New nodes joined the graph that was trained on: predict for them alone, which costs nobody more (relation "
      "node)");
  add_budget_option(*sub, command->budget);
  sub->add_option("--target", command->target, "Facebook100: the column to predict")->capture_default_str();
  add_common_options(*sub, session);
  add_memory_options(*sub, session);
  add_rank_options(*sub, session);
  sub->callback([command, &session] {
    join_ranks(session);
    first_rank() ? run_predict(*command, session) : predict_beside(*command);
  });
}

}  // namespace graphveil::cli
