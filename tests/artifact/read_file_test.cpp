#include "graphveil/artifact/read_file.h"

#include "tests/run/small_run.h"

namespace graphveil::artifact::read_file_test {
namespace {

class ReadFile : public run::SmallRun {};

TEST_F(ReadFile, BytesTextOrNothing) {
  const std::string file = (place_ / "f").string(), text("a\0b\n", 4);
  EXPECT_FALSE(read_if_there(file).has_value());
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(read_text(file), text);
  EXPECT_EQ(read_file(file), std::vector<uint8_t>(text.begin(), text.end()));
  EXPECT_EQ(read_if_there(file)->size(), 4u);
  for (const std::string& bad : {(place_ / "gone").string(), place_.string()}) {
    try {
      read_file(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Io);
    }
  }
}

TEST_F(ReadFile, AKeyIsReadWhole) {
  const std::string file = (place_ / "f").string(), text("a\0b\n", 4);
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(read_secret(file).text(), text);
  std::ofstream(file, std::ios::binary) << std::string((1 << 20) + 1, 'x');
  for (const std::string& bad : {(place_ / "gone").string(), place_.string(), file, std::string("/dev/zero")}) {
    try {
      read_secret(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Io);
    }
  }
}

}  // namespace
}  // namespace graphveil::artifact::read_file_test
