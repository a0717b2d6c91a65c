#include "graphveil/attack/forge.h"

#include <gtest/gtest.h>

#include "graphveil/artifact/read_file.h"
#include "tests/run/small_run.h"

namespace graphveil::attack::forge_test {
namespace {

class Forge : public run::SmallRun {
 protected:
  run::Evidence evidence() const {
    return {artifact::read_if_there(path(artifact::kRelease, artifact::kModel)),
            artifact::read_if_there(path(artifact::kRelease, artifact::kConfig)), std::nullopt, std::nullopt,
            std::nullopt};
  }
};

TEST_F(Forge, EveryForgeryIsCaught) {
  for (const char* method : {"lap", "gap-edp", "mlp-dp"}) {
    train_one(method, {{"epsilon", "2"}});
    const std::vector<Forgery> found = forge(read(artifact::kRelease, artifact::kCertificate), evidence());
    EXPECT_GT(found.size(), 30U) << method;
    for (const Forgery& f : found)
      EXPECT_TRUE(f.caught) << method << ": " << f.what << (f.repaired ? ", repaired" : "");
  }
}

TEST_F(Forge, WantsARunThatVerifies) {
  train_one("lap", {{"epsilon", "2"}});
  run::Evidence other = evidence();
  other.model->push_back(0);
  EXPECT_THROW(forge(read(artifact::kRelease, artifact::kCertificate), other), Error);
}

}  // namespace
}  // namespace graphveil::attack::forge_test
