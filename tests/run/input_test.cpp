#include "graphveil/run/input.h"

#include <filesystem>

#include "graphveil/files/format.h"
#include "tests/run/small_run.h"

namespace graphveil::run::input_test {
namespace {

class ReadInput : public SmallRun {
 protected:
  std::string stored(const std::string& name, uint64_t seed) const {
    const std::string path = (place_ / name).string();
    files::write_dataset(tiny(seed), path);
    return path;
  }
  static std::string refusal(const InputPaths& paths) {
    try {
      read_input(paths);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
      return error.what();
    }
    ADD_FAILURE() << "accepted";
    return "";
  }
};

TEST_F(ReadInput, OneGraphOrTwo) {
  const std::string one = stored("one.gvg", 1), two = stored("two.gvg", 2);
  EXPECT_FALSE(read_input({.data = one, .private_graph = "", .public_graph = ""}).public_data.has_value());
  const InputData both = read_input({.data = "", .private_graph = one, .public_graph = two});
  ASSERT_TRUE(both.public_data.has_value());
  EXPECT_NE(artifact::fingerprint(both.data), artifact::fingerprint(*both.public_data));
}

TEST_F(ReadInput, WhatIsPrivateCannotBePublicToo) {
  const std::string one = stored("one.gvg", 1), copy = (place_ / "copy.gvg").string();
  std::filesystem::copy(one, copy);
  EXPECT_NE(refusal({.data = "", .private_graph = one, .public_graph = one}).find("the same file"), std::string::npos);
  EXPECT_NE(refusal({.data = "", .private_graph = one, .public_graph = copy}).find("the same graph"),
            std::string::npos);
}

TEST_F(ReadInput, PathsThatDoNotGoTogetherAreRefused) {
  EXPECT_NE(refusal({}).find("no data"), std::string::npos);
  EXPECT_NE(refusal({.data = "a", .private_graph = "b", .public_graph = "c"}).find("--data is one graph"),
            std::string::npos);
  EXPECT_NE(refusal({.data = "", .private_graph = "b", .public_graph = ""}).find("--public is missing"),
            std::string::npos);
  EXPECT_NE(refusal({.data = "", .private_graph = "", .public_graph = "c"}).find("--private is missing"),
            std::string::npos);
  EXPECT_NE(refusal({.data = "a", .private_graph = "", .public_graph = "", .target = "color"}).find("color"),
            std::string::npos);
}

}  // namespace
}  // namespace graphveil::run::input_test
