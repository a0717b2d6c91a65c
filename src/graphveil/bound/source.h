// What a line of a plan releases: one kind for every bound of this room, with the numbers that the kind turns on.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace graphveil::bound {

namespace source {

// Each kind has a name, as certificates write it, and lists its numbers once, to be written and read by.

// Which samples of a training one record is in.
enum class Reach {
  OwnSample,      // its own alone
  ReleasedLists,  // its own, and those whose lists name it; the lists were released before
  OneHop,         // its own, and those of the nodes that it points to: a node of degree d is in 1 + d of them
  ManyHops,       // those of nodes further away too
};
// "own-sample", "released-lists", "one-hop", "many-hops".
std::string_view name(Reach reach);

// What a teacher reads of the private data.
enum class TeacherReads {
  OwnRecords,  // records, and no edge
  OwnPart,     // records and the edges among them; no other teacher reads any of these
  ManyHops,    // records and edges of a sample: nothing is stated for an edge alone
};
// "own-records", "own-part", "many-hops".
std::string_view name(TeacherReads reads);

// Rows summed over neighbors (neighbor_sum.h): one record, or edge, moves them by sqrt(messages) rows.
struct NeighborSum {
  static constexpr std::string_view kName = "neighbor-sum";
  int64_t messages = 1;
  static void list(auto& self, auto&& number) { number("messages", self.messages); }
  bool operator==(const NeighborSum&) const = default;
};

// Neighbors counted by group (neighbor_counts.h): one edge moves so many cells, by 1 each.
struct NeighborCounts {
  static constexpr std::string_view kName = "neighbor-counts";
  int64_t cells = 1;
  static void list(auto& self, auto&& number) { number("cells", self.cells); }
  bool operator==(const NeighborCounts&) const = default;
};

// Records' rows summed by class (class_sums.h).
struct ClassSums {
  static constexpr std::string_view kName = "class-sums";
  int64_t classes = 2;
  static void list(auto& self, auto&& number) { number("classes", self.classes); }
  bool operator==(const ClassSums&) const = default;
};

// Clipped gradients of samples (clipping.h): a record touches `deletions` of them when it is there, and `insertions`
// stand changed in their place when it is blank.
struct Gradients {
  static constexpr std::string_view kName = "gradients";
  Reach reach = Reach::OwnSample;
  int64_t deletions = 1;
  int64_t insertions = 0;
  static void list(auto& self, auto&& number) {
    number("reach", self.reach);
    number("deletions", self.deletions);
    number("insertions", self.insertions);
  }
  bool operator==(const Gradients&) const = default;
};

// Teachers' votes by query and class (votes.h), each of at most this weight.
struct Votes {
  static constexpr std::string_view kName = "votes";
  int64_t queries = 1;
  double weight = 1;
  TeacherReads teachers = TeacherReads::OwnRecords;
  static void list(auto& self, auto&& number) {
    number("queries", self.queries);
    number("weight", self.weight);
    number("teachers", self.teachers);
  }
  bool operator==(const Votes&) const = default;
};

// The largest count of every query (votes.h).
struct VoteMaxima {
  static constexpr std::string_view kName = "vote-maxima";
  int64_t queries = 1;
  double weight = 1;
  TeacherReads teachers = TeacherReads::OwnRecords;
  static void list(auto& self, auto&& number) {
    number("queries", self.queries);
    number("weight", self.weight);
    number("teachers", self.teachers);
  }
  bool operator==(const VoteMaxima&) const = default;
};

// Labels that a teacher, or most of the teachers, give to queries (label.h): one release for each.
struct Labels {
  static constexpr std::string_view kName = "labels";
  TeacherReads teachers = TeacherReads::OwnRecords;
  static void list(auto& self, auto&& number) { number("teachers", self.teachers); }
  bool operator==(const Labels&) const = default;
};

// Clipped rows of personalized PageRank (pagerank_rows.h), all of them at once.
struct PageRankRows {
  static constexpr std::string_view kName = "pagerank-rows";
  int64_t rows = 1;
  static void list(auto& self, auto&& number) { number("rows", self.rows); }
  bool operator==(const PageRankRows&) const = default;
};

// Nodes picked by their entries in such rows, pick by pick.
struct PageRankPicks {
  static constexpr std::string_view kName = "pagerank-picks";
  static void list(auto&, auto&&) {}
  bool operator==(const PageRankPicks&) const = default;
};

// Entries of such rows at places that are public, entry by entry.
struct PageRankValues {
  static constexpr std::string_view kName = "pagerank-values";
  static void list(auto&, auto&&) {}
  bool operator==(const PageRankValues&) const = default;
};

// The number of edges (edge_cells.h).
struct EdgeCount {
  static constexpr std::string_view kName = "edge-count";
  static void list(auto&, auto&&) {}
  bool operator==(const EdgeCount&) const = default;
};

// The edges, as cells of the table of pairs (edge_cells.h).
struct EdgeCells {
  static constexpr std::string_view kName = "edge-cells";
  static void list(auto&, auto&&) {}
  bool operator==(const EdgeCells&) const = default;
};

// How many predictions are right (correct_count.h).
struct Score {
  static constexpr std::string_view kName = "score";
  static void list(auto&, auto&&) {}
  bool operator==(const Score&) const = default;
};

}  // namespace source

// Whoever looks at a source visits all kinds: a new one does not compile until it has a statement for other degrees
// (run/statements.cpp), a game (attack/game.cpp) and a case in the games' test.
using Source =
    std::variant<source::NeighborSum, source::NeighborCounts, source::ClassSums, source::Gradients, source::Votes,
                 source::VoteMaxima, source::Labels, source::PageRankRows, source::PageRankPicks,
                 source::PageRankValues, source::EdgeCount, source::EdgeCells, source::Score>;

// The name of its kind, for instance "neighbor-sum".
std::string_view name(const Source& source);

// What it reads, in a word for certificates.
enum class Reads {
  OwnRecords,   // each node's own record, or rows released about it: the same at every degree, nothing for an edge
  NeighborSum,  // one message along every edge: a node of degree d moves it by sqrt(d) messages
  OneHop,       // samples of a node and those that point to it: a node of degree d is in 1 + d of them
  ManyHops,     // samples that reach further: nothing is stated for other degrees
  Edges,        // the edges themselves, one by one
  ClippedRows,  // the graph, clipped whatever changed in it: the same at every degree, and for one edge
};
// "own-records", "neighbor-sum", "one-hop", "many-hops", "edges", "clipped-rows".
std::string_view name(Reads reads);
// The inverse of name(). Throws InvalidArgument for anything else.
Reads reads_from_name(std::string_view name);
Reads reads(const Source& source);

}  // namespace graphveil::bound
