#include "graphveil/attack/forge.h"

#include <gtest/gtest.h>

#include "graphveil/run/read_file.h"
#include "tests/run/small_run.h"

namespace graphveil::attack::forge_test {
namespace {

class Forge : public run::SmallRun {
 protected:
  run::Evidence evidence() const {
    return {run::read_if_there(path(run::kRelease, run::kModel)), run::read_if_there(path(run::kRelease, run::kConfig)),
            std::nullopt, std::nullopt, std::nullopt};
  }
};

TEST_F(Forge, EveryForgeryIsCaught) {
  for (const char* method : {"lap", "gap-edp", "mlp-dp"}) {
    train_one(method, {{"epsilon", "2"}});
    const std::vector<Forgery> found = forge(read(run::kRelease, run::kCertificate), evidence());
    EXPECT_GT(found.size(), 30U) << method;
    for (const Forgery& f : found)
      EXPECT_TRUE(f.caught) << method << ": " << f.what << (f.repaired ? ", repaired" : "");
  }
}

TEST_F(Forge, WantsARunThatVerifies) {
  train_one("lap", {{"epsilon", "2"}});
  run::Evidence other = evidence();
  other.model->push_back(0);
  EXPECT_THROW(forge(read(run::kRelease, run::kCertificate), other), Error);
}

}  // namespace
}  // namespace graphveil::attack::forge_test
