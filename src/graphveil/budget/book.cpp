#include "graphveil/budget/book.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"

namespace graphveil::budget {
namespace {

constexpr int kApplication = 0x67766b62;  // "gvkb", in the header of the file
constexpr int kFormat = 1;
constexpr int kPatienceMs = 60'000;  // for another process that is deciding

using Connection = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using Query = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

std::string chained(const std::string& previous, const std::string& body) {
  return sha256_text(previous + "\n" + body);
}

[[noreturn]] void fail_as(const std::string& path, sqlite3* connection, int code) {
  const std::string said = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // a table that is not there: another program's database
      fail(ErrorKind::BadInput, "{}: is no budget book, or a damaged one ({}); it was left as it is", path, said);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: fail(ErrorKind::Io, "{}: cannot be written ({}), and every release must be recorded", path, said);
    case SQLITE_BUSY: fail(ErrorKind::Io, "{}: another process has had it for a minute", path);
    case SQLITE_FULL: fail(ErrorKind::Io, "{}: the disk is full, and every release must be recorded", path);
    default: fail(ErrorKind::Io, "{}: {}", path, said);
  }
}

Connection connect(const std::string& path) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nullptr);
  Connection connection(raw, sqlite3_close);
  if (code != SQLITE_OK) fail_as(path, raw, code);
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kPatienceMs);
  return connection;
}

void execute(const std::string& path, sqlite3* connection, const char* text) {
  const int code = sqlite3_exec(connection, text, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail_as(path, connection, code);
}

Query prepared(const std::string& path, sqlite3* connection, const char* text) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(connection, text, -1, &raw, nullptr);
  if (code != SQLITE_OK) fail_as(path, connection, code);
  return {raw, sqlite3_finalize};
}

// Whether there is another row.
bool step(const std::string& path, sqlite3* connection, sqlite3_stmt* query) {
  const int code = sqlite3_step(query);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail_as(path, connection, code);
  return false;
}

std::string text_at(sqlite3_stmt* query, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(query, column));
  return text == nullptr ? "" : std::string(text, static_cast<size_t>(sqlite3_column_bytes(query, column)));
}

int64_t number_of(const std::string& path, sqlite3* connection, const char* question) {
  const Query query = prepared(path, connection, question);
  return step(path, connection, query.get()) ? sqlite3_column_int64(query.get(), 0) : 0;
}

void insert(const std::string& path, sqlite3* connection, const BookEntry& entry) {
  const Query query = prepared(path, connection, "INSERT INTO entry (number, body, hash) VALUES (?, ?, ?)");
  sqlite3_bind_int64(query.get(), 1, entry.number);
  sqlite3_bind_text(query.get(), 2, entry.body.data(), static_cast<int>(entry.body.size()), SQLITE_TRANSIENT);
  sqlite3_bind_text(query.get(), 3, entry.hash.data(), static_cast<int>(entry.hash.size()), SQLITE_TRANSIENT);
  step(path, connection, query.get());
}

// A write transaction, undone unless it was committed.
class Transaction {
 public:
  Transaction(const std::string& path, sqlite3* connection) : path_(path), connection_(connection) {
    execute(path_, connection_, "BEGIN IMMEDIATE");
  }
  ~Transaction() {
    if (!done_) sqlite3_exec(connection_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    execute(path_, connection_, "COMMIT");
    done_ = true;
  }

 private:
  const std::string& path_;
  sqlite3* connection_;
  bool done_ = false;
};

}  // namespace

struct Book::State {
  std::string path;
  Connection connection;

  explicit State(std::string where) : path(std::move(where)), connection(connect(path)) {
    sqlite3* c = connection.get();
    // Durable when COMMIT returns, the folder's entry for the rollback journal included.
    execute(path, c, "PRAGMA trusted_schema = OFF; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON");
  }

  void check_kind() const {
    sqlite3* c = connection.get();
    if (number_of(path, c, "PRAGMA application_id") != kApplication) {
      fail(ErrorKind::BadInput, "{}: is no budget book; it was left as it is", path);
    }
    if (const int64_t format = number_of(path, c, "PRAGMA user_version"); format != kFormat) {
      fail(ErrorKind::BadInput, "{}: is a budget book of format {}, this program knows {}", path, format, kFormat);
    }
  }

  std::vector<BookEntry> entries() const {
    const Query query = prepared(path, connection.get(), "SELECT number, body, hash FROM entry ORDER BY number");
    std::vector<BookEntry> out;
    while (step(path, connection.get(), query.get())) {
      BookEntry entry{sqlite3_column_int64(query.get(), 0), text_at(query.get(), 1), text_at(query.get(), 2)};
      const std::string previous = out.empty() ? "" : out.back().hash;
      if (entry.number != static_cast<int64_t>(out.size()) + 1 || entry.hash != chained(previous, entry.body)) {
        fail(
            ErrorKind::BadInput,
            "{}: entry {} does not follow the one before: an entry was lost or changed, so what was spent is not known",
            path, entry.number);
      }
      out.push_back(std::move(entry));
    }
    if (out.empty()) fail(ErrorKind::BadInput, "{}: has no entry, not even its first", path);
    return out;
  }
};

Book::Book(std::unique_ptr<State> state) : state_(std::move(state)) {}
Book::~Book() = default;
Book::Book(Book&&) noexcept = default;
Book& Book::operator=(Book&&) noexcept = default;

Book::Book(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) fail(ErrorKind::Io, "{}: there is no such budget book", path);
  if (!S_ISREG(found.st_mode)) fail(ErrorKind::Io, "{}: is not a regular file", path);
  // The journal of a write that was cut off is found by the book's name: under a second name the write would be seen
  // as done, and be undone later.
  if (found.st_nlink > 1) fail(ErrorKind::BadInput, "{}: has several names (hard links), and must have one", path);
  // SQLite takes an empty file for a new database.
  if (found.st_size == 0) fail(ErrorKind::BadInput, "{}: is empty, so it is no budget book", path);
  state_ = std::make_unique<State>(path);
  state_->check_kind();
  state_->entries();
}

Book Book::create(const std::string& path, const std::string& first) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    std::error_code ignored;
    fail(ErrorKind::Io, "{}: {}", path,
         std::filesystem::exists(path, ignored) ? "exists already; a book is never begun anew" : "cannot be made");
  }
  close(file);
  try {
    Book book(std::make_unique<State>(path));
    sqlite3* c = book.state_->connection.get();
    Transaction transaction(path, c);
    execute(path, c,
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kFormat).c_str());
    execute(
        path, c,
        "CREATE TABLE entry (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;"
        "CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are not changed'); END;"
        "CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are kept'); END");
    insert(path, c, {1, first, chained("", first)});
    transaction.commit();
    return book;
  } catch (...) {
    unlink(path.c_str());
    throw;
  }
}

const std::string& Book::path() const { return state_->path; }
std::vector<BookEntry> Book::entries() const { return state_->entries(); }

BookEntry Book::append(const std::function<std::string(const std::vector<BookEntry>&)>& next) {
  sqlite3* c = state_->connection.get();
  Transaction transaction(state_->path, c);
  state_->check_kind();
  const std::vector<BookEntry> before = state_->entries();
  std::string body = next(before);
  BookEntry entry{static_cast<int64_t>(before.size()) + 1, std::move(body), ""};
  entry.hash = chained(before.back().hash, entry.body);
  insert(state_->path, c, entry);
  transaction.commit();
  return entry;
}

BookHead head_of(const std::vector<BookEntry>& entries) {
  return entries.empty() ? BookHead{} : BookHead{entries.back().number, entries.back().hash};
}

}  // namespace graphveil::budget
