#include "graphveil/run/train_once.h"

#include "graphveil/run/declared.h"
#include "graphveil/run/train.h"
#include "tests/run/small_run.h"

namespace graphveil::run::train_once_test {
namespace {

TEST(TrainOnce, SpendsItsPlan) {
  const Ready r = ready("gap-ndp", {});
  EXPECT_EQ(train_once(r.prepared, r.parts, Seed::from_number(2)).spent, r.prepared.plan);
}

TEST(TrainOnce, ARunThatSpendsLessIsAnError) {
  const Ready r = ready("mlp-dp", {});
  const Seed seed = Seed::from_number(2);
  mechanism::Release release = open_release(r.prepared, seed);
  const mechanism::PublicData token = Declared::public_graph();
  method::Output nothing{method::Public<nn::State>(nn::State(), token), method::Owner<Matrix>(Matrix(1, 1))};
  EXPECT_THROW(finished(r.prepared, r.parts, std::move(nothing), release, 0), Error);
}

TEST(TrainOnce, PropagatedPredictionsAreTheHolders) {
  const Ready r = ready("mlp-dp", {{"propagate", "2"}});
  const Trained trained = train_once(r.prepared, r.parts, Seed::from_number(2));
  EXPECT_EQ(method::audience(trained.output.predictions), mechanism::Audience::Holder);
}

}  // namespace
}  // namespace graphveil::run::train_once_test
