#include "cli/book_place.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/run/book_fit.h"
#include "graphveil/run/certify.h"

namespace graphveil::cli {

BookPlace::BookPlace(const std::string& path, const run::InputData& input, std::string run)
    : book_(path), input_(input), run_(std::move(run)) {}

BookPlace::~BookPlace() {
  if (!held_ || drawing_) return;
  try {
    book_.free(held_->id);
  } catch (const Error& error) {
    fmt::print(stderr, "{}; release {} stays reserved until `graphveil budget release` frees it\n", error.what(),
               held_->id);
  }
}

void BookPlace::reserve(const run::Prepared& prepared, bool reproducible) {
  run::check_entities(book_.read(), input_.largest_entity, book_.path());
  const artifact::Certificate planned =
      run::certify(prepared, prepared.plan, reproducible, run::origin_of(input_.data));
  if (!planned.releasable()) {
    book_.look("train " + planned.method + ", nothing of which may be released", artifact::fingerprint(input_.data));
    fmt::print(stderr, "{}: nothing of this run may be released: noted, nothing is reserved\n", book_.path());
    return;
  }
  try {
    held_ = book_.reserve("train " + planned.method, run::covered(planned), artifact::fingerprint(input_.data), run_);
  } catch (const Error& error) {
    const run::BookReading book = book_.read();
    if (error.kind() != ErrorKind::BudgetExceeded || planned.relation != book.cap.relation) throw;
    const std::optional<run::Fit> fit = run::fitting(prepared, book);
    fail(ErrorKind::BudgetExceeded, "{}; {}", error.what(),
         fit ? fmt::format("with --epsilon {:.2g} or less (noise from {:.3g} on) it would fit", fit->epsilon * 0.99,
                           fit->noise)
             : "no noise would make it fit");
  }
  drawing_ = held_->stage == run::Stage::Drawing;
  fmt::print(stderr, "budget: {}\n", run::room_text(book_.read()));
}

void BookPlace::draw() {
  if (!held_) return;
  book_.draw(*held_);
  drawing_ = true;
}

void BookPlace::mark(run::TrainOutcome& outcome) const {
  if (!held_) return;
  artifact::Certificate& c = outcome.certificate;
  c.budget = book_.mark(*held_);
  // A total under another relation, or for other people, would be read as one of these.
  const run::BookReading book = book_.read();
  const std::optional<int64_t> degree = c.statements.empty() ? std::nullopt : c.statements.front().degree;
  if (book.cap.relation == c.relation && book.cap.entity == 1 && (!degree || degree == book.cap.degree)) {
    c.budget->spent = run::spent_under(book.releases, book.cap.relation, degree, book.cap.delta);
    c.budget->spent_delta = book.cap.delta;
  }
  outcome.book = std::filesystem::absolute(book_.path()).string();
}

void BookPlace::spend(const std::string& digest) {
  if (!held_) return;
  book_.spend(*held_, digest);
  held_.reset();
}

void BookPlace::note(const std::string& what) { book_.look(what, artifact::fingerprint(input_.data)); }

}  // namespace graphveil::cli
