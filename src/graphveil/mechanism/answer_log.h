// Labels that a run gave out, kept as they come where the end of the process does not reach them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graphveil::mechanism {

class AnswerLog {
 public:
  virtual ~AnswerLog() = default;
  // What the training of this name has given out, in order; nothing where it is new, and then it is begun. `plan` says
  // what it releases: throws BadInput when it was begun with another one.
  virtual std::vector<int32_t> begin(const std::string& training, const std::string& plan) = 0;
  // One more label of the training that was begun last. Throws Io when it cannot be kept.
  virtual void add(int32_t label) = 0;
};

}  // namespace graphveil::mechanism
