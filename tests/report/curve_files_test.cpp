#include "graphveil/report/curve_files.h"

#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/files/builders.h"

namespace graphveil::report::curve_files_test {
namespace {

namespace fs = std::filesystem;

const std::vector<Curve> kCurves = {{"encoder", "loss", 0, {0, 300}, {2.5, 1.5}}, {"encoder", "loss", 1, {0}, {2.0}}};

TEST(CurvesCsv, HasARowForEachPoint) {
  EXPECT_EQ(curves_csv(kCurves),
            "stage,what,pass,step,value\nencoder,loss,0,0,2.5\nencoder,loss,0,300,1.5\nencoder,loss,1,0,2\n");
}

TEST(Crc32c, IsTheOneOfTheStandard) {
  // RFC 3720, appendix B.4.
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

// Every event file of TensorFlow begins with these twelve bytes: the length 24 and its masked sum.
TEST(Tensorboard, BeginsAsEveryEventFileDoes) {
  const std::string bytes = tensorboard_events({}, {}, 1e9);
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x18\0\0\0\0\0\0\0\xa3\x7fK\"", 12));
  EXPECT_EQ(bytes.substr(12 + 9, 15), std::string("\x1a\x0d") + "brain.Event:2");
  EXPECT_EQ(bytes.size(), 12u + 24 + 4);
}

// Reads the records back by the rules of the format, not by our code.
TEST(Tensorboard, HoldsEveryPoint) {
  const std::string bytes = tensorboard_events(kCurves, {{"test accuracy", 0.5}}, 1e9);
  std::vector<std::string> records;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, 8);
    ASSERT_LE(at + 16 + length, bytes.size());
    records.push_back(bytes.substr(at + 12, length));
    uint32_t sum = 0;
    std::memcpy(&sum, bytes.data() + at + 12 + length, 4);
    EXPECT_EQ(sum, masked_crc32c(records.back()));
    at += 16 + length;
  }
  ASSERT_EQ(records.size(), 5u);
  // wall_time, step 300 as a varint, summary of one value: tag and float 1.5.
  EXPECT_EQ(records[2].substr(9), std::string("\x10\xac\x02\x2a\x15\x0a\x13\x0a\x0c", 9) + "encoder/loss" +
                                      std::string("\x15\0\0\xc0\x3f", 5));
  EXPECT_NE(records[3].find("encoder/loss/2"), std::string::npos);
  EXPECT_NE(records[4].find("test accuracy"), std::string::npos);
}

TEST(Tensorboard, IsWrittenBesideOthers) {
  const files::TemporaryFolder folder;
  const std::string path = write_tensorboard(folder.path("logs"), kCurves, {});
  EXPECT_TRUE(fs::path(path).filename().string().starts_with("events.out.tfevents."));
  EXPECT_GT(fs::file_size(path), 100u);
}

TEST(Mlflow, HasTheLayoutOfItsFileStore) {
  const files::TemporaryFolder folder;
  const fs::path run = write_mlflow(folder.path("mlruns"), "it's lap", kCurves, {{"test accuracy", 0.5}},
                                    {{"epsilon", "4"}, {"public/x", "y"}});
  EXPECT_EQ(run.parent_path(), fs::path(folder.path("mlruns/0")));
  EXPECT_EQ(run.filename().string().size(), 32u);
  EXPECT_TRUE(fs::exists(folder.path("mlruns/0/meta.yaml")));
  const std::string meta = files::read_bytes((run / "meta.yaml").string());
  EXPECT_NE(meta.find("run_id: " + run.filename().string()), std::string::npos);
  EXPECT_NE(meta.find("run_name: 'it''s lap'"), std::string::npos);
  EXPECT_NE(meta.find("status: 3\n"), std::string::npos);
  const std::string metric = files::read_bytes((run / "metrics/encoder_loss").string());
  EXPECT_NE(metric.find(" 2.5 0\n"), std::string::npos);
  EXPECT_NE(metric.find(" 1.5 300\n"), std::string::npos);
  EXPECT_EQ(files::read_bytes((run / "params/epsilon").string()), "4");
  EXPECT_TRUE(fs::exists(run / "params/public_x"));
  EXPECT_NE(write_mlflow(folder.path("mlruns"), "second", {}, {}, {}), run.string());
}

}  // namespace
}  // namespace graphveil::report::curve_files_test
