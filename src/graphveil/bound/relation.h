// The neighboring relations: which two graphs a guarantee cannot tell apart.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace graphveil::bound {

// An edge u -> v means that v aggregates from u; an undirected graph stores both directions. A blank node keeps its
// slot: its id, and whether it is in the training set, are public; it has no features and no label.
enum class Relation {
  Edge,            // one directed edge is added or removed; features and labels are public
  UndirectedEdge,  // the pair u -> v, v -> u is added or removed; features and labels are public
  Node,            // one node is there or blank with every edge at it, in either direction
  Record,          // one node's record is there or blank: features, label, outgoing edges; others keep theirs
};

// All relations, in the order above.
std::span<const Relation> all_relations();

// "edge", "undirected-edge", "node", "record": the names used in options and certificates.
std::string_view name(Relation relation);
// The inverse of name(). Throws InvalidArgument for anything else.
Relation relation_from_name(std::string_view name);
// One sentence for people, for instance "one directed edge is added or removed".
std::string_view in_words(Relation relation);

// Whether features and labels are public and only edges are protected.
bool edge_level(Relation relation);

}  // namespace graphveil::bound
