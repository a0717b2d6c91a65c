// Plain text: a folder with edges.csv, features.csv, labels.csv and, if there is a split, train.csv, val.csv, test.csv.
#include <filesystem>

#include "graphveil/base/error.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/text_folder.h"
#include "graphveil/files/text_rows.h"

namespace graphveil::files {

graph::Dataset read_csv(const std::string& folder) {
  const auto needed = [&](const std::string& name) {
    std::string path = plain_or_gzip(folder + "/" + name);
    if (path.empty()) fail(ErrorKind::BadInput, "{}: {} is missing", folder, name);
    return path;
  };
  TextFiles files{needed("edges.csv"),
                  needed("features.csv"),
                  needed("labels.csv"),
                  plain_or_gzip(folder + "/train.csv"),
                  plain_or_gzip(folder + "/val.csv"),
                  plain_or_gzip(folder + "/test.csv")};
  return read_text_files(std::filesystem::path(folder + "/").parent_path().filename().string(), files);
}

}  // namespace graphveil::files
