#include "graphveil/sweep/children.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"

namespace graphveil::sweep {
namespace {

// A descriptor that this process closes.
struct OutputFile {
  explicit OutputFile(const std::string& path)
      : descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (descriptor < 0) fail(ErrorKind::Io, "{}: {}", path, std::strerror(errno));
  }
  ~OutputFile() { ::close(descriptor); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  int descriptor;
};

}  // namespace

Child::Child(const std::string& program, const std::vector<std::string>& arguments, const std::string& folder,
             std::string out_path, std::string error_path)
    : out_path_(std::move(out_path)), error_path_(std::move(error_path)) {
  const OutputFile out(out_path_), error(error_path_);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) fail(ErrorKind::Io, "a run cannot be started: {}", std::strerror(errno));
  if (pid_ > 0) return;
  // From here on nothing but calls that a fork allows.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool ready = ::getppid() == parent && nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 &&
                     ::dup2(out.descriptor, STDOUT_FILENO) >= 0 && ::dup2(error.descriptor, STDERR_FILENO) >= 0 &&
                     ::chdir(folder.c_str()) == 0;
  if (ready) ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

Child::~Child() {
  if (ended_) return;
  ::kill(pid_, SIGTERM);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Child::ended() {
  if (ended_) return true;
  if (::waitpid(pid_, &status_, WNOHANG) != pid_) return false;
  took_ = timer_.seconds();
  return ended_ = true;
}

Ended Child::result() {
  Ended out{.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 0,
            .signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0,
            .out = artifact::read_text(out_path_),
            .error = artifact::read_text(error_path_),
            .seconds = took_};
  ::unlink(out_path_.c_str());
  ::unlink(error_path_.c_str());
  return out;
}

std::string Child::last_words() const {
  std::string text = artifact::read_text(error_path_);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const size_t begin = text.find_last_of("\n\r");
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

}  // namespace graphveil::sweep
