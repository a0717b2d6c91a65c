// How long two tables with ids as text take to become a graph: bench_import_tables [EDGES [NODES]]
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "graphveil/base/resources.h"
#include "graphveil/files/schema_draft.h"
#include "graphveil/files/table_import.h"
#include "graphveil/files/writers.h"

namespace {

namespace fs = std::filesystem;

void write_tables(const fs::path& folder, int64_t nodes, int64_t edges) {
  std::mt19937_64 random(1);
  std::ofstream people(folder / "people.csv"), friends(folder / "friends.csv");
  people << "id,age,city,label\n";
  for (int64_t v = 0; v < nodes; ++v) {
    people << "user-" << 1'000'000 + v << ',' << 20 + v % 60 << ',' << (v % 3 ? "Lyon" : "Nice") << ','
           << (v % 14 ? v % 2 ? "nurse" : "pilot" : "") << '\n';
  }
  friends << "source,target\n";
  for (int64_t e = 0; e < edges; ++e) {
    friends << "user-" << 1'000'000 + random() % static_cast<uint64_t>(nodes) << ",user-"
            << 1'000'000 + random() % static_cast<uint64_t>(nodes) << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace graphveil;
  const int64_t edges = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const int64_t nodes = argc > 2 ? std::atoll(argv[2]) : edges / 10;
  const fs::path folder = fs::temp_directory_path() / ("graphveil-bench-" + std::to_string(std::random_device()()));
  fs::create_directory(folder);
  write_tables(folder, nodes, edges);
  const std::string people = folder / "people.csv", friends = folder / "friends.csv";
  Timer timer;
  const files::Schema schema = files::parse_schema(files::draft_schema(people, friends, {}).text, "draft");
  const double drafted = timer.seconds();
  timer.restart();
  const files::Imported imported = files::import_tables(schema, people, friends);
  const double read = timer.seconds();
  files::write_gvg(imported.dataset, folder / "graph.gvg");
  std::printf("%lld edges, %lld nodes: schema %.2f s, import %.2f s, of it writing %.2f s; %.0f MB\n",
              static_cast<long long>(edges), static_cast<long long>(nodes), drafted, timer.seconds(),
              timer.seconds() - read, static_cast<double>(peak_memory_bytes()) / 1e6);
  fs::remove_all(folder);
}
