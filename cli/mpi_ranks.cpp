#include "cli/mpi_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/base/error.h"

#ifdef GRAPHVEIL_MPI

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

namespace graphveil::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDataTag = 1, kFailureTag = 2, kFarewellTag = 3;
constexpr size_t kMostBytes = size_t{1} << 30;        // of one message: MPI counts in int
constexpr auto kPatience = std::chrono::seconds(10);  // that rank 0 has to end all

bool running() {
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  return begun != 0 && over == 0;
}

// Ends this process when what it watches takes longer than that: calls that wait for other processes, and cannot be
// called off.
class Watchdog {
 public:
  Watchdog(double seconds, int code, std::string line) : seconds_(seconds), code_(code), line_(std::move(line)) {
    thread_ = std::thread([this] { watch(); });
  }
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, std::chrono::duration<double>(seconds_), [this] { return over_; })) return;
    fmt::print(stderr, "graphveil: {}\n", line_);
    std::fflush(nullptr);
    _exit(code_);
  }

  double seconds_;
  int code_;
  std::string line_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

// How long ranks are waited for that begin or take leave; known once a command has said it.
double patience_seconds = 300;

void initialize() {
  if (running()) return;
  const Watchdog watchdog(
      patience_seconds, kBadUsage,
      fmt::format("another rank did not begin for {:g} seconds (--stall-timeout): nothing was done", patience_seconds));
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}

// A short nap, longer the longer nothing has come: ranks may share a processor.
void rest(Clock::duration idle) {
  if (idle < std::chrono::microseconds(200)) return std::this_thread::yield();
  std::this_thread::sleep_for(std::min<Clock::duration>(idle / 8, std::chrono::milliseconds(2)));
}

ErrorKind kind_of(int code) {
  switch (code) {
    case kBudgetExceeded: return ErrorKind::BudgetExceeded;
    case kInternalError: return ErrorKind::Internal;
    default: return ErrorKind::BadInput;
  }
}

class MpiRanks final : public Ranks {
 public:
  explicit MpiRanks(double stall_seconds) : stall_(std::chrono::duration<double>(stall_seconds)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

 protected:
  void transport(std::span<const std::span<const std::byte>> to, std::span<const std::span<std::byte>> from) override {
    std::vector<MPI_Request> requests;
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      std::span<std::byte> in = from[static_cast<size_t>(r)];
      for (size_t at = 0; at < in.size(); at += kMostBytes) {
        const int count = static_cast<int>(std::min(kMostBytes, in.size() - at));
        MPI_Irecv(in.data() + at, count, MPI_BYTE, r, kDataTag, MPI_COMM_WORLD, &requests.emplace_back());
      }
    }
    for (int i = 1; i < size_; ++i) {
      const int r = (rank_ + i) % size_;  // not all to rank 0 at once
      const std::span<const std::byte> out = to[static_cast<size_t>(r)];
      for (size_t at = 0; at < out.size(); at += kMostBytes) {
        const int count = static_cast<int>(std::min(kMostBytes, out.size() - at));
        MPI_Isend(out.data() + at, count, MPI_BYTE, r, kDataTag, MPI_COMM_WORLD, &requests.emplace_back());
      }
    }
    wait(requests);
  }

 private:
  void wait(std::vector<MPI_Request>& requests) {
    const int count = static_cast<int>(requests.size());
    std::vector<int> done(requests.size());
    int left = count;
    Clock::time_point heard = Clock::now();
    while (left > 0) {
      int now = 0;
      MPI_Testsome(count, requests.data(), &now, done.data(), MPI_STATUSES_IGNORE);
      if (now > 0) {
        left -= now;
        heard = Clock::now();
        continue;
      }
      look_for_failure();
      const Clock::duration idle = Clock::now() - heard;
      if (idle > stall_) {
        fail(ErrorKind::Io, "no word from another rank for {:g} seconds (--stall-timeout): nothing is published",
             std::chrono::duration<double>(stall_).count());
      }
      rest(idle);
    }
  }

  // Those who fail tell rank 0, which prints what happened and ends all.
  void look_for_failure() {
    if (rank_ != 0) return;
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kFailureTag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return;
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    std::string told(static_cast<size_t>(length), ' ');
    MPI_Recv(told.data(), length, MPI_BYTE, status.MPI_SOURCE, kFailureTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const int code = told.empty() ? int{kInternalError} : int{told.front()};
    fail(kind_of(code), "rank {}: {}", status.MPI_SOURCE, told.empty() ? told : told.substr(1));
  }

  int rank_ = 0, size_ = 1;
  std::chrono::duration<double> stall_;
};

}  // namespace

std::string mpi_name() {
#ifdef OMPI_MAJOR_VERSION
  return fmt::format("Open MPI {}.{}.{}", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#else
  return fmt::format("MPI {}.{}", MPI_VERSION, MPI_SUBVERSION);
#endif
}

std::shared_ptr<Ranks> start_mpi(double stall_seconds) {
  patience_seconds = stall_seconds;
  initialize();
  return std::make_shared<MpiRanks>(stall_seconds);
}

void end_all(int rank, int code, const std::string& line) {
  initialize();
  // The launcher ends all by this signal; what there was to say is said.
  std::signal(SIGTERM, SIG_IGN);
  if (rank != 0) {
    const std::string told = static_cast<char>(code) + line;
    MPI_Request request;
    MPI_Isend(told.data(), static_cast<int>(told.size()), MPI_BYTE, 0, kFailureTag, MPI_COMM_WORLD, &request);
    const Clock::time_point begin = Clock::now();
    while (Clock::now() - begin < kPatience) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    fmt::print(stderr, "graphveil: rank {}: {}\n", rank, line);
  }
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, code);
  _exit(code);
}

void end_mpi() {
  if (!running()) return;
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // The others sleep while rank 0 writes; MPI_Finalize would keep their processors busy.
  std::optional<Watchdog> watchdog;
  const auto watch = [&] {
    watchdog.emplace(patience_seconds, kDone,
                     fmt::format("the work is done and written, but another rank did not take leave for {:g} seconds "
                                 "(--stall-timeout)",
                                 patience_seconds));
  };
  if (rank == 0) watch();
  for (int r = 1; rank == 0 && r < size; ++r) MPI_Send(nullptr, 0, MPI_BYTE, r, kFarewellTag, MPI_COMM_WORLD);
  if (rank != 0) {
    MPI_Request request;
    MPI_Irecv(nullptr, 0, MPI_BYTE, 0, kFarewellTag, MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  if (rank != 0) watch();
  MPI_Finalize();
}

}  // namespace graphveil::cli

#else

namespace graphveil::cli {

std::string mpi_name() { return {}; }

std::shared_ptr<Ranks> start_mpi(double) {
  fail(ErrorKind::Unsupported,
       "this program was built without MPI, so it runs on one machine: leave mpirun out, or build it where MPI is "
       "(libopenmpi-dev)");
}

void end_all(int, int code, const std::string&) { _exit(code); }

void end_mpi() {}

}  // namespace graphveil::cli

#endif
