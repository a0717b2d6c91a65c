#include "cli/launch.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/version.h"
#include "graphveil/kernels/cpu.h"

namespace graphveil::cli {
namespace {

std::optional<int> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

template <typename T>
std::string digest_of(std::span<const T> values) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()});
}

}  // namespace

std::optional<Place> place_among_processes() {
  constexpr std::array<std::pair<const char*, const char*>, 2> kLaunchers{
      {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}};
  for (const auto& [rank_name, size_name] : kLaunchers) {
    const std::optional<int> rank = number_of(rank_name), size = number_of(size_name);
    if (rank && size && *size > 1 && *rank >= 0 && *rank < *size) return Place{*rank, *size};
  }
  return std::nullopt;
}

bool runs_on_ranks(const std::vector<std::string>& words) {
  return !words.empty() && (words.front() == "train" || words.front() == "predict");
}

void add_rank_options(CLI::App& command, Session& session) {
  command
      .add_option("--stall-timeout", session.stall_seconds,
                  "Under mpirun: seconds without a byte from a rank that is waited for, after which all end")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
}

void join_ranks(Session& session) {
  if (!session.start_ranks) return;
  std::shared_ptr<Ranks> ranks = session.start_ranks(session.stall_seconds);
  agree(*ranks, std::string(version()), "another version of the program");
  std::string words;
  for (const std::string& word : session.words) words += fmt::format("{} {} ", word.size(), word);
  agree(*ranks, words, "other options");
  agree(*ranks, std::string(kernels::name(kernels::cpu_level())), "another kind of processor (see GRAPHVEIL_CPU)");
  if (ranks->first() && !session.quiet) {
    ranks->listen([](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  }
  Context context = current_context();
  if (!ranks->first()) context.progress = nullptr;
  context.ranks = std::move(ranks);
  session.context.reset();
  session.context.emplace(std::move(context));
}

std::string own_file(const std::string& path) {
  Ranks* const ranks = current_ranks();
  std::error_code failed;
  const bool numbered = path.find(kRankNumber) != std::string::npos;
  const auto is_there = [&](const std::string& file) { return std::filesystem::exists(file, failed); };
  if (ranks == nullptr) {
    if (numbered && !is_there(path)) {
      fail(ErrorKind::BadInput,
           "{}: does not exist. Under mpirun {} stands for the number of a rank; this process is alone and reads a "
           "whole graph: name that, or put it there under this name (--resume)",
           path, kRankNumber);
    }
    return path;
  }
  require(path.ends_with(".gvg"), "{}: several ranks read parts of a .gvg file; make one with `graphveil data convert`",
          path);
  // A file of that very name is meant by all as it is.
  const bool literal = !numbered || std::ranges::max(all_gather(*ranks, int64_t{is_there(path)})) > 0;
  std::string own;
  for (const char c : path) own += c == *kRankNumber && !literal ? std::to_string(ranks->rank()) : std::string(1, c);
  const std::vector<int64_t> there = all_gather(*ranks, int64_t{is_there(own)});
  for (size_t r = 0; r < there.size(); ++r) {
    if (there[r] == 0) {
      fail(ErrorKind::BadInput,
           "{}: rank {} has no such file{}; nothing was done. `graphveil data split` writes a file for each rank", path,
           r, numbered ? fmt::format(", nor one with its number for the {}", kRankNumber) : "");
    }
  }
  return own;
}

void check_books(bool found) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return;
  const std::vector<int64_t> seen = all_gather(*ranks, int64_t{found});
  for (size_t r = 0; r < seen.size() && seen.front() == 0; ++r) {
    if (seen[r] != 0) {
      fail(ErrorKind::BadInput,
           "rank {} has a budget book beside its data, and rank 0, which keeps the book, has none; nothing was done. "
           "Put it beside the data of rank 0, or name it with --budget",
           r);
    }
  }
}

void check_same_graph(const graph::Dataset& data) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return;
  const graph::Adjacency &in = data.graph.in_lists(), &out = data.graph.out_lists();
  agree(*ranks,
        fmt::format("{} {} {} {} {} {} {}", data.nodes(), data.features.cols(), data.classes,
                    digest_of(data.labels.span()), digest_of(in.offsets.span()),
                    data.graph.symmetric() ? "" : digest_of(out.offsets.span()),
                    data.features.is_sparse() ? digest_of(data.features.sparse().offsets.span()) : ""),
        fmt::format("other data in {}", data.name));
  if (data.held) artifact::check_parts(*ranks, data);
}

void check_same_public_graph(const graph::Dataset& data) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return;
  const artifact::Fingerprint all = artifact::fingerprint(data);
  agree(*ranks, fmt::format("{} {} {} {}", all.edges, all.features, all.labels, all.ids),
        fmt::format("other data in {}", data.name));
}

}  // namespace graphveil::cli
