// A training's place in a budget book: reserved when its plan is made, counted from its first noise, given back when it
// fails before that.
#pragma once

#include <optional>
#include <string>

#include "graphveil/run/book.h"
#include "graphveil/run/train.h"

namespace graphveil::cli {

class BookPlace {
 public:
  // `run` is what the book calls a run that can go on; empty: it cannot.
  BookPlace(const std::string& path, const run::InputData& input, std::string run);
  ~BookPlace();
  BookPlace(const BookPlace&) = delete;
  BookPlace& operator=(const BookPlace&) = delete;

  // Says what is left. A run of which nothing may leave is noted as a look. Throws BudgetExceeded, naming what would
  // fit.
  void reserve(const run::Prepared& prepared, bool reproducible);
  void draw();
  // The certificate of what was trained says where the book has it.
  void mark(run::TrainOutcome& outcome) const;
  // The run is done: from here on its place is taken for good.
  void spend(const std::string& digest);
  // A look at the same data that is for the holder alone.
  void note(const std::string& what);

 private:
  run::BudgetBook book_;
  const run::InputData& input_;
  std::string run_;
  std::optional<run::Booked> held_;
  bool drawing_ = false;
};

}  // namespace graphveil::cli
