#include "graphveil/run/feasible.h"

#include "graphveil/base/resources.h"
#include "tests/files/refusal.h"
#include "tests/run/small_run.h"

namespace graphveil::run::feasible_test {
namespace {

TEST(LeastMemory, GrowsWithTheNetworkAndIsNoMoreThanItTakes) {
  const method::PublicFacts facts{1000, 750, 100, 4, 0};
  Experiment small("mlp"), large("mlp");
  large.set("hidden-dim", "65536");
  large.set("layers", "64");
  EXPECT_LT(least_memory(small, facts), 1e8);
  // 61 layers of 65536 x 65536 numbers, four times each.
  EXPECT_GT(least_memory(large, facts), 61.0 * 65536 * 65536 * 16 - 1);
  EXPECT_LT(least_memory(large, facts), 64.0 * 65536 * 65536 * 16);
  Experiment gap("gap-edp");
  EXPECT_GT(least_memory(gap, {1'000'000, 1, 10, 2, 0}), 1e6);
}

TEST(CheckFeasible, AllowsWhatTheTestsTrain) {
  for (const char* name : {"mlp", "lap", "gap-ndp", "dpgnn", "sage-edp"}) {
    EXPECT_NO_THROW(check_feasible(*quick(name), {tiny(), std::nullopt})) << name;
  }
}

TEST(CheckFeasible, RefusesWhatCannotWork) {
  Experiment large("mlp");
  large.set("hidden-dim", "65536");
  large.set("layers", "64");
  files::expect_error(ErrorKind::InvalidArgument, {"GiB", "--hidden-dim"}, [&] {
    check_feasible(large, {tiny(), std::nullopt});
  });
  const Experiment mlp("mlp");
  graph::Dataset data = tiny();
  data.classes = 1;
  files::expect_bad_input({"only one class"}, [&] { check_feasible(mlp, {data, std::nullopt}); });
  data = tiny();
  data.labels = std::vector<int32_t>(static_cast<size_t>(data.nodes()), graph::kUnlabeled);
  files::expect_bad_input({"no node has a label"}, [&] { check_feasible(mlp, {data, std::nullopt}); });
  data = tiny();
  Matrix features(data.nodes(), 2);
  features(3, 1) = -3e38f;
  data.features = graph::Features(std::move(features));
  files::expect_bad_input({"larger than", "scale"}, [&] { check_feasible(mlp, {data, std::nullopt}); });
}

TEST(MemoryLimit, IsThere) { EXPECT_GT(memory_limit_bytes(), int64_t{64} << 20); }

// The list of who trains is public, whether its only label is there is not.
TEST(CheckFeasible, AListedTrainingNodeMayBeBlank) {
  graph::Dataset data = tiny();
  data.labels = std::vector<int32_t>(static_cast<size_t>(data.nodes()), graph::kUnlabeled);
  data.split = graph::Split{{3}, {}, {}};
  EXPECT_NO_THROW(check_feasible(*quick("lap"), {data, std::nullopt}));
}

TEST(CheckFeasible, PeopleWhoAreSeveralNodesAreDeclared) {
  InputData input{tiny(), std::nullopt, 3};
  const auto checked = [&](const char* method, const OptionList& options) {
    check_feasible(*quick(method, options), input);
  };
  files::expect_error(ErrorKind::InvalidArgument, {"--entity-size"}, [&] { checked("lap", {}); });
  try {
    checked("lap", {{"entity-size", "2"}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_EQ(std::string(error.what()).find('3'), std::string::npos) << error.what();  // the holder's number
  }
  EXPECT_NO_THROW(checked("lap", {{"entity-size", "3"}}));
  EXPECT_NO_THROW(checked("mlp", {}));  // promises nothing
  EXPECT_NO_THROW(checked("gap-edp", {}));
  files::expect_error(ErrorKind::InvalidArgument, {"--entity-size"}, [&] {
    checked("gap-edp", {{"entity-size", "3"}});
  });
  input.largest_entity.reset();
  EXPECT_NO_THROW(checked("lap", {{"entity-size", "3"}}));
}

}  // namespace
}  // namespace graphveil::run::feasible_test
