#include "graphveil/method/dpgpl/prompt_teachers.h"

#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "tests/method/dpgpl/small_prompts.h"
#include "tests/nn/memory_checkpoints.h"

namespace graphveil::method::prompt_teachers_test {
namespace {

TEST(PromptTeachers, EveryRecordHasOneTeacher) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  const TeacherParts all = parts_by_id(task, 20, std::nullopt);
  std::set<int32_t> seen;
  for (const std::vector<int32_t>& part : all) {
    EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
    seen.insert(part.begin(), part.end());
  }
  EXPECT_EQ(seen.size(), task.split.train.size());
  const TeacherParts few = parts_by_id(task, 20, 3);
  for (size_t t = 0; t < few.size(); ++t) {
    ASSERT_LE(few[t].size(), 3u);
    EXPECT_TRUE(std::equal(few[t].begin(), few[t].end(), all[t].begin()));
  }
}

// One record changes one teacher, and every other to not a bit.
TEST(PromptTeachers, ABlankRecordLeavesAllPromptsButOneAsTheyAre) {
  const graph::Dataset present = dense(parts().private_data);
  for (const PromptKind kind : kPrompts) {
    const PromptOptions options = small_prompt(kind, 10);
    const auto prompts_on = [&](const graph::Dataset& data) {
      const Task task = task_on(data, unlabeled_public());
      return tuned_prompts(task, backbone(), options, parts_by_id(task, 25, std::nullopt));
    };
    const Prompts before = prompts_on(present);
    for (const int32_t w : {3, 77}) {
      const Prompts after = prompts_on(without(present, w));
      const auto own = static_cast<size_t>(bound::teacher_of(w, 25));
      for (size_t t = 0; t < before.size(); ++t) {
        ASSERT_TRUE(before[t] && after[t]);
        EXPECT_EQ(same_state(state_of(*before[t]), state_of(*after[t])), t != own) << "teacher " << t;
      }
      const std::vector<int32_t> queries = first_numbers(30);
      const bound::Votes a = votes_of(before, backbone().graph(), queries);
      const bound::Votes b = votes_of(after, backbone().graph(), queries);
      for (size_t t = 0; t < a.size(); ++t) {
        if (t != own) {
          EXPECT_EQ(a[t], b[t]);
        }
      }
    }
  }
}

// Over the whole graph a teacher's prompt hangs on records of others that its own hear, and on no other's label.
TEST(PromptTeachers, HearOthersOverTheWholeGraphAlone) {
  const graph::Dataset present = dense(parts().private_data);
  int32_t u = 0;  // a record with a neighbor
  while (present.graph.in(u).empty()) ++u;
  const int32_t heard = present.graph.in(u)[0];
  const auto tuned = [&](bool hear_everybody, bool gone) {
    const graph::Dataset data = gone ? without(present, heard) : present;
    const Prompts prompts = tuned_prompts(task_on(data, unlabeled_public()), backbone(),
                                          small_prompt(PromptKind::GpfPlus, 5), {{u}}, std::nullopt, hear_everybody);
    return state_of(*prompts[0]);
  };
  EXPECT_TRUE(same_state(tuned(false, false), tuned(false, true)));
  EXPECT_FALSE(same_state(tuned(true, false), tuned(true, true)));
}

TEST(PromptTeachers, NobodyVotesForAPartWithoutRecords) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  const TeacherParts parts{{0, 5, 9}, {}};
  const Prompts prompts = tuned_prompts(task, backbone(), small_prompt(PromptKind::GpfPlus, 5), parts);
  EXPECT_FALSE(prompts[1]);
  const bound::Votes votes = votes_of(prompts, backbone().graph(), first_numbers(4));
  EXPECT_EQ(votes[1], std::vector<int32_t>(4, bound::kNoVote));
  for (const int32_t vote : votes[0]) EXPECT_NE(vote, bound::kNoVote);
}

TEST(SharedParts, HaveSomeRecordsOfEveryClass) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  const TeacherParts shared = shared_parts(task, 30, 4);
  ASSERT_EQ(shared.size(), 30u);
  for (const std::vector<int32_t>& part : shared) {
    std::vector<int> count(kClasses, 0);
    for (const int32_t u : part) ++count[static_cast<size_t>(task.data.labels[u])];
    for (const int c : count) EXPECT_EQ(c, 4);
    EXPECT_TRUE(std::ranges::is_sorted(part));
  }
  EXPECT_NE(shared[0], shared[1]);
}

// Killed after its first block, a run goes on with what it had, and ends with the same bits.
TEST(PromptTeachers, GoOnWhereTheyWereKilled) {
  const Task task = task_on(parts().private_data, unlabeled_public());
  const TeacherParts split = parts_by_id(task, 40, std::nullopt);
  for (const PromptKind kind : kPrompts) {
    const auto prompts = [&] { return tuned_prompts(task, backbone(), small_prompt(kind, 5), split); };
    const Prompts whole = prompts();
    auto first = std::make_shared<nn::MemoryCheckpoints>(), second = std::make_shared<nn::MemoryCheckpoints>();
    first->dies_at = 1;
    {
      const ContextScope scope({.checkpoints = first});
      EXPECT_THROW(prompts(), Error);
    }
    second->kept = first->kept;
    const ContextScope scope({.checkpoints = second});
    const Prompts resumed = prompts();
    EXPECT_EQ(second->saves, 2);  // 40 in blocks of 16: two were left
    for (size_t t = 0; t < whole.size(); ++t) {
      ASSERT_EQ(whole[t] == nullptr, resumed[t] == nullptr);
      if (!whole[t]) continue;
      EXPECT_TRUE(same_state(state_of(*whole[t]), state_of(*resumed[t]))) << t;
    }
    EXPECT_EQ(votes_of(whole, backbone().graph(), first_numbers(30)),
              votes_of(resumed, backbone().graph(), first_numbers(30)));
  }
}

}  // namespace
}  // namespace graphveil::method::prompt_teachers_test
