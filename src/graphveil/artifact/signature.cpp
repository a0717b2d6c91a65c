#include "graphveil/artifact/signature.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <memory>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"

namespace graphveil::artifact {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

// A key that wants a passphrase is refused, rather than asked for on the terminal.
int no_passphrase(char*, int, int, void*) { return -1; }

Key read_key(const std::string& pem, bool is_private) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  Key key(is_private ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr)
                     : PEM_read_bio_PUBKEY(bio.get(), nullptr, no_passphrase, nullptr),
          EVP_PKEY_free);
  if (!key || EVP_PKEY_id(key.get()) != EVP_PKEY_ED25519) {
    fail(ErrorKind::BadInput, "the key is not an Ed25519 {} key in PEM, without a passphrase",
         is_private ? "private" : "public");
  }
  return key;
}

}  // namespace

SecretText read_private_key(const std::string& path) {
  // A limit of 0 does not bind a core dump that is handed to a program; not to be dumpable does.
  const rlimit none{0, 0};
  prctl(PR_SET_DUMPABLE, 0);
  setrlimit(RLIMIT_CORE, &none);
  return read_secret(path);
}

std::vector<uint8_t> sign(const std::string& private_key, const std::string& text) {
  const Key key = read_key(private_key, true);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  size_t length = 64;
  std::vector<uint8_t> signature(length);
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &length, reinterpret_cast<const uint8_t*>(text.data()),
                     text.size()) != 1) {
    fail(ErrorKind::Internal, "the signature could not be made");
  }
  signature.resize(length);
  return signature;
}

bool signature_fits(const std::string& public_key, const std::string& text, std::span<const uint8_t> signature) {
  const Key key = read_key(public_key, false);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(),
                          reinterpret_cast<const uint8_t*>(text.data()), text.size()) == 1;
}

}  // namespace graphveil::artifact
