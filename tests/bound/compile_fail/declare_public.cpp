// A method cannot declare for the user that something is public.
#include "graphveil/method/method.h"

using namespace graphveil;

mechanism::Public<Matrix> misuse(Matrix raw) {
  return mechanism::Public<Matrix>(std::move(raw), mechanism::PublicData::declared("the user would agree"));
}
