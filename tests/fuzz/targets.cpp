#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include <nlohmann/json.hpp>

#include "graphveil/account/event_json.h"
#include "graphveil/artifact/fingerprint.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/files/format.h"
#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/schema_draft.h"
#include "graphveil/files/table_import.h"
#include "graphveil/files/writers.h"
#include "graphveil/graph/own_rows.h"
#include "tests/files/builders.h"
#include "tests/files/tables.h"
#include "tests/fuzz/prices.h"
#include "tests/graph/small_graphs.h"
#include "tests/ranks.h"

namespace graphveil::fuzz {
namespace {

using files::Arrays;
using files::TemporaryFolder;

constexpr char kFileSeparator = '\x1e';

const TemporaryFolder& folder() {
  static const TemporaryFolder kFolder;
  return kFolder;
}

std::string text_of(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

template <typename Read>
void read_or_refuse(Read read) {
  try {
    graph::check(read());
  } catch (const Error& error) {
    const bool refusal = error.kind() == ErrorKind::BadInput || error.kind() == ErrorKind::Io;
    if (!refusal || std::strlen(error.what()) == 0) {
      std::fprintf(stderr, "unexpected error: %s\n", error.what());
      std::abort();
    }
  }
}

void run_npz(Input input) {
  const std::string path = folder().write("f.npz", text_of(input));
  read_or_refuse([&] { return files::read_npz(path); });
}

// The same without the zip, whose checksums stop most changes: each record is an array's place in the list of keys,
// a 16-bit length and the bytes of the .npy file.
void run_npz_arrays(Input input) {
  Arrays arrays;
  const Arrays good = files::good_arrays();
  while (input.size() >= 3) {
    auto key = good.begin();
    std::advance(key, input[0] % good.size());
    const size_t length = std::min<size_t>(input[1] + 256u * input[2], input.size() - 3);
    arrays[key->first] = text_of(input.subspan(3, length));
    input = input.subspan(3 + length);
  }
  const std::string path = folder().write("f.npz", files::npz(arrays));
  read_or_refuse([&] { return files::read_npz(path); });
}

std::vector<std::string> npz_array_seeds() {
  std::string seed;
  char place = 0;
  for (const auto& [key, bytes] : files::good_arrays()) {
    seed += place++;
    seed += static_cast<char>(bytes.size() & 0xff);
    seed += static_cast<char>(bytes.size() >> 8);
    seed += bytes;
  }
  return {seed};
}

void run_mat(Input input) {
  const std::string path = folder().write("f.mat", text_of(input));
  read_or_refuse([&] { return files::read_facebook100(path, files::FacebookTarget::Year); });
}

// The checksum is made right, so that changes reach what lies behind it.
std::string gvg_file(Input input) {
  std::string bytes = text_of(input);
  files::gvg::Header header;
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    const size_t table_bytes = header.sections * sizeof(files::gvg::Entry);
    if (header.sections <= files::gvg::kMaxSections && bytes.size() >= sizeof header + table_bytes) {
      std::vector<files::gvg::Entry> table(header.sections);
      if (!table.empty()) std::memcpy(table.data(), bytes.data() + sizeof header, table_bytes);
      header.file_bytes = bytes.size();
      header.checksum = files::gvg::checksum(header, table);
      std::memcpy(bytes.data(), &header, sizeof header);
    }
  }
  return folder().write("f.gvg", bytes);
}

void run_gvg(Input input) {
  const std::string path = gvg_file(input);
  read_or_refuse([&] { return files::read_gvg(path); });
}

// The only part of a graph, for the only rank.
void run_gvg_part(Input input) {
  const std::string path = gvg_file(input);
  tests::ThreadRanks::Shared shared(1);
  const auto ranks = std::make_shared<tests::ThreadRanks>(0, shared);
  const ContextScope scope({.threads = 1, .ranks = ranks});
  read_or_refuse([&] {
    graph::Dataset data = files::read_gvg(path);
    graph::own_rows(*ranks, data, {0, data.nodes()});
    return data;
  });
}

std::vector<std::string> gvg_seeds_by(const std::function<void(const graph::Dataset&, const std::string&)>& write) {
  std::vector<std::string> seeds;
  graph::Dataset dataset = graph::path_dataset();
  for (bool sparse : {false, true}) {
    if (sparse) {
      dataset.graph = graph::graph_of(6, {{0, 1}, {1, 2}, {5, 2}});
      dataset.features = graph::small_sparse(6);
      dataset.found_in_data = {"which nodes have an edge", "which values occur"};
    }
    write(dataset, folder().path("seed.gvg"));
    seeds.push_back(files::read_bytes(folder().path("seed.gvg")));
  }
  return seeds;
}

std::vector<std::string> gvg_seeds() {
  return gvg_seeds_by([](const graph::Dataset& data, const std::string& path) { files::write_gvg(data, path); });
}

std::vector<std::string> gvg_part_seeds() {
  return gvg_seeds_by([](const graph::Dataset& data, const std::string& path) {
    files::write_gvg_parts(data, {}, std::vector<std::string>{path}, std::vector<int64_t>{0, data.nodes()},
                           artifact::lines_of(artifact::fingerprint(data)), std::filesystem::perms::all);
  });
}

// The files of a folder one after the other, with a separator between them.
std::vector<std::string> folder_seeds(const Arrays& plain, const Arrays& packed) {
  std::vector<std::string> seeds;
  for (const Arrays* files : {&plain, &packed}) {
    std::string seed;
    for (const auto& [name, text] : *files) seed += text + kFileSeparator;
    seeds.push_back(seed);
  }
  return seeds;
}

void write_files(Input input, const Arrays& names, const std::string& where) {
  std::filesystem::remove_all(folder().path(where));
  for (const auto& [name, unused] : names) {
    size_t length = 0;
    while (length < input.size() && input[length] != static_cast<uint8_t>(kFileSeparator)) ++length;
    folder().write(where + "/" + name, text_of(input.first(length)));
    input = input.subspan(std::min(length + 1, input.size()));
  }
}

void run_csv(Input input) {
  write_files(input, files::good_csv(), "csv");
  read_or_refuse([] { return files::read_csv(folder().path("csv")); });
}

void run_ogb(Input input) {
  write_files(input, files::good_ogb(), "ogb");
  read_or_refuse([] { return files::read_ogb(folder().path("ogb")); });
}

// gzip passes plain text through, so the same names may hold either.
Arrays plain_ogb() {
  return {{"raw/edge.csv.gz", "0,1\n1,0\n1,2\n"}, {"raw/node-feat.csv.gz", "0.5,1\n0.01,0\n0,-3\n"},
          {"raw/node-label.csv.gz", "0\n1\n0\n"}, {"raw/num-edge-list.csv.gz", "3\n"},
          {"raw/num-node-list.csv.gz", "3\n"},    {"split/time/test.csv.gz", "2\n"},
          {"split/time/train.csv.gz", "0\n"},     {"split/time/valid.csv.gz", "1\n"}};
}

Arrays packed_csv() {
  Arrays packed;
  for (const auto& [name, text] : files::good_csv()) packed[name] = files::gzip(text);
  return packed;
}

void run_mtx(Input input) {
  write_files(input, files::good_mtx(), "mtx");
  read_or_refuse([] { return files::read_matrix_market_folder(folder().path("mtx")); });
}

// A schema that is taken has columns to fill, and reads the same when written and read again.
void run_schema(Input input) {
  try {
    const files::Schema schema = files::parse_schema(text_of(input), "f.toml");
    const files::Schema again = files::parse_schema(files::schema_toml(schema), "again");
    if (files::feature_names(schema) != files::feature_names(again) || schema.classes != again.classes) {
      std::fprintf(stderr, "changed on the way: %s\n", files::schema_toml(schema).c_str());
      std::abort();
    }
    const files::FeatureEncoder encoder(schema);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput || std::strlen(error.what()) == 0) {
      std::fprintf(stderr, "unexpected error: %s\n", error.what());
      std::abort();
    }
  }
}

// Two tables, imported as a good schema says and as a draft from them says.
void run_tables(Input input) {
  write_files(input, {{"friends.csv", ""}, {"people.csv", ""}}, "tables");
  const std::string people = folder().path("tables/people.csv"), friends = folder().path("tables/friends.csv");
  static const files::Schema kGood = files::parse_schema(files::kSchema, "good");
  read_or_refuse([&] { return files::import_tables(kGood, people, friends).dataset; });
  for (const bool no_label : {false, true}) {  // without one it asks, unless told not to
    read_or_refuse([&] {
      const files::DraftWishes wishes{.no_label = no_label};
      const files::Schema draft = files::parse_schema(files::draft_schema(people, friends, wishes).text, "draft");
      return files::import_tables(draft, people, friends).dataset;
    });
  }
}

// An events file is read, written and read again; what comes back must be the same ledger.
void run_events(Input input) {
  try {
    const account::AccountFile file = account::account_file_from_json(parse_strict_json(text_of(input), "f.json"));
    const auto again = account::to_json(file.ledger).dump();
    if (account::ledger_from_json(parse_strict_json(again, "again")) != file.ledger) {
      std::fprintf(stderr, "changed on the way: %s\n", again.c_str());
      std::abort();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput || std::strlen(error.what()) == 0) {
      std::fprintf(stderr, "unexpected error: %s\n", error.what());
      std::abort();
    }
  }
}

std::vector<std::string> event_seeds() {
  return {R"([{"label": "a", "mechanism": {"kind": "gaussian", "noise_multiplier": 1.1},
               "sampling": {"kind": "poisson", "rate": 0.01}, "count": 1000},
              {"mechanism": {"kind": "laplace", "noise_multiplier": 2}, "sampling": {"kind": "none"}, "count": 1}])",
          R"({"delta": 1e-5, "events": [{"sampled": {"rate": 0.3, "event": {"composed": [
               {"mechanism": {"kind": "randomized-response", "log_odds": 2, "classes": 3}},
               {"mechanism": {"kind": "discrete-laplace", "noise_multiplier": 2}, "count": 3}]}}, "count": 10},
              {"mechanism": {"kind": "exponential", "range": 0.5}, "sampling": {"kind": "poisson", "rate": 1}, "count": 2},
              {"mechanism": {"kind": "gaussian", "noise_multiplier": 3}, "count": 7,
               "sampling": {"kind": "poisson-group", "rate": 0.1, "deletions": 4, "insertions": 3}}]})",
          R"({"format": 1, "epsilon": 2, "delta": 1e-5, "events": [
               {"mechanism": {"kind": "discrete-gaussian", "noise_multiplier": 2}, "sampling": {"kind": "none"},
                "count": 1}]})",
          R"([{"tuned": {"trials": {"kind": "positive-poisson", "rate": 3}, "event":
               {"mechanism": {"kind": "discrete-laplace", "noise_multiplier": 0.001}}}}])",
          std::string("[]\0[{}]", 7),
          std::string(75'000, '['),
          R"([{"count": 1, "count": 2}])"};
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> kTargets{
      {"npz", run_npz,
       [] {
         return std::vector{files::npz(files::good_arrays()), files::npz(files::good_arrays(), true)};
       }},
      {"npz_arrays", run_npz_arrays, npz_array_seeds},
      {"mat", run_mat,
       [] {
         return std::vector{files::good_mat(false), files::good_mat(true)};
       }},
      {"gvg", run_gvg, gvg_seeds},
      {"gvg_part", run_gvg_part, gvg_part_seeds},
      {"csv", run_csv, [] { return folder_seeds(files::good_csv(), packed_csv()); }},
      {"ogb", run_ogb, [] { return folder_seeds(plain_ogb(), files::good_ogb()); }},
      {"mtx", run_mtx,
       [] {
         std::string seed;
         for (const auto& [name, text] : files::good_mtx()) seed += text + kFileSeparator;
         return std::vector{seed};
       }},
      {"schema", run_schema,
       [] {
         return std::vector{files::kSchema, files::kSchema + files::kDateAndAbout};
       }},
      {"tables", run_tables,
       [] {
         const std::string semicolons = "source;target\n\"a;b\";c\n";
         return std::vector{files::kFriends + kFileSeparator + files::kPeople,
                            "from,to\na,b\nb,c\n" + std::string(1, kFileSeparator) +
                                "id,born,name,x\na,1999-12-31,Ann,1\nb,,Bob,2.5\nc,2001-02-29,Cy,NA\n",
                            semicolons + kFileSeparator + "id;label;x;y\n\"a;b\";1;2,5;u|v\nc;2;3,5;v\nd;;;\n"};
       }},
      {"events", run_events, event_seeds},
      {"prices", run_prices, price_seeds}};
  return kTargets;
}

const Target& target(const std::string& name) {
  for (const Target& t : targets()) {
    if (t.name == name) return t;
  }
  std::fprintf(stderr, "no fuzz target '%s'\n", name.c_str());
  std::exit(2);
}

}  // namespace graphveil::fuzz
