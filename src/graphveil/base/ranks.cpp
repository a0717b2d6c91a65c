#include "graphveil/base/ranks.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/resources.h"

namespace graphveil {
namespace {

using Sent = std::vector<std::span<const std::byte>>;
using Received = std::vector<std::span<std::byte>>;

size_t count_of(const Ranks& ranks) { return static_cast<size_t>(ranks.size()); }
size_t own_place(const Ranks& ranks) { return static_cast<size_t>(ranks.rank()); }

template <typename T>
std::span<const std::byte> bytes_of(std::span<const T> values) {
  return std::as_bytes(values);
}

// Each rank adds up one stretch of the entries for all, and then hands it round: what travels does not grow with the
// number of ranks.
template <typename T>
void add_up(Ranks& ranks, std::span<T> values) {
  const size_t size = count_of(ranks), own = own_place(ranks);
  const auto begin = [&](size_t r) { return values.size() * r / size; };
  const auto stretch = [&](size_t r) { return values.subspan(begin(r), begin(r + 1) - begin(r)); };
  const size_t mine = stretch(own).size();
  std::vector<T> others(mine * size);
  Sent to(size);
  Received from(size);
  for (size_t r = 0; r < size; ++r) {
    to[r] = bytes_of(std::span<const T>(stretch(r)));
    from[r] = std::as_writable_bytes(std::span(others).subspan(r * mine, mine));
  }
  ranks.exchange(to, from);
  std::vector<T> sums(mine, T{0});
  for (size_t r = 0; r < size; ++r) {
    for (size_t i = 0; i < mine; ++i) {
      if constexpr (std::is_integral_v<T>) {  // modulo 2^64
        sums[i] = static_cast<T>(static_cast<uint64_t>(sums[i]) + static_cast<uint64_t>(others[r * mine + i]));
      } else {
        sums[i] += others[r * mine + i];
      }
    }
  }
  for (size_t r = 0; r < size; ++r) {
    to[r] = bytes_of(std::span<const T>(sums));
    from[r] = std::as_writable_bytes(stretch(r));
  }
  ranks.exchange(to, from);
}

}  // namespace

double Ranks::exchange(std::span<const std::span<const std::byte>> to, std::span<const std::span<std::byte>> from,
                       const std::function<void()>& beside) {
  const size_t own = own_place(*this);
  if (to.size() != count_of(*this) || from.size() != to.size() || to[own].size() != from[own].size()) {
    fail(ErrorKind::Internal, "an exchange between {} ranks was asked for with {} and {} parts", size(), to.size(),
         from.size());
  }
  if (!to[own].empty()) std::memmove(from[own].data(), to[own].data(), to[own].size());
  for (size_t r = 0; r < to.size(); ++r) {
    if (r != own) bytes_sent_ += static_cast<int64_t>(to[r].size());
  }
  const Timer timer;
  double seconds = 0;
  const auto travel = [&] {
    if (size() > 1) transport(to, from);
    seconds = timer.seconds();
  };
  if (beside && size() > 1) {
    Beside others(beside, Beside::Loops::Makers);
    travel();
    others.wait();
  } else {
    travel();
    if (beside) beside();
  }
  return seconds;
}

Ranks* current_ranks() { return current_context().ranks.get(); }

bool first_rank() { return current_ranks() == nullptr || current_ranks()->first(); }

std::vector<int64_t> all_gather(Ranks& ranks, int64_t mine) {
  std::vector<int64_t> all(count_of(ranks));
  Sent to(count_of(ranks), bytes_of(std::span<const int64_t>(&mine, 1)));
  Received from;
  for (int64_t& one : all) from.push_back(std::as_writable_bytes(std::span(&one, 1)));
  ranks.exchange(to, from);
  return all;
}

std::vector<std::vector<std::byte>> all_gather(Ranks& ranks, std::span<const std::byte> mine) {
  std::vector<std::vector<std::byte>> all;
  for (const int64_t length : all_gather(ranks, static_cast<int64_t>(mine.size()))) {
    all.emplace_back(static_cast<size_t>(length));
  }
  ranks.exchange(Sent(count_of(ranks), mine), Received(all.begin(), all.end()));
  return all;
}

std::vector<std::byte> broadcast(Ranks& ranks, std::span<const std::byte> mine) {
  const std::vector<int64_t> lengths = all_gather(ranks, static_cast<int64_t>(mine.size()));
  std::vector<std::byte> told(static_cast<size_t>(lengths.front()));
  Sent to(count_of(ranks));
  Received from(count_of(ranks));
  if (ranks.first()) to.assign(count_of(ranks), mine);
  from.front() = told;
  ranks.exchange(to, from);
  return told;
}

void agree(Ranks& ranks, std::span<const std::byte> mine, const std::string& what) {
  const std::vector<std::vector<std::byte>> all = all_gather(ranks, mine);
  for (size_t r = 1; r < all.size(); ++r) {
    if (all[r] != all[0]) fail(ErrorKind::BadInput, "rank {} has {} than rank 0; nothing was done", r, what);
  }
}

void agree(Ranks& ranks, const std::string& mine, const std::string& what) {
  agree(ranks, std::as_bytes(std::span(mine)), what);
}

void add_over(Ranks& ranks, std::span<int64_t> values) { add_up(ranks, values); }
void add_over(Ranks& ranks, std::span<double> values) { add_up(ranks, values); }

int64_t sum_over(Ranks& ranks, int64_t value) {
  int64_t sum = 0;
  for (const int64_t one : all_gather(ranks, value)) sum += one;
  return sum;
}

int64_t largest_over(Ranks& ranks, int64_t value) { return std::ranges::max(all_gather(ranks, value)); }

void meet(Ranks& ranks) { all_gather(ranks, int64_t{0}); }

Stretch own_share(int64_t count) {
  const Ranks* ranks = current_ranks();
  if (ranks == nullptr) return {0, count};
  const auto cut = [&](int64_t r) { return count / ranks->size() * r + std::min(r, count % ranks->size()); };
  return {cut(ranks->rank()), cut(ranks->rank() + 1)};
}

void gather_first(Ranks& ranks, std::span<const std::byte> mine, std::span<std::byte> all) {
  const std::vector<int64_t> lengths = all_gather(ranks, static_cast<int64_t>(mine.size()));
  Sent to(count_of(ranks));
  Received from(count_of(ranks));
  to.front() = mine;
  if (ranks.first()) {
    size_t at = 0;
    for (size_t r = 0; r < count_of(ranks); ++r) {
      const auto length = static_cast<size_t>(lengths[r]);
      if (length > all.size() - at) fail(ErrorKind::Internal, "the ranks hold more than {} bytes", all.size());
      from[r] = all.subspan(at, length);
      at += length;
    }
    if (at != all.size()) fail(ErrorKind::Internal, "the ranks hold {} bytes, want {}", at, all.size());
  }
  ranks.exchange(to, from);
}

}  // namespace graphveil
