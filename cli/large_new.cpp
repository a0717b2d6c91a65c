// The program's vectors are large arrays too: with a memory limit (base/large_memory.h) those beyond it lie in scratch
// files, whoever made them. A library cannot decide this for its users; a program can. Sanitizers have operators of
// their own.
#include <cstdlib>
#include <new>

#include "graphveil/base/large_memory.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t bytes) {
  if (void* const large = graphveil::allocate_large(bytes)) return large;
  while (true) {
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept {
  if (!graphveil::free_large(memory)) std::free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept { operator delete(memory); }

#endif
