#include "graphveil/artifact/safetensors.h"

#include <cstring>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/base/random.h"

namespace graphveil::artifact::safetensors_test {
namespace {

nn::State example() {
  Matrix m(2, 3);
  for (int64_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<Real>(i) / 2;
  nn::State state;
  state["weights"] = nn::to_tensor(m);
  state["steps"] = nn::to_tensor(int64_t{12345678901});
  state["empty"] = nn::to_tensor(Matrix(0, 4));
  return state;
}

std::vector<uint8_t> file(const std::string& header, size_t data_bytes) {
  std::vector<uint8_t> bytes(8);
  const uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

void expect_bad(const std::vector<uint8_t>& bytes, const std::string& part) {
  try {
    from_safetensors(bytes, "m.safetensors");
    ADD_FAILURE() << "accepted, want: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("m.safetensors"), std::string::npos) << error.what();
  }
}

TEST(Safetensors, RoundTrip) {
  const nn::State state = example();
  const nn::State back = from_safetensors(to_safetensors(state), "m");
  ASSERT_EQ(back.size(), state.size());
  for (const auto& [name, tensor] : state) {
    EXPECT_EQ(back.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(back.at(name).bytes, tensor.bytes) << name;
    EXPECT_EQ(back.at(name).type, tensor.type) << name;
  }
  EXPECT_EQ(nn::read_number(back, "steps"), 12345678901);
}

TEST(Safetensors, LayoutIsTheStandardOne) {
  const std::vector<uint8_t> bytes = to_safetensors(example());
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  const auto header = nlohmann::json::parse(bytes.begin() + 8, bytes.begin() + 8 + static_cast<int64_t>(length));
  EXPECT_EQ(header["weights"]["dtype"], "F32");
  EXPECT_EQ(header["weights"]["shape"], (nlohmann::json{2, 3}));
  const uint64_t begin = header["weights"]["data_offsets"][0];
  float value = 0;
  std::memcpy(&value, bytes.data() + 8 + length + begin + 4 * 5, 4);
  EXPECT_EQ(value, 2.5f);
}

TEST(Safetensors, BrokenFilesAreRefused) {
  expect_bad({}, "too short");
  expect_bad({1, 2, 3}, "too short");
  expect_bad(file("{", 0), "not JSON");
  expect_bad(file("[]", 0), "not a JSON object");
  std::vector<uint8_t> huge = file("{}", 0);
  std::memset(huge.data(), 0xff, 8);
  expect_bad(huge, "does not fit");
  const auto entry = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  EXPECT_NO_THROW(from_safetensors(file(entry("\"F32\"", "[2]", "[0,8]"), 8), "m"));
  expect_bad(file(entry("\"F16\"", "[2]", "[0,8]"), 8), "dtype");
  expect_bad(file(entry("3", "[2]", "[0,8]"), 8), "dtype");
  expect_bad(file(entry("\"F32\"", "[-2]", "[0,8]"), 8), "natural number");
  expect_bad(file(entry("\"F32\"", "[2.5]", "[0,8]"), 8), "natural number");
  expect_bad(file(entry("\"F32\"", "[3]", "[0,8]"), 8), "larger than the file");
  expect_bad(file(entry("\"F32\"", "[4294967296,4294967296]", "[0,8]"), 8), "larger than the file");
  expect_bad(file(entry("\"F32\"", "[2]", "[0,9]"), 8), "do not fit");
  expect_bad(file(entry("\"F32\"", "[2]", "[8,0]"), 8), "do not fit");
  expect_bad(file(entry("\"F32\"", "[1]", "[4,8]"), 8), "gaps");
  expect_bad(file(entry("\"F32\"", "[1]", "[0,4]"), 8), "belong to no array");
  expect_bad(file(R"({"a":{"dtype":"F32"}})", 0), "'shape' is missing");
  expect_bad(file(R"({"a":7})", 0), "not an object");
  expect_bad(file(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"a":{"dtype":"U8","shape":[2],)"
                  R"("data_offsets":[0,2]}})",
                  2),
             "twice");
  expect_bad(
      file(
          R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
          6),
      "overlap");
}

TEST(Safetensors, RandomDamageNeverCrashes) {
  const std::vector<uint8_t> good = to_safetensors(example());
  RandomStream random(Seed::from_number(5), "damage");
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> bytes = good;
    if (random.bernoulli(0.3)) bytes.resize(random.below(bytes.size()));
    for (uint64_t k = 0; k <= random.below(4) && !bytes.empty(); ++k) {
      bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.below(256));
    }
    try {
      from_safetensors(bytes, "m");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
    }
  }
}

}  // namespace
}  // namespace graphveil::artifact::safetensors_test
