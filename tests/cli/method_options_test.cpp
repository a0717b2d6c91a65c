#include "cli/method_options.h"

#include <map>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::cli::method_options_test {
namespace {

struct Some {
  Options options;
  std::string backbone;
  int64_t hops = 2;
  double rate = 0.1;
  bool linear = false;
  std::optional<int64_t> batch;

  Some() {
    options.text("backbone", backbone, "");
    options.integer("hops", hops, 0, 9, "");
    options.real("learning-rate", rate, 0, 1, "");
    options.alias("lr");
    options.boolean("linear", linear, "");
    options.integer_or("batch-size", batch, "full", 1, 100, "");
  }
  void read(const std::string& toml) {
    const files::TemporaryFolder folder;
    apply_config(folder.write("c.toml", toml), options,
                 [&](const std::string& name, const std::string& value) { options.set(name, value); });
  }
};

// What a run writes about its options repeats it, whatever a path holds.
TEST(Config, ReadsBackWhatWasWritten) {
  for (const char* path : {"plain.bin", "with space", "a \"b\" c", "#1", "it's", "a\\b\\", "x = 'y' # z", "tab\there",
                           "new\nline", "[1, 2]", "ümlaut", "", "true", "%{x}"}) {
    Some before, after;
    before.backbone = path;
    before.hops = 7;
    before.rate = 1e-5;
    before.linear = true;
    before.batch = 3;
    after.read("# a remark\n" + before.options.to_toml());
    EXPECT_EQ(after.backbone, path);
    EXPECT_EQ(after.hops, 7);
    EXPECT_EQ(after.rate, 1e-5);
    EXPECT_TRUE(after.linear);
    EXPECT_EQ(after.batch, 3);
  }
}

TEST(Config, WhatIsNoListOfOptionsIsRefusedInOneLine) {
  const auto refuse = [](const std::string& toml, std::initializer_list<std::string> words) {
    files::expect_bad_input(words, [&] { Some().read(toml); });
  };
  refuse("hops = 3\nhops = 4\n", {"c.toml", "hops"});
  refuse("lr = 0.1\nlearning_rate = 0.2\n", {"c.toml", "twice"});
  refuse("hopps = 3\n", {"hopps", "did you mean 'hops'"});
  refuse("hops = [1, 2]\n", {"hops", "one value"});
  refuse("[training]\nhops = 3\n", {"section 'training'"});
  refuse("hops = 99\n", {"c.toml", "--hops is '99'"});
  refuse("hops =\n", {"c.toml", "line 1"});
  refuse("backbone = \"\xff\"\n", {"c.toml", "line 1"});
}

}  // namespace
}  // namespace graphveil::cli::method_options_test
