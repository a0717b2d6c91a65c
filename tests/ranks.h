// Ranks that are threads of one process, for tests: each works as a process would, under a context of its own.
#pragma once

#include <barrier>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "graphveil/base/context.h"
#include "graphveil/base/ranks.h"

namespace graphveil::tests {

class ThreadRanks final : public Ranks {
 public:
  struct Shared {
    explicit Shared(int size) : sent(static_cast<size_t>(size)), barrier(size) {}
    std::vector<std::span<const std::span<const std::byte>>> sent;
    std::barrier<> barrier;
  };
  ThreadRanks(int rank, Shared& shared) : rank_(rank), shared_(shared) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(shared_.sent.size()); }

 protected:
  void transport(std::span<const std::span<const std::byte>> to, std::span<const std::span<std::byte>> from) override {
    const auto own = static_cast<size_t>(rank_);
    shared_.sent[own] = to;
    shared_.barrier.arrive_and_wait();
    for (size_t r = 0; r < from.size(); ++r) {
      if (r == own) continue;
      const std::span<const std::byte> theirs = shared_.sent[r][own];
      // As over a network: who expects another length would wait for ever.
      if (theirs.size() != from[r].size()) std::terminate();
      if (!theirs.empty()) std::memcpy(from[r].data(), theirs.data(), theirs.size());
    }
    shared_.barrier.arrive_and_wait();
  }

 private:
  int rank_;
  Shared& shared_;
};

// Runs `work` as so many ranks at once. It must throw on none of them or on all, at the same place; then the exception
// of rank 0 comes out.
inline void on_ranks(int size, const std::function<void(Ranks&)>& work) {
  ThreadRanks::Shared shared(size);
  std::vector<std::exception_ptr> thrown(static_cast<size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      const auto ranks = std::make_shared<ThreadRanks>(r, shared);
      const ContextScope scope({.threads = 1, .ranks = ranks});
      try {
        work(*ranks);
      } catch (...) {
        thrown[static_cast<size_t>(r)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (thrown.front()) std::rethrow_exception(thrown.front());
}

}  // namespace graphveil::tests
