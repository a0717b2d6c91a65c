// The journal of a run that can go on after it was killed: what it is, and every label that it has given out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/sealed.h"
#include "graphveil/base/random.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/mechanism/answer_log.h"

namespace graphveil::artifact {

// All that must be the same when a run goes on: with other data or another plan, the same noise would be given out
// twice, and the difference tells what changed.
struct JournalHead {
  std::string version;  // of the program
  std::string method;
  std::vector<std::pair<std::string, std::string>> options;  // all of them
  std::vector<std::pair<std::string, std::string>> inputs;   // what else the command was given: paths
  std::vector<Fingerprint> data;                             // of the graphs that are read
  Seed seed;
  std::string cpu_level = {};  // of the kernels: another one rounds otherwise
};

// A text file: the head as one line of JSON, then for every training a line "training NAME PLAN" (PLAN a digest) and
// below it its labels, one a line. Locked while it is open; only its owner may read it, since whoever has the seed can
// take the noise away. It is no release, and is removed when the run is done.
//
// Guarantee: a run that goes on does not read private records for labels that are here, and draws for the next ones the
// noise that it would have drawn, so a label that was drawn and not yet written comes out the same again.
class Journal final : public mechanism::AnswerLog {
 public:
  // Where the journal of a run folder lies while the run is not finished.
  static std::string path_of(const std::string& folder);

  // For a new run, that can go on from here on; gone with the object, or with a signal that ends the process, unless a
  // training has begun. Throws Io when there is one already, InvalidArgument for a head that is no text. With a key the
  // seed is sealed.
  Journal(std::string folder, JournalHead head, const std::optional<SealKey>& key = std::nullopt);
  // Of a run that was killed. Throws Io when there is none or another process has it, BadInput when it is not one or
  // was sealed with another key.
  explicit Journal(std::string folder, const std::optional<SealKey>& key = std::nullopt);
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const JournalHead& head() const { return head_; }
  // What the run draws from: with other options or data other noise, so that no two runs share theirs. A seed that was
  // given as a number stays what it is.
  Seed seed() const;
  // What a budget book calls the run, whether it is its first process or goes on; tells nothing of the seed.
  std::string run_name() const;
  // Throws BadInput, naming what differs, unless data and CPU level are those of the head and the program the one that
  // began.
  void check(const std::vector<Fingerprint>& data, const std::string& cpu_level) const;

  std::vector<int32_t> begin(const std::string& training, const std::string& plan) override;
  void add(int32_t label) override;
  // From here on the file stays when the process ends before finish(): something was drawn, or is worth going on from.
  void stay();
  // The run folder is written: the journal goes.
  void finish();

 private:
  struct Training {
    std::string name, plan;
    std::vector<int32_t> labels;
  };
  void open_file(int flags);
  void read(const std::optional<SealKey>& key);
  void write(const std::string& text, bool flush);

  std::string path_;
  JournalHead head_;
  std::vector<Training> trainings_;
  std::optional<UnfinishedPath> not_begun_;  // of a new run before its first training
  std::optional<Farewell> farewell_;         // after it
  std::string folder_;
  bool last_begun_ = false;  // whether labels may be added: they belong to the last training
  int fd_ = -1;
};

}  // namespace graphveil::artifact
