// Memory for large arrays, so that a program can work on more than the machine has. Nothing changes until a limit is
// set; then arrays beyond a share of it lie in files without a name in a scratch folder, mapped, and what of them is
// resident is dropped again whenever the process holds more than the limit. Which array lies where changes no result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace graphveil {

// From now on this process keeps its resident memory near `bytes`, as long as what is not in large arrays leaves room
// for it: an array is large from 32 MiB on, or from a 64th of the limit where that is less. The folder is looked at
// when the first array is moved there. Throws InvalidArgument for a limit below 64 MiB.
void limit_memory(int64_t bytes, std::string scratch_folder);

// What large arrays have now: in ordinary memory, and in scratch files.
struct LargeMemoryUse {
  int64_t ordinary_bytes = 0;
  int64_t scratch_bytes = 0;
};
LargeMemoryUse large_memory_use();

// The scratch folder cannot hold an array. what() is a sentence for people, with the number.
class ScratchError : public std::bad_alloc {
 public:
  const char* what() const noexcept override;
};

// Looks whether the process holds more than its limit and drops what it can of that, unless somebody looked within the
// last millisecond. A thread of our own looks as often, but on a busy machine it wakes late, and whoever reads an array
// from one end to the other can touch a gigabyte meanwhile: every loop of base/parallel calls this after each piece.
void keep_memory_limit();

// A large array, zeroed, aligned to a page; null when no limit is set or the array is not large: the caller then takes
// ordinary memory. Throws ScratchError.
void* allocate_large(size_t bytes);
// Gives it back; false, with nothing done, for memory that is not of allocate_large.
bool free_large(void* memory) noexcept;

// `bytes` at a multiple of 64, large or not, zeroed where `zeroed` says so. Throws std::bad_alloc.
void* allocate_array(size_t bytes, bool zeroed);
void free_array(void* memory) noexcept;

}  // namespace graphveil
