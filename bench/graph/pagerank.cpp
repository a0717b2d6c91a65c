// Approximate personalized PageRank on the `products` preset: seconds for many sources, and how many entries they have.
//
//   bench_pagerank [--nodes N] [--sources M] [--threads T]
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/resources.h"
#include "graphveil/graph/generate.h"
#include "graphveil/graph/pagerank.h"
#include "tests/threads.h"

int main(int argc, char** argv) {
  using namespace graphveil;
  int64_t nodes = 0, sources = 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--nodes") nodes = std::atoll(argv[i + 1]);
    if (option == "--sources") sources = std::atoll(argv[i + 1]);
    if (option == "--threads") set_thread_count(std::atoi(argv[i + 1]));
  }
  const auto spec = nodes > 0 ? graph::preset("products", nodes) : graph::preset("products");
  const graph::Graph graph = graph::generate(spec, Seed::from_number(1)).graph;
  std::vector<int32_t> drawn;
  RandomStream random(Seed::from_number(2), "sources");
  for (int64_t i = 0; i < sources; ++i) drawn.push_back(static_cast<int32_t>(random.below(graph.nodes())));
  std::atomic<int64_t> entries = 0;
  const Timer timer;
  graph::for_each_pagerank(graph, drawn, {}, [&](int64_t, std::span<const graph::RankedNode> row) {
    entries += static_cast<int64_t>(row.size());
  });
  const double seconds = timer.seconds();
  fmt::print("{{\"nodes\": {}, \"edges\": {}, \"sources\": {}, \"seconds\": {:.3f}, \"entries_per_row\": {:.1f}}}\n",
             graph.nodes(), graph.edges(), sources, seconds,
             static_cast<double>(entries) / static_cast<double>(sources));
}
