// Initial weights that keep lengths and angles.
#pragma once

#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"

namespace graphveil::nn {

// Rows at right angles and of norm 1, or columns where those are fewer (Saxe, McClelland and Ganguli 2014): a layer
// that starts so loses nothing of what it reads.
void fill_orthogonal(MatrixView weight, RandomStream& random);

}  // namespace graphveil::nn
