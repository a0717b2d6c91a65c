// What people type and give wrong: the command, words that the message must have, and the exit code. {} is the folder
// of the test's files.
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/files/tables.h"

namespace graphveil::cli::bad_input_test {
namespace {

struct BadInput {
  const char* command;
  std::vector<const char*> words;
  int exit_code = 2;
};

const std::vector<BadInput>& bad_inputs() {
  static const std::vector<BadInput> kRows{
      // Commands and options.
      {"--quiet", {"--quiet"}},
      {"train --data {}/g.gvg", {"a method is missing before '--data'", "graphveil train auto --data"}},
      {"train lap --data {}/g.gvg --eps 1", {"no option '--eps'", "did you mean '--epsilon'"}},
      {"train auto --data {}/g.gvg --preset papers", {"--preset is 'papers'", "auto"}},
      {"train dp-gpl --data {}/g.gvg",
       {"--private-nodes is missing", "--private-nodes 150 --public-nodes 150 --public-test 75"}},
      {"trian lap --data {}/g.gvg", {"there is no command 'trian'", "did you mean 'train'"}},
      {"frobnicate", {"there is no command 'frobnicate'"}},
      {"data", {"graphveil data: a command is missing", "import"}},
      {"data inof {}/g.gvg", {"there is no command 'inof'", "did you mean 'info'"}},
      {"data imprt", {"did you mean 'import'"}},
      {"train", {"no method", "graphveil methods", "--resume"}},
      {"train lapp --data {}/g.gvg", {"there is no command 'lapp'", "did you mean 'lap'"}},
      {"train gap_edp --data {}/g.gvg", {"did you mean 'gap-edp'"}},
      {"train lap --data {}/g.gvg --epsilonn 1", {"no option '--epsilonn'", "did you mean '--epsilon'"}},
      {"train lap --data {}/g.gvg --dleta=1e-5", {"no option '--dleta'", "did you mean '--delta'"}},
      {"train lap --data {}/g.gvg --hidden_dimm 3", {"no option '--hidden-dimm'"}},
      {"train lap --epsilon 1", {"--data", "required"}},
      {"train lap --data {}/g.gvg --epsilon", {"--epsilon"}},
      {"train lap --data {}/g.gvg extra", {"extra"}},
      {"train lap --data {}/g.gvg --threads 0", {"--threads"}},
      {"verify", {"path", "required"}},
      {"predict", {"folder", "required"}},
      {"account", {"nothing to account"}},
      {"calibrate", {"nothing to calibrate"}},
      // Values.
      {"train lap --data {}/g.gvg --epsilon 0", {"--epsilon is '0'"}},
      {"train lap --data {}/g.gvg --epsilon -1", {"--epsilon is '-1'"}},
      {"train lap --data {}/g.gvg --epsilon one", {"--epsilon is 'one'"}},
      {"train lap --data {}/g.gvg --epsilon nan", {"--epsilon is 'nan'"}},
      {"train lap --data {}/g.gvg --delta 1", {"--delta is '1'"}},
      {"train lap --data {}/g.gvg --relation nodes", {"--relation is 'nodes'", "undirected-edge"}},
      {"train gap-edp --data {}/g.gvg --relation node", {"--relation is 'node'", "gap-edp"}},
      {"train lap --data {}/g.gvg --split 50", {"--split is '50'", "80/20"}},
      {"train lap --data {}/g.gvg --split 50/60", {"add up to 100"}},
      {"train lap --data {}/g.gvg --split 80/30/10", {"add up to 100"}},
      {"train lap --data {}/g.gvg --split 0/50/50", {"the first above 0"}},
      {"train lap --data {}/g.gvg --split file", {"came without a split"}},
      {"train lap --data {}/g.gvg --repeats 0", {"--repeats is '0'"}},
      {"train dpar-inf --data {}/g.gvg --column-cap 0", {"--column-cap is '0'", "1 to"}},
      {"train dpar-gm --data {}/g.gvg --relation edge", {"--relation is 'edge'", "node, record", "diffusion-edp"}},
      {"train dpar-inf --data {}/g.gvg --teleport 1e-4", {"--teleport is '1e-4'", "0.001 to"}},
      {"train mlp --data {}/g.gvg --hidden-dim 65536 --layers 8", {"GiB", "free"}},
      {"train lap --data {}/g.gvg --seed -4", {"--seed is '-4'"}},
      {"train lap --data {}/g.gvg --preset papper", {"--preset is 'papper'"}},
      {"train lap --data {}/g.gvg --config {}/gone.toml", {"gone.toml"}},
      {"train lap --data {}/g.gvg --config {}/bad.toml", {"bad.toml", "epsilonn", "did you mean 'epsilon'"}},
      {"train lap --data {}/g.gvg --sign {}/people.csv --out {}/r", {"key"}},
      {"train lap --data {}/g.gvg --sign {}/people.csv", {"--sign", "--out"}},
      {"train mlp --layers 64 --hidden-dim 65536 --data {}/g.gvg", {"GiB of memory", "--hidden-dim"}},
      {"calibrate lap --epsilon 1", {"--train-nodes is missing"}},
      {"calibrate gap-edp --epsilon 1", {"--nodes is missing"}},
      {"calibrate lapp --epsilon 1", {"'lapp' is neither a method nor a file", "did you mean 'lap'"}},
      {"calibrate gap-inf --epsilon 1", {"gap-inf adds no noise"}},
      {"account {}/people.csv --delta 1e-5", {"people.csv"}},
      {"account {}/gone.json --delta 1e-5", {"gone.json"}},
      {"account --noise-multiplier 1", {"--delta is missing"}},
      {"account --noise-multiplier -1 --delta 1e-5", {"noise"}},
      // Files that are not what they should be.
      {"data info {}/gone.gvg", {"gone.gvg", "cannot be opened"}},
      {"data info {}/people.csv", {"people.csv", "data schema", "data import"}},
      {"data info {}/table.parquet", {"Parquet", "CSV"}},
      {"data info {}/empty.gvg", {"empty.gvg"}},
      {"data info {}", {"folder"}},
      {"train lap --data {}/people.csv", {"people.csv", "data import"}},
      {"train lap --data {}/oneclass", {"only one class"}},
      {"train lap --data {}/nolabel", {"label"}},
      {"train mlp --data {}/huge", {"feature is larger than"}},
      {"verify {}/gone", {"gone"}},
      {"verify {}", {"not the folder of a run"}},
      {"predict {} --data {}/g.gvg --out {}/p.csv", {"not the folder of a run"}},
      // Where it is written.
      {"train lap --data {}/g.gvg --out ''", {"--out is empty"}},
      {"train lap --data {}/g.gvg --out {}/there", {"there", "exists already"}},
      {"train lap --data {}/g.gvg --out {}/people.csv/run", {"people.csv"}},
      {"train lap --data {}/g.gvg --out /proc/run", {"/proc/run"}},
      {"predict {}/there --data {}/g.gvg --out ''", {"--out is empty"}},
      {"predict {}/there --data {}/g.gvg --out {}/people.csv", {"people.csv", "exists already"}},
      {"data generate {}/g.gvg --preset tiny", {"g.gvg", "exists already", "--force"}},
      {"data convert {}/g.gvg {}/g.gvg", {"exists already", "--force"}},
      {"data convert {}/g.gvg {}/g.txt", {".npz or .gvg"}},
      {"data generate '' --preset tiny", {".npz or .gvg"}},
      {"data generate {}/nowhere/g.gvg --preset tiny", {"nowhere"}},
      {"data generate {}/new.gvg --preset huge", {"--preset", "huge"}},
      // Tables.
      {"data schema --nodes {}/people.csv", {"--edges", "required"}},
      {"data schema --nodes {}/gone.csv --edges {}/friends.csv", {"gone.csv"}},
      {"data schema --nodes {}/people.csv --edges {}/friends.csv --label jobb", {"no column 'jobb'", "'job'"}},
      {"data schema --nodes {}/people.csv --edges {}/friends.csv --source frm", {"no column 'frm'", "'from'"}},
      {"data schema --nodes {}/table.parquet --edges {}/friends.csv", {"Parquet", "Python package"}},
      {"data schema --nodes {}/latin1.csv --edges {}/friends.csv", {"latin1.csv", "line 2", "not UTF-8"}},
      {"data schema --nodes {}/utf16.csv --edges {}/friends.csv", {"UTF-16"}},
      {"data import --schema {}/gone.toml --nodes {}/people.csv --edges {}/friends.csv {}/new.gvg", {"gone.toml"}},
      {"data import --schema {}/people.csv --nodes {}/people.csv --edges {}/friends.csv {}/new.gvg",
       {"people.csv: line 1"}},
      {"data import --schema {}/s.toml --nodes {}/people.csv --edges {}/friends.csv {}/new.csv", {".npz or .gvg"}},
      {"data import --schema {}/s.toml --nodes {}/people.csv --edges {}/friends.csv {}/g.gvg", {"exists already"}},
      {"data import --schema {}/s.toml --id x --nodes {}/people.csv --edges {}/friends.csv {}/new.gvg",
       {"--id", "--schema"}},
      {"data import --schema {}/s.toml --nodes {}/friends.csv --edges {}/people.csv {}/new.gvg",
       {"friends.csv", "no column 'person'", "are --nodes and --edges swapped?"}},
      {"data import --schema {}/s.toml --nodes {}/ragged.csv --edges {}/friends.csv {}/new.gvg",
       {"ragged.csv: line 3", "cells"}},
      {"data import --schema {}/s.toml --nodes {}/quote.csv --edges {}/friends.csv {}/new.gvg",
       {"quote.csv: line 2", "never closed"}},
      {"data import --schema {}/s.toml --nodes {}/comma.csv --edges {}/friends.csv {}/new.gvg",
       {"comma.csv: line 2", "'3,5'", "decimal = \",\""}},
      {"data import --schema {}/s.toml --nodes {}/word.csv --edges {}/friends.csv {}/new.gvg",
       {"word.csv: line 2", "'old' is no number", "missing"}},
      {"data import --schema {}/s.toml --nodes {}/people.csv --edges {}/strangers.csv {}/new.gvg",
       {"strangers.csv", "every node is isolated"}},
      {"data import --schema {}/weight.toml --nodes {}/people.csv --edges {}/friends.csv {}/new.gvg",
       {"weight.toml: line", "no method bounds weights", "keep_from"}},
      {"data import --strict --schema {}/s.toml --nodes {}/people.csv --edges {}/friends.csv {}/new.gvg",
       {"--strict", "nothing was written"}},
  };
  return kRows;
}

class BadInputs : public testing::Test {
 protected:
  BadInputs() {
    EXPECT_EQ(run(folder_, "data generate -q --preset tiny --seed 1 " + folder_.path("g.gvg")).exit_code, 0);
    folder_.write("people.csv", files::kPeople);
    folder_.write("friends.csv", files::kFriends);
    folder_.write("s.toml", files::kSchema);
    std::string weight = files::kSchema;
    folder_.write("weight.toml", weight.replace(weight.find("target = "), 0, "weight = \"closeness\"\n"));
    const std::string header = "person,age,city,hobbies,smoker,job\n";
    folder_.write("ragged.csv", header + "a,1,,,,nurse\nb,1\n");
    folder_.write("quote.csv", header + "\"a,1,,,,nurse\n");
    folder_.write("comma.csv", header + "a,\"3,5\",,,,nurse\n");
    folder_.write("word.csv", header + "a,old,,,,nurse\n");
    folder_.write("strangers.csv", "from,to\nx,y\n");
    folder_.write("latin1.csv", "id,label\nJos\xE9,1\n");
    folder_.write("utf16.csv", std::string("\xFF\xFEi\0d\0", 6));
    folder_.write("table.parquet", "PAR1....");
    folder_.write("empty.gvg", "");
    folder_.write("bad.toml", "epsilonn = 1\n");
    folder_.write("there/file", "x");
    graph_folder("oneclass", "0\n0\n0\n", "1,2\n3,4\n5,6\n");
    graph_folder("nolabel", "nan\nnan\nnan\n", "1,2\n3,4\n5,6\n");
    graph_folder("huge", "0\n1\n0\n", "1,2\n3e38,4\n5,6\n");
  }
  void graph_folder(const std::string& name, const std::string& labels, const std::string& features) {
    folder_.write(name + "/edges.csv", "0,1\n1,0\n1,2\n2,1\n");
    folder_.write(name + "/labels.csv", labels);
    folder_.write(name + "/features.csv", features);
  }
  std::set<std::string> there() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path(""))) {
      names.insert(entry.path().string());
    }
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(BadInputs, AreRefusedInOneLineAndLeaveNothing) {
  EXPECT_GE(bad_inputs().size(), 60u);
  const std::string prefix = folder_.path("");
  const std::string where = prefix.substr(0, prefix.size() - 1);
  run(folder_, "--version");  // makes the file of standard error
  const std::set<std::string> before = there();
  for (const BadInput& row : bad_inputs()) {
    std::string command = row.command;
    for (size_t at = command.find("{}"); at != std::string::npos; at = command.find("{}"))
      command.replace(at, 2, where);
    const Outcome r = run(folder_, command);
    EXPECT_EQ(r.exit_code, row.exit_code) << row.command << "\n" << r.error;
    EXPECT_EQ(r.out, "") << row.command;
    EXPECT_EQ(std::count(r.error.begin(), r.error.end(), '\n'), 1) << row.command << "\n" << r.error;
    for (const char* word : row.words)
      EXPECT_NE(r.error.find(word), std::string::npos) << row.command << "\n" << r.error;
    EXPECT_EQ(there(), before) << row.command;
  }
}

// A program that asked for JSON gets it also when the answer is a refusal, with the same words.
TEST_F(BadInputs, UnderJsonAreAnObjectToo) {
  for (const char* command :
       {"train lap --json --data gone.gvg", "train lap --json --epsilonn 1", "verify --json gone"}) {
    const Outcome r = run(folder_, command);
    EXPECT_EQ(r.exit_code, 2) << command;
    const nlohmann::json object = r.json();
    EXPECT_EQ(object.at("exit_code"), 2);
    EXPECT_EQ(object.at("error").get<std::string>() + "\n", r.error);
    EXPECT_EQ(object.at("kind"), "bad usage or input");
  }
}

}  // namespace
}  // namespace graphveil::cli::bad_input_test
