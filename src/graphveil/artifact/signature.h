// Ed25519 signatures of certificates: who wrote a text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/secret.h"

namespace graphveil::artifact {

inline constexpr uintmax_t kSignatureBytes = 64;

// The text of a file that holds a private key. From then on the process leaves no core dump that could hold it, and
// nobody but root looks into its memory. Throws Io.
SecretText read_private_key(const std::string& path);

// Signs with a private key in PEM (as `openssl genpkey -algorithm ed25519` writes it). Throws BadInput for another key.
std::vector<uint8_t> sign(const std::string& private_key, const std::string& text);
// Whether the signature is that of the text by the holder of this public key, in PEM. Throws BadInput for another key.
bool signature_fits(const std::string& public_key, const std::string& text, std::span<const uint8_t> signature);

}  // namespace graphveil::artifact
