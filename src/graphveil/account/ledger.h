// The ordered list of everything that was released about the private records.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "graphveil/account/event.h"

namespace graphveil::account {

// Lines are added, never changed or removed.
class Ledger {
 public:
  Ledger() = default;
  Ledger(std::initializer_list<Event> events) : events_(events) {}

  void add(Event event) { events_.push_back(std::move(event)); }
  void add(const Ledger& other) { events_.insert(events_.end(), other.events_.begin(), other.events_.end()); }

  const std::vector<Event>& events() const { return events_; }
  bool empty() const { return events_.empty(); }

  bool operator==(const Ledger&) const = default;

 private:
  std::vector<Event> events_;
};

}  // namespace graphveil::account
