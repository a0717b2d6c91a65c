#include "graphveil/mechanism/audience.h"

#include "graphveil/base/error.h"

namespace graphveil::mechanism {

std::string_view name(Audience audience) {
  switch (audience) {
    case Audience::Public: return "public";
    case Audience::Owner: return "owner";
    case Audience::Holder: return "holder";
  }
  fail(ErrorKind::Internal, "unknown audience");
}

}  // namespace graphveil::mechanism
