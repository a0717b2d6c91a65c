#include "graphveil/bound/source.h"

#include "graphveil/base/error.h"

namespace graphveil::bound {

std::string_view source::name(Reach reach) {
  switch (reach) {
    case Reach::OwnSample: return "own-sample";
    case Reach::ReleasedLists: return "released-lists";
    case Reach::OneHop: return "one-hop";
    case Reach::ManyHops: return "many-hops";
  }
  fail(ErrorKind::Internal, "unknown reach of a record");
}

std::string_view source::name(TeacherReads reads) {
  switch (reads) {
    case TeacherReads::OwnRecords: return "own-records";
    case TeacherReads::OwnPart: return "own-part";
    case TeacherReads::ManyHops: return "many-hops";
  }
  fail(ErrorKind::Internal, "unknown reading of a teacher");
}

std::string_view name(const Source& source) {
  return std::visit([]<typename Kind>(const Kind&) { return Kind::kName; }, source);
}

std::string_view name(Reads reads) {
  switch (reads) {
    case Reads::OwnRecords: return "own-records";
    case Reads::NeighborSum: return "neighbor-sum";
    case Reads::OneHop: return "one-hop";
    case Reads::ManyHops: return "many-hops";
    case Reads::Edges: return "edges";
    case Reads::ClippedRows: return "clipped-rows";
  }
  fail(ErrorKind::Internal, "unknown reading");
}

Reads reads_from_name(std::string_view text) {
  for (const Reads reads :
       {Reads::OwnRecords, Reads::NeighborSum, Reads::OneHop, Reads::ManyHops, Reads::Edges, Reads::ClippedRows}) {
    if (name(reads) == text) return reads;
  }
  fail(ErrorKind::InvalidArgument, "a line reads '{}', which means nothing", text);
}

Reads reads(const Source& source) {
  struct Visitor {
    Reads operator()(const source::NeighborSum&) const { return Reads::NeighborSum; }
    Reads operator()(const source::NeighborCounts&) const { return Reads::NeighborSum; }
    Reads operator()(const source::ClassSums&) const { return Reads::OwnRecords; }
    Reads operator()(const source::Gradients& s) const {
      switch (s.reach) {
        case source::Reach::OwnSample:
        case source::Reach::ReleasedLists: return Reads::OwnRecords;
        case source::Reach::OneHop: return Reads::OneHop;
        case source::Reach::ManyHops: return Reads::ManyHops;
      }
      fail(ErrorKind::Internal, "unknown reach of a record");
    }
    Reads operator()(const source::Votes& s) const { return of(s.teachers); }
    Reads operator()(const source::VoteMaxima& s) const { return of(s.teachers); }
    Reads operator()(const source::Labels& s) const { return of(s.teachers); }
    Reads operator()(const source::PageRankRows&) const { return Reads::ClippedRows; }
    Reads operator()(const source::PageRankPicks&) const { return Reads::ClippedRows; }
    Reads operator()(const source::PageRankValues&) const { return Reads::ClippedRows; }
    Reads operator()(const source::EdgeCount&) const { return Reads::Edges; }
    Reads operator()(const source::EdgeCells&) const { return Reads::Edges; }
    Reads operator()(const source::Score&) const { return Reads::OwnRecords; }

    static Reads of(source::TeacherReads teachers) {
      switch (teachers) {
        case source::TeacherReads::OwnRecords: return Reads::OwnRecords;
        case source::TeacherReads::OwnPart: return Reads::ClippedRows;
        case source::TeacherReads::ManyHops: return Reads::ManyHops;
      }
      fail(ErrorKind::Internal, "unknown reading of a teacher");
    }
  };
  return std::visit(Visitor{}, source);
}

}  // namespace graphveil::bound
