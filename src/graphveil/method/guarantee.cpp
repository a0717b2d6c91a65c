#include "graphveil/method/guarantee.h"

#include "graphveil/base/error.h"

namespace graphveil::method {

std::string_view name(Covers covers) {
  return covers == Covers::Parameters ? "parameters" : "parameters and predictions";
}

Covers covers_from_name(std::string_view text) {
  for (Covers covers : {Covers::Parameters, Covers::ParametersAndPredictions}) {
    if (name(covers) == text) return covers;
  }
  fail(ErrorKind::InvalidArgument, "covers is '{}', want 'parameters' or 'parameters and predictions'", text);
}

std::string_view name(Accounting accounting) { return accounting == Accounting::Tight ? "tight" : "published"; }

Accounting accounting_from_name(std::string_view text) {
  for (Accounting accounting : {Accounting::Tight, Accounting::Published}) {
    if (name(accounting) == text) return accounting;
  }
  fail(ErrorKind::InvalidArgument, "accounting is '{}', want tight or published", text);
}

}  // namespace graphveil::method
