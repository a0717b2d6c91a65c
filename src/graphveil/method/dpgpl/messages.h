// Whether the private and the public nodes of DP-GPL are two graphs or two masks on one.
#pragma once

#include "graphveil/base/options.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Parts: two graphs without an edge in common, and a teacher hears from its own records alone. Whole: one graph with
// all of its edges, over which teachers, queries and students hear from everybody.
//
// Guarantee: of Whole none. One record sends messages to teachers of others and to public nodes, in the clear.
enum class Messages { Parts, Whole };
void declare_messages(Options& options, Messages& value);

// Why a run over the whole graph is no proof, for Published::reasons.
inline constexpr const char* kWholeReason =
    "messages cross between private and public nodes: a record reaches other teachers and public nodes without noise";

// For plans of runs that promise something. Throws InvalidArgument for Whole.
void require_parts(Messages messages);
// The same for a run, whoever made its plan.
void require_parts(Messages messages, const Task& task, const Release& release);

}  // namespace graphveil::method
