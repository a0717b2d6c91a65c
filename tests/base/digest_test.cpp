#include "graphveil/base/digest.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::digest_test {
namespace {

std::vector<uint8_t> bytes(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Sha256, KnownAnswers) {  // FIPS 180-2, appendix B
  EXPECT_EQ(sha256_hex(bytes("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex(bytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, PiecesAreHashedLikeTheWhole) {
  const std::vector<uint8_t> all(100'000, 7);
  Sha256 hash;
  for (size_t begin = 0; begin < all.size();) {
    const size_t count = std::min(all.size() - begin, begin % 777 + 1);
    hash.add(std::span(all).subspan(begin, count));
    begin += count;
  }
  EXPECT_EQ(to_hex(hash.digest()), sha256_hex(all));
}

}  // namespace
}  // namespace graphveil::digest_test
