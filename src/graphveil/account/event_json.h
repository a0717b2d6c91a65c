// Ledger lines as JSON, exactly in the form the program reads and certificates carry:
//   {"label": "classifier", "mechanism": {"kind": "gaussian", "noise_multiplier": 1.1},
//    "sampling": {"kind": "poisson", "rate": 0.01}, "count": 1000}
// and nests of them:
//   {"label": "queries", "sampled": {"rate": 0.3, "event": LINE}, "count": 1000}
//   {"label": "two hops", "composed": [LINE, LINE], "count": 1}
//   {"label": "search", "tuned": {"trials": {"kind": "positive-poisson", "rate": 4.97}, "event": LINE}, "count": 1}
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/account/ledger.h"

namespace graphveil::account {

nlohmann::ordered_json to_json(const Event& event);
nlohmann::ordered_json to_json(const Ledger& ledger);
nlohmann::ordered_json to_json(const Trials& trials);

// Line `index` of a list. `label` may be left out, `classes` (2), and in nests `count` (1) and `sampling` (none); every
// other field must be there.
// Throws BadInput, naming the line and the field, on an unknown kind, an unknown or missing field, a wrong type or
// a value out of range.
Event event_from_json(const nlohmann::json& line, size_t index = 0);

// `where` names the object in errors.
Trials trials_from_json(const nlohmann::json& object, const std::string& where);

// A list of lines.
Ledger ledger_from_json(const nlohmann::json& list);

// What the `account` command reads: a list of lines; an object with `events`, perhaps `delta`, and nothing else; a list
// of such objects, which compose; or a certificate, which names its `format` and may hold other fields, and which the
// caller verifies. Its `events` are read as strictly as any.
struct AccountFile {
  Ledger ledger;
  std::optional<double> delta;  // of the object, or the one all objects agree on
};
AccountFile account_file_from_json(const nlohmann::json& document);

}  // namespace graphveil::account
