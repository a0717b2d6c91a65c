// Parallel loops. The pieces of a loop depend on its length alone, never on the number of threads, so
// results are the same bits for any number of threads. The first exception thrown inside comes out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <type_traits>

namespace graphveil {

// Threads that a loop started here uses: what the context says (base/context.h), else the number of processors; inside
// a loop 1.
int thread_count();

// While it lives, foreign libraries called from this thread (oneDNN) keep to this one thread: their results would
// otherwise depend on the number of threads.
class OneThreadScope {
 public:
  OneThreadScope();
  ~OneThreadScope();
  OneThreadScope(const OneThreadScope&) = delete;
  OneThreadScope& operator=(const OneThreadScope&) = delete;

 private:
  int before_;
};

namespace detail {
// Calls body(context, piece, thread) for piece in [0, pieces), spread over the threads. A loop inside a loop runs on
// its caller's thread.
void run_pieces(int64_t pieces, void (*body)(void*, int64_t, int), void* context);
}  // namespace detail

// body(begin, end, thread) over [0, count) in pieces of `grain` (the last one shorter). `thread`, in [0,
// thread_count()), is one number for one thread as long as the loop runs: for memory that it keeps to itself. Which
// pieces it gets changes from run to run.
template <typename Body>
void parallel_for_threads(int64_t count, int64_t grain, Body&& body) {
  if (count <= 0) return;
  struct Loop {
    int64_t count, grain;
    std::remove_reference_t<Body>* body;
  } loop{count, std::max<int64_t>(grain, 1), std::addressof(body)};
  const int64_t pieces = (count + loop.grain - 1) / loop.grain;
  detail::run_pieces(
      pieces,
      [](void* context, int64_t piece, int thread) {
        auto& l = *static_cast<Loop*>(context);
        const int64_t begin = piece * l.grain;
        (*l.body)(begin, std::min(begin + l.grain, l.count), thread);
      },
      const_cast<void*>(static_cast<const void*>(&loop)));
}

// body(begin, end) over [0, count) in pieces of `grain` (the last one shorter).
template <typename Body>
void parallel_for(int64_t count, int64_t grain, Body&& body) {
  parallel_for_threads(count, grain, [&body](int64_t begin, int64_t end, int /*thread*/) { body(begin, end); });
}

// Work that goes on while its maker does something else.
class Beside {
 public:
  // Of the work. None: for what waits more than it computes, such as the writing of a file; where loops have one thread
  // it is done at once. Its maker's: for a maker who waits meanwhile; the work knows of its maker's context.
  enum class Loops { None, Makers };
  explicit Beside(std::function<void()> work, Loops loops = Loops::None);
  ~Beside();  // waits
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  // Returns when it is done, and throws what it threw.
  void wait();

 private:
  std::exception_ptr exception_;
  std::thread thread_;
};

}  // namespace graphveil
