#include "graphveil/sweep/children.h"

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "tests/files/builders.h"

namespace graphveil::sweep::children_test {
namespace {

using files::TemporaryFolder;

void wait(Child& child) {
  while (!child.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(Child, TellsHowItEndedAndWhatItSaid) {
  const TemporaryFolder folder;
  folder.write("here", "");
  Child child("/bin/sh", {"-c", "ls; echo oops >&2; exit 3"}, folder.path(""), folder.path("out"), folder.path("err"));
  wait(child);
  EXPECT_EQ(child.last_words(), "oops");
  const Ended ended = child.result();
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(ended.signal, 0);
  EXPECT_NE(ended.out.find("here"), std::string::npos);
  EXPECT_EQ(ended.error, "oops\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST(Child, TellsTheSignalThatEndedIt) {
  const TemporaryFolder folder;
  Child child("/bin/sh", {"-c", "kill -9 $$"}, folder.path(""), folder.path("out"), folder.path("err"));
  wait(child);
  EXPECT_EQ(child.result().signal, SIGKILL);
}

TEST(Child, ThatDoesNotExistFails) {
  const TemporaryFolder folder;
  Child child(folder.path("none"), {}, folder.path(""), folder.path("out"), folder.path("err"));
  wait(child);
  EXPECT_EQ(child.result().exit_code, 127);
}

TEST(Child, GoesWithItsObject) {
  const TemporaryFolder folder;
  {
    Child child("/bin/sh", {"-c", "echo $$; exec sleep 100"}, folder.path(""), folder.path("out"), folder.path("err"));
    while (files::read_bytes(folder.path("out")).find('\n') == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  const pid_t pid = std::stoi(files::read_bytes(folder.path("out")));
  EXPECT_NE(::kill(pid, 0), 0);
}

}  // namespace
}  // namespace graphveil::sweep::children_test
