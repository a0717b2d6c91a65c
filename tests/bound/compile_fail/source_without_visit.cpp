// Whoever looks at what a line releases looks at all kinds.
#include "graphveil/mechanism/plan.h"

using namespace graphveil;

struct OnlyVotes {
  int64_t operator()(const bound::source::Votes& votes) const { return votes.queries; }
};

int64_t misuse(const mechanism::PlanLine& line) { return std::visit(OnlyVotes{}, line.source()); }
