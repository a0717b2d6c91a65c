#include "graphveil/artifact/signature.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/run/small_run.h"

namespace graphveil::artifact::signature_test {
namespace {

TEST(Signature, FitsOneTextAndOneKey) {
  const std::vector<uint8_t> signature = sign(run::kPrivateKey, "text");
  EXPECT_EQ(signature.size(), 64u);
  EXPECT_TRUE(signature_fits(run::kPublicKey, "text", signature));
  EXPECT_FALSE(signature_fits(run::kPublicKey, "Text", signature));
  EXPECT_FALSE(signature_fits(run::kPublicKey, "text ", signature));
  EXPECT_FALSE(signature_fits(run::kOtherPublicKey, "text", signature));
  for (const size_t size : {size_t{0}, size_t{63}}) {
    EXPECT_FALSE(signature_fits(run::kPublicKey, "text", std::span(signature).first(size)));
  }
}

TEST(Signature, OtherKeysAreBadInput) {
  const auto kind_of = [](auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Internal;
  };
  EXPECT_EQ(kind_of([] { sign("", "text"); }), ErrorKind::BadInput);
  EXPECT_EQ(kind_of([] { sign(run::kPublicKey, "text"); }), ErrorKind::BadInput);
  EXPECT_EQ(kind_of([] { signature_fits(run::kPrivateKey, "text", {}); }), ErrorKind::BadInput);
  // An X25519 key has the same size and another purpose.
  EXPECT_EQ(kind_of([] {
              sign(
                  "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n"
                  "-----END PRIVATE KEY-----\n",
                  "text");
            }),
            ErrorKind::BadInput);
}

TEST(Signature, WhoHoldsAKeyLeavesNoCoreDump) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      read_private_key("/no/such/key");
    } catch (const Error&) {
      rlimit limit{1, 1};
      good = prctl(PR_GET_DUMPABLE) == 0 && getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0;
    }
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace graphveil::artifact::signature_test
