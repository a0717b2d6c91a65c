#include "graphveil/bound/norm.h"

#include "graphveil/base/error.h"

namespace graphveil::bound {

std::string_view name(Norm norm) {
  switch (norm) {
    case Norm::L1: return "L1";
    case Norm::L2: return "L2";
    case Norm::LInf: return "LInf";
    case Norm::Hamming: return "Hamming";
  }
  fail(ErrorKind::Internal, "unknown norm {}", static_cast<int>(norm));
}

Norm norm_from_name(std::string_view text) {
  for (Norm norm : {Norm::L1, Norm::L2, Norm::LInf, Norm::Hamming}) {
    if (name(norm) == text) return norm;
  }
  fail(ErrorKind::InvalidArgument, "norm is '{}', want L1, L2, LInf or Hamming", text);
}

}  // namespace graphveil::bound
