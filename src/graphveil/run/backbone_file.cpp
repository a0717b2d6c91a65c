#include "graphveil/run/backbone_file.h"

#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/base/error.h"

namespace graphveil::run {

std::vector<uint8_t> to_backbone_file(const learn::Pretrained& pretrained) {
  nn::State state;
  pretrained.save(state, "");
  return artifact::to_safetensors(state);
}

learn::Pretrained read_backbone(const std::string& path) {
  const nn::State state = artifact::from_safetensors(artifact::read_file(path), path);
  try {
    return learn::Pretrained::loaded(state, "");
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}: not a backbone that `graphveil pretrain` wrote: {}", path, error.what());
  }
}

}  // namespace graphveil::run
