// Graphs: made from arrays or files, checked as files are, and given back as arrays.
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "graphveil/base/error.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/format.h"
#include "graphveil/graph/generate.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"

namespace graphveil::python {
namespace {

constexpr const char* kArrays = "arrays";  // where a file's name would stand in messages

// Sparse rows: offsets, columns, values (empty: all 1), number of columns.
using SparseRows = std::tuple<Vector<int64_t>, Vector<int32_t>, Vector<float>, int64_t>;

graph::Names names_of(const std::vector<std::string>& names) {
  return names.empty() ? graph::Names() : graph::Names(std::span<const std::string>(names));
}

GraphHandle finished(graph::Dataset data, const std::optional<Vector<int64_t>>& labels,
                     std::optional<int32_t> classes) {
  if (labels) {
    files::set_labels(kArrays, "labels", span_of(*labels), data);
  } else {
    data.labels = std::vector<int32_t>(static_cast<size_t>(data.nodes()), graph::kUnlabeled);
    data.classes = 1;
  }
  if (classes) {
    require(*classes >= data.classes, "classes is {}, and a label is {}", *classes, data.classes - 1);
    data.classes = *classes;
    std::erase(data.found_in_data, files::kClassesOfLabels);  // the user's word, not the records'
  }
  graph::check(data);
  return {std::make_shared<const graph::Dataset>(std::move(data))};
}

void set_features(graph::Dataset& data, const nb::object& features) {
  const int64_t nodes = data.nodes();
  if (nb::isinstance<nb::tuple>(features)) {
    const auto [offsets, columns, values, cols] = nb::cast<SparseRows>(features);
    const auto o = span_of(offsets);
    require(static_cast<int64_t>(o.size()) == nodes + 1, "features have {} rows, want {}: one for each node",
            static_cast<int64_t>(o.size()) - 1, nodes);
    const auto c = span_of(columns);
    const auto v = span_of(values);
    files::RawRows rows{"features", "features",           "features",           nodes,
                        cols,       {o.begin(), o.end()}, {c.begin(), c.end()}, {v.begin(), v.end()}};
    files::check_finite(kArrays, "features", v, 1);
    data.features = files::checked_sparse(kArrays, std::move(rows));
    return;
  }
  const auto dense = nb::cast<Table<float>>(features);
  require(static_cast<int64_t>(dense.shape(0)) == nodes, "features have {} rows, want {}: one for each node",
          dense.shape(0), nodes);
  files::check_finite(kArrays, "features", {dense.data(), dense.size()}, static_cast<int64_t>(dense.shape(1)));
  data.features = graph::Features(nodes, static_cast<int64_t>(dense.shape(1)), borrowed(dense));
}

// Edges as pairs, or as rows of targets.
GraphHandle from_edges(int64_t nodes, const Vector<int32_t>& sources, const Vector<int32_t>& targets, bool directed,
                       const nb::object& features, const std::optional<Vector<int64_t>>& labels,
                       std::optional<int32_t> classes, const std::string& name) {
  graph::Dataset data;
  data.name = name;
  files::checked_nodes(kArrays, "nodes", nodes);
  data.graph = directed ? graph::Graph::from_edges(nodes, span_of(sources), span_of(targets), &data.cleanup)
                        : graph::Graph::from_undirected_edges(nodes, span_of(sources), span_of(targets), &data.cleanup);
  set_features(data, features);
  return finished(std::move(data), labels, classes);
}

GraphHandle from_rows(const Vector<int64_t>& offsets, const Vector<int32_t>& targets, const nb::object& features,
                      const std::optional<Vector<int64_t>>& labels, std::optional<int32_t> classes,
                      const std::string& name) {
  graph::Dataset data;
  data.name = name;
  files::checked_nodes(kArrays, "nodes", static_cast<int64_t>(offsets.size()) - 1);
  data.graph = graph::Graph::from_out_lists({borrowed(offsets), borrowed(targets)}, &data.cleanup);
  set_features(data, features);
  return finished(std::move(data), labels, classes);
}

GraphHandle with_names(const GraphHandle& graph, const std::vector<std::string>& ids,
                       const std::vector<std::string>& classes, const std::vector<std::string>& features) {
  graph::Dataset data = *graph.data;
  const auto fits = [](const std::vector<std::string>& names, int64_t wanted, const char* what) {
    require(names.empty() || static_cast<int64_t>(names.size()) == wanted, "{} {}, want {}", names.size(), what,
            wanted);
  };
  fits(ids, data.nodes(), "ids");
  fits(classes, data.classes, "class names");
  fits(features, data.features.cols(), "feature names");
  data.ids = names_of(ids);
  data.class_names = names_of(classes);
  data.feature_names = names_of(features);
  graph::check(data);
  return {std::make_shared<const graph::Dataset>(std::move(data)), graph.entities};
}

// The number of the person that each node is; none: every node is one, and nobody asks.
GraphHandle with_entities(const GraphHandle& graph, const Vector<int32_t>& entities) {
  const auto people = span_of(entities);
  const int64_t nodes = graph.data->nodes();
  require(people.empty() || std::ssize(people) == nodes, "{} entities, want {}: one for each node", people.size(),
          nodes);
  for (const int32_t person : people) {
    require(person >= 0 && person < nodes, "an entity is {}, want 0 to {}", person, nodes - 1);
  }
  return {graph.data, {people.begin(), people.end()}};
}

GraphHandle with_split(const GraphHandle& graph, const Vector<int64_t>& train, const Vector<int64_t>& val,
                       const Vector<int64_t>& test) {
  graph::Dataset data = *graph.data;
  graph::Split split;
  split.train = files::checked_part(kArrays, "train", span_of(train), data.nodes());
  split.val = files::checked_part(kArrays, "val", span_of(val), data.nodes());
  split.test = files::checked_part(kArrays, "test", span_of(test), data.nodes());
  files::check_disjoint(kArrays, split, data.nodes());
  data.split = std::move(split);
  graph::check(data);
  return {std::make_shared<const graph::Dataset>(std::move(data)), graph.entities};
}

nb::object features_of(const GraphHandle& graph) {
  const graph::Features& features = graph.data->features;
  if (!features.is_sparse()) {
    return nb::cast(lent<Real>(features.dense_values().data(),
                               {static_cast<size_t>(features.rows()), static_cast<size_t>(features.cols())},
                               features.dense_values()));
  }
  const SparseMatrix& m = features.sparse();
  return nb::make_tuple(lent(m.offsets), lent(m.indices), lent(m.values), m.cols);
}

nb::object split_of(const GraphHandle& graph) {
  if (!graph.data->split) return nb::none();
  const graph::Split& s = *graph.data->split;
  const auto part = [](const std::vector<int32_t>& ids) { return given<int32_t>(ids, {ids.size()}); };
  return nb::make_tuple(part(s.train), part(s.val), part(s.test));
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<GraphHandle>(m, "GraphHandle")
      .def_static("from_edges", &from_edges, nb::arg("nodes"), nb::arg("sources"), nb::arg("targets"),
                  nb::arg("directed"), nb::arg("features"), nb::arg("labels").none(), nb::arg("classes").none(),
                  nb::arg("name"))
      .def_static("from_rows", &from_rows, nb::arg("offsets"), nb::arg("targets"), nb::arg("features"),
                  nb::arg("labels").none(), nb::arg("classes").none(), nb::arg("name"))
      .def_static(
          "read",
          [](const std::string& path, const std::string& target, int threads, const nb::object& progress) {
            return driven(threads, progress, [&] {
              return GraphHandle{
                  std::make_shared<const graph::Dataset>(files::read_dataset(path, {files::facebook_target(target)})),
                  files::read_entities(path)};
            });
          },
          nb::arg("path"), nb::arg("target"), nb::arg("threads"), nb::arg("progress").none())
      .def_static(
          "generate",
          [](const std::string& preset, std::optional<int64_t> nodes, int64_t seed) {
            return GraphHandle{std::make_shared<const graph::Dataset>(
                graph::generate(graph::preset(preset, nodes), Seed::from_number(static_cast<uint64_t>(seed))))};
          },
          nb::arg("preset"), nb::arg("nodes").none(), nb::arg("seed"))
      .def(
          "write",
          [](const GraphHandle& g, const std::string& path) {
            const nb::gil_scoped_release free;
            files::write_dataset(*g.data, path, g.entities);
          },
          nb::arg("path"))
      .def("with_names", &with_names, nb::arg("ids"), nb::arg("classes"), nb::arg("features"))
      .def("with_split", &with_split, nb::arg("train"), nb::arg("val"), nb::arg("test"))
      .def("with_entities", &with_entities, nb::arg("entities"))
      .def_prop_ro("name", [](const GraphHandle& g) { return g.data->name; })
      .def_prop_ro("nodes", [](const GraphHandle& g) { return g.data->nodes(); })
      .def_prop_ro("edges", [](const GraphHandle& g) { return g.data->graph.edges(); })
      .def_prop_ro("classes", [](const GraphHandle& g) { return g.data->classes; })
      .def_prop_ro("feature_columns", [](const GraphHandle& g) { return g.data->features.cols(); })
      .def_prop_ro("sparse", [](const GraphHandle& g) { return g.data->features.is_sparse(); })
      .def_prop_ro("symmetric", [](const GraphHandle& g) { return g.data->graph.symmetric(); })
      .def_prop_ro(
          "labels", [](const GraphHandle& g) { return lent(g.data->labels); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "offsets", [](const GraphHandle& g) { return lent(g.data->graph.out_lists().offsets); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "targets", [](const GraphHandle& g) { return lent(g.data->graph.out_lists().neighbors); },
          nb::rv_policy::automatic)
      .def_prop_ro("features", &features_of, nb::rv_policy::automatic)
      .def_prop_ro("split", &split_of, nb::rv_policy::automatic)
      .def_prop_ro(
          "entities", [](const GraphHandle& g) { return given<int32_t>(g.entities, {g.entities.size()}); },
          nb::rv_policy::automatic)
      .def_prop_ro("ids", [](const GraphHandle& g) { return g.data->ids.list(); })
      .def_prop_ro("class_names", [](const GraphHandle& g) { return g.data->class_names.list(); })
      .def_prop_ro("feature_names", [](const GraphHandle& g) { return g.data->feature_names.list(); })
      .def_prop_ro("schema", [](const GraphHandle& g) { return g.data->schema; })
      .def_prop_ro("found_in_data", [](const GraphHandle& g) { return g.data->found_in_data; });
}

}  // namespace graphveil::python
