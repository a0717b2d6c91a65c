#include "graphveil/sweep/tables.h"

#include <gtest/gtest.h>

namespace graphveil::sweep::tables_test {
namespace {

struct Example {
  Plan plan = parse_plan(
      "title = \"A & B\"\n[grid]\nmethods = [\"lap\", \"gap-edp\", \"gap-inf\"]\ngraphs = [\"a.npz\"]\nepsilon = [1, "
      "4]\n"
      "seeds = 3\n[[run]]\nrow = \"Table 2, ε = 4\"\ncommand = \"train lap --data a.npz -r 2 -s 9\"\npaper = 80\n",
      "p.toml", Size::Full);
  std::map<std::string, Result> results;
  Example() {
    for (const sweep::Run& run : plan.runs) {
      Result r;
      r.id = run.id;
      r.done = !(run.method == "gap-edp" && run.epsilon == 1);
      r.error = r.done ? "" : "too, little";
      r.row = run.label();
      r.graph = run.graph;
      r.method = run.method;
      r.epsilon = run.epsilon;
      r.seed = run.seed;
      r.relation = run.method == "lap" ? "node" : run.method == "gap-edp" ? "edge" : "";
      if (r.done) r.scores["accuracy"] = (run.method == "lap" ? 0.7 : 0.5) + 0.01 * static_cast<double>(*run.seed);
      if (!run.measures.empty()) r.figures["test_accuracy"] = Figure{0.775, 0.005, {0.77, 0.78}};
      r.seconds = 1.5;
      results[r.id] = r;
    }
  }
  Summary summary() const { return summarize(plan, results, "accuracy", ""); }
};

TEST(TextTable, HasARowForEachMethodAndAColumnForEachBudget) {
  const std::string text = text_table(Example().summary());
  EXPECT_EQ(text,
            "a: test accuracy in percent, 3 seeds\n"
            "           ε = 1         ε = 4         no noise\n"
            "  lap      72.0 ± 2.5 *  72.0 ± 2.5 *\n"
            "  gap-edp  failed        52.0 ± 2.5\n"
            "  gap-inf                              52.0 ± 2.5 *\n");
}

TEST(TextTable, HasTheMajorityAndMarksWhoIsNotBetter) {
  Example example;
  for (auto& [id, result] : example.results) {
    if (result.done) result.scores["majority"] = 0.52;
  }
  const Summary summary = example.summary();
  EXPECT_EQ(text_table(summary),
            "a: test accuracy in percent, 3 seeds\n"
            "                            ε = 1         ε = 4         no noise\n"
            "  lap                       72.0 ± 2.5 *  72.0 ± 2.5 *\n"
            "  gap-edp                   failed        52.0 ± 2.5 †\n"
            "  gap-inf                                               52.0 ± 2.5 † *\n"
            "  always the largest class  52.0          52.0          52.0\n");
  EXPECT_NE(text_notes(summary).find("†: not shown to be better than always answering the largest class"),
            std::string::npos);
  EXPECT_NE(latex_table(example.plan, summary, example.results).find("52.0 $\\pm$ 2.5 $\\dagger$"), std::string::npos);
  EXPECT_EQ(text_notes(Example().summary()).find("†"), std::string::npos);
}

TEST(TextNotes, SayWhenPromisesDiffer) {
  const std::string notes = text_notes(Example().summary());
  EXPECT_NE(notes.find("gap-edp protects edge; lap protects node"), std::string::npos) << notes;
  EXPECT_NE(notes.find("best within noise"), std::string::npos);
}

TEST(TextRows, PutThePaperBesideOurs) {
  const Example example;
  const std::string text = text_rows(example.plan, example.results);
  EXPECT_NE(text.find("Table 2, ε = 4"), std::string::npos);
  EXPECT_NE(text.find("77.5 ± 0.7"), std::string::npos) << text;
  EXPECT_NE(text.find("  80  "), std::string::npos);
}

TEST(TextRows, ADifferenceIsTakenRepeatByRepeat) {
  Example example;
  const std::string other = example.plan.runs[0].id, own = example.plan.rows[0].sound->run;
  example.results[other].figures["test_accuracy"] = Figure{0.5, std::nullopt, {0.47, 0.48}};
  example.plan.rows[0].sound = PaperRow::Side{own, other, "test_accuracy"};
  EXPECT_NE(text_rows(example.plan, example.results).find("30.0 ± 0.0"), std::string::npos);
}

TEST(MarkdownAndLatex, HaveTheSameCells) {
  const Example example;
  const std::string page = markdown_page(example.plan, example.summary(), example.results);
  EXPECT_NE(page.find("# A & B\n"), std::string::npos);
  EXPECT_NE(page.find("| lap | 72.0 ± 2.5 * | 72.0 ± 2.5 * | |"), std::string::npos) << page;
  EXPECT_NE(page.find("| gap-edp | lap | ε = 4 | -20.0 (-20.0 to -20.0) | |"), std::string::npos) << page;
  const std::string tex = latex_table(example.plan, example.summary(), example.results);
  EXPECT_NE(tex.find("lap & \\textbf{72.0 $\\pm$ 2.5}"), std::string::npos) << tex;
  EXPECT_NE(tex.find("A \\& B"), std::string::npos);
  EXPECT_EQ(tex.find("ε"), std::string::npos);
}

TEST(CsvTable, HasOneRowForEachRun) {
  const Example example;
  const std::string text = csv_table(example.plan, example.results);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + static_cast<int64_t>(example.plan.runs.size()));
  EXPECT_NE(text.find(",failed,,,,,,,,1.500,0.0,\"too, little\"\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace graphveil::sweep::tables_test
