#include "graphveil/files/npz_archive.h"

#include <utility>

#include <zip.h>

#include "graphveil/files/bad_input.h"
#include "graphveil/files/expansion.h"
#include "graphveil/files/file_bytes.h"

namespace graphveil::files {

struct NpzArchive::Handle {
  std::unique_ptr<zip_t, decltype(&zip_discard)> zip{nullptr, zip_discard};
};

NpzArchive::NpzArchive(const std::string& path)
    : file_(path), bytes_(file_bytes(path)), handle_(std::make_unique<Handle>()) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes_.data(), bytes_.size(), 0, &error);
  zip_t* zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!zip) {
    const std::string reason = zip_error_strerror(&error);
    if (source) zip_source_free(source);
    zip_error_fini(&error);
    bad_file(file_, "not a zip archive: {}", reason);
  }
  zip_error_fini(&error);
  handle_->zip.reset(zip);
}

NpzArchive::~NpzArchive() = default;

bool NpzArchive::has(const std::string& key) const {
  return zip_name_locate(handle_->zip.get(), (key + ".npy").c_str(), 0) >= 0;
}

NpyArray NpzArchive::read(const std::string& key) {
  zip_t* const zip = handle_->zip.get();
  const zip_int64_t index = zip_name_locate(zip, (key + ".npy").c_str(), 0);
  if (index < 0) bad_field(file_, key, "the array is missing");

  zip_stat_t status;
  zip_stat_init(&status);
  constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
  if (zip_stat_index(zip, static_cast<zip_uint64_t>(index), 0, &status) != 0 || (status.valid & kNeeded) != kNeeded) {
    bad_field(file_, key, "{}", zip_strerror(zip));
  }
  const auto file_bytes = static_cast<int64_t>(bytes_.size());
  const auto packed = static_cast<int64_t>(status.comp_size);
  const auto size = static_cast<int64_t>(status.size);
  const int64_t limit = expansion_limit(file_bytes);
  if (packed < 0 || packed > file_bytes || size < 0 || size > limit - unpacked_ || !can_expand_to(packed, size)) {
    bad_field(file_, key, "claims to unpack to {} bytes, which {} bytes cannot hold honestly", status.size, file_bytes);
  }
  unpacked_ += size;

  const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> entry(
      zip_fopen_index(zip, static_cast<zip_uint64_t>(index), 0), zip_fclose);
  if (!entry) bad_field(file_, key, "cannot be unpacked: {}", zip_strerror(zip));
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  int64_t got = 0;
  while (got < size) {
    const zip_int64_t step = zip_fread(entry.get(), bytes.data() + got, static_cast<zip_uint64_t>(size - got));
    if (step <= 0) bad_field(file_, key, "ends after {} of {} bytes: {}", got, size, zip_file_strerror(entry.get()));
    got += step;
  }
  // The read past the end is where libzip compares the checksum.
  std::byte extra;
  if (zip_fread(entry.get(), &extra, 1) != 0) {
    bad_field(file_, key, "is damaged: {}", zip_file_strerror(entry.get()));
  }
  return parse_npy(file_, key, std::move(bytes));
}

}  // namespace graphveil::files
