#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/writers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::gvg_test {
namespace {

using graph::Dataset;
using gvg::Section;

Dataset sparse_directed() {
  Dataset dataset = graph::path_dataset();
  dataset.graph = graph::graph_of(6, {{0, 1}, {1, 2}, {5, 2}});
  dataset.features = graph::small_sparse(6);
  dataset.split.reset();
  return dataset;
}

std::string bytes_of(const Dataset& dataset) {
  const TemporaryFolder folder;
  write_gvg(dataset, folder.path("a.gvg"));
  return read_bytes(folder.path("a.gvg"));
}

// A file to be damaged in one place; the checksum is made right again.
class Damaged {
 public:
  explicit Damaged(const Dataset& dataset) : bytes_(bytes_of(dataset)) {
    std::memcpy(&header, bytes_.data(), sizeof header);
    table.resize(header.sections);
    std::memcpy(table.data(), bytes_.data() + sizeof header, table.size() * sizeof(gvg::Entry));
  }
  gvg::Entry& entry(Section section) {
    return *std::find_if(table.begin(), table.end(), [&](const gvg::Entry& e) { return e.section == section; });
  }
  template <typename T>
  void set(Section section, size_t item, T value) {
    std::memcpy(bytes_.data() + entry(section).offset + item * sizeof(T), &value, sizeof(T));
  }
  void refuse(std::initializer_list<std::string> words, bool fix_checksum = true) {
    if (fix_checksum) header.checksum = gvg::checksum(header, table);
    std::memcpy(bytes_.data(), &header, sizeof header);
    std::memcpy(bytes_.data() + sizeof header, table.data(), table.size() * sizeof(gvg::Entry));
    const TemporaryFolder folder;
    expect_bad_input(words, [&] { read_gvg(folder.write("bad.gvg", bytes_)); });
  }

  gvg::Header header;
  std::vector<gvg::Entry> table;

 private:
  std::string bytes_;
};

TEST(Gvg, DenseSymmetricComesBackWithUnlabeledNodes) {
  const TemporaryFolder folder;
  const Dataset dataset = graph::path_dataset();
  write_gvg(dataset, folder.path("path.gvg"));
  const Dataset back = read_gvg(folder.path("path.gvg"));
  graph::check(back);
  EXPECT_EQ(back.name, "path");
  EXPECT_EQ(edges_of(back.graph), edges_of(dataset.graph));
  EXPECT_TRUE(back.graph.symmetric());
  EXPECT_TRUE(std::ranges::equal(back.features.dense_values(), dataset.features.dense_values()));
  EXPECT_TRUE(std::ranges::equal(back.labels, dataset.labels));
  EXPECT_EQ(back.split->test, dataset.split->test);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(back.features.dense().data) % 64, 0u);
}

TEST(Gvg, SparseDirectedComesBack) {
  const TemporaryFolder folder;
  const Dataset dataset = sparse_directed();
  write_gvg(dataset, folder.path("a.gvg"));
  const Dataset back = read_gvg(folder.path("a.gvg"));
  EXPECT_EQ(edges_of(back.graph), edges_of(dataset.graph));
  EXPECT_FALSE(back.graph.symmetric());
  EXPECT_EQ(graph::list(back.graph.in(2)), (std::vector<int32_t>{1, 5}));
  EXPECT_TRUE(std::ranges::equal(back.features.sparse().values, dataset.features.sparse().values));
  EXPECT_FALSE(back.split);
}

TEST(Gvg, EveryTruncationAndAppendingIsRefused) {
  const TemporaryFolder folder;
  const std::string bytes = bytes_of(graph::path_dataset());
  for (size_t length = 0; length < bytes.size(); length += 5) {
    expect_bad_input({"cut.gvg"}, [&] { read_gvg(folder.write("cut.gvg", bytes.substr(0, length))); });
  }
  expect_bad_input({"cut.gvg", "appended"}, [&] { read_gvg(folder.write("cut.gvg", bytes + "x")); });
}

TEST(Gvg, BrokenHeadersAreRefused) {
  const auto damage = [](auto change, std::initializer_list<std::string> words, bool fix_checksum = true) {
    Damaged file(graph::path_dataset());
    change(file);
    file.refuse(words, fix_checksum);
  };
  damage([](Damaged& f) { f.header.magic[1] = 'X'; }, {"bad.gvg", "not a .gvg file"});
  damage([](Damaged& f) { f.header.version = 5; }, {"version 5", "1 to 4"});
  damage([](Damaged& f) { f.header.version = 4; }, {"rows", "version"});  // no part of several
  damage([](Damaged& f) { f.header.byte_order = 0x04030201; }, {"byte order"});
  damage([](Damaged& f) { f.header.nodes = 5; }, {"checksum"}, false);
  damage([](Damaged& f) { f.header.nodes = 0; }, {"no nodes"});
  damage([](Damaged& f) { f.header.nodes = -6; }, {"-6 nodes"});
  damage([](Damaged& f) { f.header.nodes = 5; }, {"out_offsets", "7 items", "6"});
  damage([](Damaged& f) { f.header.feature_columns = 3; }, {"dense_features", "12 items", "18"});
  damage([](Damaged& f) { f.header.feature_columns = -1; }, {"-1 feature columns"});
  damage([](Damaged& f) { f.header.classes = 0; }, {"0 classes"});
  damage([](Damaged& f) { f.header.classes = 7; }, {"7 classes"});
  damage([](Damaged& f) { f.header.sections = 0xffffffff; }, {"section table"}, false);
  damage([](Damaged& f) { f.header.flags ^= gvg::kSparseFeatures; }, {"feature_offsets", "missing"});
  damage([](Damaged& f) { f.header.flags ^= gvg::kSymmetric; }, {"in_offsets", "missing"});
}

TEST(Gvg, BrokenTablesAreRefused) {
  const auto damage = [](auto change, std::initializer_list<std::string> words) {
    Damaged file(graph::path_dataset());
    change(file);
    file.refuse(words);
  };
  damage([](Damaged& f) { f.entry(Section::Labels).offset += 4; }, {"labels", "outside its place"});
  damage([](Damaged& f) { f.entry(Section::Labels).offset = 64; }, {"labels", "outside its place"});
  damage([](Damaged& f) { f.entry(Section::Labels).offset = ~uint64_t{63}; }, {"labels", "outside its place"});
  damage([](Damaged& f) { f.entry(Section::Labels).items = ~uint64_t{0}; }, {"labels", "outside its place"});
  damage([](Damaged& f) { f.entry(Section::Labels).item_bytes = 8; }, {"labels", "outside its place"});
  damage([](Damaged& f) { f.entry(Section::Test).section = Section::Train; }, {"train", "twice"});
  damage([](Damaged& f) { f.entry(Section::Test).section = static_cast<Section>(99); }, {"unknown section 99"});
  damage([](Damaged& f) { f.entry(Section::Labels).items = 5; }, {"labels", "5 items, want 6"});
}

TEST(Gvg, BrokenValuesAreRefused) {
  const auto damage = [](const Dataset& dataset, auto change, std::initializer_list<std::string> words) {
    Damaged file(dataset);
    change(file);
    file.refuse(words);
  };
  const Dataset dense = graph::path_dataset(), sparse = sparse_directed();
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::OutNeighbors, 1, 6); }, {"out_neighbors", "row 1"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::OutNeighbors, 1, -1); }, {"out_neighbors", "row 1"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::OutNeighbors, 1, 1); }, {"out_neighbors", "row 1"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::OutNeighbors, 0, 3); }, {"out_neighbors", "not symmetric"});
  damage(dense, [](Damaged& f) { f.set<int64_t>(Section::OutOffsets, 2, 9); }, {"out_offsets"});
  damage(dense, [](Damaged& f) { f.set<int64_t>(Section::OutOffsets, 0, -9); }, {"out_offsets"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::Labels, 3, 3); }, {"labels", "row 3", "3"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::Labels, 3, -2); }, {"labels", "row 3", "-2"});
  damage(dense, [](Damaged& f) { f.set<float>(Section::DenseFeatures, 5, NAN); }, {"dense_features", "row 2", "nan"});
  damage(dense, [](Damaged& f) { f.set<float>(Section::DenseFeatures, 4, INFINITY); }, {"dense_features", "row 2"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::Train, 0, 6); }, {"train", "row 0"});
  damage(dense, [](Damaged& f) { f.set<int32_t>(Section::Train, 0, 1); }, {"node 1"});
  damage(sparse, [](Damaged& f) { f.set<int32_t>(Section::InNeighbors, 0, 3); }, {"in_neighbors", "same edges"});
  damage(sparse, [](Damaged& f) { f.set<int32_t>(Section::FeatureIndices, 2, 7); }, {"feature_indices", "row 1"});
  damage(sparse, [](Damaged& f) { f.set<int32_t>(Section::FeatureIndices, 2, -1); }, {"feature_indices", "row 1"});
  damage(sparse, [](Damaged& f) { f.set<int64_t>(Section::FeatureOffsets, 6, 11); }, {"feature_offsets"});
  damage(sparse, [](Damaged& f) { f.set<float>(Section::FeatureValues, 2, NAN); }, {"feature_values", "row 2"});
}

// Whether there is an edge is private, and a graph of self-loops is one without edges.
TEST(Gvg, GraphWithoutEdgesIsReadBack) {
  Dataset dataset = graph::path_dataset();
  dataset.graph = graph::graph_of(6, {});
  const TemporaryFolder folder;
  const Dataset back = read_gvg(folder.write("a.gvg", bytes_of(dataset)));
  EXPECT_EQ(back.nodes(), 6);
  EXPECT_EQ(back.graph.edges(), 0);
}

Dataset named() {
  Dataset dataset = sparse_directed();
  const std::vector<std::string> ids{"a", "", "c\nd", "é", "e", "f"};
  std::vector<std::string> classes, columns;
  for (int32_t c = 0; c < dataset.classes; ++c) classes.push_back("class " + std::to_string(c));
  for (int64_t c = 0; c < dataset.features.cols(); ++c) columns.push_back("column " + std::to_string(c));
  dataset.ids = graph::Names(std::span<const std::string>(ids));
  dataset.class_names = graph::Names(std::span<const std::string>(classes));
  dataset.feature_names = graph::Names(std::span<const std::string>(columns));
  dataset.schema = "format = 1";
  return dataset;
}

TEST(Gvg, NamesComeBack) {
  const TemporaryFolder folder;
  const Dataset dataset = named(), back = read_gvg(folder.write("a.gvg", bytes_of(dataset)));
  EXPECT_EQ(back.ids, dataset.ids);
  EXPECT_EQ(back.class_names, dataset.class_names);
  EXPECT_EQ(back.feature_names, dataset.feature_names);
  EXPECT_EQ(back.schema, dataset.schema);
  graph::check(back);
}

// Version 1 is what earlier programs wrote, and what they read.
TEST(Gvg, WithoutNamesTheVersionIsTheFirst) {
  EXPECT_EQ(Damaged(sparse_directed()).header.version, 1u);
  EXPECT_EQ(Damaged(named()).header.version, 2u);
}

TEST(Gvg, BrokenNamesAreRefused) {
  for (const Section section : {Section::IdOffsets, Section::ClassOffsets, Section::ColumnOffsets}) {
    for (const int64_t value : {int64_t{-1}, int64_t{1} << 40}) {
      Damaged file(named());
      file.set<int64_t>(section, 1, value);
      file.refuse({gvg::facts(section)->name});
    }
    Damaged file(named());
    --file.entry(section).items;
    file.refuse({gvg::facts(section)->name, "items"});
  }
  for (const Section section : {Section::IdText, Section::ClassText, Section::ColumnText, Section::Schema}) {
    Damaged file(named());
    file.set<char>(section, 0, '\xFF');
    file.refuse({gvg::facts(section)->name, "UTF-8"});
  }
}

TEST(Gvg, WhatWasFoundInTheDataComesBack) {
  const TemporaryFolder folder;
  Dataset dataset = sparse_directed();
  // Without it the file is as it always was.
  const std::string before = bytes_of(dataset);
  EXPECT_EQ(before.find("found"), std::string::npos);
  EXPECT_TRUE(read_gvg(folder.write("a.gvg", before)).found_in_data.empty());
  dataset.found_in_data = {"which nodes have an edge", "which classes have at least 3 nodes"};
  EXPECT_EQ(read_gvg(folder.write("b.gvg", bytes_of(dataset))).found_in_data, dataset.found_in_data);
}

TEST(Gvg, WhatWasFoundInTheDataIsPrintableLines) {
  Dataset dataset = sparse_directed();
  dataset.found_in_data = {"ab", "cd"};
  for (const auto& [place, letter] : {std::pair{0, '\n'}, {1, '\0'}, {4, '\t'}, {5, 'x'}}) {
    Damaged file(dataset);
    file.set(Section::FoundInData, static_cast<size_t>(place), letter);
    file.refuse({"found_in_data"});
  }
}

TEST(Gvg, SaysWhoIsSeveralNodes) {
  const TemporaryFolder folder;
  const Dataset dataset = sparse_directed();
  const std::string path = folder.path("a.gvg");
  write_gvg(dataset, path);
  EXPECT_FALSE(read_gvg_entities(path).has_value());
  const std::vector<int32_t> people{0, 1, 0, 3, 0, 5};
  write_gvg(dataset, path, people);
  EXPECT_EQ(read_gvg_entities(path), people);
  EXPECT_EQ(read_gvg(path).labels.size(), dataset.labels.size());
  const std::string bytes = read_bytes(path);
  EXPECT_EQ(bytes[8], 3);  // a version that earlier programs refuse
  for (const int32_t bad : {-1, 6}) {
    const std::vector<int32_t> wrong{0, 1, bad, 3, 0, 5};
    write_gvg(dataset, path, wrong);
    expect_bad_input({"entities", "out of range"}, [&] { read_gvg_entities(path); });
  }
  EXPECT_THROW(write_gvg(dataset, path, std::vector<int32_t>{0, 1}), Error);
}

}  // namespace
}  // namespace graphveil::files::gvg_test
