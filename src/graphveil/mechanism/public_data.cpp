#include "graphveil/mechanism/public_data.h"

#include "graphveil/base/error.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {

PublicData PublicData::under(const Release& release) {
  if (!release.promises()) return PublicData("the method promises nothing");
  require(bound::edge_level(release.relation()), "features and labels are private under relation {}",
          bound::name(release.relation()));
  return PublicData("features and labels are public under this relation");
}

}  // namespace graphveil::mechanism
