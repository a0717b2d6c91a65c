#include "graphveil/report/checkpoint.h"

#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/load/atomic_file.h"
#include "graphveil/report/safetensors.h"

namespace graphveil::report {

void write_checkpoint(const std::string& path, const nn::State& state) {
  const std::vector<uint8_t> bytes = to_safetensors(state);
  load::AtomicFile file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
}

nn::State read_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "cannot open {}", path);
  const std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) fail(ErrorKind::Io, "cannot read {}", path);
  return from_safetensors(bytes, path);
}

}  // namespace graphveil::report
