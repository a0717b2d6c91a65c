#include "graphveil/report/curve_files.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/version.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/csv_rows.h"

namespace graphveil::report {
namespace {

namespace fs = std::filesystem;

void write_whole(const fs::path& path, std::string_view text) {
  files::AtomicFile file(path.string());
  file.write(std::as_bytes(std::span(text)));
  file.commit(0600);
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail(ErrorKind::Io, "{}: {}", path.string(), error.message());
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string tag_of(const Curve& curve) {
  std::string tag = curve.stage + "/" + curve.what;
  if (curve.pass > 0) tag += fmt::format("/{}", curve.pass + 1);
  return tag;
}

// A name that is one file's, and that MLflow takes.
std::string file_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                       c == '-' || c == '_' || c == ' ';
    out += plain ? c : '_';
  }
  return out;
}

template <typename Number>
void put(std::string& out, Number number) {
  static_assert(std::endian::native == std::endian::little, "records are little-endian");
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  out.append(bytes, sizeof(Number));
}

void put_varint(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// A field of a protocol buffer that has a length.
void put_bytes(std::string& out, int field, std::string_view bytes) {
  put_varint(out, static_cast<uint64_t>(field) << 3 | 2);
  put_varint(out, bytes.size());
  out += bytes;
}

void put_record(std::string& out, const std::string& data) {
  std::string length;
  put(length, static_cast<uint64_t>(data.size()));
  out += length;
  put(out, masked_crc32c(length));
  out += data;
  put(out, masked_crc32c(data));
}

// tensorflow.Event: wall_time = 1, step = 2, file_version = 3, summary = 5.
std::string event_begin(double wall_time) {
  std::string event;
  put_varint(event, 1 << 3 | 1);
  put(event, wall_time);
  return event;
}

std::string scalar_event(double wall_time, int64_t step, const std::string& tag, double value) {
  std::string point;  // Summary.Value: tag = 1, simple_value = 2
  put_bytes(point, 1, tag);
  put_varint(point, 2 << 3 | 5);
  put(point, static_cast<float>(value));
  std::string summary;
  put_bytes(summary, 1, point);
  std::string event = event_begin(wall_time);
  put_varint(event, 2 << 3 | 0);
  put_varint(event, static_cast<uint64_t>(step));
  put_bytes(event, 5, summary);
  return event;
}

std::string quoted_yaml(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string curves_csv(const std::vector<Curve>& curves) {
  std::string text = "stage,what,pass,step,value\n";
  for (const Curve& curve : curves) {
    for (size_t i = 0; i < curve.steps.size(); ++i) {
      text += fmt::format("{},{},{},{},{}\n", files::csv_cell(curve.stage), files::csv_cell(curve.what), curve.pass,
                          curve.steps[i], curve.values[i]);
    }
  }
  return text;
}

uint32_t crc32c(std::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> out{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78u : 0u);
      out[i] = value;
    }
    return out;
  }();
  uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<uint8_t>(c)) & 0xFF];
  return ~crc;
}

uint32_t masked_crc32c(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8u; }

std::string tensorboard_events(const std::vector<Curve>& curves, const std::map<std::string, double>& scores,
                               double wall_time) {
  std::string out, first = event_begin(wall_time);
  put_bytes(first, 3, "brain.Event:2");
  put_record(out, first);
  for (const Curve& curve : curves) {
    const std::string tag = tag_of(curve);
    for (size_t i = 0; i < curve.steps.size(); ++i) {
      put_record(out, scalar_event(wall_time, curve.steps[i], tag, curve.values[i]));
    }
  }
  for (const auto& [name, value] : scores) put_record(out, scalar_event(wall_time, 0, name, value));
  return out;
}

std::string write_tensorboard(const std::string& folder, const std::vector<Curve>& curves,
                              const std::map<std::string, double>& scores) {
  make_folder(folder);
  const double now = seconds_now();
  const fs::path path =
      fs::path(folder) / fmt::format("events.out.tfevents.{:010}.graphveil.{}", static_cast<int64_t>(now), ::getpid());
  write_whole(path, tensorboard_events(curves, scores, now));
  return path.string();
}

std::string write_mlflow(const std::string& folder, const std::string& name, const std::vector<Curve>& curves,
                         const std::map<std::string, double>& scores,
                         const std::map<std::string, std::string>& params) {
  const auto now = static_cast<int64_t>(1000 * seconds_now());
  const fs::path root = fs::absolute(folder), experiment = root / "0";
  const std::string id =
      sha256_text(fmt::format("{} {} {} {}", name, now, ::getpid(), experiment.string())).substr(0, 32);
  const fs::path run = experiment / id;
  for (const char* part : {"metrics", "params", "tags", "artifacts"}) make_folder(run / part);
  if (!fs::exists(experiment / "meta.yaml")) {
    write_whole(experiment / "meta.yaml",
                fmt::format("artifact_location: {}\ncreation_time: {}\nexperiment_id: '0'\nlast_update_time: {}\n"
                            "lifecycle_stage: active\nname: Default\n",
                            quoted_yaml("file://" + experiment.string()), now, now));
  }
  std::map<std::string, std::string> metrics;
  for (const Curve& curve : curves) {
    std::string& lines = metrics[file_name(tag_of(curve))];
    for (size_t i = 0; i < curve.steps.size(); ++i) {
      lines += fmt::format("{} {} {}\n", now, curve.values[i], curve.steps[i]);
    }
  }
  for (const auto& [score, value] : scores) metrics[file_name(score)] = fmt::format("{} {} 0\n", now, value);
  for (const auto& [metric, lines] : metrics) write_whole(run / "metrics" / metric, lines);
  for (const auto& [param, value] : params) write_whole(run / "params" / file_name(param), value);
  write_whole(run / "tags" / "mlflow.runName", name);
  write_whole(run / "tags" / "mlflow.source.name", "graphveil");
  write_whole(run / "tags" / "graphveil.version", std::string(version()));
  write_whole(run / "meta.yaml",
              fmt::format("artifact_uri: {}\nend_time: {}\nentry_point_name: ''\nexperiment_id: '0'\n"
                          "lifecycle_stage: active\nrun_id: {}\nrun_name: {}\nrun_uuid: {}\nsource_name: ''\n"
                          "source_type: 4\nsource_version: ''\nstart_time: {}\nstatus: 3\ntags: []\nuser_id: ''\n",
                          quoted_yaml("file://" + (run / "artifacts").string()), now, id, quoted_yaml(name), id, now));
  return run.string();
}

}  // namespace graphveil::report
