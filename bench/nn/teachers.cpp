// PrivGNN's teachers on a real graph, split as in its paper (2,500 private nodes, 6,000 public): 3,000 queries of ridge
// teachers on samples of 25 and 125 records, and GraphSAGE teachers of 750 records, 200 epochs. Prints one JSON object
// per line: seconds, of the process and of the clock.
//
//   bench_teachers GRAPH [--threads N] [--teachers 20] [--export FOLDER]
//
// --export writes the subgraphs of the GraphSAGE teachers as raw arrays, for bench/peers/teachers.py.
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/context.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/resources.h"
#include "graphveil/files/format.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/learn/teachers.h"
#include "graphveil/run/declared.h"

namespace graphveil::bench {
namespace {

template <typename T>
void write_array(const std::string& path, const T* data, size_t count) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), count * sizeof(T));
}

void write_subgraph(const std::string& folder, const graph::Dataset& data) {
  std::filesystem::create_directories(folder);
  std::vector<int32_t> all(static_cast<size_t>(data.nodes()));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int32_t>(i);
  const Matrix features = data.features.dense_rows_at(all);
  const SparseView in = data.graph.in_view();
  write_array(folder + "/offsets.i64", in.offsets.data(), in.offsets.size());
  write_array(folder + "/sources.i32", in.indices.data(), in.indices.size());
  write_array(folder + "/features.f32", features.data(), static_cast<size_t>(features.size()));
  write_array(folder + "/labels.i32", data.labels.data(), data.labels.size());
}

struct Bench {
  graph::PublicPrivate parts;
  mechanism::Public<graph::Dataset> unlabeled;
  learn::PublicEmbedding embedding;

  std::vector<int32_t> sample(uint64_t index, double rate) const {
    std::vector<int32_t> records;
    for (const int64_t i : RandomStream(Seed::from_number(3), "sample", index).poisson_sample(2500, rate)) {
      records.push_back(static_cast<int32_t>(i));
    }
    return records;
  }

  void measure(const std::string& what, const learn::TeacherOptions& options, int64_t queries, double rate) const {
    const Timer timer;
    const std::clock_t start = std::clock();
    const learn::Teachers teachers(parts.private_data, unlabeled, embedding, options);
    parallel_for(queries, 1, [&](int64_t begin, int64_t end) {
      for (int64_t q = begin; q < end; ++q) {
        const int32_t query = parts.public_split.train[static_cast<size_t>(q)];
        teachers.posteriors(sample(static_cast<uint64_t>(q), rate), std::span(&query, 1), Seed::from_number(4));
      }
    });
    fmt::print("{{\"what\": \"{}\", \"queries\": {}, \"records\": {}, \"seconds\": {:.3f}, \"cpu_seconds\": {:.3f}}}\n",
               what, queries, static_cast<int64_t>(2500 * rate), timer.seconds(),
               static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
};

void run(const std::string& path, int64_t teachers, const std::string& export_to) {
  graph::PublicPrivate parts =
      graph::split_public_private(files::read_dataset(path, {}), {2500, 6000, 3000}, Seed::from_number(1));
  mechanism::Public<graph::Dataset> unlabeled = run::declared_public(graph::without_labels(parts.public_data));
  learn::PublicEmbedding embedding(unlabeled, {}, Seed::from_number(2));
  const Bench bench{std::move(parts), std::move(unlabeled), std::move(embedding)};
  bench.measure("ridge teachers", {}, 3000, 0.01);
  bench.measure("ridge teachers", {}, 3000, 0.05);
  bench.measure("sage teachers", {.kind = learn::TeacherKind::Sage}, teachers, 0.3);
  if (export_to.empty()) return;
  for (int64_t t = 0; t < teachers; ++t) {
    write_subgraph(fmt::format("{}/{}", export_to, t),
                   graph::induced_subgraph(bench.parts.private_data, bench.sample(static_cast<uint64_t>(t), 0.3)));
  }
}

}  // namespace
}  // namespace graphveil::bench

int main(int argc, char** argv) {
  std::string path, export_to;
  int64_t teachers = 20;
  int threads = 2;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--threads" && i + 1 < argc) {
      threads = std::atoi(argv[++i]);
    } else if (word == "--teachers" && i + 1 < argc) {
      teachers = std::atoi(argv[++i]);
    } else if (word == "--export" && i + 1 < argc) {
      export_to = argv[++i];
    } else {
      path = word;
    }
  }
  if (path.empty()) {
    fmt::print(stderr, "bench_teachers GRAPH [--threads N] [--teachers 20] [--export FOLDER]\n");
    return 2;
  }
  const graphveil::ContextScope scope({.threads = threads, .progress = nullptr});
  graphveil::bench::run(path, teachers, export_to);
}
