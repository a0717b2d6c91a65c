// A backbone is pre-trained on a public graph.
#include "graphveil/learn/pretrain.h"

using namespace graphveil;

learn::Pretrained misuse(const graph::Dataset& records) { return learn::pretrain(records, {}, Seed::from_number(1)); }
