#include "graphveil/budget/book.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"

namespace graphveil::budget::book_test {
namespace {

namespace fs = std::filesystem;

class BookTest : public testing::Test {
 protected:
  BookTest() : folder_(fs::temp_directory_path() / ("graphveil-book-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = (folder_ / "a.book").string();
  }
  ~BookTest() override { fs::remove_all(folder_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary | std::ios::trunc) << text; }
  void add(const std::string& body) const {
    Book(path_).append([&](const auto&) { return body; });
  }
  // Changes the database behind the book's back.
  void tamper(const char* statement) const {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &connection), SQLITE_OK);
    sqlite3_exec(connection, "DROP TRIGGER entry_stays; DROP TRIGGER entry_is_kept", nullptr, nullptr, nullptr);
    EXPECT_EQ(sqlite3_exec(connection, statement, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(connection);
    sqlite3_close(connection);
  }
  // The kind and the words of what opening it throws.
  std::pair<ErrorKind, std::string> refusal() const {
    try {
      Book book(path_);
    } catch (const Error& error) {
      return {error.kind(), error.what()};
    }
    ADD_FAILURE() << "it was opened";
    return {};
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(BookTest, KeepsEntriesInOrderAndChained) {
  Book book = Book::create(path_, "one");
  EXPECT_EQ(book.append([](const auto& entries) { return entries.back().body + " two"; }).number, 2);
  const std::vector<BookEntry> entries = Book(path_).entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].body, "one two");
  EXPECT_EQ(entries[1].hash, sha256_text(sha256_text("\none") + "\none two"));
  EXPECT_EQ(head_of(entries), (BookHead{2, entries[1].hash}));
  struct stat found {};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(BookTest, IsNeverBegunAnew) {
  Book::create(path_, "one");
  const std::string before = bytes();
  EXPECT_THROW(Book::create(path_, "two"), Error);
  EXPECT_EQ(bytes(), before);
}

TEST_F(BookTest, NothingIsWrittenWhenTheDecisionThrows) {
  Book book = Book::create(path_, "one");
  EXPECT_THROW(book.append([](const auto&) -> std::string { fail(ErrorKind::BudgetExceeded, "no room"); }), Error);
  EXPECT_EQ(book.entries().size(), 1u);
  book.append([](const auto&) { return "two"; });
  EXPECT_EQ(book.entries().size(), 2u);
}

TEST_F(BookTest, ALostChangedOrReorderedEntryIsNoticed) {
  for (const char* statement :
       {"DELETE FROM entry WHERE number = 2", "UPDATE entry SET body = 'tvo' WHERE number = 2",
        "DELETE FROM entry WHERE number = 1",
        "UPDATE entry SET number = 9 WHERE number = 2; UPDATE entry SET number = 2 WHERE number = 3;"
        "UPDATE entry SET number = 3 WHERE number = 9",
        "DELETE FROM entry"}) {
    fs::remove(path_);
    Book::create(path_, "one");
    for (const char* body : {"two", "three"}) add(body);
    tamper(statement);
    const std::string before = bytes();
    EXPECT_EQ(refusal().first, ErrorKind::BadInput) << statement;
    EXPECT_EQ(bytes(), before) << statement;
  }
}

TEST_F(BookTest, WhatIsNoBookIsRefusedAndLeftAlone) {
  EXPECT_EQ(refusal().first, ErrorKind::Io);  // not there
  for (const std::string& text : {std::string(), std::string("hello"), std::string(4096, 'x')}) {
    write(text);
    EXPECT_EQ(refusal().first, ErrorKind::BadInput);
    EXPECT_EQ(bytes(), text);
  }
  fs::remove(path_);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "CREATE TABLE entry (number INTEGER, body TEXT, hash TEXT)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  const std::string before = bytes();
  EXPECT_NE(refusal().second.find("is no budget book"), std::string::npos);
  EXPECT_EQ(bytes(), before);
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_EQ(refusal().first, ErrorKind::Io);
}

TEST_F(BookTest, ATruncatedOrOverwrittenBookIsRefusedAndLeftAlone) {
  Book::create(path_, "one");
  for (int i = 0; i < 200; ++i) add(std::string(200, 'a'));
  const std::string whole = bytes();
  for (const size_t left : {whole.size() / 2, whole.size() - 4096, size_t{100}}) {
    write(whole.substr(0, left));
    const std::string before = bytes();
    EXPECT_EQ(refusal().first, ErrorKind::BadInput) << left;
    EXPECT_EQ(bytes(), before);
  }
  std::string torn = whole;
  torn.replace(whole.size() / 2, 600, std::string(600, '\x7f'));
  write(torn);
  EXPECT_EQ(refusal().first, ErrorKind::BadInput);
  EXPECT_EQ(bytes(), torn);
}

TEST_F(BookTest, AFullDiskMeansNoEntry) {
  Book::create(path_, "one");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto size = static_cast<rlim_t>(fs::file_size(path_));
    const rlimit limit{size, size};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Book(path_).append([](const auto&) { return std::string(100'000, 'x'); });
    } catch (const Error& error) {
      _exit(error.kind() == ErrorKind::Io ? 7 : 8);
    }
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(Book(path_).entries().size(), 1u);
}

// Each process appends only while there are fewer than 40 entries, and counts what it appended.
TEST_F(BookTest, ProcessesDecideOneAfterTheOther) {
  Book::create(path_, "one");
  std::vector<pid_t> children;
  for (int p = 0; p < 4; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      Book book(path_);
      int mine = 0;
      try {
        for (;;) {
          book.append([](const auto& entries) -> std::string {
            if (entries.size() >= 40) fail(ErrorKind::BudgetExceeded, "full");
            return "x";
          });
          ++mine;
        }
      } catch (const Error& error) {
        _exit(error.kind() == ErrorKind::BudgetExceeded ? mine : 255);
      }
    }
    children.push_back(child);
  }
  int appended = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_NE(WEXITSTATUS(status), 255);
    appended += WEXITSTATUS(status);
  }
  EXPECT_EQ(appended, 39);
  EXPECT_EQ(Book(path_).entries().size(), 40u);
}

// A process that is killed while it writes leaves whole entries, and all that it said were there.
TEST_F(BookTest, WhatWasSaidToBeThereIsThereAfterAKill) {
  Book::create(path_, "one");
  for (int round = 0; round < 5; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      Book book(path_);
      for (;;) {
        const int64_t number = book.append([](const auto&) { return "x"; }).number;
        if (::write(pipe_ends[1], &number, sizeof number) != sizeof number) _exit(1);
      }
    }
    close(pipe_ends[1]);
    int64_t last = 0;
    for (int i = 0; i < 3 + 4 * round; ++i) {
      ASSERT_EQ(read(pipe_ends[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (int64_t more = 0; read(pipe_ends[0], &more, sizeof more) == static_cast<ssize_t>(sizeof more);) last = more;
    close(pipe_ends[0]);
    EXPECT_GE(std::ssize(Book(path_).entries()), last);
    EXPECT_LE(std::ssize(Book(path_).entries()), last + 1);
  }
}

TEST_F(BookTest, ASecondNameIsRefused) {
  Book::create(path_, "{}");
  const std::string second = path_ + ".link";
  fs::create_hard_link(path_, second);
  EXPECT_THROW(Book{path_}, Error);
  EXPECT_THROW(Book{second}, Error);
  fs::remove(second);
  EXPECT_NO_THROW(Book{path_});
}

}  // namespace
}  // namespace graphveil::budget::book_test
