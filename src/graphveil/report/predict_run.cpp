#include "graphveil/report/predict_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/event_json.h"
#include "graphveil/base/error.h"
#include "graphveil/report/fingerprint.h"
#include "graphveil/report/json_fields.h"
#include "graphveil/report/run_folder.h"
#include "graphveil/report/safetensors.h"
#include "graphveil/report/verify.h"

namespace graphveil::report {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The fingerprint of the training graph, from metrics.jsonl.
Fingerprint training_fingerprint(const std::string& folder) {
  const std::string path = folder + "/metrics.jsonl";
  const std::string text = read_text(path);
  const nlohmann::json line = parse_json(text.substr(0, text.find('\n')), path);
  const nlohmann::json& data = field(line, "data", path);
  return {string_field(data, "edges", path), string_field(data, "features", path)};
}

// inference.jsonl: one line for each release about a graph after training. Locked while it is open, so that two
// predictions at once cannot both spend the same budget.
class InferenceLog {
 public:
  explicit InferenceLog(const std::string& folder) : path_(folder + "/inference.jsonl") {
    fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND, 0644);
    if (fd_ < 0) fail(ErrorKind::Io, "{}: cannot be opened for writing, and the release must be recorded", path_);
    if (flock(fd_, LOCK_EX) != 0) {
      close(fd_);
      fail(ErrorKind::Io, "{}: cannot be locked", path_);
    }
  }
  ~InferenceLog() { close(fd_); }
  InferenceLog(const InferenceLog&) = delete;
  InferenceLog& operator=(const InferenceLog&) = delete;

  // The events on the graph with these edges.
  account::Ledger events_on(const std::string& edges) const {
    account::Ledger ledger;
    std::ifstream in(path_);
    size_t number = 0;
    for (std::string line; std::getline(in, line); ++number) {
      const std::string where = fmt::format("{}: line {}", path_, number + 1);
      const nlohmann::json entry = parse_json(line, where);
      if (string_field(entry, "edges", where) != edges) continue;
      const nlohmann::json& events = field(entry, "events", where);
      if (!events.is_array()) fail(ErrorKind::BadInput, "{}: field 'events' is not a list", where);
      for (size_t i = 0; i < events.size(); ++i) ledger.add(account::event_from_json(events[i], i));
    }
    return ledger;
  }
  // On disk when it returns.
  void add(const std::string& edges, const account::Ledger& ledger, double epsilon, double delta) {
    nlohmann::ordered_json entry = {{"edges", edges}, {"epsilon", epsilon}, {"delta", delta}};
    entry["events"] = nlohmann::ordered_json::array();
    for (const account::Event& event : ledger.events()) entry["events"].push_back(account::to_json(event));
    const std::string line = entry.dump() + "\n";
    if (write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(fd_) != 0) {
      fail(ErrorKind::Io, "{}: cannot be written, and the release must be recorded", path_);
    }
  }

 private:
  std::string path_;
  int fd_ = -1;
};

// The data with the model's classes, or a clear word why it does not fit.
graph::Dataset fitted(const graph::Dataset& data, const method::PublicFacts& facts) {
  if (data.features.cols() != facts.features) {
    fail(ErrorKind::BadInput, "the graph has {} features a node, the model was trained on {}", data.features.cols(),
         facts.features);
  }
  if (data.classes > facts.classes) {
    fail(ErrorKind::BadInput, "the graph has labels up to {}, the model knows {} classes", data.classes - 1,
         facts.classes);
  }
  graph::Dataset out = data;
  out.classes = facts.classes;
  return out;
}

// Everybody whose label is known tells it; nobody is trained on.
graph::Split labeled_nodes(const graph::Dataset& data) {
  graph::Split split;
  for (int64_t v = 0; v < data.nodes(); ++v) {
    if (data.labels[v] != graph::kUnlabeled) split.train.push_back(static_cast<int32_t>(v));
  }
  return split;
}

}  // namespace

Prediction predict(const std::string& folder, const method::Method& method, const TrainSettings& settings,
                   const graph::Dataset& stored_data) {
  const bool is_private = !method.relations().empty();
  const Verdict verdict = verify_run(folder);
  const Certificate& c = verdict.certificate;
  require(c.method == method.describe().name, "{}: its certificate is for {}, its config for {}", folder, c.method,
          method.describe().name);
  if (is_private && c.accounting == Accounting::Tight && !verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: its certificate does not hold: {}", folder, fmt::join(verdict.reasons, "; "));
  }
  Prediction prediction;
  prediction.delta = c.delta;
  const Fingerprint here = fingerprint(stored_data), trained = training_fingerprint(folder);
  const bool covered = c.covers == Covers::ParametersAndPredictions;
  if (here == trained && covered) {
    prediction.csv = read_text(folder + "/predictions.csv");
    return prediction;
  }

  const graph::Dataset data = method.prepare(fitted(stored_data, c.facts));
  const graph::Split split = labeled_nodes(data);
  const Seed seed = settings.seed
                        ? Seed::from_number(static_cast<uint64_t>(*settings.seed)).derived("predict " + here.edges)
                        : Seed::from_system();
  const method::Task task{data, split, c.relation, seed.derived("training"), std::nullopt};
  const std::string model_path = folder + "/model.safetensors";
  const std::string bytes = read_text(model_path);
  const nn::State model = from_safetensors({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, model_path);

  const account::Ledger plan = is_private ? method.inference_plan(c.noise, c.relation) : account::Ledger{};
  std::optional<mechanism::Release> release;
  // A student of a public graph reads the graph it is given.
  const bool reads_neighbors = !covered || method.wants_public_graph();
  prediction.kind = reads_neighbors ? PredictionKind::Raw : PredictionKind::Free;
  if (!plan.empty()) {
    if (covered) prediction.kind = PredictionKind::Released;
    InferenceLog log(folder);
    account::Ledger on_graph = log.events_on(here.edges);
    on_graph.add(plan);
    account::Ledger with_training = c.ledger();
    with_training.add(on_graph);
    prediction.epsilon = account::spent_epsilon(plan, c.delta);
    prediction.graph_epsilon = account::spent_epsilon(on_graph, c.delta);
    prediction.with_training = account::spent_epsilon(with_training, c.delta);
    const bool same_graph = here.edges == trained.edges;
    const double cost = same_graph ? prediction.with_training : prediction.graph_epsilon;
    const double budget = c.epsilon.value_or(0);
    if (!(cost <= budget * (1 + 1e-9))) {
      fail(ErrorKind::BudgetExceeded,
           "{}: this graph's budget is spent: predicting on it again would cost epsilon {:.4g} in all, and {:.4g} was "
           "granted; use the predictions that were released before",
           folder, cost, budget);
    }
    log.add(here.edges, plan, prediction.epsilon, c.delta);
    release.emplace(c.relation, plan, mechanism::Budget{prediction.epsilon * (1 + 1e-9), c.delta},
                    seed.derived("noise"));
  }
  Matrix probabilities = method.infer(model, task, c.noise, release ? &*release : nullptr);
  if (release && !release->complete()) fail(ErrorKind::Internal, "the prediction spent less than its plan");
  if (settings.propagate > 0) {
    probabilities =
        method::propagate(data.graph, probabilities, settings.propagate, settings.alpha, settings.propagated);
  }
  prediction.csv = predictions_csv(probabilities);
  return prediction;
}

std::string in_words(const Prediction& p) {
  switch (p.kind) {
    case PredictionKind::Stored:
      return "This is the training graph: these are the predictions released with the model. They cost nothing more.\n";
    case PredictionKind::Free:
      return "Predicting reads the model and each node's own record, and no edge: it costs nothing.\n";
    case PredictionKind::Raw:
      return "Predicting reads neighbors in the clear: these predictions are covered by NO guarantee.\n";
    case PredictionKind::Released: break;
  }
  return fmt::format(
      "Another graph: this prediction costs its people epsilon {:.4g} at delta {:.3g} ({:.4g} with all predictions on "
      "this graph so far).\nFor somebody who is in the training graph as well, all together cost at most {:.4g}. "
      "Recorded in inference.jsonl.\n",
      p.epsilon, p.delta, p.graph_epsilon, p.with_training);
}

}  // namespace graphveil::report
