#include "graphveil/account/accounting.h"

#include "graphveil/base/error.h"

namespace graphveil::account {

std::string_view name(Accounting accounting) { return accounting == Accounting::Tight ? "tight" : "published"; }

Accounting accounting_from_name(std::string_view text) {
  for (const Accounting accounting : {Accounting::Tight, Accounting::Published}) {
    if (name(accounting) == text) return accounting;
  }
  fail(ErrorKind::InvalidArgument, "accounting is '{}', want tight or published", text);
}

}  // namespace graphveil::account
