#include "graphveil/files/format.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::format_test {
namespace {

TEST(Format, ContentDecidesBeforeTheName) {
  const TemporaryFolder folder;
  EXPECT_EQ(detect_format(folder.write("a.bin", npz(good_arrays()))), Format::Npz);
  EXPECT_EQ(detect_format(folder.write("a.gvg", good_mat(true))), Format::Facebook100);
  write_gvg(graph::path_dataset(), folder.path("b.mat"));
  std::filesystem::rename(folder.path("b.mat"), folder.path("b.npz"));
  EXPECT_EQ(detect_format(folder.path("b.npz")), Format::Gvg);
}

TEST(Format, NameDecidesForDamagedFiles) {
  const TemporaryFolder folder;
  expect_bad_input({"a.npz", "not a zip archive"}, [&] { read_dataset(folder.write("a.npz", "junk")); });
  expect_bad_input({"a.mat", "not a MATLAB 5 file"}, [&] { read_dataset(folder.write("a.mat", "junk")); });
  expect_bad_input({"a.gvg", "not a .gvg file"}, [&] { read_dataset(folder.write("a.gvg", "junk")); });
  expect_bad_input({"a.txt", "neither"}, [&] { read_dataset(folder.write("a.txt", "junk")); });
}

TEST(Format, Folders) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : good_csv()) folder.write("plain/" + name, text);
  for (const auto& [name, text] : good_ogb()) folder.write("ogb/" + name, text);
  EXPECT_EQ(detect_format(folder.path("plain")), Format::Csv);
  EXPECT_EQ(detect_format(folder.path("ogb")), Format::Ogb);
  EXPECT_EQ(read_dataset(folder.path("plain/edges.csv")).graph.edges(), 5);
  EXPECT_EQ(read_dataset(folder.path("ogb")).graph.edges(), 5);
  expect_bad_input({"a folder with neither"}, [&] { read_dataset(folder.path("")); });
}

TEST(Format, PathsThatAreNotThere) {
  expect_error(ErrorKind::Io, {"/no/such/file.npz", "No such file"}, [] { read_dataset("/no/such/file.npz"); });
  expect_error(ErrorKind::Io, {"regular"}, [] { read_dataset("/dev/null"); });
}

TEST(Format, WritesByTheEndingOfTheName) {
  const TemporaryFolder folder;
  graph::Dataset dataset = graph::path_dataset();
  dataset.labels = std::vector<int32_t>{0, 1, 2, 0, 1, 2};
  write_dataset(dataset, folder.path("a.npz"));
  write_dataset(dataset, folder.path("a.gvg"));
  EXPECT_EQ(detect_format(folder.path("a.npz")), Format::Npz);
  EXPECT_EQ(detect_format(folder.path("a.gvg")), Format::Gvg);
  expect_error(ErrorKind::InvalidArgument, {".npz or .gvg"}, [&] { write_dataset(dataset, folder.path("a.csv")); });
}

TEST(Format, TargetNames) {
  EXPECT_EQ(facebook_target("year"), FacebookTarget::Year);
  EXPECT_EQ(facebook_target("status"), FacebookTarget::Status);
  EXPECT_EQ(facebook_target("high-school"), FacebookTarget::HighSchool);
  expect_error(ErrorKind::InvalidArgument, {"'age'"}, [] { facebook_target("age"); });
  EXPECT_EQ(std::string(name(Format::Ogb)), "ogb");
}

TEST(Format, TheLargestPersonIsCounted) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.gvg");
  const graph::Dataset dataset = graph::path_dataset();
  write_dataset(dataset, path);
  EXPECT_FALSE(largest_entity(path).has_value());
  std::vector<int32_t> people(static_cast<size_t>(dataset.nodes()), 0);
  for (size_t v = 2; v < people.size(); ++v) people[v] = static_cast<int32_t>(v);
  write_dataset(dataset, path, people);
  EXPECT_EQ(largest_entity(path), 2);
  EXPECT_EQ(read_entities(path), people);
  EXPECT_EQ(largest_entity(people), 2);
  EXPECT_THROW(write_dataset(dataset, folder.path("a.npz"), people), Error);
  write_dataset(dataset, folder.path("a.npz"));
  EXPECT_FALSE(largest_entity(folder.path("a.npz")).has_value());
  EXPECT_TRUE(read_entities(folder.path("a.npz")).empty());
}

}  // namespace
}  // namespace graphveil::files::format_test
