#include "graphveil/run/backbone_file.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/run/declared.h"
#include "tests/files/builders.h"
#include "tests/method/tiny_task.h"

namespace graphveil::run::backbone_file_test {
namespace {

const std::vector<uint8_t>& good_file() {
  static const std::vector<uint8_t> bytes =
      to_backbone_file(learn::pretrain(declared_public(method::tiny_public_data()),
                                       {.svd = 5, .hidden = 4, .layers = 2, .epochs = 2}, Seed::from_number(1)));
  return bytes;
}

class BackboneFile : public testing::Test {
 protected:
  std::string written(std::span<const uint8_t> bytes) const {
    const std::string path = folder_.path("backbone.safetensors");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  // The message of a refusal that is the file's fault; empty when it was read.
  std::string refusal(std::span<const uint8_t> bytes) const {
    try {
      read_backbone(written(bytes));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
      return error.what();
    }
    return {};
  }
  files::TemporaryFolder folder_;
};

TEST_F(BackboneFile, ReadsWhatWasWritten) {
  EXPECT_EQ(to_backbone_file(read_backbone(written(good_file()))), good_file());
}

TEST_F(BackboneFile, RefusesEveryTruncation) {
  for (size_t length = 0; length < good_file().size(); length += 7) {
    EXPECT_NE(refusal(std::span(good_file()).first(length)).find("backbone.safetensors"), std::string::npos) << length;
  }
}

// Whatever is read after bytes were changed is a backbone of the shape it says; everything else is refused.
TEST_F(BackboneFile, RefusesOrReadsChangedBytes) {
  RandomStream random(Seed::from_number(3), "changes");
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<uint8_t> bytes = good_file();
    bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.below(256));
    refused += refusal(bytes).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 500);
}

TEST_F(BackboneFile, SaysWhichFileIsMissing) {
  try {
    read_backbone(folder_.path("absent.safetensors"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
    EXPECT_NE(std::string(error.what()).find("absent.safetensors"), std::string::npos);
  }
}

}  // namespace
}  // namespace graphveil::run::backbone_file_test
