// Training curves as CSV, for TensorBoard and for MLflow. They are the holder's: losses read private records.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/base/curves.h"

namespace graphveil::report {

// Of a run folder's holder/.
inline constexpr const char* kCurves = "curves.csv";

// stage,what,pass,step,value
std::string curves_csv(const std::vector<Curve>& curves);

// CRC-32C (Castagnoli), and as TensorFlow's records carry it.
uint32_t crc32c(std::string_view bytes);
uint32_t masked_crc32c(std::string_view bytes);

// An event file: a record that names the format, then one for each point; tags are "stage/what", of later passes
// "stage/what/pass". `wall_time` is seconds since 1970.
std::string tensorboard_events(const std::vector<Curve>& curves, const std::map<std::string, double>& scores,
                               double wall_time);
// Writes one into a folder, beside those that are there. Returns its path. Throws Io.
std::string write_tensorboard(const std::string& folder, const std::vector<Curve>& curves,
                              const std::map<std::string, double>& scores);

// What MLflow calls a run, in the layout of its file store: FOLDER/0/RUN/ with metrics, params and tags. The folder is
// what `mlflow ui --backend-store-uri` takes. Returns the run's folder. Throws Io.
std::string write_mlflow(const std::string& folder, const std::string& name, const std::vector<Curve>& curves,
                         const std::map<std::string, double>& scores, const std::map<std::string, std::string>& params);

}  // namespace graphveil::report
