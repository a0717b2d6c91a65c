// An Open Graph Benchmark node-property folder as downloaded: raw/*.csv.gz and split/<scheme>/*.csv.gz.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "graphveil/files/bad_input.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/text_folder.h"
#include "graphveil/files/text_rows.h"

namespace graphveil::files {
namespace {

// The folder of the only split, or of the first by name.
std::string split_folder(const std::string& folder) {
  std::vector<std::string> schemes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/split", error)) {
    if (entry.is_directory(error)) schemes.push_back(entry.path().string());
  }
  return schemes.empty() ? std::string() : *std::min_element(schemes.begin(), schemes.end());
}

void check_count(const std::string& path, int64_t count, const char* what) {
  if (path.empty()) return;
  const std::vector<int64_t> listed = read_column(path);
  if (listed.size() != 1) bad_file(path, "describes {} graphs, want 1", listed.size());
  if (listed[0] != count) bad_row(path, "line", 0, "says {} {}, but there are {}", listed[0], what, count);
}

}  // namespace

graph::Dataset read_ogb(const std::string& folder) {
  const auto needed = [&](const std::string& name) {
    std::string path = plain_or_gzip(folder + "/raw/" + name);
    if (path.empty()) bad_file(folder, "raw/{} is missing", name);
    return path;
  };
  TextFiles files{needed("edge.csv"), needed("node-feat.csv"), needed("node-label.csv"), {}, {}, {}};
  if (const std::string split = split_folder(folder); !split.empty()) {
    files.train = plain_or_gzip(split + "/train.csv");
    files.val = plain_or_gzip(split + "/valid.csv");
    files.test = plain_or_gzip(split + "/test.csv");
  }
  graph::Dataset dataset =
      read_text_files(std::filesystem::path(folder + "/").parent_path().filename().string(), files);
  check_count(plain_or_gzip(folder + "/raw/num-node-list.csv"), dataset.nodes(), "nodes");
  check_count(plain_or_gzip(folder + "/raw/num-edge-list.csv"), dataset.cleanup.stored, "edges");
  return dataset;
}

}  // namespace graphveil::files
