// The budget book's file: entries that are never changed, each chained to the one before, in one SQLite database.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace graphveil::budget {

// How far a book had come: a run folder that carries it tells a book that was put back to an older state.
struct BookHead {
  int64_t entries = 0;
  std::string hash;  // of the last entry

  bool operator==(const BookHead&) const = default;
};

struct BookEntry {
  int64_t number = 0;  // from 1
  std::string body;    // one JSON object
  std::string hash;    // SHA-256 of the hash before and the body
};

// Guarantee: an entry that append() gave a number is on disk, and stays there whatever happens to the process; one that
// it did not is in no book. Two processes see each other's entries: while one decides what to append nobody else can.
// A file that is not whole is refused and never written to.
class Book {
 public:
  // Makes a book with its first entry, readable by its owner alone. Throws Io when there is a file already.
  static Book create(const std::string& path, const std::string& first);
  // Throws Io when it cannot be opened, BadInput when it is no book, or an entry of it was lost or changed.
  explicit Book(const std::string& path);
  ~Book();
  Book(Book&&) noexcept;
  Book& operator=(Book&&) noexcept;

  const std::string& path() const;
  // All entries, checked: what other processes wrote meanwhile too. Throws as the constructor does.
  std::vector<BookEntry> entries() const;
  // Locks the book, shows `next` all its entries, and appends what it returns; gives its number. Nothing is written
  // when `next` throws. Throws Io when it cannot be written: nothing was.
  BookEntry append(const std::function<std::string(const std::vector<BookEntry>&)>& next);

 private:
  struct State;
  explicit Book(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Of entries as a book has them.
BookHead head_of(const std::vector<BookEntry>& entries);

}  // namespace graphveil::budget
