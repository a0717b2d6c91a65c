#include "graphveil/report/write_run.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include <nlohmann/json.hpp>

#include "graphveil/base/context.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/verify.h"
#include "tests/run/small_run.h"

namespace graphveil::report::write_run_test {
namespace {

namespace fs = std::filesystem;
using artifact::kCertificate, artifact::kCertificatePage, artifact::kConfig, artifact::kHolder, artifact::kKey,
    artifact::kMetrics, artifact::kModel, artifact::kOwners, artifact::kPredictions, artifact::kRelease,
    artifact::kReleases, artifact::kDraft, artifact::kSignature, artifact::kSums;

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

class WriteRun : public run::SmallRun {};

TEST_F(WriteRun, EveryFileLiesInTheFolderOfItsAudience) {
  train_one("gap-edp", {}, run::kPrivateKey);
  EXPECT_EQ(left(), (std::vector<std::string>{
                        "run", "run/holder", "run/holder/fingerprint.key", "run/holder/metrics.jsonl",
                        "run/holder/releases.head", "run/holder/releases.jsonl", "run/holder/sums.safetensors",
                        "run/release", "run/release/certificate.html", "run/release/certificate.json",
                        "run/release/certificate.md", "run/release/certificate.sig", "run/release/config.toml",
                        "run/release/model.safetensors", "run/release/predictions.csv"}));
  EXPECT_EQ(read(kRelease, kPredictions).substr(0, 17), "id,prediction,p0,");
  EXPECT_NE(read(kRelease, kConfig).find("encoder-epochs = 3"), std::string::npos);
  EXPECT_TRUE(run::verify_path(folder_, run::kPublicKey).releasable());
}

TEST_F(WriteRun, AtNodeLevelNoPredictionLiesWhereItMayBePublished) {
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    if (method->wants_public_graph()) continue;
    for (const bound::Relation relation : method->relations()) {
      if (name == "dpgnn" && relation == bound::Relation::Node) continue;  // wants a graph of small degrees
      train_one(name, {{"relation", std::string(bound::name(relation))}});
      const bool everybody = bound::edge_level(relation);
      EXPECT_EQ(has(kRelease, kPredictions), everybody) << name << " " << bound::name(relation);
      EXPECT_EQ(has(kOwners, kPredictions) || has(kHolder, kPredictions), !everybody) << name;
      EXPECT_EQ(has(kHolder, kPredictions), method->predictions(relation).audience == mechanism::Audience::Holder)
          << name;
      EXPECT_FALSE(has(kRelease, kSums));
      EXPECT_FALSE(has(kRelease, kMetrics));
    }
  }
}

TEST_F(WriteRun, WithoutAGuaranteeThereIsNothingToRelease) {
  for (const auto& [name, options] : {std::pair<std::string, run::OptionList>{"gap-inf", {}},
                                      {"sage-inf", {}},
                                      {"gnn-inf", {}},
                                      {"gap-edp", {{"accounting", "published"}}}}) {
    const artifact::Certificate c = train_one(name, options);
    EXPECT_FALSE(fs::exists(folder_ + "/" + kRelease)) << name;
    EXPECT_FALSE(fs::exists(folder_ + "/" + kOwners)) << name;
    for (const char* file : {kCertificate, kCertificatePage, kModel, kConfig}) {
      EXPECT_TRUE(has(kDraft, file)) << name << " " << file;
    }
    EXPECT_TRUE(has(kHolder, kPredictions)) << name;
    const auto document = nlohmann::json::parse(read(kDraft, kCertificate));
    EXPECT_FALSE(document["valid"].get<bool>()) << name;
    EXPECT_FALSE(document["releasable"].get<bool>()) << name;
    if (options.empty()) {
      EXPECT_TRUE(document["epsilon"].is_null()) << name;  // not 0
    }
    EXPECT_FALSE(run::verify_path(folder_).holds()) << name;
  }
}

TEST_F(WriteRun, ASeededRunIsADraftAndNothingInItIsSaidToBeForPublication) {
  for (const char* name : {"gap-edp", "lap"}) {
    const mode_t before = umask(0);
    train_one(name, {{"seed", "1"}});
    umask(before);
    EXPECT_FALSE(fs::exists(folder_ + "/" + kRelease)) << name;
    EXPECT_EQ(has(kDraft, kPredictions), std::string(name) == "gap-edp");
    EXPECT_EQ(mode_of(folder_ + "/" + kDraft), 0700u);
    EXPECT_EQ(mode_of(path(kDraft, kModel)), 0600u);
    const std::string page = read(kDraft, kCertificatePage);
    EXPECT_EQ(page.find("may be published is"), std::string::npos) << page;
    EXPECT_EQ(page.find("May be published"), std::string::npos) << page;
    EXPECT_EQ(page.find("| for whom |"), std::string::npos) << page;
    EXPECT_TRUE(run::verify_path(folder_).holds()) << name;
    EXPECT_FALSE(run::verify_path(folder_).releasable()) << name;
  }
}

TEST_F(WriteRun, WhatIsNotForEverybodyIsReadByItsOwnerAlone) {
  const mode_t before = umask(0);
  train_one("gap-ndp");
  umask(before);
  EXPECT_EQ(mode_of(folder_ + "/" + kRelease), 0755u);
  EXPECT_EQ(mode_of(path(kRelease, kModel)), 0666u);
  for (const char* part : {kOwners, kHolder}) {
    EXPECT_EQ(mode_of(folder_ + "/" + part), 0700u) << part;
    int64_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder_ + "/" + part)) {
      EXPECT_EQ(mode_of(entry.path()), 0600u) << entry.path();
      ++files;
    }
    EXPECT_GE(files, 1);
  }
  EXPECT_TRUE(has(kHolder, kSums));
  EXPECT_TRUE(has(kHolder, kKey));
  EXPECT_TRUE(has(kHolder, kReleases));
}

// SIGKILL at every moment of the writing: each file system call that makes, names or removes something is a moment. The
// next run is not kept from the folder.
TEST_F(WriteRun, AKillWhileItIsWrittenBlocksNobody) {
  const std::unique_ptr<run::Experiment> experiment = run::quick("gap-edp");
  run::TrainOutcome outcome = run::train(*experiment, {data_, std::nullopt});
  int64_t unfinished = 0;
  for (int64_t moment = 0;; ++moment) {
    const pid_t child = fork();
    if (child == 0) {
      const ContextScope alone({.threads = 1, .progress = nullptr});  // a fork has no pool
      artifact::RunFolder folder(folder_);
      // The child ends itself when so many files are there.
      std::thread([&] {
        for (;;) {
          int64_t files = 0;
          std::error_code error;
          for (auto i = fs::recursive_directory_iterator(folder_ + ".part", error);
               !error && i != fs::recursive_directory_iterator(); i.increment(error)) {
            ++files;
          }
          if (files > moment) raise(SIGKILL);
        }
      }).detach();
      write_run(folder, outcome, *experiment, artifact::fingerprint(data_));
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (fs::exists(folder_)) break;
    ++unfinished;
    EXPECT_NO_THROW(artifact::RunFolder claim(folder_)) << moment;
    EXPECT_TRUE(left().empty()) << moment;
    ASSERT_LT(moment, 100);
  }
  EXPECT_GE(unfinished, 1);
  EXPECT_FALSE(fs::exists(folder_ + ".part"));
}

}  // namespace
}  // namespace graphveil::report::write_run_test
