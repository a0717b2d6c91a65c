// What the user declares public, and nobody else can.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/mechanism/public_data.h"

namespace graphveil::run {

inline constexpr std::string_view kPublicValidation =
    "the validation nodes' labels and features are public (--public-labels val)";
inline constexpr std::string_view kPublicGraph = "the public graph is public, and no private record entered it";

// The tokens of the user's declarations. Each says what stands among the assumptions of the certificate (run/certify.h)
// of a run that made use of it.
class Declared {
 public:
  // With --public-labels val.
  static mechanism::PublicData validation() { return mechanism::PublicData(std::string(kPublicValidation)); }
  // Of a graph that was given, or split off, as the public one.
  static mechanism::PublicData public_graph() { return mechanism::PublicData(std::string(kPublicGraph)); }
};

// A graph that the user gave as a public one.
inline mechanism::Public<graph::Dataset> declared_public(graph::Dataset data) {
  return mechanism::Public<graph::Dataset>(std::move(data), Declared::public_graph());
}

}  // namespace graphveil::run
