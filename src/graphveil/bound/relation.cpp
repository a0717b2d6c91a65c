#include "graphveil/bound/relation.h"

#include <array>

#include "graphveil/base/error.h"

namespace graphveil::bound {
namespace {

constexpr std::array kAll = {Relation::Edge, Relation::UndirectedEdge, Relation::Node, Relation::Record};

}  // namespace

std::span<const Relation> all_relations() { return kAll; }

std::string_view name(Relation relation) {
  switch (relation) {
    case Relation::Edge: return "edge";
    case Relation::UndirectedEdge: return "undirected-edge";
    case Relation::Node: return "node";
    case Relation::Record: return "record";
  }
  fail(ErrorKind::Internal, "unknown relation");
}

Relation relation_from_name(std::string_view text) {
  for (const Relation relation : kAll) {
    if (name(relation) == text) return relation;
  }
  fail(ErrorKind::InvalidArgument, "relation is '{}', want edge, undirected-edge, node or record", text);
}

std::string_view in_words(Relation relation) {
  switch (relation) {
    case Relation::Edge: return "one directed edge is added or removed";
    case Relation::UndirectedEdge: return "one undirected edge, that is both of its directions, is added or removed";
    case Relation::Node: return "one node is there or blank, with its features, its label and every edge at it";
    case Relation::Record:
      return "one node's record is there or blank: its features, its label and its own list of outgoing edges; edges "
             "that others list stay";
  }
  fail(ErrorKind::Internal, "unknown relation");
}

bool edge_level(Relation relation) { return relation == Relation::Edge || relation == Relation::UndirectedEdge; }

}  // namespace graphveil::bound
