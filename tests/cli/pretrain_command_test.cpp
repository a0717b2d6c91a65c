// graphveil pretrain, run as a user would.
#include <signal.h>
#include <unistd.h>

#include "graphveil/run/backbone_file.h"
#include "tests/cli/journey.h"

namespace graphveil::cli::pretrain_command_test {
namespace {

namespace fs = std::filesystem;

class PretrainCommand : public Journey {
 protected:
  Outcome pretrain(const std::string& out, const std::string& options = "") {
    return run(folder_, "pretrain -q --data " + graph_ + " --out " + folder_.path(out) + " --hidden-dim 8 --layers 2 " +
                            (options.find("--svd") == std::string::npos ? "--svd 8 " : "") +
                            (options.find("--epochs") == std::string::npos ? "--epochs 3 " : "") + options);
  }
};

TEST_F(PretrainCommand, WritesABackboneThatIsReadBack) {
  const Outcome made = pretrain("a.safetensors", "--json --arch gat --task dgi --lr 0.01 --heads 2 --seed 1");
  ASSERT_EQ(made.exit_code, 0) << made.error;
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.json()["arch"], "gat");
  EXPECT_EQ(made.json()["task"], "dgi");
  EXPECT_EQ(made.json()["svd"], 8);
  EXPECT_NE(made.json()["assumptions"][0].get<std::string>().find("public"), std::string::npos);
  const learn::Pretrained backbone = run::read_backbone(folder_.path("a.safetensors"));
  EXPECT_EQ(backbone.backbone.shape(), (learn::BackboneShape{learn::BackboneKind::Gat, 8, 8, 2, 2}));
  EXPECT_EQ(backbone.options.epochs, 3);

  // The same seed, the same file; with any number of threads.
  ASSERT_EQ(pretrain("b.safetensors", "--arch gat --task dgi --lr 0.01 --heads 2 --seed 1 --threads 1").exit_code, 0);
  EXPECT_EQ(files::read_bytes(folder_.path("a.safetensors")), files::read_bytes(folder_.path("b.safetensors")));
}

TEST_F(PretrainCommand, SaysThatTheGraphIsTakenToBePublic) {
  const Outcome made = pretrain("a.safetensors");
  EXPECT_NE(made.out.find("taken to be public"), std::string::npos) << made.out;
  EXPECT_NE(run(folder_, "pretrain --help").out.find("taken to be public"), std::string::npos);
}

TEST_F(PretrainCommand, RefusesBadUsageBeforeItWorks) {
  const auto refused = [&](const std::string& out, const std::string& options, const std::string& word) {
    const Outcome outcome = pretrain(out, options);
    EXPECT_EQ(outcome.exit_code, 2) << options;
    EXPECT_NE(outcome.error.find(word), std::string::npos) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(fs::exists(folder_.path(out)));
  };
  refused("a.npz", "", ".safetensors");
  refused("no/such/folder/a.safetensors", "", "no/such/folder");
  refused("a.safetensors", "--arch gin", "--arch is 'gin'");
  refused("a.safetensors", "--task none", "--task is 'none'");
  refused("a.safetensors", "--heads 3", "heads");
  refused("a.safetensors", "--svd 0", "--svd is '0'");
  refused("a.safetensors", "--lr 1e6 --task dgi --epochs 50", "learning rate");
  EXPECT_EQ(run(folder_, "pretrain --data " + folder_.path("absent.npz") + " --out " + folder_.path("a.safetensors"))
                .exit_code,
            2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("")), {}), 2) << "the graph and the messages alone";
}

TEST_F(PretrainCommand, WritesOverAFileOnlyWhenTold) {
  ASSERT_EQ(pretrain("a.safetensors", "--seed 1").exit_code, 0);
  const std::string before = files::read_bytes(folder_.path("a.safetensors"));
  const Outcome again = pretrain("a.safetensors", "--seed 2");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.error.find("--force"), std::string::npos);
  EXPECT_EQ(files::read_bytes(folder_.path("a.safetensors")), before);
  EXPECT_EQ(pretrain("a.safetensors", "--seed 2 --force").exit_code, 0);
  EXPECT_NE(files::read_bytes(folder_.path("a.safetensors")), before);
}

TEST_F(PretrainCommand, LeavesNothingWhenItIsStopped) {
  const Outcome stopped =
      run(folder_, fmt::format("pretrain -q --data {} --out {} --epochs 1000000 & sleep 1; kill -INT $!; wait $!",
                               graph_, folder_.path("a.safetensors")));
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("")), {}), 2) << "the graph and the messages alone";
}

}  // namespace
}  // namespace graphveil::cli::pretrain_command_test
