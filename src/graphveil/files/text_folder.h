// What the two layouts of text files in a folder share.
#pragma once

#include <string>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// Paths of the text files of one graph; an empty path means that the file is not there.
struct TextFiles {
  std::string edges;
  std::string features;
  std::string labels;
  std::string train, val, test;
};

// Nodes are the rows of the labels file.
graph::Dataset read_text_files(const std::string& name, const TextFiles& files);

}  // namespace graphveil::files
