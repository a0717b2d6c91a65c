#include "graphveil/base/parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <omp.h>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

std::atomic<int> chosen_threads{0};
thread_local bool inside_loop = false;

// Keeps the exception of the lowest piece that threw, so that the one reported does not depend on timing
// when every piece runs; later pieces are skipped once one has thrown.
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

}  // namespace

int thread_count() {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : omp_get_num_procs();
}

void set_thread_count(int n) {
  require(n >= 1 && n <= 4096, "number of threads is {}, want 1 to 4096", n);
  chosen_threads.store(n, std::memory_order_relaxed);
  omp_set_num_threads(n);  // oneDNN reads this
}

OneThreadScope::OneThreadScope() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThreadScope::~OneThreadScope() { omp_set_num_threads(before_); }

void detail::run_pieces(int64_t pieces, void (*body)(void*, int64_t), void* context) {
  const int threads = static_cast<int>(std::min<int64_t>(thread_count(), pieces));
  if (threads <= 1 || inside_loop || omp_in_parallel()) {
    for (int64_t piece = 0; piece < pieces; ++piece) body(context, piece);
    return;
  }
  FirstException first;
  std::atomic<int64_t> next{0};
  const auto work = [&] {
    inside_loop = true;
    for (int64_t piece; !first.caught() && (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
      try {
        body(context, piece);
      } catch (...) {
        first.capture(piece);
      }
    }
    inside_loop = false;
  };
#ifdef GRAPHVEIL_PLAIN_THREADS
  std::vector<std::thread> team;
  for (int t = 1; t < threads; ++t) team.emplace_back(work);
  work();
  for (std::thread& member : team) member.join();
#else
#pragma omp parallel num_threads(threads)
  work();
#endif
  first.rethrow();
}

}  // namespace graphveil
