// Named arrays in the safetensors layout, which every Python user can read: 8 bytes of header length, a JSON header
// that names each array with its type, shape and place, then the raw arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/nn/state.h"

namespace graphveil::artifact {

// The bytes of a file, the arrays in the order of their names.
std::vector<uint8_t> to_safetensors(const nn::State& state);
// The same in pieces, one after the other.
void to_safetensors(const nn::State& state, const std::function<void(std::span<const uint8_t>)>& put);

// Throws BadInput, naming `what` and the array, for anything that is not a whole, consistent file: every byte of the
// data part belongs to exactly one array.
nn::State from_safetensors(std::span<const uint8_t> bytes, const std::string& what);

}  // namespace graphveil::artifact
