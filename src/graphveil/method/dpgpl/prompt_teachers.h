// Teachers of DP-GPL: prompts tuned on disjoint parts of the private records, which vote on public nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graphveil/bound/votes.h"
#include "graphveil/method/dpgpl/prompt.h"
#include "graphveil/method/dpgpl/public_backbone.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// The records of each teacher, rising.
using TeacherParts = std::vector<std::vector<int32_t>>;

// Training records with a label, split by a hash of their ids; `shots`: at most so many for a teacher, the first ones.
//
// Guarantee: a record's part is told by its id alone, so a record that is blank leaves all parts but its own as they
// are.
TeacherParts parts_by_id(const Task& task, int64_t teachers, const std::optional<int64_t>& shots);

// Whose count --shots is: a teacher's records, or those of each class.
enum class ShotsPer { Teacher, Class };
void declare_shots_per(Options& options, ShotsPer& value);

// `shots` records of each class for every teacher, drawn from all that have a label: more than there are, so teachers
// share them. What the paper's figures need where a teacher cannot have records of every class and of its own.
//
// Guarantee: none. One record is in many parts.
TeacherParts shared_parts(const Task& task, int64_t teachers, int64_t shots);

// A prompt for each part; none for a part without records.
//
// Guarantee: the prompt of a part reads of the private data the features and labels of its records and the edges that
// join two of them, and nothing else. `answer` is for prompts of --answer shared, and must be public for that. None
// where records `hear_everybody`: then it reads all from whom messages reach them.
using Prompts = std::vector<std::unique_ptr<Prompt>>;
Prompts tuned_prompts(const Task& task, const PublicBackbone& backbone, const PromptOptions& options,
                      const TeacherParts& parts, const std::optional<LinearAnswer>& answer = std::nullopt,
                      bool hear_everybody = false);

// The class that each prompt gives to every query, a node of the graph.
bound::Votes votes_of(const Prompts& prompts, const PromptGraph& graph, std::span<const int32_t> queries);

// The records' own graph: their rows, and the edges that join two of them. `records` must rise.
PromptGraph records_graph(const Task& task, ConstMatrixView rows, std::span<const int32_t> records,
                          const Backbone& backbone, Standard standard);

}  // namespace graphveil::method
