#include "graphveil/run/model.h"

#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/base/error.h"
#include "tests/run/small_run.h"

namespace graphveil::run::model_test {
namespace {

class ModelTest : public SmallRun {};

TEST_F(ModelTest, GivesWhatWasMadeWithItAndAsksAboutOtherGraphs) {
  train_one("mlp-dp");
  Model model(folder_);
  EXPECT_EQ(model.certificate().method, "mlp-dp");
  const Matrix rows = model.predict(data_);
  EXPECT_EQ(model.last_audience(), mechanism::Audience::Owner);
  ASSERT_EQ(rows.rows(), data_.nodes());
  ASSERT_EQ(rows.cols(), data_.classes);
  EXPECT_EQ(artifact::predictions_csv(rows).substr(0, 14),
            read(artifact::kOwners, artifact::kPredictions).substr(0, 14));
  graph::Dataset other = data_;
  other.graph = graph::Graph::from_edges(other.nodes(), {}, {});
  EXPECT_EQ(model.predict(other).rows(), other.nodes());  // reads each record by itself, so it is free
  EXPECT_THROW(Model((place_ / "nothing").string()), Error);
}

}  // namespace
}  // namespace graphveil::run::model_test
