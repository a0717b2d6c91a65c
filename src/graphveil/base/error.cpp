#include "graphveil/base/error.h"

namespace graphveil {

const char* name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::InvalidArgument: return "invalid argument";
    case ErrorKind::BadInput: return "bad input";
    case ErrorKind::Unsupported: return "unsupported";
    case ErrorKind::BudgetExceeded: return "budget exceeded";
    case ErrorKind::NotConverged: return "not converged";
    case ErrorKind::Io: return "input/output";
    case ErrorKind::Cancelled: return "cancelled";
    case ErrorKind::Internal: return "internal";
  }
  return "unknown";
}

}  // namespace graphveil
