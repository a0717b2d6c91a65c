// What a run will release, line by line, before it has seen any data: the run reads its noise from here.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/account/ledger.h"
#include "graphveil/bound/bounded.h"

namespace graphveil::mechanism {

// A ledger line with what it releases and the sizes behind it, which come together from the functions of bound/.
struct PlanLine {
  account::Event event;
  bound::Bound bound;

  const bound::Source& source() const { return bound.source(); }
  double sensitivity() const { return bound.sensitivity(); }
  bound::Norm norm() const { return bound.norm(); }
  bool operator==(const PlanLine&) const = default;
};

// Lines with labels of their own. Immutable but for add().
class Plan {
 public:
  Plan() = default;
  Plan(std::initializer_list<PlanLine> lines);
  // Throws InvalidArgument for a label that is there already, or a sensitivity that is not a positive finite number.
  void add(PlanLine line);
  void add(const Plan& other);

  // This plan, all of which is to run on a Poisson sample of the records: each takes part in every line with
  // probability `rate`, or in none. Records that do not are blank, and nothing else may tell who they are.
  Plan on_sample(double rate) const;
  double record_rate() const { return record_rate_; }

  // This plan, to run anew in each of a random number of trials, of which the best is released.
  Plan best_of(account::Trials trials) const;
  const std::optional<account::Trials>& trials() const { return trials_; }

  const std::vector<PlanLine>& lines() const { return lines_; }
  bool empty() const { return lines_.empty(); }
  // The line of this label. Throws Internal when there is none: a run asked for what was not planned.
  const PlanLine& line(const std::string& label) const { return lines_[index(label)]; }
  size_t index(const std::string& label) const;
  account::Ledger ledger() const;
  // A ledger of lines of this plan, or of lines made from them, as the sample of records and the trials have it.
  account::Ledger as_run(const account::Ledger& ledger) const;

  bool operator==(const Plan&) const = default;

 private:
  std::vector<PlanLine> lines_;
  double record_rate_ = 1;
  std::optional<account::Trials> trials_;
};

// The mechanism behind a line and how its records are sampled: those of the event itself, or of the one mechanism that
// runs on a Poisson sample of the records. Throws Internal for a nest of several: a line is released by one mechanism.
account::Single mechanism_of(const account::Event& event);
// The event, `count` times, under its own label or another one.
account::Event with_count(const account::Event& event, int64_t count);
account::Event with_count(const account::Event& event, int64_t count, const std::string& label);

// Standard deviation, scale or log-odds of a line's noise in the value's own units; 0 without noise.
double noise_scale(const PlanLine& line);

}  // namespace graphveil::mechanism
