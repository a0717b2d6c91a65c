#include "graphveil/base/unfinished_path.h"

#include <unistd.h>

#include <array>
#include <utility>

namespace graphveil {
namespace {

std::array<std::atomic<const char*>, 64> slots{};
constexpr int kMaxDepth = 8;  // of folders inside each other
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads them");

std::atomic<const char*> last_words{nullptr};

}  // namespace

Farewell::Farewell(std::string text) : text_(std::move(text)) {
  const char* none = nullptr;
  said_ = last_words.compare_exchange_strong(none, text_.c_str());
}

Farewell::~Farewell() {
  if (said_) last_words.store(nullptr);
}

const char* farewell() noexcept { return last_words.load(); }

UnfinishedPath::UnfinishedPath(std::string path) : path_(std::move(path)) {
  for (auto& slot : slots) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, path_.c_str())) {
      slot_ = &slot;
      return;
    }
  }
}

UnfinishedPath::~UnfinishedPath() {
  if (slot_ != nullptr) slot_->store(nullptr);
}

void remove_unfinished_paths() noexcept {
  for (auto& slot : slots) {
    if (const char* path = slot.load()) ::unlink(path);
  }
  // A folder is empty once the folders in it are gone.
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    for (auto& slot : slots) {
      if (const char* path = slot.load()) ::rmdir(path);
    }
  }
}

}  // namespace graphveil
