#include "graphveil/files/id_table.h"

#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace graphveil::files::id_table_test {
namespace {

TEST(IdTable, NumbersIdsAsTheyCome) {
  IdTable table;
  EXPECT_EQ(table.find("a"), std::nullopt);
  EXPECT_TRUE(table.add("b"));
  EXPECT_TRUE(table.add("a"));
  EXPECT_FALSE(table.add("b"));
  EXPECT_TRUE(table.add(""));
  EXPECT_EQ(table.find("a"), 1);
  EXPECT_EQ(table.find(""), 2);
  EXPECT_EQ(table.find("c"), std::nullopt);
}

TEST(IdTable, LongIdsAreToldApartToTheirEnd) {
  IdTable table;
  const std::string start(40, 'x'), one = start + "1", two = start + "2";
  EXPECT_TRUE(table.add(one));
  EXPECT_TRUE(table.add(two));
  EXPECT_FALSE(table.add(one));
  EXPECT_EQ(table.find(two), 1);
  EXPECT_EQ(table.find(start), std::nullopt);
}

TEST(IdTable, AgreesWithAMap) {
  std::mt19937 random(1);
  std::map<std::string, int32_t> reference;
  IdTable table;
  for (int i = 0; i < 20000; ++i) {
    const std::string id = std::to_string(random() % 9000) + (i % 2 ? "x" : "");
    EXPECT_EQ(table.add(id), reference.emplace(id, static_cast<int32_t>(reference.size())).second);
  }
  EXPECT_EQ(table.size(), std::ssize(reference));
  for (const auto& [id, number] : reference) {
    EXPECT_EQ(table.find(id), number);
    EXPECT_EQ(table[number], id);
  }
}

}  // namespace
}  // namespace graphveil::files::id_table_test
