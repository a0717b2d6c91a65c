// What a run may claim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// Why a delta is too large for so many people; none: it is not.
std::optional<std::string> exposed_outright(double delta, int64_t people);

// Where the data's columns and classes come from.
struct DataOrigin {
  std::vector<std::string> found_in_data;               // what was taken from private records: assumed to be public
  std::string schema_sha256;                            // of the schema that was declared public; empty: none
  std::vector<std::string> class_names, feature_names;  // as that schema has them
};
DataOrigin origin_of(const graph::Dataset& data);

// What a run of this preparation that spent `spent` may claim on data of this origin. All of it follows from these, so
// that a reader can make it anew; date and hashes are left empty.
artifact::Certificate certify(const Prepared& prepared, const mechanism::Plan& spent, bool reproducible_seed,
                              const DataOrigin& origin);

}  // namespace graphveil::run
