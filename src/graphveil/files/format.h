// Reading and writing a dataset without saying which layout: the file tells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/files/readers.h"
#include "graphveil/files/writers.h"

namespace graphveil::files {

enum class Format { Npz, Facebook100, Ogb, Csv, MatrixMarket, Gvg };

const char* name(Format format);

struct ReadOptions {
  FacebookTarget target = FacebookTarget::Year;  // Facebook100 only
};

// The format is told by content where it has a mark of its own, else by name. Throws Io for a path that is not there,
// BadInput for one that fits no format.
Format detect_format(const std::string& path);

graph::Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// The most nodes that one person is; none: nobody says who is who. The holder's to know, never to be printed.
std::optional<int64_t> largest_entity(std::span<const int32_t> entities);
std::optional<int64_t> largest_entity(const std::string& path);

// The number of the person that each node is; empty: the file says nothing of people.
std::vector<int32_t> read_entities(const std::string& path);

// .npz or .gvg, by the ending of the path; InvalidArgument for another one. Who is several nodes .gvg alone can say.
void write_dataset(const graph::Dataset& dataset, const std::string& path, std::span<const int32_t> entities = {});

// "status", "gender", "major", "minor", "housing", "year", "high-school"; InvalidArgument otherwise.
FacebookTarget facebook_target(std::string_view name);

}  // namespace graphveil::files
