#include "graphveil/files/table_text.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::table_text_test {
namespace {

TEST(TableText, PassesOverAByteOrderMark) {
  const TemporaryFolder folder;
  EXPECT_EQ(TableText(folder.write("a.csv", "\xEF\xBB\xBFid\n")).text(), "id\n");
  EXPECT_EQ(TableText("a", "\xEF\xBB\xBFid").text(), "id");
}

TEST(TableText, UnpacksGzip) {
  const TemporaryFolder folder;
  EXPECT_EQ(TableText(folder.write("a.csv.gz", gzip("id,x\n1,2\n"))).text(), "id,x\n1,2\n");
  const std::string packed = gzip("id,x\n1,2\n");
  const std::string cut = folder.write("b.csv.gz", packed.substr(0, packed.size() - 6));
  expect_bad_input({cut, "damaged or cut short"}, [&] { TableText text(cut); });
  const std::string bomb = folder.write("c.csv.gz", gzip(std::string(size_t{64} << 20, 'a')));
  expect_bad_input({bomb, "unpacks to more than"}, [&] { TableText text(bomb); });
}

TEST(TableText, SaysWhatOtherFilesAre) {
  const TemporaryFolder folder;
  for (const auto& [bytes, word] : {std::pair<std::string, std::string>{"PAR1....", "Parquet"},
                                    {"ARROW1..", "Arrow"},
                                    {"PK\x03\x04....", "spreadsheet"},
                                    {std::string("\xFF\xFEi\0d\0", 6), "UTF-16"},
                                    {std::string("id\0x", 4), "zero byte"},
                                    {"id\nJos\xE9\n", "line 2: byte 0xe9 is not UTF-8"},
                                    {"id\n\n\xC0\xAF", "line 3"},
                                    {"\xED\xA0\x80", "not UTF-8"},
                                    {"\xF4\x90\x80\x80", "not UTF-8"},
                                    {"\xE2\x82", "not UTF-8"},
                                    {"\xEF\xBB\xBF", "empty"}}) {
    const std::string path = folder.write("x", bytes);
    expect_bad_input({path, word}, [&] { TableText text(path); });
  }
  EXPECT_EQ(TableText("a", "Jos\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 and eight more").text().substr(0, 5),
            "Jos\xC3\xA9");
  EXPECT_THROW(TableText text(folder.path("gone")), Error);
}

// Long texts are read in pieces, which must not show.
TEST(TableText, ReadsLongTextsAsAWhole) {
  constexpr size_t kPiece = size_t{1} << 20;
  const std::string euro = "\xE2\x82\xAC", smile = "\xF0\x9F\x98\x80";
  for (size_t before = kPiece - 5; before < kPiece + 3; ++before) {
    const std::string a(before, 'a'), b(kPiece + 7, 'b');
    EXPECT_FALSE(TableText("t", a + euro + smile + b).quoted());
    EXPECT_TRUE(TableText("t", a + euro + b + '"').quoted());
    expect_bad_input({"line 2: byte 0xe2"}, [&] { TableText("t", a + "\n" + euro.substr(0, 2) + b + "\xFF"); });
    expect_bad_input({"line 3: byte 0xff"}, [&] { TableText("t", a + "\n" + smile + b + "\n\xFF"); });
    expect_bad_input({"line 2: byte 0x80"}, [&] { TableText("t", a + "\n\x80\x80\x80\x80\x80" + b); });
    expect_bad_input({"line 2: byte 0x80"}, [&] { TableText("t", a + "\n" + smile + "\x80" + b); });
    expect_bad_input({"line 2: a zero byte"}, [&] { TableText("t", a + "\xFF" + b + "\n" + std::string(1, '\0')); });
  }
}

TEST(TableText, CountsLinesOfEveryKind) {
  const TableText text("a", "1\n2\r\n3\r4\n");
  EXPECT_EQ(text.line_at(0), 1);
  EXPECT_EQ(text.line_at(2), 2);
  EXPECT_EQ(text.line_at(5), 3);
  EXPECT_EQ(text.line_at(7), 4);
}

}  // namespace
}  // namespace graphveil::files::table_text_test
