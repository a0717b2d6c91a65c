#include "graphveil/base/curves.h"

namespace graphveil {
namespace {

CurveRecorder*& recorder_of_thread() {
  thread_local CurveRecorder* recorder = nullptr;
  return recorder;
}

}  // namespace

void CurveRecorder::add(const std::string& stage, const std::string& what, int64_t step, double value) {
  size_t at = curves_.size();
  int64_t pass = 0;
  for (size_t i = curves_.size(); i-- > 0;) {
    if (curves_[i].stage != stage || curves_[i].what != what) continue;
    pass = curves_[i].pass + 1;
    if (step > last_[i]) at = i;  // else it has begun again
    break;
  }
  if (at == curves_.size()) {
    curves_.push_back({stage, what, pass, {}, {}});
    strides_.push_back(1);
    last_.push_back(-1);
  }
  last_[at] = step;
  Curve& curve = curves_[at];
  if (step % strides_[at] != 0) return;
  curve.steps.push_back(step);
  curve.values.push_back(value);
  if (curve.steps.size() <= kMost) return;
  strides_[at] *= 2;
  size_t kept = 0;
  for (size_t i = 0; i < curve.steps.size(); ++i) {
    if (curve.steps[i] % strides_[at] != 0) continue;
    curve.steps[kept] = curve.steps[i];
    curve.values[kept++] = curve.values[i];
  }
  curve.steps.resize(kept);
  curve.values.resize(kept);
}

CurveScope::CurveScope(CurveRecorder& recorder) : before_(recorder_of_thread()) { recorder_of_thread() = &recorder; }

CurveScope::~CurveScope() { recorder_of_thread() = before_; }

bool curves_wanted() { return recorder_of_thread() != nullptr; }

void tell_curve(const std::string& stage, const std::string& what, int64_t step, double value) {
  if (CurveRecorder* recorder = recorder_of_thread()) recorder->add(stage, what, step, value);
}

}  // namespace graphveil
