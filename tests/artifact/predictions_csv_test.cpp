#include "graphveil/artifact/predictions_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"

namespace graphveil::artifact::predictions_csv_test {
namespace {

TEST(PredictionsCsv, OneRowPerNode) {
  Matrix p(2, 2);
  p(0, 0) = 0.25f;
  p(0, 1) = 0.75f;
  p(1, 0) = 1;
  EXPECT_EQ(predictions_csv(p), "id,prediction,p0,p1\n0,1,0.25,0.75\n1,0,1,0\n");
  const std::vector<int32_t> ids{5, 40};
  EXPECT_EQ(predictions_csv(p, {.ids = {}, .numbers = ids}), "id,prediction,p0,p1\n5,1,0.25,0.75\n40,0,1,0\n");
}

TEST(PredictionsCsv, RowsThatAreWrittenInParallelAreInOrder) {
  constexpr int64_t kRows = 140'000;  // more than are written at once
  Matrix p(kRows, 1);
  std::string wanted = "id,prediction,p0\n";
  for (int64_t v = 0; v < kRows; ++v) {
    p(v, 0) = static_cast<Real>(v % 8) / 8;
    wanted += fmt::format("{},0,{}\n", v, static_cast<double>(v % 8) / 8);
  }
  for (const int threads : {1, 3}) {
    const ContextScope scope({.threads = threads});
    EXPECT_TRUE(predictions_csv(p) == wanted) << threads << " threads";
  }
}

TEST(PredictionsCsv, EveryReaderIsShownTheWholeTextInOrder) {
  const Matrix p(140'000, 1);
  const std::string wanted = predictions_csv(p);
  for (const int threads : {1, 3}) {
    const ContextScope scope({.threads = threads});
    std::vector<std::string> read(3);
    std::vector<TextReader> readers;
    for (std::string& text : read) readers.emplace_back([&text](std::string_view piece) { text += piece; });
    predictions_csv(p, {}, readers);
    for (const std::string& text : read) EXPECT_TRUE(text == wanted) << threads << " threads";
  }
}

TEST(PredictionsCsv, SaysWhomItIsAbout) {
  EXPECT_EQ(prediction_ids("id,prediction,p0\nanna,0,1\n\"b,1\",0,1\n"), (std::vector<std::string>{"anna", "b,1"}));
  EXPECT_TRUE(prediction_ids("id,prediction,p0\n").empty());
  EXPECT_THROW(prediction_ids("id,prediction,p0\n,0,1\n"), Error);
}

TEST(PredictionsCsv, NamesAreQuotedWhereTheyMustBe) {
  Matrix p(2, 2);
  p(0, 0) = 0.25f;
  p(0, 1) = 0.75f;
  p(1, 0) = 1;
  const std::vector<std::string> ids{"anna", "b,\"\n"}, classes{"yes", "no, not"};
  const std::string csv = predictions_csv(p, {.ids = graph::Names(std::span<const std::string>(ids)),
                                              .classes = graph::Names(std::span<const std::string>(classes))});
  EXPECT_EQ(csv, "id,prediction,yes,\"no, not\"\nanna,\"no, not\",0.25,0.75\n\"b,\"\"\n\",yes,1,0\n");
  EXPECT_EQ(prediction_rows(csv), 2);
  const Matrix again = probabilities_from_csv(csv);
  ASSERT_EQ(again.rows(), 2);
  EXPECT_EQ(again(0, 1), 0.75f);
  EXPECT_EQ(again(1, 0), 1);
  for (const char* bad : {"id,prediction,p0\n0,0\n", "id,prediction,p0\n0,0,x\n", "id\n0\n"}) {
    EXPECT_THROW(probabilities_from_csv(bad), std::exception) << bad;
  }
  EXPECT_THROW(predictions_csv(Matrix(1, 2), {.ids = graph::Names(std::span<const std::string>(ids))}), std::exception);
}

}  // namespace
}  // namespace graphveil::artifact::predictions_csv_test
