// What the parts of the Python module share: how work is driven while the interpreter is free, and graphs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::python {

namespace nb = nanobind;

// Each adds its part to the module.
void bind_arrow(nb::module_& m);
void bind_commands(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_methods(nb::module_& m);
void bind_own_method(nb::module_& m);
void bind_training(nb::module_& m);

// Tells a Python function, progress(task, done, total, seconds, finished), or nobody, and looks for signals: Ctrl-C, or
// whatever the function raises, stops the work and is raised when it has ended.
class PythonSink final : public ProgressSink {
 public:
  explicit PythonSink(nb::object listener) : listener_(std::move(listener)) {}
  void update(const ProgressUpdate& update) override;
  bool cancelled() override;
  // Raises what stopped the work, where something did.
  void raise_pending();

 private:
  nb::object listener_;
  std::optional<nb::python_error> pending_;
};

// Runs `work` without the interpreter's lock, on so many threads (0: all processors), with the listener told.
template <typename Work>
auto driven(int threads, const nb::object& listener, Work&& work) {
  const auto sink = std::make_shared<PythonSink>(listener);
  const ContextScope scope({.threads = threads, .progress = sink});
  try {
    const nb::gil_scoped_release free;
    return work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) sink->raise_pending();
    throw;
  }
}

// A dataset as Python holds it: immutable, shared.
struct GraphHandle {
  std::shared_ptr<const graph::Dataset> data;
  std::vector<int32_t> entities{};  // the number of the person that each node is; empty: nobody says
};

}  // namespace graphveil::python
