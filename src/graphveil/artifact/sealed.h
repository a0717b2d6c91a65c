// Bytes that nobody without the key can read or change: AES-256 in Galois counter mode.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/secret.h"

namespace graphveil::artifact {

using SealKey = Secret;

// `name` says what it is: whoever opens it says the same. The nonce is fresh from the operating system.
std::vector<uint8_t> seal(const SealKey& key, std::span<const uint8_t> bytes, const std::string& name);
// Throws BadInput, naming `what`, when it was changed, cut, sealed with another key or under another name.
std::vector<uint8_t> open_sealed(const SealKey& key, std::span<const uint8_t> sealed, const std::string& name,
                                 const std::string& what);

}  // namespace graphveil::artifact
