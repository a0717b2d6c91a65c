// A graph has a bound on its degrees only from a function that proves it.
#include "graphveil/bound/out_degree.h"

using namespace graphveil;

bound::BoundedGraph misuse(graph::Graph graph) { return bound::BoundedGraph(graph, bound::Relation::Node, 1, 9); }
