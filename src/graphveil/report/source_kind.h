// What a path that somebody wants a report of is.
#pragma once

#include <string>

namespace graphveil::report {

enum class SourceKind {
  Sweep,   // a results.jsonl, or the folder of one
  Run,     // a run folder, a part of one with the certificate, or a certificate
  Book,    // a budget book
  Attack,  // what `attack --out` wrote
  Audit,   // what `audit --out` wrote
};
const char* name(SourceKind kind);

// Looks into it. Throws Io when it cannot be read, BadInput, saying what is wanted, when it is none of them.
SourceKind kind_of(const std::string& path);

// Where the results of a sweep lie: `path` itself, or the results.jsonl in that folder.
std::string results_path(const std::string& path);

}  // namespace graphveil::report
