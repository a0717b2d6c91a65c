#include "graphveil/method/dpgpl/public_backbone.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/method/dpgpl/small_prompts.h"
#include "tests/method/vouched.h"

namespace graphveil::method::public_backbone_test {
namespace {

TEST(PublicBackbone, ARecordsRowIsItsOwn) {
  const graph::Dataset present = dense(parts().private_data);
  const Matrix rows = backbone().rows(present.features);
  const Matrix other = backbone().rows(without(present, 7).features);
  for (int64_t v = 0; v < rows.rows(); ++v) {
    const bool equal = std::equal(rows.row(v).begin(), rows.row(v).end(), other.row(v).begin());
    EXPECT_EQ(equal, v != 7);
  }
}

TEST(PublicBackbone, KeepsWhatItKnowsOfThePublicGraphWhenSaved) {
  nn::State state;
  backbone().save(state);
  const PublicBackbone again = PublicBackbone::loaded(state, unlabeled_public());
  EXPECT_TRUE(same(backbone().smoothed(), again.smoothed()));
  EXPECT_TRUE(same(backbone().graph().standard.shift, again.graph().standard.shift));
  // On another graph the standard and the center stay those of the public one.
  const PublicBackbone other = PublicBackbone::loaded(state, parts().private_data);
  EXPECT_TRUE(same(backbone().graph().standard.shift, other.graph().standard.shift));
  EXPECT_EQ(other.smoothed().rows(), parts().private_data.nodes());
}

// Read as they are, embeddings need nothing of the public graph, saved or not.
TEST(PublicBackbone, EmbeddingsCanBeReadAsTheyAre) {
  PublicBackboneOptions options = small_backbone();
  options.center = false;
  const PublicBackbone plain = PublicBackbone::made(task_on(parts().private_data, unlabeled_public()), options);
  nn::State state;
  plain.save(state);
  const Matrix embeddings = plain.network().embed(plain.graph().rows, plain.graph().edges);
  nn::Tape tape(Seed::from_number(1));
  const PublicBackbone again = PublicBackbone::loaded(state, unlabeled_public());
  for (const PublicBackbone* read : {&plain, &again}) {
    tape.start();
    const ConstMatrixView rows = read->graph().standard(tape.input(embeddings)).value();
    EXPECT_TRUE(std::ranges::equal(rows.row(3), embeddings.row(3)));
    EXPECT_TRUE(read->standard(20).plain && read->standard_alone().plain);
  }
}

TEST(PublicBackbone, SmoothedRowsHaveNormOne) {
  const Matrix rows = backbone().smoothed();
  for (int64_t v = 0; v < rows.rows(); ++v) {
    double squares = 0;
    for (const Real x : rows.row(v)) squares += double{x} * x;
    EXPECT_NEAR(squares, 1, 1e-4);
  }
}

// Cut into as many parts as nodes hardly an edge is left.
TEST(PublicBackbone, ManyPartsAreAsGoodAsNoEdges) {
  const Standard alone = backbone().standard_alone(), many = backbone().standard(1000000), one = backbone().standard(1);
  for (int64_t c = 0; c < 16; ++c) EXPECT_NEAR(alone.shift(0, c), many.shift(0, c), 1e-3);
  EXPECT_TRUE(same(one.shift, backbone().graph().standard.shift));
  EXPECT_FALSE(same(one.shift, alone.shift));
}

TEST(PublicBackbone, IsReadFromAFile) {
  const Task plain = task_on(parts().private_data, unlabeled_public());
  nn::State arrays;
  pretrain(vouched(unlabeled_public()), small_backbone().pretrain, plain.seed).save(arrays, "");
  PublicBackboneOptions options = small_backbone();
  options.file = "backbone.safetensors";
  EXPECT_THROW(PublicBackbone::made(plain, options), Error);  // not read
  Task task = plain;
  task.public_arrays = &arrays;
  const PublicBackbone made = PublicBackbone::made(task, options);
  nn::State a, b;
  made.save(a);
  backbone().save(b);
  EXPECT_TRUE(same_state(a, b));
  EXPECT_EQ(options.assumptions().size(), 1u);
  arrays.erase("backbone.layer0.weight");
  try {
    PublicBackbone::made(task, options);
    FAIL() << "a broken file was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("backbone.safetensors"), std::string::npos);
  }
}

TEST(PublicBackbone, OneFromAFileIsAsLargeAsItIs) {
  PublicBackboneOptions options;
  EXPECT_FALSE(options.quick({}).empty());
  options.file = "backbone.safetensors";
  EXPECT_TRUE(options.quick({}).empty());
}

}  // namespace
}  // namespace graphveil::method::public_backbone_test
