#include "graphveil/bound/relation.h"

#include "graphveil/base/error.h"

namespace graphveil::bound {

std::string_view name(Relation relation) {
  switch (relation) {
    case Relation::Edge: return "edge";
    case Relation::UndirectedEdge: return "undirected-edge";
    case Relation::Node: return "node";
  }
  fail(ErrorKind::Internal, "unknown relation {}", static_cast<int>(relation));
}

Relation relation_from_name(std::string_view text) {
  for (Relation relation : {Relation::Edge, Relation::UndirectedEdge, Relation::Node}) {
    if (name(relation) == text) return relation;
  }
  fail(ErrorKind::InvalidArgument, "relation is '{}', want edge, undirected-edge or node", text);
}

std::string_view in_words(Relation relation) {
  switch (relation) {
    case Relation::Edge: return "one directed edge is added or removed";
    case Relation::UndirectedEdge: return "one undirected edge, that is both of its directions, is added or removed";
    case Relation::Node:
      return "one node's record is present or blank: its features, its label and place in the training set, and its "
             "outgoing edges";
  }
  fail(ErrorKind::Internal, "unknown relation {}", static_cast<int>(relation));
}

}  // namespace graphveil::bound
