#include "graphveil/method/method.h"

namespace graphveil::method {

mechanism::Release& required(mechanism::Release* release) {
  if (release == nullptr) fail(ErrorKind::Internal, "a private method was run without a release");
  return *release;
}

}  // namespace graphveil::method
