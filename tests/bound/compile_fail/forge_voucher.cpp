// Nobody vouches for a bound but the functions that the Voucher names.
#include "graphveil/mechanism/release.h"

using namespace graphveil;

bound::Bounded<int64_t> misuse(int64_t raw) { return bound::Voucher::bounded(raw, {.amount = 1}); }
