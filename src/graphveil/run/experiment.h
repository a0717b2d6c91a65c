// One method with all its options, and what follows from them and from public numbers before any data is read.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/base/options.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/method/method.h"
#include "graphveil/run/settings.h"

namespace graphveil::run {

// The options live here; the method and the settings are what they say.
class Experiment {
 public:
  // With default options. Throws InvalidArgument for a method that does not exist.
  explicit Experiment(const std::string& method_name);
  // With these options, in their order. Throws InvalidArgument for a method or an option that does not exist.
  static std::unique_ptr<Experiment> from(const std::string& method_name, const method::OptionValues& values);
  // The experiment that a certificate speaks of.
  static std::unique_ptr<Experiment> from(const artifact::Certificate& certificate);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  const method::Method& method() const { return *method_; }
  const Settings& settings() const { return settings_; }
  const Options& options() const { return options_; }
  // "default" or one of the method's presets; before any option is set.
  void use_preset(const std::string& preset);
  const std::string& preset() const { return preset_; }
  void set(const std::string& option, const std::string& value);
  void set(const std::string& option, const char* value) { set(option, std::string(value)); }
  // Numbers and truth values go in as they are, to the last bit.
  void set(const std::string& option, std::floating_point auto value) { set(option, number_text(value)); }
  void set(const std::string& option, std::integral auto value) { set(option, std::to_string(value)); }
  void set(const std::string& option, bool value) { set(option, value ? "true" : "false"); }
  // Whether set() was called for an option.
  bool is_set(const std::string& option) const { return set_.count(option) > 0; }
  // Every option and its value, as text that set() takes back.
  std::vector<std::pair<std::string, std::string>> values() const;

 private:
  static std::string number_text(double value);

  std::unique_ptr<method::Method> method_;
  Settings settings_;
  Options options_;
  std::set<std::string> set_;
  std::string preset_ = "default";
};

// The same method and options, but for these.
std::unique_ptr<Experiment> with_options(const Experiment& experiment, const method::OptionValues& values);

// The relation that the settings and the method ask for on such a graph. Throws InvalidArgument for one that the method
// cannot protect there.
bound::Relation chosen_relation(const Experiment& experiment, bool symmetric);

// An experiment whose plan is made.
struct Prepared {
  const Experiment* experiment = nullptr;
  method::Setting setting;
  double delta = 0;
  double noise = 0;                              // the knob of the method's plan; 0 for a method without relations
  mechanism::Plan plan;                          // what a run will spend
  mechanism::Plan reserved = {};                 // what later predictions may spend besides (run/reserve.h)
  double cap = 0;                                // the epsilon that all of it may cost
  std::vector<std::string> reasons;              // why it proves nothing, in published mode
  double published_epsilon = 0;                  // what the paper would say, in published mode
  double seconds = 0;                            // of calibration
  std::function<void()> before_noise = nullptr;  // called by every release of it before its first noise

  bool is_private() const { return !experiment->method().relations().empty(); }
  bool as_published() const { return experiment->settings().accounting == Accounting::Published; }
};

// Finds delta, noise and plan from public numbers alone. `experiment` must outlive the result.
Prepared prepare(const Experiment& experiment, bound::Relation relation, const method::PublicFacts& facts);

// The preparation that a certificate speaks of, taken as it says: nothing is calibrated anew, and nothing is checked.
Prepared prepared_as(const Experiment& experiment, const artifact::Certificate& certificate);

// The config file that repeats the experiment: its method in a comment, then every option.
std::string config_text(const Experiment& experiment);

// 10^-digits, for instance 1e-5 for 18,939.
double power_of_digits(int64_t number);

}  // namespace graphveil::run
