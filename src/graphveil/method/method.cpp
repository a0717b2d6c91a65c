#include "graphveil/method/method.h"

namespace graphveil::method {

mechanism::Release& required(mechanism::Release* release) {
  if (release == nullptr) fail(ErrorKind::Internal, "a private method was run without a release");
  return *release;
}

PublicGraph required_public(const Task& task) {
  if (task.public_data == nullptr || task.public_split == nullptr) {
    fail(ErrorKind::Internal, "a method that wants a public graph was run without one");
  }
  return {*task.public_data, *task.public_split};
}

}  // namespace graphveil::method
