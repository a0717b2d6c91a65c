// The names of a run folder: the folder says who may see what is in it.
#pragma once

namespace graphveil::artifact {

// release/: may be published; a run that is not releasable has draft/ in its place, which may not.
// owners/: each row is for its own node. holder/: never leaves.
inline constexpr const char* kRelease = "release";
inline constexpr const char* kDraft = "draft";
inline constexpr const char* kOwners = "owners";
inline constexpr const char* kHolder = "holder";

inline constexpr const char* kCertificate = "certificate.json";
inline constexpr const char* kCertificatePage = "certificate.md";
inline constexpr const char* kCertificateHtml = "certificate.html";
inline constexpr const char* kSignature = "certificate.sig";
inline constexpr const char* kModel = "model.safetensors";
inline constexpr const char* kConfig = "config.toml";
inline constexpr const char* kSchema = "schema.toml";
inline constexpr const char* kPredictions = "predictions.csv";
inline constexpr const char* kMetrics = "metrics.jsonl";
inline constexpr const char* kSums = "sums.safetensors";
inline constexpr const char* kReleases = "releases.jsonl";     // the log of all that was released
inline constexpr const char* kReleasesHead = "releases.head";  // how far that log had come (budget/spend_log.h)
inline constexpr const char* kKey = "fingerprint.key";
inline constexpr const char* kBudget = "budget.path";  // where the run's budget book lay

}  // namespace graphveil::artifact
