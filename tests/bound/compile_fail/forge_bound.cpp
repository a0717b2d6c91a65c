// Nobody types a sensitivity next to a source but the functions that the Voucher names.
#include "graphveil/mechanism/plan.h"

using namespace graphveil;

mechanism::PlanLine misuse(const account::Event& event) {
  return {event, bound::Bound(bound::source::Votes{100}, 1, bound::Norm::L2)};
}
