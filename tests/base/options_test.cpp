#include "graphveil/base/options.h"

#include <gtest/gtest.h>

namespace graphveil::options_test {
namespace {

enum class Color { Red, Green };

struct Fixture {
  int64_t hops = 2;
  std::optional<int64_t> batch;
  double rate = 0.5;
  std::optional<double> delta = 1e-5;
  bool flag = false;
  std::string path = "a \"b\"";
  Color color = Color::Green;
  Options options;
  Fixture() {
    options.integer("hops", hops, 1, 10, "Hops");
    options.alias("k");
    options.integer_or("batch-size", batch, "full", 1, 1000, "Batch");
    options.real("learning-rate", rate, 0, 1, "Rate");
    options.real_or("delta", delta, "auto", 0, 1, "Delta");
    options.boolean("flag", flag, "Flag");
    options.text("path", path, "Path");
    options.choice("color", color, {{"red", Color::Red}, {"green", Color::Green}}, "Color");
  }
};

TEST(Options, SetsEveryKind) {
  Fixture f;
  f.options.set("hops", "3");
  f.options.set("k", "4");
  f.options.set("batch_size", "256");
  f.options.set("learning-rate", "0.25");
  f.options.set("delta", "auto");
  f.options.set("flag", "true");
  f.options.set("color", "red");
  EXPECT_EQ(f.hops, 4);
  EXPECT_EQ(f.batch, 256);
  EXPECT_EQ(f.rate, 0.25);
  EXPECT_FALSE(f.delta.has_value());
  EXPECT_TRUE(f.flag);
  EXPECT_EQ(f.color, Color::Red);
  f.options.set("batch-size", "full");
  EXPECT_FALSE(f.batch.has_value());
}

TEST(Options, RefusesWhatDoesNotFit) {
  Fixture f;
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"hops", "0"},
                                                                                    {"hops", "11"},
                                                                                    {"hops", "2.5"},
                                                                                    {"hops", ""},
                                                                                    {"hops", "3x"},
                                                                                    {"hops", "99999999999999999999"},
                                                                                    {"learning-rate", "nan"},
                                                                                    {"learning-rate", "inf"},
                                                                                    {"learning-rate", "-0.1"},
                                                                                    {"learning-rate", "1e400"},
                                                                                    {"delta", "none"},
                                                                                    {"batch-size", "-1"},
                                                                                    {"flag", "yes"},
                                                                                    {"color", "blue"},
                                                                                    {"nothing", "1"}}) {
    try {
      f.options.set(name, value);
      ADD_FAILURE() << name << " = " << value;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
      EXPECT_NE(std::string(error.what()).find("--" + name), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(f.hops, 2);
}

TEST(Options, WritesTomlThatReadsBack) {
  Fixture f;
  EXPECT_EQ(f.options.to_toml(),
            "hops = 2\nbatch-size = \"full\"\nlearning-rate = 0.5\ndelta = \"1e-05\"\nflag = false\n"
            "path = \"a \\\"b\\\"\"\ncolor = \"green\"\n");
  for (const Option& option : f.options.list()) {
    const std::string before = option.text();
    option.set(before);
    EXPECT_EQ(option.text(), before) << option.name;
  }
}

TEST(Options, ANameIsDeclaredOnce) {
  Fixture f;
  int64_t other = 0;
  EXPECT_THROW(f.options.integer("hops", other, 0, 1, ""), Error);
  EXPECT_THROW(f.options.integer("k", other, 0, 1, ""), Error);
}

TEST(Options, TextWithQuotesMarksAndControlCharactersIsOneString) {
  Options options;
  std::string path = "a \"b\" #c \\ \t\n é";
  options.text("path", path, "");
  EXPECT_EQ(options.to_toml(), "path = \"a \\\"b\\\" #c \\\\ \\u0009\\u000a é\"\n");
}

}  // namespace
}  // namespace graphveil::options_test
