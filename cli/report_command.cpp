// graphveil report: one page with pictures for a sweep, runs, a budget book, attacks and audits.
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/base/error.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/report/document.h"
#include "graphveil/report/html_page.h"
#include "graphveil/report/results_table.h"
#include "graphveil/report/source_kind.h"
#include "graphveil/report/summary.h"

namespace graphveil::cli {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct ReportCommand {
  std::vector<std::string> paths;
  std::string out, audience = "holder";
  bool markdown = false, csv = false, force = false;

  bool release() const { return audience == "release"; }
};

constexpr const char* kReportPage = "report.html";

// Beside what it is about; of a run in the holder's part of its folder, since the rest is for others.
std::string report_place(const ReportCommand& command) {
  if (!command.out.empty()) return command.out;
  const std::string& path = command.paths.front();
  if (command.paths.size() > 1 || command.release() || !fs::is_directory(path)) return kReportPage;
  const bool run = report::kind_of(path) == report::SourceKind::Run;
  if (!run) return (fs::path(path) / kReportPage).string();
  const fs::path holder = fs::path(path) / artifact::kHolder;
  return fs::is_directory(holder) ? (holder / kReportPage).string() : std::string(kReportPage);
}

// A report is made from its files again and again, so that one may be written over; nothing else is.
void check_report_place(const std::string& path, bool force) {
  const fs::path parent = fs::absolute(path).parent_path();
  const std::string part = parent.filename().string();
  const bool public_part =
      (part == artifact::kRelease || part == artifact::kDraft) && fs::exists(parent / artifact::kCertificate);
  require(!public_part, "{}: `verify` takes what lies beside a certificate for a part of the run; write it elsewhere",
          path);
  bool ours = false;
  if (std::ifstream in(path, std::ios::binary); in) {
    std::string start(report::kPageMark.size(), '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    ours = start == report::kPageMark;
  }
  check_output(path, force || ours, {".html"});
}

void write_text(const std::string& path, const std::string& text, bool holders) {
  files::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit(holders ? 0600 : 0666);
}

// The results of the sweeps that were named.
std::vector<report::ResultLines> named_results(const ReportCommand& command, const char* option) {
  std::vector<report::ResultLines> files;
  for (const std::string& path : command.paths) {
    if (report::kind_of(path) != report::SourceKind::Sweep) continue;
    files.push_back(sweep::read_results(report::results_path(path)));
  }
  require(!files.empty(), "{} is for the results of a sweep, and none was named", option);
  return files;
}

std::string markdown_of(const ReportCommand& command) {
  std::string text;
  for (const report::ResultLines& file : named_results(command, "--markdown")) {
    text += (text.empty() ? "" : "\n") + report::results_markdown(file, report::grouped(file));
  }
  return text;
}

std::string csv_of(const ReportCommand& command) {
  const std::vector<report::ResultLines> files = named_results(command, "--csv");
  require(files.size() == 1, "--csv is one table, and {} sweeps were named", files.size());
  return report::results_csv(files.front(), report::grouped(files.front()));
}

void run_report(const ReportCommand& command, Session& session) {
  const std::string markdown = command.markdown ? markdown_of(command) : "";
  if (command.markdown && command.out.empty() && !command.csv) {
    return print_result(session, {{"markdown", markdown}}, markdown);
  }
  const std::string out = report_place(command);
  check_report_place(out, command.force);
  const std::string table_path = fs::path(out).replace_extension(".csv").string();
  const std::string table = command.csv ? csv_of(command) : "";
  if (command.csv) check_output(table_path, true, {".csv"});
  const ordered_json document = report::report_document(command.paths, command.release());
  const bool holders = document["audience"] == "holder";
  const std::string summary = report::summary_text(document);
  write_text(out, report::html_page(document, summary), holders);
  if (command.csv) write_text(table_path, table, holders);
  ordered_json object{{"out", out}, {"audience", document["audience"]}, {"title", document["title"]}};
  const auto absolute = [](const std::string& path) { return fs::absolute(path).lexically_normal().string(); };
  std::string text = (command.markdown ? markdown + "\n" : summary) + fmt::format("report         {}\n", absolute(out));
  if (command.csv) text += fmt::format("table          {}\n", absolute(table_path));
  if (command.csv) object["csv"] = table_path;
  if (command.markdown) object["markdown"] = markdown;
  print_result(session, object, text);
}

}  // namespace

void add_report_command(CLI::App& app, Session& session) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand(
      "report",
      "One page with pictures (report.html, no network needed) for sweeps, run folders, a budget book, attacks and "
      "audits. For example: graphveil report runs/first; graphveil report sweeps/one --csv");
  sub->add_option("paths", command->paths,
                  "Folders that sweep, compare or train wrote, budget books, or files of `attack --out`, `audit --out`")
      ->required();
  sub->add_option("-o,--out", command->out,
                  "The page; default: report.html in the sweep's folder, in holder/ of one run, or else here");
  sub->add_option("--for", command->audience,
                  "holder: everything that is there. release: only what may be published of runs")
      ->check(CLI::IsMember({"holder", "release"}))
      ->capture_default_str();
  sub->add_flag("--markdown", command->markdown,
                "Print a sweep's table as Markdown; without --out and --csv nothing is written");
  sub->add_flag("--csv", command->csv, "Also write every run of a sweep as a row, beside the page");
  add_force_option(*sub, command->force);
  add_common_options(*sub, session);
  sub->callback([command, &session] { run_report(*command, session); });
}

}  // namespace graphveil::cli
