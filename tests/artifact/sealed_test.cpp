#include "graphveil/artifact/sealed.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::artifact::sealed_test {
namespace {

const SealKey kKey(std::array<uint8_t, 32>{1, 2, 3}), kOther(std::array<uint8_t, 32>{1, 2, 4});

TEST(Sealed, OpensToWhatItWas) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}}) {
    const std::vector<uint8_t> bytes(size, 7), sealed = seal(kKey, bytes, "stage");
    EXPECT_EQ(open_sealed(kKey, sealed, "stage", "f"), bytes);
    EXPECT_NE(seal(kKey, bytes, "stage"), sealed);  // a fresh nonce
  }
}

TEST(Sealed, NothingElseOpens) {
  const std::vector<uint8_t> bytes(50, 7), sealed = seal(kKey, bytes, "stage");
  EXPECT_THROW(open_sealed(kOther, sealed, "stage", "f"), Error);
  EXPECT_THROW(open_sealed(kKey, sealed, "other stage", "f"), Error);
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::vector<uint8_t> changed = sealed;
    changed[i] ^= 1;
    EXPECT_THROW(open_sealed(kKey, changed, "stage", "f"), Error) << i;
  }
  for (const size_t size : {size_t{0}, size_t{27}, sealed.size() - 1}) {
    EXPECT_THROW(open_sealed(kKey, std::span(sealed).first(size), "stage", "f"), Error) << size;
  }
}

}  // namespace
}  // namespace graphveil::artifact::sealed_test
