#include "graphveil/account/event_json.h"

#include <initializer_list>
#include <limits>
#include <string>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Reads the fields of one JSON object and refuses whatever it does not know.
class Fields {
 public:
  // `where` names the object in messages: "event 3" or "event 3: mechanism".
  Fields(const json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail(ErrorKind::BadInput, "{}: wanted an object, got {}", where_, object.type_name());
  }

  const std::string& where() const { return where_; }

  void allow_only(std::initializer_list<const char*> names) const {
    for (const auto& item : object_.items()) {
      bool known = false;
      for (const char* name : names) known = known || item.key() == name;
      if (!known) {
        fail(ErrorKind::BadInput, "{}: unknown field \"{}\"; known are {}", where_, item.key(), fmt::join(names, ", "));
      }
    }
  }

  bool has(const char* name) const { return object_.contains(name); }

  const json& at(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(ErrorKind::BadInput, "{}: missing field \"{}\"", where_, name);
    return *found;
  }

  double number(const char* name) const {
    const json& value = at(name);
    if (!value.is_number()) wrong_type(name, "a number", value);
    return value.get<double>();
  }

  // Accepts 3 and 3.0, not 3.5.
  int64_t integer(const char* name) const {
    const json& value = at(name);
    if (value.is_number_unsigned()) {
      const auto wide = value.get<uint64_t>();
      if (wide > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        wrong_type(name, "a smaller integer", value);
      return static_cast<int64_t>(wide);
    }
    if (value.is_number_integer()) return value.get<int64_t>();
    if (!value.is_number_float()) wrong_type(name, "an integer", value);
    const double real = value.get<double>();
    // 2^53: beyond it a double no longer tells neighboring integers apart.
    if (!(real >= -9007199254740992.0 && real <= 9007199254740992.0) ||
        real != static_cast<double>(static_cast<int64_t>(real))) {
      wrong_type(name, "an integer", value);
    }
    return static_cast<int64_t>(real);
  }

  std::string text(const char* name) const {
    const json& value = at(name);
    if (!value.is_string()) wrong_type(name, "a string", value);
    return value.get<std::string>();
  }

 private:
  [[noreturn]] void wrong_type(const char* name, const char* wanted, const json& value) const {
    fail(ErrorKind::BadInput, "{}: field \"{}\": wanted {}, got {}", where_, name, wanted, value.dump());
  }

  const json& object_;
  std::string where_;
};

Mechanism mechanism_from_json(const Fields& fields) {
  const std::string kind = fields.text("kind");
  if (kind == "gaussian" || kind == "laplace") {
    fields.allow_only({"kind", "noise_multiplier"});
    const double noise_multiplier = fields.number("noise_multiplier");
    if (kind == "gaussian") return Gaussian{noise_multiplier};
    return Laplace{noise_multiplier};
  }
  if (kind == "exponential") {
    fields.allow_only({"kind", "range"});
    return Exponential{fields.number("range")};
  }
  if (kind == "randomized-response") {
    fields.allow_only({"kind", "log_odds", "classes"});
    return RandomizedResponse{fields.number("log_odds"), fields.has("classes") ? fields.integer("classes") : 2};
  }
  fail(ErrorKind::BadInput, "{}: unknown kind \"{}\"; known are gaussian, laplace, exponential, randomized-response",
       fields.where(), kind);
}

Sampling sampling_from_json(const Fields& fields) {
  const std::string kind = fields.text("kind");
  if (kind == "none") {
    fields.allow_only({"kind"});
    return NoSampling{};
  }
  if (kind == "poisson") {
    fields.allow_only({"kind", "rate"});
    return Poisson{fields.number("rate")};
  }
  if (kind == "poisson-group") {
    fields.allow_only({"kind", "rate", "deletions", "insertions"});
    return PoissonGroup{fields.number("rate"), fields.integer("deletions"), fields.integer("insertions")};
  }
  fail(ErrorKind::BadInput, "{}: unknown kind \"{}\"; known are none, poisson, poisson-group", fields.where(), kind);
}

struct WriteMechanism {
  ordered_json& out;
  void operator()(const Gaussian& m) const { out["noise_multiplier"] = m.noise_multiplier; }
  void operator()(const Laplace& m) const { out["noise_multiplier"] = m.noise_multiplier; }
  void operator()(const Exponential& m) const { out["range"] = m.range; }
  void operator()(const RandomizedResponse& m) const {
    out["log_odds"] = m.log_odds;
    out["classes"] = m.classes;
  }
};

struct WriteSampling {
  ordered_json& out;
  void operator()(const NoSampling&) const {}
  void operator()(const Poisson& s) const { out["rate"] = s.rate; }
  void operator()(const PoissonGroup& s) const {
    out["rate"] = s.rate;
    out["deletions"] = s.deletions;
    out["insertions"] = s.insertions;
  }
};

}  // namespace

ordered_json to_json(const Event& event) {
  ordered_json mechanism{{"kind", kind(event.mechanism())}};
  std::visit(WriteMechanism{mechanism}, event.mechanism());
  ordered_json sampling{{"kind", kind(event.sampling())}};
  std::visit(WriteSampling{sampling}, event.sampling());
  ordered_json line;
  line["label"] = event.label();
  line["mechanism"] = std::move(mechanism);
  line["sampling"] = std::move(sampling);
  line["count"] = event.count();
  return line;
}

ordered_json to_json(const Ledger& ledger) {
  ordered_json list = ordered_json::array();
  for (const Event& event : ledger.events()) list.push_back(to_json(event));
  return list;
}

Event event_from_json(const json& line, size_t index) {
  const std::string where = fmt::format("event {}", index);
  const Fields fields(line, where);
  fields.allow_only({"label", "mechanism", "sampling", "count"});
  const Mechanism mechanism = mechanism_from_json(Fields(fields.at("mechanism"), where + ": mechanism"));
  const Sampling sampling = sampling_from_json(Fields(fields.at("sampling"), where + ": sampling"));
  const std::string label = fields.has("label") ? fields.text("label") : "";
  const int64_t count = fields.integer("count");
  try {
    return Event(label, mechanism, sampling, count);
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}: {}", where, error.what());
  }
}

Ledger ledger_from_json(const json& list) {
  if (!list.is_array()) fail(ErrorKind::BadInput, "events: wanted a list, got {}", list.type_name());
  Ledger ledger;
  for (size_t i = 0; i < list.size(); ++i) ledger.add(event_from_json(list[i], i));
  return ledger;
}

AccountFile account_file_from_json(const json& document) {
  if (document.is_array()) return {ledger_from_json(document), std::nullopt};
  const Fields fields(document, "account file");
  fields.allow_only({"events", "delta"});
  AccountFile file{ledger_from_json(fields.at("events")), std::nullopt};
  if (fields.has("delta")) {
    const double delta = fields.number("delta");
    if (!(delta >= 0 && delta <= 1)) {
      fail(ErrorKind::BadInput, "account file: delta is {}; wanted a number in [0, 1]", delta);
    }
    file.delta = delta;
  }
  return file;
}

}  // namespace graphveil::account
