// The papers' own privacy arithmetic, to reproduce their tables: `--accounting published`. None of these is a
// guarantee; why, and what holds instead, is said at each formula and in docs/published-accounting.md.
#pragma once

#include "graphveil/account/published_dpar.h"
#include "graphveil/account/published_dpgnn.h"
#include "graphveil/account/published_gap.h"
#include "graphveil/account/published_lnmax.h"
#include "graphveil/account/published_pate.h"
#include "graphveil/account/published_privgnn.h"
