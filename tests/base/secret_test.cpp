#include "graphveil/base/secret.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <gtest/gtest.h>

namespace graphveil::secret_test {
namespace {

// The bytes of an object after its end.
template <typename T, typename Make>
std::vector<uint8_t> left_of(Make&& make) {
  alignas(T) static std::array<uint8_t, sizeof(T)> place;
  T* object = make(place.data());
  object->~T();
  std::vector<uint8_t> out(sizeof(T));
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<volatile uint8_t*>(place.data())[i];
  return out;
}

bool has(const std::vector<uint8_t>& bytes, uint8_t byte) {
  return std::find(bytes.begin(), bytes.end(), byte) != bytes.end();
}

TEST(Secret, NothingIsLeftOfIt) {
  std::array<uint8_t, 32> bytes{};
  bytes.fill(0xa5);
  const Secret other(bytes);
  EXPECT_FALSE(has(left_of<Secret>([&](void* place) { return new (place) Secret(bytes); }), 0xa5));
  EXPECT_FALSE(has(left_of<Secret>([&](void* place) { return new (place) Secret(other); }), 0xa5));
  EXPECT_EQ(other, Secret(bytes));
}

TEST(Secret, AShortTextIsNotLeftBehindByAMove) {
  const std::string key = "kkkkkkkk";  // within the object
  EXPECT_FALSE(has(left_of<SecretText>([&](void* place) { return new (place) SecretText(std::string(key)); }), 'k'));
  std::string given = key;
  SecretText first(std::move(given));
  EXPECT_EQ(std::memchr(given.data(), 'k', 8), nullptr);
  SecretText second(std::move(first));
  EXPECT_EQ(second.text(), key);
  EXPECT_EQ(std::memchr(first.text().data(), 'k', 8), nullptr);
  SecretText third;
  third = std::move(second);
  EXPECT_EQ(third.text(), key);
  EXPECT_EQ(std::memchr(second.text().data(), 'k', 8), nullptr);
}

TEST(Secret, AWipedTextHasNothingInItsRoom) {
  std::string text(100, 'k');
  text.resize(10);
  const char* room = text.data();
  wipe(text);
  EXPECT_TRUE(text.empty());
  ASSERT_EQ(text.data(), room);
  for (size_t i = 0; i < 100; ++i) ASSERT_EQ(room[i], 0) << i;
}

}  // namespace
}  // namespace graphveil::secret_test
