// A graph as one file for each rank: what was written is what the ranks have together.
#include <cstring>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/writers.h"
#include "graphveil/graph/own_rows.h"
#include "graphveil/graph/partition.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"
#include "tests/ranks.h"

namespace graphveil::files::gvg_parts_test {
namespace {

using graph::Dataset;

Dataset made(bool symmetric, bool sparse, int32_t nodes = 90, int32_t columns = 5) {
  std::mt19937 random(7);
  std::vector<int32_t> from, to, labels;
  for (int i = 0; i < 4 * nodes; ++i) {
    from.push_back(static_cast<int32_t>(random() % static_cast<uint32_t>(nodes)));
    to.push_back(static_cast<int32_t>(random() % static_cast<uint32_t>(nodes)));
  }
  Dataset data;
  data.name = "made";
  data.graph =
      symmetric ? graph::Graph::from_undirected_edges(nodes, from, to) : graph::Graph::from_edges(nodes, from, to);
  Matrix dense(nodes, columns);
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  std::vector<std::string> ids;
  for (int32_t v = 0; v < nodes; ++v) {
    for (int32_t c = 0; c < columns; ++c) {
      dense(v, c) = static_cast<Real>(v) / static_cast<Real>(c + 1);
      if (random() % 3 > 0) continue;
      indices.push_back(c);
      values.push_back(dense(v, c));
    }
    offsets.push_back(std::ssize(indices));
    labels.push_back(static_cast<int32_t>(random() % 4) - 1);
    ids.push_back("person " + std::to_string(v * v));
  }
  data.features = sparse ? graph::Features(SparseMatrix{nodes, columns, offsets, indices, values})
                         : graph::Features(std::move(dense));
  data.labels = labels;
  data.classes = 3;
  data.ids = graph::Names(std::span<const std::string>(ids));
  data.split = graph::Split{{0, 3, 50}, {1}, {2, 70}};
  return data;
}

// The files of the parts, made of `data`.
std::vector<std::string> written(const TemporaryFolder& folder, const Dataset& data, const std::vector<int64_t>& cuts,
                                 std::span<const int32_t> entities = {}) {
  std::vector<std::string> paths;
  for (size_t r = 0; r + 1 < cuts.size(); ++r) paths.push_back(folder.path("part" + std::to_string(r) + ".gvg"));
  write_gvg_parts(data, entities, paths, cuts, artifact::lines_of(artifact::fingerprint(data)),
                  std::filesystem::perms::all);
  return paths;
}

Dataset read_part(const Ranks& ranks, const std::vector<std::string>& paths) {
  return read_gvg(paths[static_cast<size_t>(ranks.rank())]);
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_TRUE(std::ranges::equal(a.graph.in_lists().offsets, b.graph.in_lists().offsets));
  EXPECT_TRUE(std::ranges::equal(a.graph.in_lists().neighbors, b.graph.in_lists().neighbors));
  EXPECT_TRUE(std::ranges::equal(a.graph.out_lists().offsets, b.graph.out_lists().offsets));
  EXPECT_TRUE(std::ranges::equal(a.graph.out_lists().neighbors, b.graph.out_lists().neighbors));
  EXPECT_EQ(a.graph.symmetric(), b.graph.symmetric());
  EXPECT_EQ(a.graph.partition()->others, b.graph.partition()->others);
  EXPECT_TRUE(std::ranges::equal(a.labels, b.labels));
  EXPECT_EQ(a.features.is_sparse(), b.features.is_sparse());
  std::vector<int32_t> all(static_cast<size_t>(a.nodes()));
  for (size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int32_t>(v);
  EXPECT_TRUE(std::ranges::equal(a.features.dense_rows_at(all).values(), b.features.dense_rows_at(all).values()));
}

TEST(GvgParts, RanksHaveTheRowsTheyWouldHaveOfTheWhole) {
  for (const bool symmetric : {true, false}) {
    for (const bool sparse : {true, false}) {
      const TemporaryFolder folder;
      const Dataset whole = made(symmetric, sparse);
      const std::vector<std::string> paths = written(folder, whole, {0, 20, 21, 90});
      tests::on_ranks(3, [&](Ranks& ranks) {
        const Dataset part = read_part(ranks, paths);
        artifact::check_parts(ranks, part);
        EXPECT_EQ(artifact::fingerprint(part), artifact::fingerprint(whole));
        EXPECT_EQ(part.split->train, whole.split->train);
        EXPECT_EQ(part.ids.list(), ranks.first() ? whole.ids.list() : std::vector<std::string>());
        // Cut as the files are, and as they are not: then rows travel.
        for (const std::vector<int64_t>& cuts :
             {std::vector<int64_t>{0, 20, 21, 90}, std::vector<int64_t>{0, 40, 60, 90},
              std::vector<int64_t>{0, 1, 2, 90}}) {
          expect_same(own_rows(ranks, part, cuts), own_rows(ranks, whole, cuts));
        }
      });
    }
  }
}

TEST(GvgParts, APartIsForItsRankAlone) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = written(folder, made(true, true), {0, 30, 90});
  expect_bad_input({"part0.gvg", "part 0 of 2", "whole graph"}, [&] { read_gvg(paths[0]); });
  expect_bad_input({"part1.gvg", "part 1 of 2", "rank 0 of 2"}, [&] {
    tests::on_ranks(2, [&](Ranks& ranks) { read_gvg(paths[static_cast<size_t>(1 - ranks.rank())]); });
  });
  expect_bad_input({"part0.gvg", "mpirun -n 2", "rank 0 of 3"},
                   [&] { tests::on_ranks(3, [&](Ranks&) { read_gvg(paths[0]); }); });
}

TEST(GvgParts, PartsOfTwoGraphsAreFoundOut) {
  const TemporaryFolder a, b, c;
  const std::vector<int64_t> cuts{0, 30, 90};
  std::vector<std::string> paths = written(a, made(true, false), cuts);
  Dataset other = made(true, false);
  std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
  labels[5] = 2;
  other.labels = labels;
  const std::string theirs = written(b, other, cuts)[1];
  expect_bad_input({"rank 1", "a part of another graph"},
                   [&] { tests::on_ranks(2, [&](Ranks& ranks) { read_gvg(ranks.first() ? paths[0] : theirs); }); });
  write_gvg(made(true, false), c.path("whole.gvg"));
  expect_bad_input({"rank 1", "whole"}, [&] {
    tests::on_ranks(2, [&](Ranks& ranks) { read_gvg(ranks.first() ? paths[0] : c.path("whole.gvg")); });
  });
}

// A number of one row, which no check of a single part can know.
TEST(GvgParts, APartThatWasChangedIsFoundOut) {
  for (const bool sparse : {true, false}) {
    const TemporaryFolder folder;
    const std::vector<std::string> paths = written(folder, made(false, sparse), {0, 30, 90});
    std::string bytes = read_bytes(paths[1]);
    gvg::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (uint32_t i = 0; i < header.sections; ++i) {
      gvg::Entry entry;
      std::memcpy(&entry, bytes.data() + sizeof header + i * sizeof entry, sizeof entry);
      if (entry.section != gvg::Section::DenseFeatures && entry.section != gvg::Section::FeatureValues) continue;
      bytes[entry.offset + 4 * (entry.items / 2)] ^= 1;
    }
    folder.write("part1.gvg", bytes);
    expect_bad_input({"not the graph that was split"}, [&] {
      tests::on_ranks(2, [&](Ranks& ranks) { artifact::check_parts(ranks, read_part(ranks, paths)); });
    });
  }
}

// Pieces of 16 MiB, which begin and end inside of rows, on one rank and on several, and exactly between two.
TEST(GvgParts, TheHashOfPiecesIsThatOfTheWhole) {
  constexpr int32_t kColumns = 1024;  // 4096 rows are a piece
  const Dataset whole = made(true, false, 9000, kColumns);
  for (const std::vector<int64_t>& cuts :
       {std::vector<int64_t>{0, 4096, 4097, 4098, 9000}, std::vector<int64_t>{0, 1, 2, 8192, 9000},
        std::vector<int64_t>{0, 4095, 8193, 8999, 9000}}) {
    const TemporaryFolder folder;
    const std::vector<std::string> paths = written(folder, whole, cuts);
    tests::on_ranks(4, [&](Ranks& ranks) { EXPECT_NO_THROW(artifact::check_parts(ranks, read_part(ranks, paths))); });
  }
}

TEST(GvgParts, PeopleOfSeveralNodesStayKnown) {
  const TemporaryFolder folder;
  std::vector<int32_t> people(90);
  for (int32_t v = 0; v < 90; ++v) people[static_cast<size_t>(v)] = v / 2 * 2;
  const std::vector<std::string> paths = written(folder, made(true, true), {0, 30, 90}, people);
  tests::on_ranks(
      2, [&](Ranks& ranks) { EXPECT_EQ(read_gvg_entities(paths[static_cast<size_t>(ranks.rank())]), people); });
}

TEST(GvgParts, NoneIsThereUnlessAllAre) {
  const TemporaryFolder folder;
  const Dataset data = made(true, true);
  const std::vector<std::string> paths{folder.path("a.gvg"), folder.path("no/b.gvg")};
  expect_error(ErrorKind::Io, {"no/b.gvg"}, [&] {
    write_gvg_parts(data, {}, paths, std::vector<int64_t>{0, 30, 90}, artifact::lines_of(artifact::fingerprint(data)),
                    std::filesystem::perms::all);
  });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

}  // namespace
}  // namespace graphveil::files::gvg_parts_test
