// Whole run folders in which files were moved, edited or closed.
#include <unistd.h>

#include "graphveil/run/experiment.h"
#include "graphveil/run/predict.h"
#include "tests/run/verified_run.h"

namespace graphveil::run::verify_folder_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class VerifyFolder : public VerifiedRun {};

// The folder of a run is not what says for whom a file is.
TEST_F(VerifyFolder, OwnersPredictionsPutIntoReleaseAreFound) {
  train_one("lap");
  const std::string rows = read(artifact::kOwners, artifact::kPredictions);
  write(artifact::kRelease, artifact::kPredictions, rows);
  EXPECT_FALSE(verify_path(folder_).holds());
  json forged = document();
  forged["predictions_sha256"] = sha256_text(rows);
  write(artifact::kRelease, artifact::kCertificate, resealed(forged));
  const Verdict whole = verify_path(folder_);
  EXPECT_NE(reasons_of(whole).find("no statement lets everybody see them"), std::string::npos) << reasons_of(whole);
  fs::copy(folder_ + "/" + artifact::kRelease, place_ / "given", fs::copy_options::recursive);
  EXPECT_FALSE(verify_path((place_ / "given").string()).holds());
  // Nor may those of an edge-level run lose their hash.
  train_one("gap-edp");
  forged = document();
  forged["predictions_sha256"] = "";
  EXPECT_FALSE(verify_edited(resealed(forged)).holds());
}

TEST_F(VerifyFolder, OwnersFilesAreThoseThatTheLogKnows) {
  train_one("lap");
  ASSERT_TRUE(verify_path(folder_).holds());
  const std::string rows = read(artifact::kOwners, artifact::kPredictions);
  write(artifact::kOwners, artifact::kPredictions, rows.substr(0, rows.rfind('0')));
  EXPECT_FALSE(verify_path(folder_).holds());
  EXPECT_THROW(predict(folder_, data_, {}), Error);
  write(artifact::kOwners, artifact::kPredictions, rows);
  EXPECT_NO_THROW(predict(folder_, data_, {}));
  write(artifact::kOwners, artifact::kKey, "x");
  EXPECT_FALSE(verify_path(folder_).holds());
}

TEST_F(VerifyFolder, ALogThatIsGoneIsNoRunWithoutOne) {
  train_one("lap");
  fs::remove(path(artifact::kHolder, artifact::kReleases));
  EXPECT_THROW(verify_path(folder_), Error);
}

TEST_F(VerifyFolder, HashesAndDatesHaveTheirForm) {
  train_one("lap");
  for (const auto& [field, value] : {std::pair{"model_sha256", "zz"}, {"data_fingerprint", "hello"}, {"created", ""}}) {
    json forged = document();
    forged[field] = value;
    EXPECT_FALSE(verify_edited(resealed(forged)).holds()) << field;
  }
  json forged = document();
  forged["public"]["public_pool"] = 77;
  EXPECT_FALSE(verify_edited(resealed(forged)).holds());
}

// With --delta no number follows from the number of nodes but whether the run is releasable.
TEST_F(VerifyFolder, PublicNumbersThatWereEditedAreFoundWhereTheyCanBe) {
  const artifact::Certificate c = train_one("gap-edp", {{"delta", "0.005"}});
  ASSERT_FALSE(c.releasable());  // 300 nodes
  ASSERT_TRUE(verify_path(folder_).holds());
  json forged = document();
  forged["public"]["nodes"] = 199;
  forged["public"]["train_nodes"] = 100;
  forged["releasable"] = true;
  forged["not_releasable"] = json::array();
  const std::string text = resealed(forged);
  write(artifact::kDraft, artifact::kCertificate, text);
  const Verdict whole = verify_path(folder_);
  EXPECT_NE(reasons_of(whole).find("releases.jsonl"), std::string::npos) << reasons_of(whole);
  EXPECT_NE(reasons_of(whole).find("300 rows"), std::string::npos) << reasons_of(whole);
  fs::copy(folder_ + "/" + artifact::kDraft, place_ / "given", fs::copy_options::recursive);
  EXPECT_FALSE(verify_path((place_ / "given").string()).holds());
  const Verdict alone = verify_edited(text);  // nothing beside it tells, and that is said
  EXPECT_NE(unchecked_of(alone).find("199 nodes were there"), std::string::npos);
}

TEST_F(VerifyFolder, ATunedOptionThatIsNotOnTheListIsFound) {
  train_one("mlp-dp", {{"tune", "3"}});
  json forged = document();
  std::string option;
  for (const json& entry : forged["config"]) {
    if (entry["name"] == "tune-over") option = entry["value"].get<std::string>();
  }
  option = option.substr(0, option.find(','));
  std::string config = read(artifact::kRelease, artifact::kConfig);
  auto experiment = std::make_unique<Experiment>("mlp-dp");
  for (json& entry : forged["config"]) {
    if (entry["name"] == option) entry["value"] = "0.0123";
    experiment->set(entry["name"].get<std::string>(), entry["value"].get<std::string>());
  }
  config = config_text(*experiment);
  forged["config_sha256"] = sha256_text(config);
  Evidence evidence;
  evidence.config = bytes(config);
  const Verdict verdict = verify(resealed(forged), evidence, "c.json");
  EXPECT_NE(reasons_of(verdict).find("cannot have chosen"), std::string::npos) << reasons_of(verdict);
}

TEST_F(VerifyFolder, ARunThatIsNotReleasableDoesNotLieInRelease) {
  train_one("gap-edp", {{"seed", "1"}});
  EXPECT_FALSE(fs::exists(folder_ + "/" + artifact::kRelease));
  EXPECT_TRUE(verify_path(folder_).holds());
  fs::rename(folder_ + "/" + artifact::kDraft, folder_ + "/" + artifact::kRelease);
  EXPECT_NE(reasons_of(verify_path(folder_)).find("its place is draft/"), std::string::npos);
  fs::copy(folder_ + "/" + artifact::kRelease, folder_ + "/" + artifact::kDraft, fs::copy_options::recursive);
  EXPECT_THROW(verify_path(folder_), Error);  // which of the two?
}

// As another user sees a run folder: holder/ is closed to them.
TEST_F(VerifyFolder, AClosedHoldersFolderIsNotCheckedAndThatIsSaid) {
  train_one("gap-edp");
  fs::permissions(folder_ + "/" + artifact::kHolder, fs::perms::none);
  const bool root = geteuid() == 0;
  if (root) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  Verdict verdict;
  std::string error;
  try {
    verdict = verify_path(folder_);
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  fs::permissions(folder_ + "/" + artifact::kHolder, fs::perms::owner_all);
  EXPECT_EQ(error, "");
  EXPECT_TRUE(verdict.releasable()) << reasons_of(verdict);
  EXPECT_NE(unchecked_of(verdict).find("holder/"), std::string::npos);
}

}  // namespace
}  // namespace graphveil::run::verify_folder_test
