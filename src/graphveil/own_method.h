// What somebody needs who writes a method of their own and registers it (method/registry.h): the method's interface,
// the bounds whose values a release takes, and training that is private.
#pragma once

#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/votes.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/method.h"
#include "graphveil/method/registry.h"
