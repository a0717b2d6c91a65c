#include "graphveil/base/parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <omp.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "graphveil/base/large_memory.h"

namespace graphveil {
namespace {

thread_local bool inside_loop = false;

// Keeps the exception of the lowest piece that threw; pieces not yet begun are skipped once one has thrown.
class FirstException {
 public:
  bool caught() const { return caught_.load(std::memory_order_relaxed); }
  void capture(int64_t piece) {
    std::lock_guard lock(mutex_);
    if (!exception_ || piece < piece_) {
      exception_ = std::current_exception();
      piece_ = piece;
    }
    caught_.store(true, std::memory_order_relaxed);
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  int64_t piece_ = 0;
  std::atomic<bool> caught_{false};
};

// The loop under way. Every thread has a share of the pieces, the same in every loop of that length: what a thread
// wrote in one loop it finds in its own cache in the next. Who is done with its own takes from the others'.
struct Loop {
  void (*body)(void*, int64_t, int) = nullptr;
  void* context = nullptr;
  int threads = 0;  // that may take part
  FirstException* first = nullptr;

  void divide(int64_t pieces, int among) {
    threads = among;
    if (static_cast<int>(shares_.size()) < among) shares_ = std::vector<Share>(static_cast<size_t>(among));
    for (int t = 0; t < among; ++t) {
      shares_[static_cast<size_t>(t)].next.store(pieces * t / among, std::memory_order_relaxed);
      shares_[static_cast<size_t>(t)].end = pieces * (t + 1) / among;
    }
  }

  void work(int thread) {
    inside_loop = true;
    for (int t = 0; t < threads; ++t) take_all(shares_[static_cast<size_t>((thread + t) % threads)], thread);
    inside_loop = false;
  }

 private:
  struct alignas(64) Share {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  void take_all(Share& share, int thread) {
    for (int64_t piece; !first->caught() && (piece = share.next.fetch_add(1, std::memory_order_relaxed)) < share.end;) {
      try {
        body(context, piece, thread);
        keep_memory_limit();
      } catch (...) {
        first->capture(piece);
      }
    }
  }

  std::vector<Share> shares_;
};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Threads that wait for loops. OpenMP's own team would do, but its threads burn a processor while they wait, and a
// loop waits for all of them: on a machine with other work that made training up to eighteen times slower. Here a
// worker spins for some microseconds and then sleeps, and a loop ends when its pieces are done, whether or not every
// worker woke up in time.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  // False, with nothing done, when another thread has a loop under way.
  bool run(int64_t pieces, int threads, void (*body)(void*, int64_t, int), void* context) {
    std::unique_lock lock(one_loop_, std::try_to_lock);
    if (!lock) return false;
    while (static_cast<int>(workers_.size()) < threads - 1) {
      const int index = static_cast<int>(workers_.size());
      workers_.emplace_back([this, index] { serve(index); });
    }
    FirstException first;
    loop_.body = body;
    loop_.context = context;
    loop_.divide(pieces, threads);
    loop_.first = &first;
    inside_.fetch_and(~kClosed, std::memory_order_release);  // open
    announced_.fetch_add(1, std::memory_order_release);
    announced_.notify_all();

    loop_.work(0);

    // Close, so that nobody new enters, and wait for those inside.
    inside_.fetch_or(kClosed, std::memory_order_acq_rel);
    for (int spin = 0;; ++spin) {
      const uint32_t state = inside_.load(std::memory_order_acquire);
      if (state == kClosed) break;
      if (spin < kSpins) {
        pause();
      } else {
        inside_.wait(state, std::memory_order_acquire);
      }
    }
    lock.unlock();
    first.rethrow();
    return true;
  }

 private:
  static constexpr uint32_t kClosed = 1u << 31;
  static constexpr int kSpins = 2000;

  Pool() = default;
  ~Pool() {
    stopping_.store(true, std::memory_order_relaxed);
    announced_.fetch_add(1, std::memory_order_release);
    announced_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void serve(int index) {
    uint32_t seen = 0;
    while (true) {
      for (int spin = 0; spin < kSpins && announced_.load(std::memory_order_acquire) == seen; ++spin) pause();
      announced_.wait(seen, std::memory_order_acquire);
      seen = announced_.load(std::memory_order_acquire);
      if (stopping_.load(std::memory_order_relaxed)) return;
      // Entering a closed loop does nothing: the loop it announced is over.
      if ((inside_.fetch_add(1, std::memory_order_acq_rel) & kClosed) == 0 && index + 1 < loop_.threads)
        loop_.work(index + 1);
      if (inside_.fetch_sub(1, std::memory_order_acq_rel) == (kClosed | 1)) inside_.notify_all();
    }
  }

  std::mutex one_loop_;
  std::vector<std::thread> workers_;
  Loop loop_;
  std::atomic<uint32_t> announced_{0};     // counts loops
  std::atomic<uint32_t> inside_{kClosed};  // workers that may be reading loop_, and whether it is closed
  std::atomic<bool> stopping_{false};
};

}  // namespace

int thread_count() {
  if (inside_loop) return 1;
  const int chosen = current_context().threads;
  return chosen > 0 ? chosen : omp_get_num_procs();
}

OneThreadScope::OneThreadScope() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThreadScope::~OneThreadScope() { omp_set_num_threads(before_); }

void detail::run_pieces(int64_t pieces, void (*body)(void*, int64_t, int), void* context) {
  const int threads = static_cast<int>(std::min<int64_t>(thread_count(), pieces));
  if (threads > 1 && Pool::instance().run(pieces, threads, body, context)) return;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    body(context, piece, 0);
    keep_memory_limit();
  }
}

Beside::Beside(std::function<void()> work, Loops loops) {
  const auto run = [this, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      exception_ = std::current_exception();
    }
  };
  if (loops == Loops::Makers) {
    thread_ = std::thread([run, context = current_context()] {
      const ContextScope scope(context);
      run();
    });
  } else if (thread_count() == 1) {
    run();
  } else {
    thread_ = std::thread([run] {
      inside_loop = true;
      run();
    });
  }
}

Beside::~Beside() {
  if (thread_.joinable()) thread_.join();
}

void Beside::wait() {
  if (thread_.joinable()) thread_.join();
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

}  // namespace graphveil
