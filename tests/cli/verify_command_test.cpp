// graphveil verify, run as a user would; the forgeries are in tests/run/verify_test.cpp.
#include <fstream>

#include "tests/cli/journey.h"

namespace graphveil::cli::verify_command_test {
namespace {

namespace fs = std::filesystem;

class VerifyCommand : public Journey {
 protected:
  Outcome verify(const std::string& path, const std::string& options = "") {
    return run(folder_, "verify --json " + folder_.path(path) + " " + options);
  }
};

TEST_F(VerifyCommand, HoldsAndFindsAnEdit) {
  ASSERT_EQ(train("gap-edp", "run", "-e 2").exit_code, 0);
  const Outcome good = verify("run");
  EXPECT_EQ(good.exit_code, 0) << good.out;
  has_fields(good.json(), {"valid", "releasable", "epsilon", "delta", "relation", "statements", "reasons"});
  EXPECT_EQ(good.json()["valid"], true);
  EXPECT_EQ(good.json()["releasable"], true);
  EXPECT_TRUE(good.json()["reasons"].empty());

  std::string certificate = files::read_bytes(folder_.path("run/release/certificate.json"));
  const size_t at = certificate.find("\"count\": 2");
  ASSERT_NE(at, std::string::npos);
  certificate.replace(at, 10, "\"count\": 1");
  std::ofstream(folder_.path("run/release/certificate.json")) << certificate;
  const Outcome bad = verify("run");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.json()["valid"], false);
  EXPECT_FALSE(bad.json()["reasons"].empty());
  EXPECT_TRUE(bad.json()["statements"].empty());
  // What does not hold is not repeated.
  EXPECT_EQ(run(folder_, "verify " + folder_.path("run")).out.find("differentially private"), std::string::npos);
}

TEST_F(VerifyCommand, AReleaseFolderOrACertificateAlone) {
  ASSERT_EQ(train("gap-edp", "run").exit_code, 0);
  fs::copy(folder_.path("run/release"), folder_.path("given"), fs::copy_options::recursive);
  EXPECT_EQ(verify("given").exit_code, 0);
  EXPECT_TRUE(verify("given").json()["epsilon_total"].is_null());  // its log is the holder's
  const Outcome alone = verify("given/certificate.json");
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_NE(alone.json()["unchecked"].dump().find("model.safetensors"), std::string::npos);
  EXPECT_NE(run(folder_, "verify " + folder_.path("given/certificate.json")).out.find("Not checked: model.safetensors"),
            std::string::npos);
}

TEST_F(VerifyCommand, PredictionsAreThoseOfTheRun) {
  ASSERT_EQ(train("gap-edp", "run", "-e 2").exit_code, 0);
  const std::string file = folder_.path("run/release/predictions.csv"),
                    holder = folder_.path("run/holder/metrics.jsonl");
  const std::string text = files::read_bytes(file);
  const auto refused = [&] {
    EXPECT_EQ(verify("run").exit_code, 1);
    EXPECT_NE(verify("run").json()["reasons"].dump().find("predictions.csv"), std::string::npos);
    const Outcome asked =
        run(folder_, "predict " + folder_.path("run") + " --data " + graph_ + " -q --out " + folder_.path("p.csv"));
    EXPECT_EQ(asked.exit_code, 2) << asked.error;
    EXPECT_FALSE(there("p.csv"));
  };
  std::ofstream(file) << "source,target\n0,38\n";
  refused();
  fs::remove(file);
  fs::create_symlink(holder, file);
  refused();
  fs::remove(file);
  std::ofstream(file) << text;
  EXPECT_EQ(verify("run").exit_code, 0);
  // At node level they are their owners', and not even their hash is given away.
  ASSERT_EQ(train("lap", "node", "-e 2").exit_code, 0);
  EXPECT_NE(files::read_bytes(folder_.path("node/release/certificate.json")).find("\"predictions_sha256\": \"\""),
            std::string::npos);
}

TEST_F(VerifyCommand, ThePageForPeopleAndForeignFiles) {
  ASSERT_EQ(train("gap-edp", "run", "-e 2").exit_code, 0);
  const std::string page = folder_.path("run/release/certificate.md");
  const std::string text = files::read_bytes(page);
  std::ofstream(page) << text << "gap-edp is (0.01, 0)-differentially private.\n";
  EXPECT_EQ(verify("run").exit_code, 1);
  EXPECT_NE(verify("run").json()["reasons"].dump().find("certificate.md"), std::string::npos);
  std::ofstream(page) << text;
  EXPECT_EQ(verify("run").exit_code, 0);
  fs::copy_file(folder_.path("run/holder/sums.safetensors"), folder_.path("run/release/sums.safetensors"));
  EXPECT_EQ(verify("run").exit_code, 1);
  EXPECT_NE(verify("run").json()["reasons"].dump().find("sums.safetensors"), std::string::npos);
}

TEST_F(VerifyCommand, ALogThatDoesNotBeginWithTheTraining) {
  ASSERT_EQ(train("gap-edp", "run", "-e 2").exit_code, 0);
  std::ofstream(folder_.path("run/holder/releases.jsonl"), std::ios::trunc).flush();
  EXPECT_EQ(verify("run").exit_code, 2);
}

TEST_F(VerifyCommand, CertificatesAreAccountedOnlyWhereTheyHoldAndForOneRelation) {
  ASSERT_EQ(train("gap-edp", "edges", "-e 2 -d 1e-4").exit_code, 0);
  ASSERT_EQ(train("lap", "nodes", "-e 1 -d 1e-4").exit_code, 0);
  ASSERT_EQ(train("gap-inf", "clear").exit_code, 0);
  const std::string edges = folder_.path("edges/release/certificate.json");
  const Outcome one = run(folder_, "account " + edges);
  EXPECT_EQ(one.exit_code, 0) << one.error;
  EXPECT_NE(one.out.find("relation undirected-edge"), std::string::npos) << one.out;
  EXPECT_EQ(run(folder_, "account " + edges + " " + folder_.path("nodes/release/certificate.json")).exit_code, 2);
  // What covers every degree counts at every degree.
  ASSERT_EQ(train("mlp-dp", "every", "-e 1 -d 1e-4").exit_code, 0);
  const Outcome both = run(folder_, "account --json " + folder_.path("every/release/certificate.json") + " " +
                                        folder_.path("nodes/release/certificate.json"));
  ASSERT_EQ(both.exit_code, 0) << both.error;
  EXPECT_GT(both.json()["epsilon"].get<double>(), 1.2);
  EXPECT_EQ(both.json()["totals"][0]["degree"], 100);
  EXPECT_EQ(both.json()["totals"][0]["relation"], "node");
  const Outcome none = run(folder_, "account " + folder_.path("clear/draft/certificate.json") + " -d 1e-5");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.error.find("does not hold"), std::string::npos) << none.error;
}

TEST_F(VerifyCommand, SpecialFilesAreRefused) {
  ASSERT_EQ(train("gap-edp", "run").exit_code, 0);
  fs::remove(folder_.path("run/release/model.safetensors"));
  fs::create_symlink("/dev/zero", folder_.path("run/release/model.safetensors"));
  EXPECT_EQ(verify("run").exit_code, 2);
  EXPECT_EQ(run(folder_, "account /dev/zero -d 1e-5").exit_code, 2);
}

TEST_F(VerifyCommand, ASeededRunIsValidButNotReleasable) {
  ASSERT_EQ(train("gap-edp", "run", "--seed 3").exit_code, 0);
  const Outcome r = verify("run");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_EQ(r.json()["valid"], true);
  EXPECT_EQ(r.json()["releasable"], false);
  EXPECT_NE(r.json()["not_releasable"].dump().find("seed"), std::string::npos);
}

TEST_F(VerifyCommand, AnEmptyKeyIsAnError) {
  ASSERT_EQ(train("gap-edp", "run").exit_code, 0);
  EXPECT_EQ(verify("run", "--key \"\"").exit_code, 2);
  const Outcome signing = train("gap-edp", "other", "--sign \"\"");
  EXPECT_EQ(signing.exit_code, 2);
  EXPECT_FALSE(there("other"));
}

// Predictions that read their node's own list are covered under record alone, and their total is printed there.
TEST_F(VerifyCommand, ATotalIsPrintedUnderTheRelationThatCoversIt) {
  ASSERT_EQ(train("lap", "run", "--relation node --own-edges predict").exit_code, 0);
  const std::string ask = "predict " + folder_.path("run") + " -q --json --total-epsilon 50 --data " +
                          generated("other", 2) + " --out " + folder_.path("p.csv");
  const Outcome asked = run(folder_, ask);
  ASSERT_EQ(asked.exit_code, 0) << asked.error;
  EXPECT_EQ(asked.json()["relation"], "record");
  const nlohmann::json found = verify("run").json();
  EXPECT_TRUE(found["epsilon_total"].is_null());
  ASSERT_EQ(found["totals"].size(), 2u);
  EXPECT_EQ(found["totals"][0]["relation"], "record");
  EXPECT_EQ(found["totals"][0]["epsilon"], asked.json()["epsilon_total"]);
  EXPECT_EQ(found["totals"][1]["relation"], "node");
  EXPECT_EQ(found["totals"][1]["what"], "parameters");
  const std::string text = run(folder_, "verify " + folder_.path("run")).out;
  EXPECT_NE(text.find("for everything, relation record"), std::string::npos) << text;
  EXPECT_EQ(text.find("for everything, relation node"), std::string::npos) << text;
}

TEST_F(VerifyCommand, ADeclarationThatKeepsTheTotalLowIsNamed) {
  ASSERT_EQ(train("gap-edp", "run").exit_code, 0);
  ASSERT_EQ(run(folder_, "predict " + folder_.path("run") + " -q --disjoint --data " + generated("other", 2) +
                             " --out " + folder_.path("p.csv"))
                .exit_code,
            0);
  const Outcome r = verify("run");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_NE(r.json()["unchecked"].dump().find("release 2"), std::string::npos) << r.out;
}

TEST_F(VerifyCommand, ALostLineOfTheLogIsNamed) {
  ASSERT_EQ(train("gap-edp", "run").exit_code, 0);
  const std::string log = folder_.path("run/holder/releases.jsonl"), before = files::read_bytes(log);
  ASSERT_EQ(run(folder_, "predict " + folder_.path("run") + " -q --total-epsilon 50 --data " + generated("other", 2) +
                             " --out " + folder_.path("p.csv"))
                .exit_code,
            0);
  std::ofstream(log, std::ios::trunc) << before;
  const Outcome r = verify("run");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.error.find("a line is lost"), std::string::npos) << r.error;
}

TEST_F(VerifyCommand, SignedByOpenssl) {
  const std::string key = folder_.path("key.pem"), pub = folder_.path("pub.pem"), other = folder_.path("other.pem");
  const std::string quiet = " >/dev/null 2>&1";
  if (std::system(("openssl genpkey -algorithm ed25519 -out " + key + quiet).c_str()) != 0)
    GTEST_SKIP() << "no openssl";
  ASSERT_EQ(std::system(("openssl pkey -in " + key + " -pubout -out " + pub + quiet).c_str()), 0);
  ASSERT_EQ(std::system(("openssl genpkey -algorithm ed25519 -out " + other + quiet).c_str()), 0);
  ASSERT_EQ(std::system(("openssl pkey -in " + other + " -pubout -out " + other + ".pub" + quiet).c_str()), 0);
  ASSERT_EQ(train("gap-edp", "run", "--sign " + key).exit_code, 0);
  EXPECT_EQ(verify("run", "--key " + pub).exit_code, 0);
  EXPECT_EQ(verify("run", "--key " + other + ".pub").exit_code, 1);
  EXPECT_EQ(verify("run", "--key " + key).exit_code, 2);  // the private half
  // openssl itself agrees, and can sign as well.
  const std::string certificate = folder_.path("run/release/certificate.json");
  const std::string signature = folder_.path("run/release/certificate.sig");
  EXPECT_EQ(std::system(("openssl pkeyutl -verify -rawin -pubin -inkey " + pub + " -in " + certificate + " -sigfile " +
                         signature + quiet)
                            .c_str()),
            0);
  fs::remove(signature);
  EXPECT_EQ(verify("run", "--key " + pub).exit_code, 1);
  ASSERT_EQ(std::system(
                ("openssl pkeyutl -sign -rawin -inkey " + other + " -in " + certificate + " -out " + signature + quiet)
                    .c_str()),
            0);
  EXPECT_EQ(verify("run", "--key " + other + ".pub").exit_code, 0);
}

}  // namespace
}  // namespace graphveil::cli::verify_command_test
