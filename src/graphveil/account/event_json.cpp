#include "graphveil/account/event_json.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>

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
  if (kind == "gaussian" || kind == "laplace" || kind == "discrete-laplace" || kind == "discrete-gaussian") {
    fields.allow_only({"kind", "noise_multiplier"});
    const double noise_multiplier = fields.number("noise_multiplier");
    if (kind == "gaussian") return Gaussian{noise_multiplier};
    if (kind == "laplace") return Laplace{noise_multiplier};
    if (kind == "discrete-laplace") return DiscreteLaplace{noise_multiplier};
    return DiscreteGaussian{noise_multiplier};
  }
  if (kind == "exponential") {
    fields.allow_only({"kind", "range"});
    return Exponential{fields.number("range")};
  }
  if (kind == "randomized-response") {
    fields.allow_only({"kind", "log_odds", "classes"});
    return RandomizedResponse{fields.number("log_odds"), fields.has("classes") ? fields.integer("classes") : 2};
  }
  fail(ErrorKind::BadInput,
       "{}: unknown kind \"{}\"; known are gaussian, laplace, exponential, randomized-response, discrete-laplace, "
       "discrete-gaussian",
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

Trials read_trials(const Fields& fields) {
  const std::string kind = fields.text("kind");
  if (kind == "negative-binomial") {
    fields.allow_only({"kind", "shape", "stop"});
    return NegativeBinomial{fields.number("shape"), fields.number("stop")};
  }
  if (kind == "positive-poisson") {
    fields.allow_only({"kind", "rate"});
    return PositivePoisson{fields.number("rate")};
  }
  fail(ErrorKind::BadInput, "{}: unknown kind \"{}\"; known are negative-binomial, positive-poisson", fields.where(),
       kind);
}

struct WriteTrials {
  ordered_json& out;
  void operator()(const NegativeBinomial& t) const {
    out["shape"] = t.shape;
    out["stop"] = t.stop;
  }
  void operator()(const PositivePoisson& t) const { out["rate"] = t.rate; }
};

struct WriteMechanism {
  ordered_json& out;
  void operator()(const Gaussian& m) const { out["noise_multiplier"] = m.noise_multiplier; }
  void operator()(const Laplace& m) const { out["noise_multiplier"] = m.noise_multiplier; }
  void operator()(const Exponential& m) const { out["range"] = m.range; }
  void operator()(const RandomizedResponse& m) const {
    out["log_odds"] = m.log_odds;
    out["classes"] = m.classes;
  }
  void operator()(const DiscreteLaplace& m) const { out["noise_multiplier"] = m.noise_multiplier; }
  void operator()(const DiscreteGaussian& m) const { out["noise_multiplier"] = m.noise_multiplier; }
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

struct WriteBody {
  ordered_json& line;
  void operator()(const Single& s) const {
    ordered_json mechanism{{"kind", kind(s.mechanism)}};
    std::visit(WriteMechanism{mechanism}, s.mechanism);
    ordered_json sampling{{"kind", kind(s.sampling)}};
    std::visit(WriteSampling{sampling}, s.sampling);
    line["mechanism"] = std::move(mechanism);
    line["sampling"] = std::move(sampling);
  }
  void operator()(const Sampled& s) const { line["sampled"] = {{"rate", s.rate}, {"event", to_json(*s.event)}}; }
  void operator()(const Composed& c) const {
    ordered_json list = ordered_json::array();
    for (const Event& event : c.events) list.push_back(to_json(event));
    line["composed"] = std::move(list);
  }
  void operator()(const Tuned& t) const {
    line["tuned"] = {{"trials", to_json(t.trials)}, {"event", to_json(*t.event)}};
  }
};

// Deeper files are refused before Event would: the reader itself recurses.
Event read_event(const json& line, const std::string& where, int depth) {
  if (depth > kDeepestNesting) fail(ErrorKind::BadInput, "{}: nested more than {} deep", where, kDeepestNesting);
  const Fields fields(line, where);
  const bool sampled = fields.has("sampled"), composed = fields.has("composed"), tuned = fields.has("tuned");
  const std::string label = fields.has("label") ? fields.text("label") : "";
  const bool count_may_miss = sampled || composed || tuned || depth > 1;
  const int64_t count = count_may_miss && !fields.has("count") ? 1 : fields.integer("count");
  try {
    if (sampled) {
      fields.allow_only({"label", "sampled", "count"});
      const Fields inner(fields.at("sampled"), where + ": sampled");
      inner.allow_only({"rate", "event"});
      const double rate = inner.number("rate");
      auto event = std::make_shared<const Event>(read_event(inner.at("event"), where + ": sampled", depth + 1));
      return Event(label, Sampled{rate, std::move(event)}, count);
    }
    if (tuned) {
      fields.allow_only({"label", "tuned", "count"});
      const Fields inner(fields.at("tuned"), where + ": tuned");
      inner.allow_only({"trials", "event"});
      const Trials trials = read_trials(Fields(inner.at("trials"), where + ": tuned: trials"));
      auto event = std::make_shared<const Event>(read_event(inner.at("event"), where + ": tuned", depth + 1));
      return Event(label, Tuned{trials, std::move(event)}, count);
    }
    if (composed) {
      fields.allow_only({"label", "composed", "count"});
      const json& list = fields.at("composed");
      if (!list.is_array()) fail(ErrorKind::BadInput, "{}: composed: wanted a list, got {}", where, list.type_name());
      Composed body;
      for (size_t i = 0; i < list.size(); ++i) {
        body.events.push_back(read_event(list[i], fmt::format("{}: composed {}", where, i), depth + 1));
      }
      return Event(label, std::move(body), count);
    }
    fields.allow_only({"label", "mechanism", "sampling", "count"});
    const Mechanism mechanism = mechanism_from_json(Fields(fields.at("mechanism"), where + ": mechanism"));
    const Sampling sampling = depth > 1 && !fields.has("sampling")
                                  ? Sampling(NoSampling{})
                                  : sampling_from_json(Fields(fields.at("sampling"), where + ": sampling"));
    return Event(label, mechanism, sampling, count);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::BadInput) throw;
    fail(ErrorKind::BadInput, "{}: {}", where, error.what());
  }
}

}  // namespace

ordered_json to_json(const Event& event) {
  ordered_json line;
  line["label"] = event.label();
  std::visit(WriteBody{line}, event.body());
  line["count"] = event.count();
  return line;
}

ordered_json to_json(const Ledger& ledger) {
  ordered_json list = ordered_json::array();
  for (const Event& event : ledger.events()) list.push_back(to_json(event));
  return list;
}

ordered_json to_json(const Trials& trials) {
  ordered_json out{{"kind", kind(trials)}};
  std::visit(WriteTrials{out}, trials);
  return out;
}

Trials trials_from_json(const json& object, const std::string& where) { return read_trials(Fields(object, where)); }

Event event_from_json(const json& line, size_t index) { return read_event(line, fmt::format("event {}", index), 1); }

Ledger ledger_from_json(const json& list) {
  if (!list.is_array()) fail(ErrorKind::BadInput, "events: wanted a list, got {}", list.type_name());
  Ledger ledger;
  int64_t size = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    ledger.add(event_from_json(list[i], i));
    size += ledger.events().back().size();
    if (size > kMostEvents) fail(ErrorKind::BadInput, "events: more than {} in one list", kMostEvents);
  }
  return ledger;
}

namespace {

std::optional<double> delta_from_json(const Fields& fields) {
  if (!fields.has("delta") || fields.at("delta").is_null()) return std::nullopt;
  const double delta = fields.number("delta");
  if (!(delta >= 0 && delta <= 1)) {
    fail(ErrorKind::BadInput, "{}: delta is {}; wanted a number in [0, 1]", fields.where(), delta);
  }
  return delta;
}

// A certificate says so by its format, and holds much else that does not matter here.
bool is_certificate(const json& document) { return document.is_object() && document.contains("format"); }

}  // namespace

AccountFile account_file_from_json(const json& document) {
  if (document.is_array()) {
    const bool files = std::any_of(document.begin(), document.end(),
                                   [](const json& item) { return item.is_object() && item.contains("events"); });
    if (!files) return {ledger_from_json(document), std::nullopt};
    AccountFile all;
    for (size_t i = 0; i < document.size(); ++i) {
      const json& item = document[i];
      if (!item.is_object()) fail(ErrorKind::BadInput, "item {}: wanted an object, got {}", i, item.type_name());
      // Whether one holds is found from its own text.
      if (is_certificate(item)) fail(ErrorKind::BadInput, "item {}: is a certificate; give each as a file", i);
      const AccountFile one = account_file_from_json(item);
      all.ledger.add(one.ledger);
      if (i == 0) {
        all.delta = one.delta;
      } else if (all.delta != one.delta) {
        all.delta.reset();
      }
    }
    return all;
  }
  const Fields fields(document, is_certificate(document) ? "certificate" : "account file");
  if (!is_certificate(document)) fields.allow_only({"events", "delta"});
  return {ledger_from_json(fields.at("events")), delta_from_json(fields)};
}

}  // namespace graphveil::account
