// The story of somebody with two tables from a database: schema, import, train, predict, verify.
#include <sys/resource.h>

#include <fstream>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/resources.h"
#include "graphveil/files/csv_rows.h"
#include "tests/cli/program.h"
#include "tests/files/tables.h"

namespace graphveil::cli::own_tables_test {
namespace {

// Many people with ids as text, seven in a hundred without a job, columns of every kind; friends often share a job.
class People {
 public:
  People(int64_t nodes, int64_t edges, uint64_t seed) : nodes_(nodes), edges_(edges), random_(seed) {}

  static std::string id(int64_t v) { return fmt::format("user-{:06x}", v * 7919 % 0xffffff); }
  void write(const std::string& people, const std::string& friends) {
    static const char* const kJobs[] = {"nurse", "teacher", "pilot", "baker"};
    static const char* const kCities[] = {"Lyon", "Paris", "\"Aix, en Provence\"", "Nice", "Lille"};
    static const char* const kHobbies[] = {"chess", "go", "golf", "sailing", "chess|go", "", "golf|sailing|go"};
    std::string text = "\xEF\xBB\xBFuser,age,income,city,hobbies,smoker,job\r\n";
    for (int64_t v = 0; v < nodes_; ++v) {
      const auto job = static_cast<int64_t>(v % 4);
      const bool known = random_() % 100 >= 7;
      text += fmt::format("{},{},{},{},{},{},{}\r\n", id(v), 20 + 10 * job + static_cast<int64_t>(random_() % 30),
                          random_() % 20 == 0 ? "NA" : std::to_string(1000 + random_() % 90000), kCities[random_() % 5],
                          kHobbies[random_() % 7], random_() % 2 ? "yes" : "no", known ? kJobs[job] : "");
    }
    std::ofstream(people, std::ios::binary) << text;
    text = "source,target\n";
    for (int64_t e = 0; e < edges_; ++e) {
      const auto u = static_cast<int64_t>(random_() % nodes_);
      auto v = static_cast<int64_t>(random_() % nodes_);
      if (random_() % 10 < 7) v = v / 4 * 4 + u % 4;  // the same job
      text += fmt::format("{},{}\n", id(u), id(v % nodes_));
    }
    std::ofstream(friends, std::ios::binary) << text;
  }

 private:
  int64_t nodes_, edges_;
  std::mt19937_64 random_;
};

// All ids of a file of predictions, in order; checks the header.
std::vector<std::string> ids_of(const std::string& path) {
  const files::TableText text(path);
  files::CsvRows rows(text, ',');
  EXPECT_TRUE(rows.next());
  EXPECT_EQ(std::vector<std::string>(rows.cells().begin(), rows.cells().end()),
            (std::vector<std::string>{"id", "prediction", "baker", "nurse", "pilot", "teacher"}));
  std::vector<std::string> ids;
  while (rows.next()) {
    ids.emplace_back(rows.cells()[0]);
    EXPECT_TRUE(std::set<std::string_view>({"baker", "nurse", "pilot", "teacher"}).count(rows.cells()[1]));
  }
  return ids;
}

void declare_public(const std::string& path) {
  std::string text = files::read_bytes(path);
  const size_t at = text.find("declared = false");
  ASSERT_NE(at, std::string::npos) << text;
  std::ofstream(path, std::ios::binary) << text.replace(at, 16, "declared = true");
}

TEST(OwnTables, FromTwoTablesToPredictionsByOnesOwnIds) {
  constexpr int64_t kNodes = 200'000, kEdges = 2'000'000;
  const TemporaryFolder folder;
  const std::string people = folder.path("people.csv"), friends = folder.path("friends.csv");
  People(kNodes, kEdges, 1).write(people, friends);
  const std::string tables = " --nodes " + people + " --edges " + friends;
  const std::string schema = folder.path("schema.toml"), graph = folder.path("people.gvg"), out = folder.path("run");

  const Timer timer;
  Outcome r = run(folder, "data schema --label job" + tables + " -q > " + schema);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  declare_public(schema);
  r = run(folder, "data import --strict --json -q --schema " + schema + tables + " " + graph);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const nlohmann::json info = r.json();
  EXPECT_EQ(info["nodes"], kNodes);
  EXPECT_EQ(info["import"]["edge_rows"], kEdges);
  EXPECT_NEAR(info["unlabeled_nodes"].get<double>(), 0.07 * kNodes, 0.01 * kNodes);
  EXPECT_EQ(info["class_names"], (std::vector<std::string>{"baker", "nurse", "pilot", "teacher"}));
  r = run(folder, "train auto --epsilon 4 --mean-degree 20 --json -q --data " + graph + " --out " + out);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_GT(r.json()["test_accuracy"]["mean"], 0.4);  // a guess is right in one of four cases
  r = run(folder, "predict " + out + " --json -q --data " + graph + " --out " + folder.path("p.csv"));
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(r.json()["rows"], kNodes);
  r = run(folder, "verify --json " + out);
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(r.json()["releasable"], true);
  const double seconds = timer.seconds();
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  std::printf("%.1f s, %.0f MB\n", seconds, static_cast<double>(usage.ru_maxrss) / 1000);
  EXPECT_LT(seconds, 60);
  EXPECT_LT(static_cast<double>(usage.ru_maxrss) * 1024, 2e9);

  const std::vector<std::string> ids = ids_of(folder.path("p.csv"));
  std::set<std::string> wanted;
  for (int64_t v = 0; v < kNodes; ++v) wanted.insert(People::id(v));
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()), wanted);
  EXPECT_EQ(static_cast<int64_t>(ids.size()), kNodes);
}

class SmallTables : public testing::Test {
 protected:
  SmallTables() {
    People(400, 3000, 2).write(folder_.path("people.csv"), folder_.path("friends.csv"));
    Outcome r = run(folder_, "data schema --label job" + tables_ + " > " + folder_.path("schema.toml"));
    EXPECT_EQ(r.exit_code, 0) << r.error;
  }
  Outcome import(const std::string& options, const std::string& out) {
    return run(folder_, "data import -q --json" + tables_ + " " + options + " " + folder_.path(out));
  }
  std::string release(const std::string& name) const { return files::read_bytes(folder_.path("run/release/" + name)); }
  // Every byte under release/.
  std::string released() const {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path("run/release"))) {
      all += files::read_bytes(entry.path().string());
    }
    return all;
  }
  TemporaryFolder folder_;
  std::string tables_ = " --nodes " + folder_.path("people.csv") + " --edges " + folder_.path("friends.csv");
};

TEST_F(SmallTables, ADeclaredSchemaIsInTheCertificateAndIdsAreNot) {
  declare_public(folder_.path("schema.toml"));
  ASSERT_EQ(import("--schema " + folder_.path("schema.toml"), "a.gvg").exit_code, 0);
  const Outcome r =
      run(folder_, "train lap --steps 3 -q --json --data " + folder_.path("a.gvg") + " --out " + folder_.path("run"));
  ASSERT_EQ(r.exit_code, 0) << r.error;
  const auto certificate = nlohmann::json::parse(release("certificate.json"));
  EXPECT_EQ(certificate["schema_sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(certificate["class_names"].size(), 4u);
  EXPECT_GT(certificate["feature_names"].size(), 5u);
  EXPECT_TRUE(certificate["found_in_data"].empty());
  EXPECT_EQ(release("schema.toml"), files::read_bytes(folder_.path("schema.toml")));
  EXPECT_EQ(released().find("user-"), std::string::npos);  // at node level ids are the owners'
  EXPECT_NE(files::read_bytes(folder_.path("run/owners/predictions.csv")).find("user-"), std::string::npos);
  EXPECT_EQ(r.json()["classes"][0]["class"], "baker");
  EXPECT_EQ(run(folder_, "verify " + folder_.path("run")).exit_code, 0);
  std::ofstream(folder_.path("run/release/schema.toml"), std::ios::app) << "# more\n";
  const Outcome changed = run(folder_, "verify " + folder_.path("run"));
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_NE(changed.out.find("schema.toml is not the file"), std::string::npos) << changed.out;
}

TEST_F(SmallTables, WithoutADeclarationTheCertificateSaysWhatWasRead) {
  for (const std::string& options : {std::string("--label job"), "--schema " + folder_.path("schema.toml")}) {
    ASSERT_EQ(import(options, "a.gvg").exit_code, 0);
    const Outcome r =
        run(folder_, "train lap --steps 3 -q --json --data " + folder_.path("a.gvg") + " --out " + folder_.path("run"));
    ASSERT_EQ(r.exit_code, 0) << r.error;
    const auto certificate = nlohmann::json::parse(release("certificate.json"));
    EXPECT_EQ(certificate["schema_sha256"], "");
    EXPECT_EQ(certificate["found_in_data"].size(), 4u);
    EXPECT_TRUE(certificate["feature_names"].empty());
    EXPECT_EQ(released().find("Lyon"), std::string::npos);
    EXPECT_EQ(run(folder_, "verify " + folder_.path("run")).exit_code, 0);
    std::filesystem::remove_all(folder_.path("run"));
    std::filesystem::remove(folder_.path("a.gvg"));
  }
}

TEST_F(SmallTables, AnotherGraphIsPredictedByItsOwnIds) {
  declare_public(folder_.path("schema.toml"));
  const std::string schema = "--schema " + folder_.path("schema.toml");
  ASSERT_EQ(import(schema, "a.gvg").exit_code, 0);
  ASSERT_EQ(run(folder_, "train mlp-dp --steps 3 -q --data " + folder_.path("a.gvg") + " --out " + folder_.path("run"))
                .exit_code,
            0);
  People(300, 2000, 3).write(folder_.path("people.csv"), folder_.path("friends.csv"));
  ASSERT_EQ(import("--schema " + folder_.path("run/release/schema.toml"), "b.gvg").exit_code, 0);
  Outcome r = run(folder_, "predict " + folder_.path("run") + " -q --json --data " + folder_.path("b.gvg") + " --out " +
                               folder_.path("b.csv"));
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(ids_of(folder_.path("b.csv")).size(), 300u);
  // Other ranges give other numbers under the same names.
  std::string other = files::read_bytes(folder_.path("schema.toml"));
  other.replace(other.find("scale = \"min-max\""), 17, "scale = \"log\"");
  ASSERT_EQ(import("--schema " + folder_.write("other.toml", other), "c.gvg").exit_code, 0);
  r = run(folder_,
          "predict " + folder_.path("run") + " -q --data " + folder_.path("c.gvg") + " --out " + folder_.path("c.csv"));
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.error.find("another schema"), std::string::npos) << r.error;
}

TEST_F(SmallTables, StrictRefusesAndWritesNothing) {
  std::ofstream(folder_.path("friends.csv"), std::ios::app) << "\nghost,phantom\n";
  const std::string schema = "--schema " + folder_.path("schema.toml");
  Outcome r = import("--strict " + schema, "a.gvg");
  EXPECT_EQ(r.exit_code, 2);
  for (const char* word : {"1 blank lines", "1 rows of edges left out", "2 ids occur in the table of edges alone"}) {
    EXPECT_NE(r.error.find(word), std::string::npos) << r.error;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a.gvg")));
  r = import(schema, "a.gvg");
  ASSERT_EQ(r.exit_code, 0) << r.error;
  EXPECT_EQ(r.json()["import"]["dangling_edges"], 1);
}

TEST_F(SmallTables, DataInfoShowsNames) {
  ASSERT_EQ(import("--label job", "a.gvg").exit_code, 0);
  const Outcome r = run(folder_, "data info " + folder_.path("a.gvg"));
  for (const char* word :
       {"class names    baker, nurse, pilot, teacher", "age, income, income=(missing), city=", "user-"}) {
    EXPECT_NE(r.out.find(word), std::string::npos) << r.out;
  }
}

}  // namespace
}  // namespace graphveil::cli::own_tables_test
