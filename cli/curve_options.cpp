#include "cli/curve_options.h"

#include <map>
#include <span>

#include "cli/command.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/report/curve_files.h"

namespace graphveil::cli {

void CurveWishes::check() const {
  if (!csv.empty()) check_output(csv, false, {".csv"});
}

void add_curve_options(CLI::App& command, CurveWishes& wishes) {
  command.add_option(
      "--curves", wishes.csv,
      "CSV file for losses by step: yours alone, they read private records (with --out also in holder/)");
  command.add_option("--log-tensorboard", wishes.tensorboard, "Folder for a TensorBoard event file: yours alone");
  command.add_option("--log-mlflow", wishes.mlflow, "MLflow file store (mlruns) to add this run to: yours alone");
}

void write_curves(const CurveWishes& wishes, const std::vector<Curve>& curves, const run::TrainOutcome& outcome,
                  const run::Experiment& experiment) {
  if (!wishes.any()) return;
  if (!wishes.csv.empty()) {
    files::AtomicFile file(wishes.csv);
    const std::string text = report::curves_csv(curves);
    file.write(std::as_bytes(std::span(text)));
    file.commit(0600);
  }
  std::map<std::string, double> scores;
  if (outcome.test_nodes > 0) scores["test accuracy"] = outcome.test_accuracy.mean;
  if (outcome.val_nodes > 0) scores["validation accuracy"] = outcome.val_accuracy.mean;
  if (outcome.certificate.epsilon) scores["epsilon"] = *outcome.certificate.epsilon;
  if (!wishes.tensorboard.empty()) report::write_tensorboard(wishes.tensorboard, curves, scores);
  if (wishes.mlflow.empty()) return;
  std::map<std::string, std::string> params{{"method", outcome.certificate.method}};
  for (const auto& [name, value] : experiment.values()) {
    if (name != "seed") params[name] = value;
  }
  report::write_mlflow(wishes.mlflow, outcome.certificate.method, curves, scores, params);
}

}  // namespace graphveil::cli
