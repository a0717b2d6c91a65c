#include "graphveil/run/about.h"

#include <gtest/gtest.h>

#include "tests/files/tables.h"
#include "tests/run/small_run.h"

namespace graphveil::run::about_test {
namespace {

TEST(About, ComesFromTheSchemaWhereNothingElseWasSaid) {
  graph::Dataset data = tiny();
  const auto experiment = quick("lap", {{"controller", "somebody else"}});
  take_about(*experiment, data);
  EXPECT_EQ(experiment->settings().data_name, "") << "without a schema there is nothing to take";
  data.schema = files::kSchema + "[about]\ndata = \"a town\"\ncontroller = \"its mayor\"\npeople = 300\n";
  take_about(*experiment, data);
  EXPECT_EQ(experiment->settings().data_name, "a town");
  EXPECT_EQ(experiment->settings().controller, "somebody else");
  EXPECT_EQ(experiment->settings().people, 300);
  EXPECT_EQ(experiment->settings().purpose, "");
  data.schema = "not a schema";
  EXPECT_THROW(take_about(*experiment, data), Error);
}

// Options are published, and class names of which nobody said that they are public are not.
TEST(About, ClassesThatNobodyDeclaredGoByNumber) {
  graph::Dataset data = tiny();
  std::vector<std::string> names;
  for (int32_t k = 0; k < data.classes; ++k) names.push_back("secret" + std::to_string(k));
  data.class_names = graph::Names(names);
  const auto experiment = quick("mlp-dp", {{"class-weights", "secret1=2.5,secret0=3"}});
  take_about(*experiment, data);
  EXPECT_EQ(experiment->settings().class_weights, "#1=2.5,#0=3");
  EXPECT_EQ(config_text(*experiment).find("secret"), std::string::npos);
  take_about(*experiment, data);
  EXPECT_EQ(experiment->settings().class_weights, "#1=2.5,#0=3");
  const auto balanced = quick("mlp-dp", {{"class-weights", "balanced"}});
  take_about(*balanced, data);
  EXPECT_EQ(balanced->settings().class_weights, "balanced");
  data.schema = files::kSchema;
  const auto declared = quick("mlp-dp", {{"class-weights", "secret1=2.5"}});
  take_about(*declared, data);
  EXPECT_EQ(declared->settings().class_weights, "secret1=2.5");
}

TEST(About, IsOneLineOfWords) {
  const graph::Dataset data = tiny();
  for (const std::string& text : {std::string("two\nlines"), std::string(301, 'x'), std::string("\x1b[31m")}) {
    const auto experiment = quick("mlp-dp", {{"purpose", text}});
    EXPECT_THROW(prepare(*experiment, bound::Relation::Node, {1000, 750, 20, 4}), Error);
  }
}

}  // namespace
}  // namespace graphveil::run::about_test
