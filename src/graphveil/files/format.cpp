#include "graphveil/files/format.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "graphveil/files/bad_input.h"
#include "graphveil/files/file_bytes.h"
#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/text_rows.h"

namespace graphveil::files {
namespace {

namespace fs = std::filesystem;

struct Ending {
  const char* ending;
  Format format;
};
constexpr Ending kEndings[] = {{".npz", Format::Npz},
                               {".mat", Format::Facebook100},
                               {".gvg", Format::Gvg},
                               {".csv", Format::Csv},
                               {".csv.gz", Format::Csv}};

Format detect_folder(const std::string& path) {
  if (!plain_or_gzip(path + "/raw/edge.csv").empty()) return Format::Ogb;
  if (!plain_or_gzip(path + "/edges.csv").empty()) return Format::Csv;
  if (!plain_or_gzip(path + "/adjacency.mtx").empty()) return Format::MatrixMarket;
  bad_file(path,
           "a folder with neither raw/edge.csv.gz (OGB), edges.csv (plain text) nor adjacency.mtx (Matrix Market)");
}

// The plain-text reader takes the folder; edges.csv inside it may be named as well.
std::string csv_folder(const std::string& path) {
  if (fs::is_directory(path)) return path;
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool is_text_folder(const std::string& folder) {
  for (const char* name : {"/edges.csv", "/features.csv", "/labels.csv"}) {
    if (plain_or_gzip(folder + name).empty()) return false;
  }
  return true;
}

}  // namespace

const char* name(Format format) {
  switch (format) {
    case Format::Npz: return "npz";
    case Format::Facebook100: return "facebook100";
    case Format::Ogb: return "ogb";
    case Format::Csv: return "csv";
    case Format::MatrixMarket: return "matrix-market";
    case Format::Gvg: return "gvg";
  }
  return "unknown";
}

Format detect_format(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    fail(ErrorKind::Io, "{}: cannot be opened: {}", path, std::strerror(error ? error.value() : ENOENT));
  if (fs::is_directory(status)) return detect_folder(path);

  const SharedArray<std::byte> bytes = file_bytes(path, 16);
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (start.starts_with("PK\x03\x04")) return Format::Npz;
  if (start.starts_with("MATLAB ") || start.starts_with("\x89HDF")) return Format::Facebook100;
  if (start.starts_with(std::string_view(reinterpret_cast<const char*>(gvg::kMagic.data()), gvg::kMagic.size()))) {
    return Format::Gvg;
  }
  for (const auto& [ending, format] : kEndings) {
    if (!path.ends_with(ending)) continue;
    if (format == Format::Csv && !is_text_folder(csv_folder(path))) {
      bad_file(path,
               "is a table by itself; a graph is made of a table of nodes and one of edges: `graphveil data schema "
               "--nodes NODES.csv --edges EDGES.csv > schema.toml`, then `graphveil data import`");
    }
    return format;
  }
  if (path.ends_with(".mtx") || path.ends_with(".mtx.gz")) {
    bad_file(path, "give the folder of adjacency.mtx, features.mtx and labels.mtx, see docs/formats.md");
  }
  if (start.starts_with("PAR1") || start.starts_with("ARROW1")) {
    bad_file(path,
             "Parquet and Arrow are for the Python package; write the tables as CSV, then `graphveil data import`");
  }
  bad_file(path, "neither .npz, Facebook100 .mat, .gvg, nor a folder of OGB, plain text or Matrix Market files");
}

graph::Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  switch (detect_format(path)) {
    case Format::Npz: return read_npz(path);
    case Format::Facebook100: return read_facebook100(path, options.target);
    case Format::Ogb: return read_ogb(path);
    case Format::Csv: return read_csv(csv_folder(path));
    case Format::MatrixMarket: return read_matrix_market_folder(path);
    case Format::Gvg: return read_gvg(path);
  }
  fail(ErrorKind::Internal, "{}: unknown format", path);
}

std::vector<int32_t> read_entities(const std::string& path) {
  if (detect_format(path) != Format::Gvg) return {};
  return read_gvg_entities(path).value_or(std::vector<int32_t>{});
}

std::optional<int64_t> largest_entity(std::span<const int32_t> entities) {
  if (entities.empty()) return std::nullopt;
  std::vector<int64_t> nodes(entities.size(), 0);
  for (const int32_t person : entities) ++nodes[static_cast<size_t>(person)];
  return *std::max_element(nodes.begin(), nodes.end());
}

std::optional<int64_t> largest_entity(const std::string& path) { return largest_entity(read_entities(path)); }

void write_dataset(const graph::Dataset& dataset, const std::string& path, std::span<const int32_t> entities) {
  require(entities.empty() || !path.ends_with(".npz"), "{}: only .gvg can say who is several nodes", path);
  if (path.ends_with(".npz")) return write_npz(dataset, path);
  if (path.ends_with(".gvg")) return write_gvg(dataset, path, entities);
  fail(ErrorKind::InvalidArgument, "{}: the name must end in .npz or .gvg", path);
}

FacebookTarget facebook_target(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames{"status",  "gender", "major",      "minor",
                                                          "housing", "year",   "high-school"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  require(found != kNames.end(), "target is '{}', want status, gender, major, minor, housing, year or high-school",
          name);
  return static_cast<FacebookTarget>(found - kNames.begin());
}

}  // namespace graphveil::files
