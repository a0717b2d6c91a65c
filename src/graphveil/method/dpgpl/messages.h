// Whose messages the prompts of DP-GPL hear: whether private and public nodes are two graphs or two masks on one.
#pragma once

#include "graphveil/base/options.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Parts: private and public nodes have no edge in common, and a teacher hears from its own records alone. Whole: every
// edge is kept, and teachers, queries and students hear from everybody. Auto: whole in a run as published, else parts.
//
// Guarantee: of Whole none. A record sends messages to the teachers of others and to public nodes, in the clear.
enum class Messages { Parts, Whole, Auto };
void declare_messages(Options& options, Messages& value);

bool hear_everybody(Messages messages, bool as_published);

// Why that is no proof, for Published::reasons.
inline constexpr const char* kWholeReason =
    "all edges are kept: a record sends messages to the teachers of others and to public nodes, without noise";

// For plans of runs that promise something. Throws InvalidArgument for Whole.
void require_parts(Messages messages);
// The same for a run, whoever made its plan.
void require_parts(Messages messages, const Task& task, const Release& release);

}  // namespace graphveil::method
