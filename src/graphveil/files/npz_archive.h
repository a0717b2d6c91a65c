// The zip around the arrays of a .npz file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "graphveil/base/shared_array.h"
#include "graphveil/files/npy.h"

namespace graphveil::files {

// Reads single arrays by key; what is never asked for is never unpacked.
class NpzArchive {
 public:
  // Throws Io or BadInput when the file cannot be read or is no zip archive.
  explicit NpzArchive(const std::string& path);
  ~NpzArchive();

  const std::string& file() const { return file_; }
  bool has(const std::string& key) const;
  // Throws BadInput when the key is missing, the array is broken, or the archive unpacks to far more than its
  // size: the declared sizes are checked before memory is taken.
  NpyArray read(const std::string& key);

 private:
  struct Handle;
  std::string file_;
  SharedArray<std::byte> bytes_;
  std::unique_ptr<Handle> handle_;
  int64_t unpacked_ = 0;
};

}  // namespace graphveil::files
