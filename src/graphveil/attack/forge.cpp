#include "graphveil/attack/forge.h"

#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

using nlohmann::json;

struct Edit {
  const char* what;
  std::function<void(json&)> apply;
};

// Multiplies every number of this name, wherever it stands.
void scale_all(json& at, const std::string& name, double factor) {
  if (at.is_array()) {
    for (json& item : at) scale_all(item, name, factor);
  } else if (at.is_object()) {
    for (auto& [key, value] : at.items()) {
      if (key == name && value.is_number()) {
        value = value.get<double>() * factor;
      } else {
        scale_all(value, name, factor);
      }
    }
  }
}

void set_option(json& certificate, const std::string& name, const std::string& value) {
  for (json& option : certificate.at("config")) {
    if (option.at("name") == name) option["value"] = value;
  }
}

std::vector<Edit> edits() {
  return {
      {"epsilon halved", [](json& c) { scale_all(c, "epsilon", 0.5); }},
      {"epsilon halved in the statements alone", [](json& c) { scale_all(c["statements"], "epsilon", 0.5); }},
      {"delta a thousandth", [](json& c) { c["delta"] = c.at("delta").get<double>() / 1000 + 1e-12; }},
      {"twice the noise than was drawn", [](json& c) { scale_all(c, "noise_multiplier", 2); }},
      {"noise of twice the size", [](json& c) { scale_all(c, "noise_scale", 2); }},
      {"half the sensitivity", [](json& c) { scale_all(c, "sensitivity", 0.5); }},
      {"half the rounds", [](json& c) { scale_all(c, "count", 0.5); }},
      {"a line of the plan left out",
       [](json& c) {
         for (const char* name : {"plan", "lines", "ledger"}) {
           if (c.contains(name) && c[name].is_array() && !c[name].empty()) c[name].erase(c[name].begin());
         }
       }},
      {"another relation", [](json& c) { c["relation"] = c.at("relation") == "node" ? "record" : "node"; }},
      {"nodes of any degree",
       [](json& c) {
         for (json& statement : c["statements"]) statement["degree"] = nullptr;
       }},
      {"a seed that was not", [](json& c) { c["seed"] = c.value("seed", "") == "secret" ? "reproducible" : "secret"; }},
      {"releasable, whatever spoke against it",
       [](json& c) {
         c["releasable"] = !c.value("releasable", false);
         c["not_releasable"] = json::array();
       }},
      {"no assumptions",
       [](json& c) { c["assumptions"] = c["assumptions"].empty() ? json{"nothing was assumed"} : json::array(); }},
      {"predictions for everybody",
       [](json& c) {
         for (json& statement : c["statements"])
           statement["audience"] = statement["audience"] == "public" ? "owner" : "public";
       }},
      {"an option changed", [](json& c) { set_option(c, "epsilon", "0.5"); }},
      {"another method", [](json& c) { c["method"] = c.at("method") == "lap" ? "gap-ndp" : "lap"; }},
      {"the other accounting",
       [](json& c) { c["accounting"] = c.at("accounting") == "tight" ? "published" : "tight"; }},
      {"the hash of another model", [](json& c) { c["model_sha256"] = sha256_hex({}); }},
      {"predictions named or not as they should be",
       [](json& c) { c["predictions_sha256"] = c.at("predictions_sha256") == "" ? sha256_hex({}) : ""; }},
      {"more nodes that train than nodes",
       [](json& c) { c["public"]["nodes"] = c.at("public").at("train_nodes").get<int64_t>() - 1; }},
      {"the hash of other options", [](json& c) { c["config_sha256"] = sha256_hex({}); }},
  };
}

void repair_digest(json& certificate) {
  certificate.erase("digest");
  const std::string text = certificate.dump();
  certificate["digest"] = sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

Forgery judged(std::string what, bool repaired, const std::string& text, const run::Evidence& evidence) {
  Forgery out{std::move(what), repaired, false, {}};
  try {
    const run::Verdict verdict = run::verify(text, evidence, "the forgery");
    out.caught = !verdict.holds();
    if (out.caught) out.reason = verdict.reasons.front();
  } catch (const Error& error) {
    out.caught = true;
    out.reason = error.what();
  }
  return out;
}

}  // namespace

std::vector<Forgery> forge(const std::string& certificate, const run::Evidence& evidence) {
  const run::Verdict before = run::verify(certificate, evidence, "the certificate");
  if (!before.holds()) {
    fail(ErrorKind::BadInput, "the run does not verify to begin with: {}", before.reasons.front());
  }
  const json original = json::parse(certificate);
  std::vector<Forgery> out;
  for (const Edit& edit : edits()) {
    json changed = original;
    edit.apply(changed);
    if (changed == original) continue;  // there is nothing of the kind in this run
    out.push_back(judged(edit.what, false, changed.dump(2), evidence));
    repair_digest(changed);
    out.push_back(judged(edit.what, true, changed.dump(2), evidence));
  }
  const auto with_flipped_byte = [&](const char* what, std::optional<std::vector<uint8_t>> run::Evidence::*file) {
    run::Evidence changed = evidence;
    if (!(changed.*file) || (changed.*file)->empty()) return;
    (*(changed.*file))[(changed.*file)->size() / 2] ^= 1;
    out.push_back(judged(what, false, certificate, changed));
  };
  with_flipped_byte("one bit of the model", &run::Evidence::model);
  with_flipped_byte("one bit of the options", &run::Evidence::config);
  with_flipped_byte("one bit of the predictions", &run::Evidence::predictions);
  // What lies in owners/, put beside the certificate under its right hash.
  if (original.at("predictions_sha256") == "") {
    std::string rows = "id,prediction\n";
    for (int64_t v = 0; v < before.certificate.facts.nodes; ++v) rows += std::to_string(v) + ",0\n";
    run::Evidence changed = evidence;
    changed.predictions = std::vector<uint8_t>(rows.begin(), rows.end());
    json named = original;
    named["predictions_sha256"] = sha256_text(rows);
    repair_digest(named);
    out.push_back(judged("the owners' predictions beside it", false, certificate, changed));
    out.push_back(judged("the owners' predictions beside it, under their hash", true, named.dump(2), changed));
  }
  return out;
}

}  // namespace graphveil::attack
