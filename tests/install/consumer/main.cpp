// Trains a model with the installed package, writes its run folder and certifies it.
#include <cstdio>
#include <filesystem>
#include <optional>

#include <graphveil/artifact/words.h>
#include <graphveil/base/error.h>
#include <graphveil/base/version.h>
#include <graphveil/graph/generate.h>
#include <graphveil/report/words.h>
#include <graphveil/report/write_run.h>
#include <graphveil/run/predict.h>
#include <graphveil/run/train.h>
#include <graphveil/run/verify.h>

int main(int argc, char** argv) {
  using namespace graphveil;
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  try {
    const run::InputData input{graph::generate(graph::preset("tiny"), Seed::from_number(1)), std::nullopt};
    run::Experiment experiment("lap");
    experiment.set("epsilon", "2");
    experiment.set("steps", "5");
    artifact::RunFolder claim(folder);
    run::TrainOutcome outcome = run::train(experiment, input);
    report::write_run(claim, outcome, experiment, artifact::fingerprint(input.data));
    std::printf("graphveil %s\n%s", std::string(version()).c_str(), artifact::in_words(outcome.certificate).c_str());

    const run::Verdict verdict = run::verify_path(folder);
    for (const std::string& reason : verdict.reasons) std::printf("%s\n", reason.c_str());
    const run::Prediction prediction = run::predict(folder, input.data, {});
    const bool good = verdict.releasable() && verdict.epsilon && *verdict.epsilon <= 2 &&
                      std::filesystem::exists(folder + "/release/model.safetensors") &&
                      prediction.rows == input.data.nodes();
    return good ? 0 : 1;
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
