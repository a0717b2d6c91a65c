#include "graphveil/artifact/source_json.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::artifact::source_json_test {
namespace {

namespace source = bound::source;

nlohmann::json parsed(const bound::Source& s) { return nlohmann::json::parse(to_json(s).dump()); }

template <size_t... Index>
std::vector<bound::Source> one_of_each(std::index_sequence<Index...>) {
  return {bound::Source(std::variant_alternative_t<Index, bound::Source>{})...};
}

TEST(SourceJson, EveryKindComesBackAsItWas) {
  std::vector<bound::Source> all = one_of_each(std::make_index_sequence<std::variant_size_v<bound::Source>>{});
  all.insert(all.end(),
             {source::NeighborSum{17}, source::NeighborCounts{2}, source::ClassSums{9},
              source::Gradients{source::Reach::ReleasedLists, 5, 4}, source::Gradients{source::Reach::OneHop, 5, 4},
              source::Gradients{source::Reach::ManyHops, 5, 4}, source::Votes{100, 1.25, source::TeacherReads::OwnPart},
              source::VoteMaxima{100, 0.5, source::TeacherReads::ManyHops},
              source::Labels{source::TeacherReads::ManyHops}, source::PageRankRows{70}});
  for (const bound::Source& s : all) EXPECT_EQ(source_from_json(parsed(s), "c.json"), s) << parsed(s);
}

TEST(SourceJson, SaysItsNumbersByName) {
  EXPECT_EQ(parsed(source::Votes{100, 1.5, source::TeacherReads::OwnPart}),
            nlohmann::json::parse(R"({"kind": "votes", "queries": 100, "weight": 1.5, "teachers": "own-part"})"));
  EXPECT_EQ(parsed(source::Score{}), nlohmann::json::parse(R"({"kind": "score"})"));
}

TEST(SourceJson, RefusesWhatMeansNothing) {
  for (const char* text :
       {R"({})", R"("votes")", R"({"kind": 3})", R"({"kind": "secrets"})", R"({"kind": "neighbor-sum"})",
        R"({"kind": "neighbor-sum", "messages": -1})", R"({"kind": "neighbor-sum", "messages": 1.5})",
        R"({"kind": "neighbor-sum", "messages": "3"})", R"({"kind": "neighbor-sum", "messages": 3, "also": 1})",
        R"({"kind": "gradients", "reach": "far", "deletions": 1, "insertions": 0})",
        R"({"kind": "votes", "queries": 1, "weight": 0, "teachers": "own-part"})",
        R"({"kind": "votes", "queries": 1, "weight": 1, "teachers": "own-sample"})", R"({"kind": "score", "of": 1})"}) {
    try {
      source_from_json(nlohmann::json::parse(text), "c.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << text;
      EXPECT_NE(std::string(error.what()).find("c.json"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace graphveil::artifact::source_json_test
