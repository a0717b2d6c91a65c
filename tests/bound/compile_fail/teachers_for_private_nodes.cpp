// Teachers answer about public nodes alone.
#include "graphveil/learn/teachers.h"

using namespace graphveil;

void misuse(const graph::Dataset& records, const graph::Dataset& others, const learn::PublicEmbedding& embedding) {
  learn::Teachers teachers(records, others, embedding, {});
}
