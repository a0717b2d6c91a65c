// Methods written in Python: plan, run and predict are Python's, the release is the library's. Nothing leaves but
// through it, at the price of the plan; that what Python makes of released values reads nothing else is for the
// neighbor check.
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "graphveil/graphveil.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/own_method.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "tests/contract/harness.h"

namespace graphveil::python {
namespace {

using mechanism::PlanLine;
using mechanism::Public;
using method::Plan;
using method::Release;
using method::Setting;
using method::Task;

ConstMatrixView view_of(const Table<float>& rows) {
  return {rows.data(), static_cast<int64_t>(rows.shape(0)), static_cast<int64_t>(rows.shape(1))};
}

bound::NeighborSumOptions sum_options(bound::Relation relation, int64_t protect_degree, double max_row_norm) {
  return {.relation = relation, .max_row_norm = max_row_norm, .protect_degree = protect_degree};
}

// What is summed by a step of DP-SGD whose gradients somebody else computed: the gradient of the sum of <row, w> in w
// is the sum of the rows, so that clipping, blocks and grid are those of nn/clipped_gradient.h.
class GivenGradients {
 public:
  GivenGradients(int64_t width, double max_norm)
      : weight_(parameters_.add("rows", width, 1)),
        clipped_(parameters_, {.max_norms = {max_norm}}),
        tape_(Seed::from_number(0)) {}

  bound::Bounded<bound::GradientSum> sum(const Table<float>& rows, std::span<const int32_t> labels,
                                         nn::Batches& batches, int64_t step, bound::Relation relation) {
    clipped_.start();
    const std::span<const int32_t> drawn = batches.batch(step);
    std::vector<int64_t> ends(batches.block_ends().begin(), batches.block_ends().end());
    if (ends.empty()) {
      for (size_t end = 0; end < drawn.size();) {
        end = std::min(drawn.size(), end + static_cast<size_t>(bound::kSamplesPerBlock));
        ends.push_back(static_cast<int64_t>(end));
      }
    }
    // Whoever has no label is in no sample, so that a blank record is the same drawn or not.
    const auto width = static_cast<int64_t>(rows.shape(1));
    std::vector<int32_t> taken;
    std::vector<int64_t> taken_ends;
    size_t at = 0;
    for (const int64_t end : ends) {
      for (; at < static_cast<size_t>(end); ++at) {
        if (labels[static_cast<size_t>(drawn[at])] != graph::kUnlabeled) taken.push_back(drawn[at]);
      }
      taken_ends.push_back(static_cast<int64_t>(taken.size()));
    }
    Matrix samples = Matrix::uninitialized(static_cast<int64_t>(taken.size()), width);
    for (size_t i = 0; i < taken.size(); ++i) {
      const float* row = rows.data() + static_cast<int64_t>(taken[i]) * width;
      std::copy(row, row + width, samples.row(static_cast<int64_t>(i)).begin());
    }
    if (!taken.empty()) {
      tape_.start_per_sample(static_cast<int64_t>(taken.size()), taken, step);
      clipped_.add(nn::sum(nn::matmul(tape_.input(samples), tape_.parameter(parameters_, weight_))), taken_ends);
    }
    return clipped_.finish(batches, relation);
  }

 private:
  nn::Parameters parameters_;
  nn::ParameterId weight_;
  nn::ClippedGradient clipped_;
  nn::Tape tape_;
};

// A release as Python code sees it while its method runs, and not later.
class ReleaseHandle {
 public:
  ReleaseHandle(Release& release, const Task& task) : release_(&release), task_(&task) {}
  ReleaseHandle(ReleaseHandle&&) = default;
  ReleaseHandle(const ReleaseHandle&) = delete;
  ReleaseHandle& operator=(const ReleaseHandle&) = delete;
  void close() { release_ = nullptr; }

  Release& release() const {
    require(release_ != nullptr, "the release is closed: it is there while its method runs, and no longer");
    return *release_;
  }
  // Whether anything was released: what a model is made of.
  const std::optional<Public<bool>>& witness() const { return witness_; }

  nb::ndarray<nb::numpy, Real> class_sums(const std::string& label, const Table<float>& rows,
                                          const Vector<int32_t>& labels) {
    return noted(release().gaussian(label, bound::class_sums(view_of(rows), span_of(labels), task_->data.classes,
                                                             release().relation(), release().grid(label))));
  }
  nb::ndarray<nb::numpy, Real> neighbor_sum(const std::string& label, const Table<float>& rows, double max_row_norm) {
    const auto options = sum_options(release().relation(), task_->protect_degree, max_row_norm);
    return noted(release().gaussian(
        label, bound::neighbor_sum(task_->data.graph, view_of(rows), options, release().grid(label))));
  }
  nb::ndarray<nb::numpy, Real> votes(const std::string& label, const Table<int32_t>& table) {
    bound::Votes votes;
    for (size_t t = 0; t < table.shape(0); ++t) {
      votes.emplace_back(table.data() + t * table.shape(1), table.data() + (t + 1) * table.shape(1));
    }
    return noted(release().gaussian(
        label, bound::vote_counts(votes, task_->data.classes, release().relation(), release().grid(label))));
  }
  // One step: row i is the gradient of training node i; who of them is drawn nobody learns.
  nb::ndarray<nb::numpy, double> gradient(const std::string& label, const Table<float>& rows, double max_grad_norm) {
    const std::vector<int32_t>& train = task_->split.train;
    require(rows.shape(0) == train.size(), "'{}': {} rows of gradients, want {}: one for each training node", label,
            rows.shape(0), train.size());
    Training& training = trainings_[label];
    if (!training.batches) {
      const double rate = rate_of(label);
      std::vector<int32_t> places(train.size());
      std::iota(places.begin(), places.end(), 0);
      if (rate >= 1) {
        training.batches = std::make_unique<nn::FullBatch>(std::move(places), bound::SampleDraw{rate});
      } else {
        training.batches = std::make_unique<nn::PoissonBatches>(std::move(places), bound::SampleDraw{rate},
                                                                task_->seed.derived(label));
      }
      training.gradients = std::make_unique<GivenGradients>(static_cast<int64_t>(rows.shape(1)), max_grad_norm);
      training.width = rows.shape(1);
      for (const int32_t u : train) training.labels.push_back(task_->data.labels[static_cast<size_t>(u)]);
    }
    require(training.width == rows.shape(1), "'{}': gradients of {} numbers, the first step had {}", label,
            rows.shape(1), training.width);
    Public<std::vector<double>> out(release().gaussian(
        label,
        training.gradients->sum(rows, training.labels, *training.batches, training.step++, release().relation())));
    witness_.emplace(mechanism::from_public([](const std::vector<double>&) { return true; }, out));
    const size_t width = out.value().size();
    return given<double>(std::move(out).value(), {width});
  }
  double expected_batch(const std::string& label) const {
    return rate_of(label) * static_cast<double>(task_->split.train.size());
  }
  int64_t steps(const std::string& label) const { return release().line(label).event.count(); }
  double noise_stddev(const std::string& label) const { return mechanism::noise_scale(release().line(label)); }

 private:
  struct Training {
    std::unique_ptr<nn::Batches> batches;
    std::unique_ptr<GivenGradients> gradients;
    std::vector<int32_t> labels;
    int64_t step = 0;
    size_t width = 0;
  };

  nb::ndarray<nb::numpy, Real> noted(mechanism::Noisy<Matrix> noisy) {
    Public<Matrix> out(std::move(noisy));
    witness_.emplace(mechanism::from_public([](const Matrix&) { return true; }, out));
    return given(std::move(out).value());
  }
  double rate_of(const std::string& label) const {
    const account::Sampling sampling = release().line(label).event.sampling();
    const auto* poisson = std::get_if<account::Poisson>(&sampling);
    return poisson != nullptr ? poisson->rate : 1;
  }

  Release* release_;
  const Task* task_;
  std::optional<Public<bool>> witness_;
  std::map<std::string, Training> trainings_;
};

// Closes a handle when its method has run, whatever Python kept of it.
struct Closing {
  nb::object handle;
  explicit Closing(nb::object h) : handle(std::move(h)) {}
  ~Closing() { nb::cast<ReleaseHandle&>(handle).close(); }
};

nb::object helper(const char* name) { return nb::module_::import_("graphveil.method").attr(name); }

nb::object to_python(const Setting& setting) {
  return helper("Setting")(std::string(bound::name(setting.relation)), setting.protect_degree, setting.facts.nodes,
                           setting.facts.train_nodes, setting.facts.features, setting.facts.classes, setting.epsilon,
                           setting.delta);
}

nb::object to_python(const Task& task) {
  const GraphHandle graph{std::make_shared<const graph::Dataset>(task.data)};
  RandomStream random(task.seed, "python");
  std::vector<int32_t> train = task.split.train;
  const size_t count = train.size();
  return helper("Task")(nb::cast(graph), given<int32_t>(std::move(train), {count}),
                        std::string(bound::name(task.relation)), task.protect_degree, random.next_u64());
}

Matrix matrix_of(const nb::handle& array, const char* what) {
  const auto rows = nb::cast<Table<float>>(helper("as_rows")(array, what));
  Matrix out = Matrix::uninitialized(static_cast<int64_t>(rows.shape(0)), static_cast<int64_t>(rows.shape(1)));
  if (rows.size() > 0) std::copy(rows.data(), rows.data() + rows.size(), out.data());
  return out;
}

nn::State state_of(const nb::object& model) {
  nn::State state;
  for (const auto& [name, array] : nb::cast<nb::dict>(model)) {
    state[nb::cast<std::string>(name)] = nn::to_tensor(matrix_of(array, "a model's array").view());
  }
  return state;
}

nb::dict to_python(const nn::State& state) {
  nb::dict out;
  for (const auto& [name, tensor] : state) {
    Matrix matrix(tensor.shape.at(0), tensor.shape.at(1));
    nn::read_matrix(state, name, matrix);
    out[name.c_str()] = given(std::move(matrix));
  }
  return out;
}

Plan plan_of(const nb::object& lines) {
  Plan plan;
  for (const nb::handle line : lines) plan.add(nb::cast<PlanLine>(line));
  return plan;
}

// The classes by name. They are never freed: a method may outlive the interpreter's last look at it.
struct Registered {
  std::mutex mutex;
  std::map<std::string, PyObject*> classes;
};
Registered& registered() {
  static auto* all = new Registered;
  return *all;
}

// An option as a Python class declares it: graphveil/method.py makes the specifications.
struct OwnOption {
  std::string name, kind, help;
  double low = 0, high = 0;
  std::vector<std::string> words;
  double real = 0;
  int64_t integer = 0;
  bool boolean = false;
  std::string text;
};

class OwnMethod final : public method::Method {
 public:
  explicit OwnMethod(PyObject* type) {
    const nb::gil_scoped_acquire locked;
    self_ = nb::handle(type)();
    for (const nb::handle spec : nb::object(self_.attr("_specifications")())) read(spec);
  }
  ~OwnMethod() override {
    if (!Py_IsInitialized()) {
      self_.release();
      return;
    }
    const nb::gil_scoped_acquire locked;
    self_.reset();
  }

  method::Description describe() const override {
    const nb::gil_scoped_acquire locked;
    return {text("name"), text("level"), text("releases"), text("paper")};
  }
  void declare(Options& options) override {
    for (const auto& o : options_) {
      if (o->kind == "real") options.real(o->name, o->real, o->low, o->high, o->help);
      if (o->kind == "integer") {
        options.integer(o->name, o->integer, static_cast<int64_t>(o->low), static_cast<int64_t>(o->high), o->help);
      }
      if (o->kind == "boolean") options.boolean(o->name, o->boolean, o->help);
      if (o->kind == "choice") {
        std::vector<std::pair<std::string, std::string>> words;
        for (const std::string& word : o->words) words.emplace_back(word, word);
        options.choice(o->name, o->text, words, o->help);
      }
    }
  }
  void use_paper_settings() override {}
  std::vector<method::Preset> presets() const override { return {}; }
  std::vector<bound::Relation> relations() const override {
    const nb::gil_scoped_acquire locked;
    std::vector<bound::Relation> out;
    for (const std::string& name : nb::cast<std::vector<std::string>>(helper("texts")(self_.attr("relations")))) {
      out.push_back(bound::relation_from_name(name));
    }
    return out;
  }
  method::PredictionCover predictions(bound::Relation relation) const override {
    return {bound::edge_level(relation) ? mechanism::Audience::Public : mechanism::Audience::Owner, relation};
  }
  bool every_degree() const override {
    const nb::gil_scoped_acquire locked;
    return nb::cast<bool>(self_.attr("every_degree"));
  }
  std::vector<std::string> assumptions(bound::Relation) const override {
    return {
        "the Python class of this method makes its model of released values alone, and a prediction of the model "
        "and the node's own record"};
  }

  Plan plan(double noise, const Setting& setting) const override {
    const nb::gil_scoped_acquire locked;
    return plan_of(mine().attr("plan")(noise, to_python(setting)));
  }
  Plan inference_plan(double noise, const Setting& setting) const override {
    const nb::gil_scoped_acquire locked;
    return plan_of(mine().attr("inference_plan")(noise, to_python(setting)));
  }

  method::Output run(const Task& task, Release& release) const override {
    const nb::gil_scoped_acquire locked;
    const Closing open(nb::cast(ReleaseHandle(release, task)));
    const nb::object given_task = to_python(task);
    const nb::object model = mine().attr("run")(given_task, open.handle);
    nn::State state = state_of(model);
    const nb::object predicted = helper("predict_after_run")(mine(), to_python(state), given_task, open.handle);
    Matrix probabilities = probabilities_of(predicted, task);
    const std::optional<Public<bool>>& witness = nb::cast<ReleaseHandle&>(open.handle).witness();
    if (!witness && !bound::edge_level(release.relation())) {
      fail(ErrorKind::InvalidArgument, "the method released nothing: its model can be made of private records alone");
    }
    const auto made = [&] {
      if (witness) return mechanism::from_public([&](bool) { return std::move(state); }, *witness);
      return Public<nn::State>(std::move(state), mechanism::PublicData::under(release));
    };
    return {made(), method::predictions_for(std::move(probabilities), release)};
  }
  method::Predictions infer(const nn::State& model, const Task& task, Release& release) const override {
    const nb::gil_scoped_acquire locked;
    const Closing open(nb::cast(ReleaseHandle(release, task)));
    const nb::object predicted = mine().attr("predict")(to_python(model), to_python(task), open.handle);
    return method::predictions_for(probabilities_of(predicted, task), release);
  }

 private:
  std::string text(const char* name) const { return nb::cast<std::string>(self_.attr(name)); }

  void read(const nb::handle& spec) {
    auto option = std::make_unique<OwnOption>();
    option->name = nb::cast<std::string>(spec["name"]);
    option->kind = nb::cast<std::string>(spec["kind"]);
    option->help = nb::cast<std::string>(spec["help"]);
    option->low = nb::cast<double>(spec["low"]);
    option->high = nb::cast<double>(spec["high"]);
    option->words = nb::cast<std::vector<std::string>>(spec["words"]);
    if (option->kind == "real") option->real = nb::cast<double>(spec["default"]);
    if (option->kind == "integer") option->integer = nb::cast<int64_t>(spec["default"]);
    if (option->kind == "boolean") option->boolean = nb::cast<bool>(spec["default"]);
    if (option->kind == "choice") option->text = nb::cast<std::string>(spec["default"]);
    options_.push_back(std::move(option));
  }
  // The Python object with its options as they are now.
  nb::object mine() const {
    for (const auto& o : options_) {
      std::string attribute = o->name;
      std::replace(attribute.begin(), attribute.end(), '-', '_');
      nb::object value = o->kind == "real"      ? nb::cast(o->real)
                         : o->kind == "integer" ? nb::cast(o->integer)
                         : o->kind == "boolean" ? nb::cast(o->boolean)
                                                : nb::cast(o->text);
      nb::setattr(self_, attribute.c_str(), value);
    }
    return self_;
  }
  static Matrix probabilities_of(const nb::object& predicted, const Task& task) {
    Matrix out = matrix_of(predicted, "predictions");
    require(out.rows() == task.data.nodes() && out.cols() == task.data.classes,
            "predictions are {} x {}, want {} x {}: a row for each node, a column for each class", out.rows(),
            out.cols(), task.data.nodes(), task.data.classes);
    return out;
  }

  nb::object self_;
  std::vector<std::unique_ptr<OwnOption>> options_;
};

void register_own(const std::string& name, const nb::object& type) {
  nb::object kept = type;
  bool again = false;
  {
    const std::lock_guard lock(registered().mutex);
    again = !registered().classes.insert_or_assign(name, kept.release().ptr()).second;
  }
  if (again) return;  // a cell of a notebook that was run once more
  try {
    // It may make a method at once: the lock is free.
    method::register_method(name, [name]() -> std::unique_ptr<method::Method> {
      PyObject* found = nullptr;
      {
        const std::lock_guard lock(registered().mutex);
        found = registered().classes.at(name);
      }
      return std::make_unique<OwnMethod>(found);
    });
  } catch (...) {
    const std::lock_guard lock(registered().mutex);
    registered().classes.erase(name);
    throw;
  }
}

// What the neighbor harness of tests/contract finds: in words; empty: nothing.
std::vector<std::string> neighbor_findings(const std::string& name, const method::OptionValues& values,
                                           const std::string& relation_name, double noise, int64_t graphs) {
  const nb::gil_scoped_release free;
  const bound::Relation relation = bound::relation_from_name(relation_name);
  const std::unique_ptr<method::Method> method = method::make_method(name);
  Options options;
  method->declare(options);
  for (const auto& [option, value] : values) options.set(option, value);
  std::vector<std::string> out;
  Progress progress("comparing neighbors", graphs);
  for (int64_t seed = 1; seed <= graphs; ++seed) {
    const bool symmetric = relation == bound::Relation::UndirectedEdge || seed % 2 == 0;
    const contract::SmallGraph graph = contract::small_graph(static_cast<uint64_t>(seed), symmetric);
    const contract::HarnessOptions how{.noise = noise,
                                       .protect_degree = contract::largest_degree(graph.data.graph),
                                       .seed = static_cast<uint64_t>(seed)};
    const contract::Recorded recorded(*method, relation, graph.data, graph.split, how);
    for (const contract::Neighbors& neighbors : contract::all_neighbors(graph, relation)) {
      for (std::string& found : recorded.against(neighbors, neighbors.other)) out.push_back(std::move(found));
    }
    progress.advance();
  }
  return out;
}

}  // namespace

void bind_own_method(nb::module_& m) {
  nb::class_<PlanLine>(m, "PlanLine");
  nb::class_<ReleaseHandle>(m, "Release")
      .def("class_sums", &ReleaseHandle::class_sums, nb::arg("label"), nb::arg("rows"), nb::arg("labels"))
      .def("neighbor_sum", &ReleaseHandle::neighbor_sum, nb::arg("label"), nb::arg("rows"),
           nb::arg("max_row_norm") = 1.0)
      .def("votes", &ReleaseHandle::votes, nb::arg("label"), nb::arg("votes"))
      .def("gradient", &ReleaseHandle::gradient, nb::arg("label"), nb::arg("rows"), nb::arg("max_grad_norm") = 1.0)
      .def("expected_batch", &ReleaseHandle::expected_batch, nb::arg("label"))
      .def("steps", &ReleaseHandle::steps, nb::arg("label"))
      .def("noise_stddev", &ReleaseHandle::noise_stddev, nb::arg("label"));
  m.def(
      "line_class_sums",
      [](const std::string& label, double noise, int32_t classes) {
        return PlanLine{account::Event(label, account::Gaussian{noise}), bound::class_sums_bound(classes)};
      },
      nb::arg("label"), nb::arg("noise"), nb::arg("classes"));
  m.def(
      "line_neighbor_sum",
      [](const std::string& label, double noise, const std::string& relation, int64_t protect_degree,
         double max_row_norm) {
        const auto options = sum_options(bound::relation_from_name(relation), protect_degree, max_row_norm);
        return PlanLine{account::Event(label, account::Gaussian{noise}), bound::neighbor_sum_bound(options)};
      },
      nb::arg("label"), nb::arg("noise"), nb::arg("relation"), nb::arg("protect_degree"), nb::arg("max_row_norm"));
  m.def(
      "line_votes",
      [](const std::string& label, double noise, int64_t queries) {
        return PlanLine{account::Event(label, account::Gaussian{noise}),
                        bound::vote_counts_bound(queries, bound::Norm::L2, bound::source::TeacherReads::OwnRecords)};
      },
      nb::arg("label"), nb::arg("noise"), nb::arg("queries"));
  m.def(
      "line_steps",
      [](const std::string& label, double noise, int64_t train_nodes, int64_t steps, std::optional<int64_t> batch_size,
         double max_grad_norm) {
        learn::PrivateFitOptions options;
        options.steps = steps;
        options.batch_size = batch_size;
        options.max_grad_norm = max_grad_norm;
        return learn::fit_line(label, options, noise, train_nodes);
      },
      nb::arg("label"), nb::arg("noise"), nb::arg("train_nodes"), nb::arg("steps"), nb::arg("batch_size").none(),
      nb::arg("max_grad_norm"));
  m.def("register_method", &register_own, nb::arg("name"), nb::arg("type"));
  m.def(
      "neighbor_findings",
      [](const std::string& name, const std::vector<std::pair<std::string, std::string>>& options,
         const std::string& relation, double noise,
         int64_t graphs) { return neighbor_findings(name, options, relation, noise, graphs); },
      nb::arg("name"), nb::arg("options"), nb::arg("relation"), nb::arg("noise"), nb::arg("graphs"));
}

}  // namespace graphveil::python
