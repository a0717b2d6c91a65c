// The libFuzzer entry; GRAPHVEIL_FUZZ_TARGET names the format.
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const graphveil::fuzz::Target& target = graphveil::fuzz::target(GRAPHVEIL_FUZZ_TARGET);
  target.run({data, size});
  return 0;
}
