// What ranks do together, with threads in the place of processes.
#include "graphveil/base/ranks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <numeric>
#include <string>

#include "graphveil/base/error.h"
#include "tests/ranks.h"

namespace graphveil::ranks_test {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Of rank r: r times the letter 'a' + r.
std::string words_of(int rank) { return std::string(static_cast<size_t>(rank), static_cast<char>('a' + rank)); }

TEST(Ranks, AloneThereAreNone) {
  EXPECT_EQ(current_ranks(), nullptr);
  EXPECT_TRUE(first_rank());
  const Stretch share = own_share(10);
  EXPECT_EQ(share.begin, 0);
  EXPECT_EQ(share.end, 10);
}

TEST(Ranks, EveryoneHearsEveryone) {
  for (const int size : {1, 2, 3, 5}) {
    tests::on_ranks(size, [&](Ranks& ranks) {
      EXPECT_EQ(current_ranks(), &ranks);
      EXPECT_EQ(first_rank(), ranks.rank() == 0);
      const auto all = all_gather(ranks, bytes_of(words_of(ranks.rank())));
      ASSERT_EQ(std::ssize(all), size);
      for (int r = 0; r < size; ++r) EXPECT_EQ(text_of(all[static_cast<size_t>(r)]), words_of(r));
      EXPECT_EQ(sum_over(ranks, ranks.rank() + 1), size * (size + 1) / 2);
      EXPECT_EQ(largest_over(ranks, -ranks.rank()), 0);
      EXPECT_EQ(text_of(broadcast(ranks, bytes_of("said by " + std::to_string(ranks.rank())))), "said by 0");
    });
  }
}

TEST(Ranks, SumsAreExactAndTheSameForAll) {
  constexpr int kEntries = 1003;
  for (const int size : {1, 2, 3, 4}) {
    std::vector<double> expected(kEntries, 0);
    const auto entry = [](int rank, int i) { return 0x1p-20 * std::floor(1e9 * std::sin(rank * 1000 + i)); };
    for (int r = 0; r < size; ++r) {
      for (int i = 0; i < kEntries; ++i) expected[static_cast<size_t>(i)] += entry(r, i);
    }
    tests::on_ranks(size, [&](Ranks& ranks) {
      std::vector<double> values(kEntries);
      std::vector<int64_t> whole(3, INT64_MAX);  // modulo 2^64
      for (int i = 0; i < kEntries; ++i) values[static_cast<size_t>(i)] = entry(ranks.rank(), i);
      add_over(ranks, std::span<double>(values));
      EXPECT_EQ(values, expected);
      add_over(ranks, std::span<int64_t>(whole));
      EXPECT_EQ(static_cast<uint64_t>(whole[1]), static_cast<uint64_t>(size) * static_cast<uint64_t>(INT64_MAX));
    });
  }
}

TEST(Ranks, WhatTravelsOfASumDoesNotGrowWithTheirNumber) {
  constexpr int64_t kEntries = 12000;
  for (const int size : {2, 3, 4}) {
    tests::on_ranks(size, [&](Ranks& ranks) {
      std::vector<double> values(kEntries, 1);
      add_over(ranks, std::span<double>(values));
      EXPECT_LE(ranks.bytes_sent(), 2 * 8 * kEntries);
      EXPECT_GE(ranks.bytes_sent(), 8 * kEntries);
    });
  }
}

TEST(Ranks, RankZeroGathersInOrder) {
  tests::on_ranks(4, [](Ranks& ranks) {
    std::string all(ranks.first() ? 6 : 0, '?');
    gather_first(ranks, bytes_of(words_of(ranks.rank())), std::as_writable_bytes(std::span(all)));
    EXPECT_EQ(all, ranks.first() ? "bccddd" : "");
  });
}

TEST(Ranks, SharesFollowEachOther) {
  for (const int64_t count : {0, 1, 2, 10, 1001}) {
    std::mutex mutex;
    std::vector<Stretch> shares(3);
    tests::on_ranks(3, [&](Ranks& ranks) {
      const std::lock_guard lock(mutex);
      shares[static_cast<size_t>(ranks.rank())] = own_share(count);
    });
    EXPECT_EQ(shares[0].begin, 0);
    EXPECT_EQ(shares[0].end, shares[1].begin);
    EXPECT_EQ(shares[1].end, shares[2].begin);
    EXPECT_EQ(shares[2].end, count);
    for (const Stretch& share : shares) EXPECT_LE(share.end - share.begin, count / 3 + 1);
  }
}

TEST(Ranks, PartsThatDoNotFitAreRefused) {
  EXPECT_THROW(tests::on_ranks(2, [](Ranks& ranks) { ranks.exchange({}, {}); }), Error);
}

// A byte from each to each, with `beside` under way.
void exchange_bytes(Ranks& ranks, const std::function<void()>& beside) {
  const auto size = static_cast<size_t>(ranks.size());
  const auto mine = static_cast<std::byte>(ranks.rank());
  std::vector<std::byte> found(size);
  const std::vector<std::span<const std::byte>> to(size, std::span(&mine, 1));
  std::vector<std::span<std::byte>> from;
  for (std::byte& one : found) from.push_back(std::span(&one, 1));
  EXPECT_GE(ranks.exchange(to, from, beside), 0);
  for (size_t r = 0; r < size; ++r) EXPECT_EQ(found[r], static_cast<std::byte>(r));
}

TEST(Ranks, WorkGoesOnBesideAnExchange) {
  for (const int size : {1, 2, 5}) {
    tests::on_ranks(size, [&](Ranks& ranks) {
      int done = 0;
      exchange_bytes(ranks, [&] {
        EXPECT_EQ(current_ranks(), &ranks);
        EXPECT_EQ(current_context().threads, 1);
        ++done;
      });
      EXPECT_EQ(done, 1);
    });
  }
}

// Nobody is left waiting: what travels has arrived before one hears of it.
TEST(Ranks, WhatFailsBesideAnExchangeComesOutAfterIt) {
  for (const int size : {1, 3}) {
    std::vector<int> failed(static_cast<size_t>(size));
    tests::on_ranks(size, [&](Ranks& ranks) {
      try {
        exchange_bytes(ranks, [&] {
          if (ranks.rank() == size - 1) fail(ErrorKind::BadInput, "beside");
        });
      } catch (const Error&) {
        failed[static_cast<size_t>(ranks.rank())] = 1;
      }
      meet(ranks);
    });
    EXPECT_EQ(failed.back(), 1);
    EXPECT_EQ(std::accumulate(failed.begin(), failed.end(), 0), 1);
  }
}

// A network that stalls.
class NoRanks final : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }

 protected:
  void transport(std::span<const std::span<const std::byte>>, std::span<const std::span<std::byte>>) override {
    fail(ErrorKind::Io, "no word");
  }
};

TEST(Ranks, ANetworkThatFailsIsHeardOfWhenTheWorkBesideIsDone) {
  NoRanks ranks;
  bool done = false;
  try {
    ranks.exchange(std::vector<std::span<const std::byte>>(2), std::vector<std::span<std::byte>>(2), [&] {
      done = true;
      fail(ErrorKind::BadInput, "this too");
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace graphveil::ranks_test
