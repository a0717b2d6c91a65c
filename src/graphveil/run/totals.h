// What all that was ever released about the same people costs together: verify, predict and account print this alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/budget/spend_log.h"
#include "graphveil/method/method.h"

namespace graphveil::run {

// One release, and for whom its price holds.
struct Covered {
  account::Ledger ledger;                            // as it was drawn
  std::optional<mechanism::Plan> plan = {};          // behind it: what it costs nodes of other degrees; none: not known
  bound::Relation relation = bound::Relation::Node;  // under which its parameters are covered
  bound::Relation predictions = bound::Relation::Node;  // under which they and its predictions together are
  std::optional<int64_t> degree = {};                   // of the nodes that it is quoted for; none: every degree
  bool parameters = true;                               // whether parameters came of it; else predictions alone
  std::string people = {};                              // as budget::Spending has them
  bool disjoint = false;
  // Read after some people were declared apart, without a word that they are not in it: it counts for everybody.
  bool everybody = false;
  std::string id = {};  // in the log of its run; empty: it is in none yet
  // Of a prediction that was reserved with a training: the digest of that one's certificate, and how many it paid for.
  std::string reserve_of = {};
  int64_t reserve_size = 0;
  // Of people who joined (run/join.h): whose rows it released. Their training has paid for each row once.
  std::vector<std::string> joined = {};
};

// Tells which reserved predictions their trainings have paid for: of each training the first so many. Copies of a run
// folder may have drawn more together; what is beyond counts like any other. Rows of people who joined are paid for
// once, whichever copy released them.
class Reserves {
 public:
  bool paid(const Covered& release) {
    if (!release.joined.empty()) {
      const size_t before = rows_[release.reserve_of].size();
      rows_[release.reserve_of].insert(release.joined.begin(), release.joined.end());
      return rows_[release.reserve_of].size() == before + release.joined.size();
    }
    return !release.reserve_of.empty() && ++drawn_[release.reserve_of] <= release.reserve_size;
  }

 private:
  std::map<std::string, int64_t> drawn_;
  std::map<std::string, std::set<std::string>> rows_;
};

// Puts what a release cost beside others of the same people.
void add_spending(const Covered& release, const account::Ledger& ledger, double delta,
                  std::vector<budget::Spending>& entries);

// What a release costs a node of this degree, or with none whomever its relation protects; none: it says nothing there.
std::optional<account::Ledger> ledger_at(const Covered& release, std::optional<int64_t> degree);

// A run's training, as its certificate has it.
Covered covered(const artifact::Certificate& certificate);

struct Total {
  std::string what;  // "everything", or "parameters" where predictions are not covered under the relation
  bound::Relation relation = bound::Relation::Node;
  std::optional<int64_t> degree;  // none: every degree, or a relation of edges
  std::optional<double> epsilon;  // none: no finite epsilon holds
  double delta = 0;
  // Rows of people who joined are in it: edges are counted in all graphs that were shown, together (run/join.h).
  bool joined = false;
};

// The first is of everything, for the largest degree that all releases are quoted for (one that covers every degree
// counts at every degree); then, where predictions are covered under a weaker relation than parameters, that of the
// parameters alone under theirs; then, under node, of everything at the other degrees that certificates speak of.
//
// Guarantee: no epsilon is given under a relation or for a degree that does not cover every release it adds up. Throws
// InvalidArgument when no relation covers all of them, or there is none.
std::vector<Total> totals(std::span<const Covered> releases, double delta,
                          account::Accountant accountant = account::Accountant::Pld);
// The first of them.
Total total_of(std::span<const Covered> releases, double delta,
               account::Accountant accountant = account::Accountant::Pld);
// "relation node, at most 100 outgoing edges"
std::string covers(const Total& total);

// What a prediction is called in a run's log: one that is charged, and one that was paid for with the training, whose
// ledger is empty.
inline constexpr const char* kInference = "inference";
inline constexpr const char* kReservedInference = "reserved inference";
inline constexpr const char* kJoining = "joining";  // rows of people who joined (run/join.h), its ledger empty too

// What predicting with a run releases about a graph.
mechanism::Plan inference_plan(const method::Method& method, const artifact::Certificate& certificate);
// The releases in the log of a run. Throws BadInput when it does not begin with the run's training, or has a line that
// no prediction of this run writes.
std::vector<Covered> covered_log(const std::string& folder, const artifact::Certificate& certificate,
                                 const method::Method& method, std::span<const budget::Spending> entries);

// The same of a run folder, whose log must be there.
std::vector<Covered> covered_folder(const std::string& folder, const artifact::Certificate& certificate);

// What a run folder's log says.
struct LogReading {
  std::vector<Total> totals;
  int64_t releases = 0;           // the training among them
  std::vector<int64_t> disjoint;  // numbers of those that are counted apart because their user said so
};
// None without a log: release/ alone was given. Throws Io when the log cannot be read, BadInput when it is not that of
// the run.
std::optional<LogReading> read_log(const std::string& folder, const artifact::Certificate& certificate);

}  // namespace graphveil::run
