// A pre-trained backbone as one safetensors file: basis, weights, shape and how it was made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/learn/pretrain.h"

namespace graphveil::run {

std::vector<uint8_t> to_backbone_file(const learn::Pretrained& pretrained);

// Throws Io when it cannot be read, BadInput naming the file and the array for anything but a whole, consistent file.
learn::Pretrained read_backbone(const std::string& path);

}  // namespace graphveil::run
