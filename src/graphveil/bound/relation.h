// The neighboring relations: which two graphs a guarantee cannot tell apart.
#pragma once

#include <string>
#include <string_view>

namespace graphveil::bound {

// An edge u -> v means that v aggregates from u; an undirected graph stores both directions.
enum class Relation {
  Edge,            // one directed edge is added or removed; features and labels are public
  UndirectedEdge,  // the pair u -> v, v -> u is added or removed; features and labels are public
  Node,            // one node's record is present or blank: its features, its label, its outgoing edges
};

// "edge", "undirected-edge", "node": the names used in options and certificates.
std::string_view name(Relation relation);
// The inverse of name(). Throws InvalidArgument for anything else.
Relation relation_from_name(std::string_view name);
// One sentence for people, for instance "one directed edge is added or removed".
std::string_view in_words(Relation relation);

}  // namespace graphveil::bound
