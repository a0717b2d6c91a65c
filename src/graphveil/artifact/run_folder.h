// The folder that a training leaves behind; artifact/layout.h says which part is for whom.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace graphveil::artifact {

// A claim on a folder's name, made before the training: the folder is there as a whole or not at all.
class RunFolder {
 public:
  // Makes `folder`.part and locks it; takes over one that a killed run left behind. Throws Io when `folder` exists
  // already, another run is writing it, or nothing can be written there.
  explicit RunFolder(std::string folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Sets aside room on the disk for what will be written. Throws Io when there is not so much.
  void reserve(int64_t bytes);

  // Writes one file of a part: kRelease, kDraft, kOwners or kHolder. What is not for everybody can be read by its owner
  // alone. Several threads may write a file each.
  void write(const char* part, const char* name, std::span<const uint8_t> bytes);
  void write(const char* part, const char* name, const std::string& text);
  // A file that comes in pieces: `pieces` calls what it is given with one after the other.
  using Put = std::function<void(std::span<const uint8_t>)>;
  void write(const char* part, const char* name, const std::function<void(const Put&)>& pieces);
  // Where a file of a part lies until the folder is finished, for one that somebody else writes.
  std::string place(const char* part, const char* name);
  // Gives the folder its name: everything is written.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graphveil::artifact
