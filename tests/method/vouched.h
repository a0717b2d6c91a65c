// Data of tests, which is made up, as public data.
#pragma once

#include "graphveil/method/method.h"
#include "graphveil/run/declared.h"

namespace graphveil::method {

inline Public<graph::Dataset> vouched(const graph::Dataset& data) { return run::declared_public(data); }

// `split` must outlive it.
inline PublicGraph vouched_graph(const graph::Dataset& data, const graph::Split& split) {
  return {vouched(data), split, run::Declared::public_graph()};
}

}  // namespace graphveil::method
