#include "graphveil/run/predict.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/drawn.h"
#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/ranks.h"
#include "graphveil/budget/spend_log.h"
#include "graphveil/graph/partition.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/book.h"
#include "graphveil/run/certify.h"
#include "graphveil/run/finite.h"
#include "graphveil/run/join.h"
#include "graphveil/run/on_ranks.h"
#include "graphveil/run/receive.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/totals.h"
#include "graphveil/run/verify.h"

namespace graphveil::run {
namespace {

namespace fs = std::filesystem;

std::string within(const std::string& folder, const char* part, const char* file) {
  return (fs::path(folder) / part / file).string();
}

// What was made with the model. For whom it is the certificate's statements say, never where a file lies.
std::optional<Prediction> stored(const std::string& folder, const artifact::Certificate& c, const Prediction& about,
                                 std::optional<double> total, const std::string& sha256) {
  using mechanism::Audience;
  const Audience audience = artifact::prediction_audience(c);
  const std::string path = within(folder, artifact::part_of(c, audience), artifact::kPredictions);
  if (!fs::exists(path)) return std::nullopt;
  Prediction prediction = about;
  prediction.audience = audience;
  prediction.csv = artifact::read_text(path);
  const std::string found = sha256_text(prediction.csv);
  if (found != sha256 || (audience == Audience::Public && found != c.predictions_sha256)) {
    fail(ErrorKind::BadInput, "{}: is not the file that was made with the model", path);
  }
  prediction.rows = artifact::prediction_rows(prediction.csv);
  if (c.valid() && audience != Audience::Holder) prediction.epsilon = 0;
  prediction.epsilon_total = total;
  return prediction;
}

// Throws unless the entry may be made.
void check_budget(const std::string& folder, const artifact::Certificate& c, const PredictOptions& options,
                  std::optional<double> total, std::optional<double> before, bool reserve_used_up) {
  const double allowed = options.total_epsilon.value_or(c.epsilon.value_or(0));
  const double cost = total.value_or(std::numeric_limits<double>::infinity());
  if (cost <= allowed * (1 + 1e-9)) return;
  const int64_t reserved = reserve_used_up ? reserved_predictions(c) : 0;
  fail(ErrorKind::BudgetExceeded,
       "{}: {}with this prediction all that was released would cost epsilon {} (so far {}), and {:.4g} is allowed; "
       "allow more with --total-epsilon, or use predictions that were made before{}",
       folder, reserved > 0 ? fmt::format("the {} predictions that were reserved are used up; ", reserved) : "",
       artifact::epsilon_text(total), artifact::epsilon_text(before), allowed,
       reserved > 0 ? "" : "; a training with --predictions N pays for N of them beforehand");
}

// What is asked of the model about a graph. Several ranks each ask about their own rows, and rank 0 hears all.
class Asking {
 public:
  // `data` as the method wants it, or, of several ranks, as stored.
  Asking(const Prepared& prepared, const nn::State& model, const graph::Dataset& data, const graph::Split& split,
         const Seed& seed)
      : prepared_(prepared), model_(model), data_(data), split_(split), seed_(seed) {
    if (Ranks* const ranks = current_ranks()) {
      own_.emplace(own_part(*ranks, prepared.experiment->method(), data, split, 1));
    }
  }

  // Asks the method all it will be asked, and throws the answer away unseen: what fails, fails before it is paid for.
  void rehearse(const mechanism::Plan& plan) const {
    mechanism::Release nobody = mechanism::Release::clear(prepared_.setting.relation, plan);
    ask(prepared_, model_, given(), nobody, seed_.derived("training"));
    if (!nobody.complete()) fail(ErrorKind::Internal, "the prediction would spend less than its plan");
  }

  // `paid`: once every rank is ready, and before any noise is drawn.
  method::Predictions release(double cost, const std::function<void()>& paid) const {
    mechanism::Release door = asking_door(prepared_, seed_.derived("noise"), std::max(cost * (1 + 1e-9), 1e-12));
    if (current_ranks() != nullptr) meet(*current_ranks());
    if (paid) paid();
    if (current_ranks() != nullptr) meet(*current_ranks());
    method::Predictions made = ask(prepared_, model_, given(), door, seed_.derived("training"));
    if (own_) bring_together(*current_ranks(), *own_->data.graph.partition(), made);
    return made;
  }

 private:
  Given given() const { return own_ ? Given{own_->data, own_->split} : Given{data_, split_}; }

  const Prepared& prepared_;
  const nn::State& model_;
  const graph::Dataset& data_;
  const graph::Split& split_;
  Seed seed_;
  std::optional<OwnPart> own_;
};

graph::Dataset ready(const method::Method& method, graph::Dataset data) {
  return current_ranks() == nullptr ? method.prepare(data) : std::move(data);
}

// Rank 0 tells the others whether they are needed.
bool needed(bool by_first) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return by_first;
  const auto told = static_cast<std::byte>(by_first);
  return broadcast(*ranks, std::span(&told, 1)).front() != std::byte{0};
}

// Rank 0 has the run folder; the others get of it what they need.
std::vector<uint8_t> told_by_first(std::span<const uint8_t> bytes) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return {};
  const std::vector<std::byte> told = broadcast(*ranks, std::as_bytes(bytes));
  const auto* const begin = reinterpret_cast<const uint8_t*>(told.data());
  return {begin, begin + told.size()};
}

double price(const Prepared& prepared, const mechanism::Plan& plan) {
  return prepared.is_private() && !plan.empty() ? account::drawn_epsilon(plan.ledger(), prepared.delta) : 0;
}

// What several ranks cannot do together, found out before data are read by any.
void check_predicts_on_ranks(const Experiment& experiment, const PredictOptions& options) {
  if (current_ranks() == nullptr) return;
  if (options.joined) fail(ErrorKind::Unsupported, "--joined runs on one machine: leave it out, or mpirun");
  if (experiment.method().wants_public_graph()) {
    fail(ErrorKind::Unsupported,
         "a model of {} reads a whole graph at once: it predicts on one machine, without mpirun",
         experiment.method().describe().name);
  }
  check_on_ranks(experiment);
}

// Whose rows are released when they join, or an error that says why none are.
Newcomers who_joins(const std::string& folder, const artifact::Certificate& c, const mechanism::Plan& plan,
                    std::span<const budget::Spending> entries, const graph::Dataset& data) {
  if (const std::optional<std::string> why = why_no_joining(c, plan)) {
    fail(ErrorKind::Unsupported,
         "--joined: that newcomers cost nothing more has no proof here: {}. Without it the grown graph is another "
         "graph, "
         "and its prediction is charged",
         *why);
  }
  const std::optional<Prediction> trained = stored(folder, c, {}, std::nullopt, entries.front().predictions);
  if (!trained) {
    fail(ErrorKind::BadInput, "{}: the predictions made with its model are gone, and with them who was there", folder);
  }
  const std::set<std::string> known = known_people(trained->csv, entries);
  Newcomers out = newcomers(data, known);
  const int64_t gone = std::ssize(known) - (data.nodes() - std::ssize(out.places));
  require(gone == 0,
          "--joined: {} of the people whose rows were released are not in this graph: it is not theirs with newcomers; "
          "keep those who left, without edges if need be",
          gone);
  require(!out.places.empty(), "--joined: everybody in this graph was there before, and has had a prediction");
  return out;
}

Matrix rows_at(const Matrix& all, std::span<const int32_t> places) {
  Matrix out = Matrix::uninitialized(std::ssize(places), all.cols());
  for (int64_t i = 0; i < out.rows(); ++i) std::ranges::copy(all.row(places[i]), out.row(i).begin());
  return out;
}

// A place in the budget book for what is about to be drawn, given back unless it was.
class Held {
 public:
  Held(const std::string& path, const artifact::Certificate& c, const std::string& digest,
       std::span<const Covered> releases, std::optional<int64_t> largest_entity)
      : book_(path) {
    const BookReading book = book_.read();
    check_entities(book, largest_entity, path);
    if (c.budget) {
      const std::string why = book_.missing(*c.budget);
      if (!why.empty()) fail(ErrorKind::BadInput, "{}: the run {}", path, why);
    }
    const std::vector<size_t> absent = unbooked(book, c, digest, releases);
    if (!absent.empty()) {
      fail(
          ErrorKind::BadInput,
          "{}: does not know release {} of this run's log{}: it was made without the book, or the book was put back to "
          "an older state; enter it with `graphveil budget enter`",
          path, absent.front() + 1, absent.front() == 0 ? ", its training" : "");
    }
  }
  ~Held() {
    if (reserved_ && !drawing_) give_back();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  void reserve(const std::string& what, const Covered& covered, const artifact::Fingerprint& people) {
    reserved_ = book_.reserve(what, covered, people);
  }
  void draw() {
    book_.draw(*reserved_);
    drawing_ = true;
  }
  void spend(const std::string& digest) { book_.spend(*reserved_, digest); }

 private:
  void give_back() noexcept {
    try {
      book_.free(reserved_->id);
    } catch (const Error&) {
      // It stays reserved, which costs nobody anything but room: `graphveil budget release` frees it.
    }
  }

  BudgetBook book_;
  std::optional<Booked> reserved_;
  bool drawing_ = false;
};

}  // namespace

Prediction predict(const std::string& folder, const graph::Dataset& stored_data, const PredictOptions& options) {
  const double most = options.total_epsilon.value_or(1);
  require(std::isfinite(most) && most > 0, "--total-epsilon is {}, want a positive number", most);
  if (is_release_alone(folder)) {
    if (current_ranks() != nullptr) {
      fail(ErrorKind::Unsupported, "{}: a release alone is asked on one machine: leave mpirun out", folder);
    }
    return predict_received(folder, stored_data, options);
  }
  const Verdict verdict = verify_files(folder);
  const artifact::Certificate& c = verdict.certificate;
  const std::unique_ptr<Experiment> experiment = Experiment::from(c);
  check_predicts_on_ranks(*experiment, options);
  const method::Method& method = experiment->method();
  const Settings& settings = experiment->settings();
  const Prepared prepared = prepared_as(*experiment, c);
  const bool is_private = prepared.is_private();
  if (is_private && c.accounting == Accounting::Tight && !verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: its certificate does not hold: {}", folder, fmt::join(verdict.reasons, "; "));
  }
  const std::string key_path = within(folder, artifact::kHolder, artifact::kKey);
  const artifact::FingerprintKey key = artifact::key_from_hex(artifact::read_secret(key_path).text(), key_path);
  budget::SpendLog log(within(folder, artifact::kHolder, artifact::kReleases), budget::SpendLog::File::Existing);
  const std::vector<Covered> releases = covered_log(folder, c, method, log.entries());
  const Total before = total_of(releases, c.delta);
  const bool covered = is_private && verdict.holds();

  // What holds for every prediction of this run.
  Prediction prediction;
  prediction.relation = before.relation;
  prediction.degree = before.degree;
  prediction.delta = c.delta;
  prediction.not_releasable = c.not_releasable;

  const artifact::Fingerprint here = artifact::fingerprint(stored_data);
  if (artifact::keyed(key, here) == c.data_fingerprint) {
    if (std::optional<Prediction> found =
            stored(folder, c, prediction, covered ? before.epsilon : std::nullopt, log.entries().front().predictions)) {
      needed(false);
      return *found;
    }
  }

  graph::Dataset data = ready(method, fitted_to(c, stored_data));
  const graph::Split split = labeled_nodes(data);
  const std::vector<uint8_t> model_file = artifact::read_file(model_path(folder));
  const nn::State model = artifact::from_safetensors(model_file, model_path(folder));
  check_parameters(model);
  const mechanism::Plan plan = asking_plan(prepared);
  const bool costs = is_private && !plan.empty();
  if (!bound::edge_level(c.relation) && data.nodes() > c.facts.nodes) {
    if (const auto why = exposed_outright(c.delta, data.nodes())) prediction.not_releasable.push_back(*why);
  }
  Newcomers joining;
  if (options.joined) {
    require(costs, "--joined: predictions of {} on any graph cost nothing; leave it out", c.method);
    require(!options.disjoint, "--joined and --disjoint contradict each other");
    require(
        std::ranges::none_of(log.entries(), &budget::Spending::disjoint),
        "--joined: this run has read a graph that was declared --disjoint, and who was in that is not written down: "
        "they may be among those who join");
    require(settings.entity_size.value_or(1) == 1,
            "--joined: somebody who joins may be the second node of one who was there (--entity-size)");
    joining = who_joins(folder, c, plan, log.entries(), data);
    data.graph = edges_into(data.graph, joining.places);
    prediction.newcomers = std::ssize(joining.places);
    prediction.assumptions.emplace_back(
        "whoever has an id that this run has seen is that person, and nobody else is; outgoing edges are counted in "
        "all graphs that were shown, together, also edges that are gone since (--joined)");
  }
  if (costs && !bound::edge_level(c.relation) &&
      options.largest_entity.value_or(1) > settings.entity_size.value_or(1)) {
    fail(ErrorKind::BadInput, "{}: somebody in this graph is more nodes than its training declares (--entity-size {})",
         folder, settings.entity_size.value_or(1));
  }
  const int64_t left =
      reserved_predictions(c) - std::ranges::count(log.entries(), kReservedInference, &budget::Spending::what);
  // The training has paid for its own people; those who were declared apart may be in this graph.
  const bool apart = std::ranges::any_of(log.entries(), &budget::Spending::disjoint);
  const bool from_reserve = costs && !options.disjoint && !options.joined && !apart && left > 0;
  const bool paid = from_reserve || options.joined;
  const budget::Spending spending{.what = options.joined ? kJoining
                                          : from_reserve ? kReservedInference
                                                         : kInference,
                                  .ledger = paid ? account::Ledger{} : plan.ledger(),
                                  .delta = c.delta,
                                  .disjoint = options.disjoint,
                                  .people = artifact::keyed(key, here.features),
                                  .id = budget::new_release_id(),
                                  .joined = joining.ids};
  require(
      !options.disjoint || !log.shares_people(spending.people),
      "--disjoint: the nodes of this graph have the features of a graph that this run has read, so it is not disjoint");
  const Seed seed = (settings.seed ? Seed::from_number(static_cast<uint64_t>(*settings.seed)) : Seed::from_system())
                        .derived(fmt::format("inference {} of {} {} {} {}", log.entries().size(), here.edges,
                                             here.features, here.labels, c.model_sha256));
  if (options.disjoint) {
    prediction.assumptions.emplace_back(
        "nobody of this graph is in any other graph that this run has read (--disjoint)");
  }
  const std::string digest = log.entries().front().certificate;
  require(!costs || !c.budget || !options.book.empty(),
          "{}: was trained under budget book {}; name its file with --budget", folder, c.budget ? c.budget->book : "");
  std::optional<Held> held;
  if (costs && !options.book.empty()) held.emplace(options.book, c, digest, releases, options.largest_entity);
  const double cost = price(prepared, plan);
  Total total = before;
  if (costs) {
    std::vector<budget::Spending> all = log.entries();
    all.push_back(spending);
    total = total_of(covered_log(folder, c, method, all), c.delta);
    check_budget(folder, c, options, total.epsilon, before.epsilon, left == 0);
    if (held) held->reserve("predict with " + c.method, covered_log(folder, c, method, all).back(), here);
  }
  needed(true);
  const std::string certificate = to_json(c).dump();
  told_by_first({reinterpret_cast<const uint8_t*>(certificate.data()), certificate.size()});
  told_by_first(model_file);
  const Asking asking(prepared, model, data, split, shared_seed(seed));
  if (costs) asking.rehearse(plan);
  // From here on it counts, whatever happens.
  method::Predictions made = asking.release(cost, [&] {
    if (!costs) return;
    if (held) held->draw();
    log.add(spending);
  });
  settle_rows(made);  // paid for, so given out
  if (held) held->spend(digest);
  // What the certificate states, or what the method says of this answer where that is more private.
  prediction.audience =
      covered ? std::max(artifact::prediction_audience(c), method::audience(made)) : mechanism::Audience::Holder;
  const bool raw = prediction.audience == mechanism::Audience::Holder;
  if (!raw) prediction.epsilon = paid ? 0 : cost;
  if (from_reserve) prediction.reserved_left = left - 1;
  if (covered) prediction.epsilon_total = total.epsilon;
  prediction.kind = raw ? PredictionKind::Raw : costs ? PredictionKind::Released : PredictionKind::Free;
  const Matrix& all = method::values(made);
  prediction.csv = options.joined
                       ? artifact::predictions_csv(rows_at(all, joining.places),
                                                   {data.ids.at(joining.places), joining.places, data.class_names})
                       : artifact::predictions_csv(all, {data.ids, {}, data.class_names});
  prediction.rows = options.joined ? prediction.newcomers : all.rows();
  return prediction;
}

void predict_beside(const graph::Dataset& stored_data) {
  if (!needed(false)) return;
  const std::string what = "what rank 0 told";
  const artifact::Certificate c = artifact::certificate_from_json(nlohmann::json::parse(told_by_first({})), what);
  const nn::State model = artifact::from_safetensors(told_by_first({}), what);
  const std::unique_ptr<Experiment> experiment = Experiment::from(c);
  const Prepared prepared = prepared_as(*experiment, c);
  const graph::Dataset data = ready(experiment->method(), fitted_to(c, stored_data));
  const graph::Split split = labeled_nodes(data);
  const mechanism::Plan plan = asking_plan(prepared);
  const Asking asking(prepared, model, data, split, shared_seed(Seed()));
  const double cost = price(prepared, plan);
  if (cost > 0) asking.rehearse(plan);
  asking.release(cost, nullptr);
}

}  // namespace graphveil::run
