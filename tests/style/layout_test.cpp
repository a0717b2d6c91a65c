// The layout of the tree, enforced: which room may include which, and a test file beside every source.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = GRAPHVEIL_SOURCE_DIR;
const fs::path kSource = kRoot / "src" / "graphveil";

// Each room, and the rooms it may include besides itself.
const std::map<std::string, std::set<std::string>>& allowed_rooms() {
  static const std::map<std::string, std::set<std::string>> rooms = [] {
    std::map<std::string, std::set<std::string>> r;
    r["base"] = {};
    r["kernels"] = {"base"};
    r["account"] = {"base", "kernels"};
    r["graph"] = {"base", "kernels"};
    r["files"] = {"base", "graph"};
    r["bound"] = {"base", "kernels", "graph", "account"};
    r["mechanism"] = {"base", "kernels", "account", "bound"};
    r["nn"] = {"base", "kernels", "graph", "bound"};
    r["learn"] = {"base", "kernels", "graph", "bound", "mechanism", "nn"};
    r["method"] = {"base", "kernels", "account", "graph", "files", "bound", "mechanism", "nn", "learn"};
    r["budget"] = {"base", "account"};
    r["artifact"] = {"base", "account", "graph", "files", "bound", "mechanism", "nn", "budget"};
    r["run"] = r["method"];
    r["run"].insert({"method", "budget", "artifact"});
    r["attack"] = r["run"];
    r["attack"].insert("run");
    r["sweep"] = r["attack"];
    r["sweep"].insert("attack");
    r["report"] = r["sweep"];
    r["report"].insert("sweep");
    return r;
  }();
  return rooms;
}

struct Include {
  fs::path file;
  int line;
  std::string target;
};

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".h" || extension == ".cpp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Include> quoted_includes(const fs::path& folder) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*"([^"]+)")re");
  std::vector<Include> includes;
  for (const fs::path& file : files_below(folder)) {
    std::ifstream in(file);
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
      std::smatch match;
      if (std::regex_search(text, match, pattern)) includes.push_back({file, line, match[1]});
    }
  }
  return includes;
}

std::string room_of(const std::string& include) {
  const std::string prefix = "graphveil/";
  if (include.rfind(prefix, 0) != 0) return "";
  return include.substr(prefix.size(), include.find('/', prefix.size()) - prefix.size());
}

TEST(Layout, EveryFolderIsAKnownRoom) {
  for (const auto& entry : fs::directory_iterator(kSource)) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(allowed_rooms().count(entry.path().filename().string())) << entry.path();
  }
}

TEST(Layout, RoomsIncludeOnlyTheRoomsTheyMay) {
  int seen = 0;
  for (const auto& [room, others] : allowed_rooms()) {
    for (const Include& include : quoted_includes(kSource / room)) {
      const std::string target = room_of(include.target);
      ++seen;
      EXPECT_FALSE(target.empty()) << include.file << ":" << include.line << " includes \"" << include.target
                                   << "\": write it as graphveil/<room>/<file>";
      EXPECT_TRUE(target == room || others.count(target))
          << include.file << ":" << include.line << ": " << room << " may not include " << target;
    }
  }
  EXPECT_GT(seen, 10);
}

// The CPU levels of a kernel are tested with the kernel.
bool is_cpu_level(const fs::path& source) { return source.parent_path().filename() == "isa"; }

TEST(Layout, EverySourceHasATest) {
  for (const auto& [room, others] : allowed_rooms()) {
    for (const fs::path& source : files_below(kSource / room)) {
      if (source.extension() != ".cpp" || is_cpu_level(source)) continue;
      const fs::path within = fs::relative(source, kSource).parent_path();
      EXPECT_LE(std::distance(within.begin(), within.end()), room == "method" ? 2 : 1)
          << source << ": only method has folders, one level deep";
      const fs::path test = kRoot / "tests" / within / (source.stem().string() + "_test.cpp");
      EXPECT_TRUE(fs::exists(test)) << source << " has no " << test;
    }
  }
}

// The tests of a room are found by CMake; one that is excepted from the room's program must be named in another.
TEST(Layout, EveryTestIsBuilt) {
  static const std::regex excepted(R"(EXCEPT([^)]*)\))"), word(R"([a-z0-9_]+(/|_test))");
  int seen = 0;
  for (const auto& [room, others] : allowed_rooms()) {
    const fs::path tests = kRoot / "tests" / room;
    if (!fs::exists(tests)) continue;
    const std::string list = text_of(tests / "CMakeLists.txt");
    EXPECT_NE(list.find("graphveil_room_test(" + room), std::string::npos) << tests;
    std::smatch match;
    if (!std::regex_search(list, match, excepted)) continue;
    const std::string names = match[1];
    for (auto it = std::sregex_iterator(names.begin(), names.end(), word); it != std::sregex_iterator(); ++it, ++seen) {
      const std::string name = it->str();
      const std::string source = name.ends_with("/") ? "/" + name + "*_test.cpp" : name + ".cpp";
      EXPECT_NE(list.find(source), std::string::npos) << tests << " builds no " << source;
    }
  }
  EXPECT_GT(seen, 5);
}

// Sources of one program may be compiled as one, and then a namespace of its own keeps each apart.
TEST(Layout, EveryTestHasANamespaceOfItsName) {
  for (const fs::path& test : files_below(kRoot / "tests")) {
    const std::string stem = test.stem().string();
    if (!stem.ends_with("_test") || test == kRoot / "tests/style/layout_test.cpp") continue;
    EXPECT_NE(text_of(test).find("::" + stem + " {"), std::string::npos) << test;
  }
}

// A method is five places: its header and source, its line of the registry, its test and its page. No other
// room and no command names its header, no build file names it, and a page speaks of it.
TEST(Layout, AMethodIsFivePlaces) {
  const fs::path registry = kSource / "method" / "registry.cpp";
  const std::string list = text_of(registry);
  static const std::regex header(R"re(#include "(graphveil/method/([a-z]+/)?([a-z_]+)\.h)")re"),
      line(R"re(\{"([a-z0-9-]+)", Role::)re");
  std::vector<fs::path> others = files_below(kRoot / "cli");
  for (const auto& [room, rooms] : allowed_rooms()) {
    if (room == "method") continue;  // methods may be made of one another
    for (const fs::path& file : files_below(kSource / room)) others.push_back(file);
  }
  int methods = 0;
  for (auto it = std::sregex_iterator(list.begin(), list.end(), header); it != std::sregex_iterator(); ++it) {
    const std::string folder = (*it)[2], stem = (*it)[3];
    if (stem == "registry" || stem == "method") continue;
    ++methods;
    EXPECT_TRUE(fs::exists(kSource / "method" / folder / (stem + ".cpp"))) << stem;
    EXPECT_TRUE(fs::exists(kRoot / "tests" / "method" / folder / (stem + "_test.cpp"))) << stem;
    for (const fs::path& file : others) {
      EXPECT_EQ(text_of(file).find((*it)[1]), std::string::npos) << file << " knows the method " << stem;
    }
  }
  EXPECT_GT(methods, 10);
  std::string pages;
  for (const auto& page : fs::directory_iterator(kRoot / "docs" / "methods")) pages += text_of(page.path());
  int names = 0;
  for (auto it = std::sregex_iterator(list.begin(), list.end(), line); it != std::sregex_iterator(); ++it, ++names) {
    EXPECT_NE(pages.find("`" + (*it)[1].str() + "`"), std::string::npos)
        << "no page of docs/methods names " << (*it)[1];
  }
  EXPECT_GT(names, 30);
  for (const char* folder : {"src", "cli", "cmake"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string name = entry.path().filename().string();
      if (name != "CMakeLists.txt" && !name.ends_with(".cmake")) continue;
      EXPECT_EQ(text_of(entry.path()).find("method/"), std::string::npos) << entry.path() << " lists methods";
    }
  }
}

// What the library writes is written in five rooms, each of which says for whom; run and attack hand text over.
TEST(Layout, OnlyTheRoomsThatSayForWhomWrite) {
  const std::regex writes(
      R"(\bstd::o?fstream\b|\bfopen\b|\bO_(CREAT|WRONLY|RDWR|APPEND)\b|\bmkos?temp\b|\bcreat\s*\(|\bmkdir\b|)"
      R"(create_director|AtomicFile|fs::(rename|copy|resize_file)|std::rename|\bwrite_(gvg|npz|dataset)\b)");
  const std::set<std::string> writers = {"files", "budget", "artifact", "sweep", "report"};
  // Its files have no name and end with the process: they are memory, not what a run gives out.
  const fs::path scratch = kSource / "base" / "scratch_file.cpp";
  int seen = 0;
  for (const auto& [room, others] : allowed_rooms()) {
    for (const fs::path& file : files_below(kSource / room)) {
      const bool found = file != scratch && std::regex_search(text_of(file), writes);
      seen += found ? 1 : 0;
      EXPECT_FALSE(found && writers.count(room) == 0) << file << " writes files, and " << room << " may not";
    }
  }
  EXPECT_GE(seen, 4) << "the pattern finds not even the writers";
}

TEST(Layout, OpenMpStaysInBaseParallel) {
  const std::regex pattern(R"(#\s*pragma\s+omp|#\s*include\s*<omp\.h>)");
  for (const fs::path& file : files_below(kSource)) {
    if (file.filename() == "parallel.cpp") continue;
    EXPECT_FALSE(std::regex_search(text_of(file), pattern)) << file;
  }
}

// A bound that nobody vouches for is there to be compared, not to be run.
TEST(Layout, OnlyPlansOfDocumentsReadBoundsFromThem) {
  int readers = 0;
  for (const fs::path& file : files_below(kSource)) {
    if (file.filename() == "bounded.h" || text_of(file).find("as_documented") == std::string::npos) continue;
    EXPECT_EQ(file.filename(), "plan_json.cpp") << file;
    ++readers;
  }
  EXPECT_EQ(readers, 1);
}

}  // namespace
