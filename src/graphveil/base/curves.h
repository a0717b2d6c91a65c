// What training loops tell of themselves, step by step. Losses are read off private records: whoever listens is the
// data holder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace graphveil {

// One number over the steps of one loop.
struct Curve {
  std::string stage;  // the loop: "encoder", "classifier"
  std::string what;   // "loss", "validation accuracy"
  int64_t pass = 0;   // 0 for the first time that the stage runs, 1 for the next (--repeats, --tune)
  std::vector<int64_t> steps;
  std::vector<double> values;
};

// Listens, and keeps at most kMost points of each curve: every second one goes when there are more.
class CurveRecorder {
 public:
  static constexpr size_t kMost = 2000;
  void add(const std::string& stage, const std::string& what, int64_t step, double value);
  const std::vector<Curve>& curves() const { return curves_; }

 private:
  std::vector<Curve> curves_;
  std::vector<int64_t> strides_, last_;  // of each curve: which steps are kept, and the last that was told
};

// While it lives, the loops that the calling thread drives tell this recorder. Loops on other threads tell nobody.
class CurveScope {
 public:
  explicit CurveScope(CurveRecorder& recorder);
  ~CurveScope();
  CurveScope(const CurveScope&) = delete;
  CurveScope& operator=(const CurveScope&) = delete;

 private:
  CurveRecorder* before_;
};

// Whether anybody listens: what costs time need not be computed otherwise.
bool curves_wanted();
// Does nothing when nobody listens.
void tell_curve(const std::string& stage, const std::string& what, int64_t step, double value);

}  // namespace graphveil
