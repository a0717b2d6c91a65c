// The module itself: errors as exceptions of their own kinds, progress, and who binds what.
#include "python/src/bind.h"

#include <nanobind/stl/string.h>

#include "graphveil/base/version.h"
#include "graphveil/kernels/cpu.h"

namespace graphveil::python {
namespace {

// The class in graphveil/_errors.py of an error's kind.
const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::InvalidArgument: return "InvalidArgument";
    case ErrorKind::BadInput: return "BadInput";
    case ErrorKind::Unsupported: return "Unsupported";
    case ErrorKind::BudgetExceeded: return "BudgetExceeded";
    case ErrorKind::NotConverged: return "NotConverged";
    case ErrorKind::Io: return "FileError";
    case ErrorKind::Cancelled: return "Cancelled";
    case ErrorKind::Internal: break;
  }
  return "InternalError";
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object errors = nb::module_::import_("graphveil._errors");
    PyErr_SetString(errors.attr(class_of(error.kind())).ptr(), error.what());
  }
}

}  // namespace

void PythonSink::update(const ProgressUpdate& update) {
  if (listener_.is_none() || pending_) return;
  const nb::gil_scoped_acquire locked;
  try {
    listener_(update.task, update.done, update.total, update.seconds, update.finished);
  } catch (nb::python_error& error) {
    pending_.emplace(std::move(error));
  }
}

bool PythonSink::cancelled() {
  if (pending_) return true;
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) pending_.emplace();
  return pending_.has_value();
}

void PythonSink::raise_pending() {
  if (!pending_) return;
  nb::python_error error = std::move(*pending_);
  pending_.reset();
  throw error;
}

}  // namespace graphveil::python

NB_MODULE(_core, m) {
  using namespace graphveil::python;
  nb::set_leak_warnings(false);  // classes of one's own methods are kept for good (own_method.cpp)
  nb::register_exception_translator(translate);
  m.attr("version") = std::string(graphveil::version());
  m.def("cpu_level", [] { return std::string(graphveil::kernels::name(graphveil::kernels::cpu_level())); });
  bind_graph(m);
  bind_arrow(m);
  bind_methods(m);
  bind_training(m);
  bind_commands(m);
  bind_own_method(m);
}
