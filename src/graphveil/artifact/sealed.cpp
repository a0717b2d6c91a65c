#include "graphveil/artifact/sealed.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "graphveil/base/error.h"
#include "graphveil/base/random.h"

namespace graphveil::artifact {
namespace {

constexpr size_t kNonce = 12, kTag = 16;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)>;

void must(int answer) {
  if (answer != 1) fail(ErrorKind::Internal, "the cipher of checkpoints failed");
}

Cipher new_cipher() {
  Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  if (!cipher) fail(ErrorKind::Internal, "the cipher of checkpoints failed");
  return cipher;
}

const uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const uint8_t*>(text.data()); }

}  // namespace

std::vector<uint8_t> seal(const SealKey& key, std::span<const uint8_t> bytes, const std::string& name) {
  const Seed fresh = Seed::from_system();
  std::vector<uint8_t> out(kNonce + bytes.size() + kTag);
  std::copy_n(fresh.bytes().begin(), kNonce, out.begin());
  const Cipher cipher = new_cipher();
  int size = 0;
  must(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), out.data()));
  must(EVP_EncryptUpdate(cipher.get(), nullptr, &size, bytes_of(name), static_cast<int>(name.size())));
  constexpr size_t kPiece = size_t{1} << 30;  // the cipher counts in int
  for (size_t begin = 0; begin < bytes.size(); begin += kPiece) {
    const size_t piece = std::min(kPiece, bytes.size() - begin);
    must(EVP_EncryptUpdate(cipher.get(), out.data() + kNonce + begin, &size, bytes.data() + begin,
                           static_cast<int>(piece)));
  }
  must(EVP_EncryptFinal_ex(cipher.get(), out.data() + kNonce + bytes.size(), &size));
  must(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTag, out.data() + kNonce + bytes.size()));
  return out;
}

std::vector<uint8_t> open_sealed(const SealKey& key, std::span<const uint8_t> sealed, const std::string& name,
                                 const std::string& what) {
  const auto refuse = [&] { fail(ErrorKind::BadInput, "{}: is damaged, or sealed with another key", what); };
  if (sealed.size() < kNonce + kTag) refuse();
  std::vector<uint8_t> out(sealed.size() - kNonce - kTag), tag(sealed.end() - kTag, sealed.end());
  const Cipher cipher = new_cipher();
  int size = 0;
  must(EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), sealed.data()));
  must(EVP_DecryptUpdate(cipher.get(), nullptr, &size, bytes_of(name), static_cast<int>(name.size())));
  constexpr size_t kPiece = size_t{1} << 30;
  for (size_t begin = 0; begin < out.size(); begin += kPiece) {
    const size_t piece = std::min(kPiece, out.size() - begin);
    must(EVP_DecryptUpdate(cipher.get(), out.data() + begin, &size, sealed.data() + kNonce + begin,
                           static_cast<int>(piece)));
  }
  must(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTag, tag.data()));
  uint8_t rest = 0;
  if (EVP_DecryptFinal_ex(cipher.get(), out.empty() ? &rest : out.data(), &size) != 1) refuse();
  return out;
}

}  // namespace graphveil::artifact
