// Tables that speak the Arrow PyCapsule protocol: pandas, polars, pyarrow, DuckDB.
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "graphveil/base/error.h"
#include "graphveil/files/arrow_import.h"
#include "python/src/bind.h"

namespace graphveil::python {
namespace {

ArrowArrayStream* stream_of(const nb::object& capsule, const char* what) {
  void* stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (stream == nullptr) {
    PyErr_Clear();
    fail(ErrorKind::InvalidArgument, "{} are no Arrow stream", what);
  }
  return static_cast<ArrowArrayStream*>(stream);
}

// `nodes` is the capsule of a stream, `edges` a function that gives one when the first is read.
std::pair<GraphHandle, std::vector<std::string>> import_arrow(const nb::object& nodes, const nb::object& edges,
                                                              const std::string& schema_text, const std::string& name,
                                                              int threads, const nb::object& progress) {
  const files::Schema schema = files::parse_schema(schema_text, name);
  ArrowArrayStream* node_stream = stream_of(nodes, "the nodes");
  nb::object edge_capsule;
  const auto open_edges = [&] {
    const nb::gil_scoped_acquire locked;
    edge_capsule = edges();
    return stream_of(edge_capsule, "the edges");
  };
  files::Imported imported =
      driven(threads, progress, [&] { return files::import_arrow(schema, node_stream, open_edges); });
  std::vector<std::string> report = files::oddities(imported.counts, schema);
  return {{std::make_shared<const graph::Dataset>(std::move(imported.dataset)), std::move(imported.entities)},
          std::move(report)};
}

}  // namespace

void bind_arrow(nb::module_& m) {
  m.def("import_arrow", &import_arrow, nb::arg("nodes"), nb::arg("edges"), nb::arg("schema"), nb::arg("name"),
        nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace graphveil::python
