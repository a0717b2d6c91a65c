#include "graphveil/run/input.h"

#include <filesystem>
#include <system_error>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/base/error.h"
#include "graphveil/base/ranks.h"
#include "graphveil/files/format.h"

namespace graphveil::run {

InputData read_input(const InputPaths& paths) {
  const files::ReadOptions options{files::facebook_target(paths.target)};
  if (paths.private_graph.empty() && paths.public_graph.empty()) {
    require(!paths.data.empty(),
            "no data: give --data with --private-nodes, --public-nodes and --public-test, or --private and --public");
    return {files::read_dataset(paths.data, options), std::nullopt, files::largest_entity(paths.data)};
  }
  require(paths.data.empty(), "--data is one graph to split; leave it out, or --private and --public");
  require(!paths.private_graph.empty(), "--private is missing: --public goes with the graph to protect");
  require(!paths.public_graph.empty(), "--public is missing: --private goes with a public graph to learn on");
  std::error_code ignored;
  require(!std::filesystem::equivalent(paths.private_graph, paths.public_graph, ignored),
          "--private and --public are the same file; what is private cannot be public too");
  InputData input{files::read_dataset(paths.private_graph, options), files::read_dataset(paths.public_graph, options),
                  files::largest_entity(paths.private_graph)};
  require(!first_rank() || artifact::fingerprint(input.data) != artifact::fingerprint(*input.public_data),
          "--private and --public hold the same graph; what is private cannot be public too");
  return input;
}

}  // namespace graphveil::run
