// Operations whose parameter's gradient is a sum over rows of something of the parameter's own size: column
// scales, attention vectors, slopes. They share one per-sample rule: the norm of the sum over a sample's rows.
#pragma once

#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// x with column c multiplied by s(0, c); s has one row: a multiplicative prompt.
Var scale_columns(Var x, Var s);
// (1 + s) x with s of 1 x 1: GIN's own share of a node.
Var scale_by_one_plus(Var x, Var s);
// The columns of x are `heads` blocks of equal width; out(r, h) = <block h of x_r, block h of v>, with v of one
// row as wide as x: GAT's attention vectors.
Var head_dot(Var x, Var v, int64_t heads);
// x where x > 0, else slope x; slopes is 1 x 1, or 1 x cols.
Var prelu(Var x, Var slopes);

}  // namespace graphveil::nn
