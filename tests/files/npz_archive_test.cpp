#include "graphveil/files/npz_archive.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/base/resources.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::npz_archive_test {
namespace {

TEST(NpzArchive, ReadsStoredAndCompressedArrays) {
  const TemporaryFolder folder;
  const Arrays arrays{{"a", npy("<i4", {2}, raw<int32_t>({5, 6}))}};
  for (bool compressed : {false, true}) {
    NpzArchive archive(folder.write("a.npz", npz(arrays, compressed)));
    EXPECT_TRUE(archive.has("a"));
    EXPECT_FALSE(archive.has("b"));
    EXPECT_EQ(integers(archive.read("a")), (std::vector<int64_t>{5, 6}));
    expect_bad_input({"a.npz", "b", "missing"}, [&] { archive.read("b"); });
  }
}

TEST(NpzArchive, NoArchiveIsRefused) {
  const TemporaryFolder folder;
  expect_bad_input({"a.npz", "not a zip archive"}, [&] { NpzArchive(folder.write("a.npz", "hello")); });
  expect_bad_input({"a.npz", "empty"}, [&] { NpzArchive(folder.write("a.npz", "")); });
  expect_error(ErrorKind::Io, {"gone.npz", "No such file"}, [&] { NpzArchive(folder.path("gone.npz")); });
}

TEST(NpzArchive, DamagedArrayIsRefused) {
  const TemporaryFolder folder;
  std::string bytes = npz({{"a", npy("<i4", {2}, raw<int32_t>({0x55555555, 6}))}});
  const size_t at = bytes.find("UUUU");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'V';  // the checksum no longer fits
  NpzArchive archive(folder.write("a.npz", bytes));
  expect_bad_input({"a.npz", "damaged"}, [&] { archive.read("a"); });
}

// Sets every 4-byte field that holds `from` to `to`: the sizes in both directories of a zip.
std::string with_sizes(std::string bytes, uint32_t from, uint32_t to) {
  for (size_t i = 0; i + 4 <= bytes.size(); ++i) {
    if (std::memcmp(&bytes[i], &from, 4) == 0) std::memcpy(&bytes[i], &to, 4);
  }
  return bytes;
}

TEST(NpzArchive, DeclaredSizeFarBeyondTheFileIsRefusedBeforeMemoryIsTaken) {
  const TemporaryFolder folder;
  const std::string array = npy("<i4", {1000}, std::string(4000, '\0'));
  const std::string bytes = with_sizes(npz({{"a", array}}, true), static_cast<uint32_t>(array.size()), 0xf0000000u);
  const int64_t before = peak_memory_bytes();
  NpzArchive archive(folder.write("a.npz", bytes));
  expect_bad_input({"a.npz", "a:", "claims to unpack"}, [&] { archive.read("a"); });
  EXPECT_LT(peak_memory_bytes() - before, int64_t{64} << 20);
}

TEST(NpzArchive, HonestBombIsRefusedToo) {
  // Deflate really makes 40 KB of 40 MB of zeros: within its own limit, far beyond ours.
  const TemporaryFolder folder;
  const std::string array = npy("<i4", {10000000}, std::string(40000000, '\0'));
  NpzArchive archive(folder.write("a.npz", npz({{"a", array}}, true)));
  expect_bad_input({"a.npz", "a:", "claims to unpack"}, [&] { archive.read("a"); });
}

}  // namespace
}  // namespace graphveil::files::npz_archive_test
