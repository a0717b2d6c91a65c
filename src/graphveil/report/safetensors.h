// Model files and checkpoints in the safetensors layout, which every Python user can read: 8 bytes of length, a JSON
// header that names type, shape and place of each array, then the arrays.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "graphveil/nn/state.h"

namespace graphveil::report {

using Metadata = std::map<std::string, std::string>;

struct TensorFile {
  nn::State tensors;
  Metadata metadata;
};

// The bytes of a file. The arrays start at a multiple of 8 bytes. Throws InvalidArgument when an array's bytes do not
// fit its shape, or one is called "__metadata__".
std::vector<uint8_t> to_safetensors(const nn::State& tensors, const Metadata& metadata = {});
// Throws BadInput, with one line that says what is wrong, for anything that is not such a file in every detail:
// lengths, types (F32, F64, I64, U8), shapes, and arrays that fill the rest of the file without gap or overlap.
TensorFile from_safetensors(std::span<const uint8_t> bytes);

// The file appears whole or not at all: a temporary file, flushed to disk, then renamed. Throws Io.
void write_safetensors(const std::string& path, const nn::State& tensors, const Metadata& metadata = {});
TensorFile read_safetensors(const std::string& path);

}  // namespace graphveil::report
