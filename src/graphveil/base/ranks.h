// A program that runs as several processes, one on each of several machines, each with a part of the rows. What they do
// together is here; how bytes travel is for whoever makes the object (cli/mpi_ranks.h; threads, in tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace graphveil {

// One process among several, as it sees them. Every function here is called by all of them, in the same order, by the
// thread that drives the work; one that fails or is not heard of for too long makes the others throw Io.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;  // 0 plans, prices and writes
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }

  // Rank r gets to[r] and fills from[r] with what it has for this one; both sides know the lengths. Meanwhile `beside`
  // runs on a thread of its own: it leaves from[] alone, and to[] as it is. Returns the seconds until all had arrived.
  double exchange(std::span<const std::span<const std::byte>> to, std::span<const std::span<std::byte>> from,
                  const std::function<void()>& beside = nullptr);
  // What this one has sent to others so far.
  int64_t bytes_sent() const { return bytes_sent_; }
  // Who hears what travels between the ranks, a line for each exchange of rows and for each training that adds up over
  // them; rank 0 has one, or nobody.
  void listen(std::function<void(const std::string&)> heard) { heard_ = std::move(heard); }
  bool heard() const { return heard_ != nullptr; }
  void tell(const std::string& line) const {
    if (heard_) heard_(line);
  }

 protected:
  // The same without this rank's own part.
  virtual void transport(std::span<const std::span<const std::byte>> to,
                         std::span<const std::span<std::byte>> from) = 0;

 private:
  int64_t bytes_sent_ = 0;
  std::function<void(const std::string&)> heard_;
};

// The ranks among which the calling thread's work is one (base/context.h); null: it is alone.
Ranks* current_ranks();
// Whether this process writes and prints: it is alone, or rank 0.
bool first_rank();

// What every rank has, by rank.
std::vector<std::vector<std::byte>> all_gather(Ranks& ranks, std::span<const std::byte> mine);
std::vector<int64_t> all_gather(Ranks& ranks, int64_t mine);
// What rank 0 has.
std::vector<std::byte> broadcast(Ranks& ranks, std::span<const std::byte> mine);

// Throws BadInput, naming the rank and `what` it has, unless all have the same as rank 0; every one of them hears it.
void agree(Ranks& ranks, std::span<const std::byte> mine, const std::string& what);
void agree(Ranks& ranks, const std::string& mine, const std::string& what);

// Each entry becomes its sum over the ranks. Exact, so the same in any order: whole numbers modulo 2^64, and doubles
// that are multiples of one power of two whose sums stay below 2^53 of it.
void add_over(Ranks& ranks, std::span<int64_t> values);
void add_over(Ranks& ranks, std::span<double> values);
int64_t sum_over(Ranks& ranks, int64_t value);
int64_t largest_over(Ranks& ranks, int64_t value);

// Nobody goes on before all have come here.
void meet(Ranks& ranks);

// A part of [0, count), one for each rank and all about as long: whose turn it is to look at something public. Alone:
// all of it.
struct Stretch {
  int64_t begin = 0, end = 0;
};
Stretch own_share(int64_t count);

// What all have, one after the other in the order of ranks, goes to `all` of rank 0, which has that length; the others'
// may be empty and gets nothing.
void gather_first(Ranks& ranks, std::span<const std::byte> mine, std::span<std::byte> all);

}  // namespace graphveil
