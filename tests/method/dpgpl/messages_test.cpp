#include "graphveil/method/dpgpl/messages.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::messages_test {
namespace {

TEST(Messages, OfEverybodyAreHeardWhereAskedForOrAsPublished) {
  for (const bool as_published : {false, true}) {
    EXPECT_TRUE(hear_everybody(Messages::Whole, as_published));
    EXPECT_FALSE(hear_everybody(Messages::Parts, as_published));
    EXPECT_EQ(hear_everybody(Messages::Auto, as_published), as_published);
  }
}

TEST(Messages, OfEverybodyAreRefusedWhereSomethingIsPromised) {
  EXPECT_NO_THROW(require_parts(Messages::Parts));
  EXPECT_NO_THROW(require_parts(Messages::Auto));
  EXPECT_THROW(require_parts(Messages::Whole), Error);
  Task task = task_on(parts().private_data, unlabeled_public());
  const Release nothing = Release::clear(bound::Relation::Node, {});
  EXPECT_NO_THROW(require_parts(Messages::Whole, task, nothing));
  const Release promise = Release::open(bound::Relation::Node, {}, {1, 1e-4}, Seed::from_number(4));
  EXPECT_THROW(require_parts(Messages::Whole, task, promise), Error);
  task.as_published = true;
  EXPECT_NO_THROW(require_parts(Messages::Whole, task, promise));
}

}  // namespace
}  // namespace graphveil::method::messages_test
