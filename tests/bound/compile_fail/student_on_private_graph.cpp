// A student that may be published is not taught on a graph that nobody vouched
// for.
#include "graphveil/learn/student.h"

using namespace graphveil;

void misuse(const graph::Dataset& records) { learn::Student student(records, 3, {}, Seed::from_number(1)); }
