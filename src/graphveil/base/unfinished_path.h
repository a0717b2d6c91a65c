// Paths that must not outlive an interrupted process: a signal handler can remove them.
#pragma once

#include <atomic>
#include <string>

namespace graphveil {

// While it lives, remove_unfinished_paths() deletes this file or empty folder. Beyond 64 at a time the rest is left to
// destructors.
class UnfinishedPath {
 public:
  explicit UnfinishedPath(std::string path);
  ~UnfinishedPath();
  UnfinishedPath(const UnfinishedPath&) = delete;
  UnfinishedPath& operator=(const UnfinishedPath&) = delete;

 private:
  std::string path_;
  std::atomic<const char*>* slot_ = nullptr;
};

// While it lives, farewell() gives this text instead of none. One at a time; a second one is ignored.
class Farewell {
 public:
  explicit Farewell(std::string text);
  ~Farewell();
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;

 private:
  std::string text_;
  bool said_ = false;
};
// What to tell whoever stops the process; null: nothing in particular. Safe to call from a signal handler.
const char* farewell() noexcept;

// Deletes all of them, files first, then folders, up to eight inside each other. Safe to call from a signal handler.
void remove_unfinished_paths() noexcept;

}  // namespace graphveil
