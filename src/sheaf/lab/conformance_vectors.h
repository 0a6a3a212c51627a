#pragma once

#include "sheaf/base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sheaf::lab {

/// A small collection, good or bad, and what a validator must say about it.
struct ConformanceVector {
  std::string name;  ///< name of its file
  bool is_valid = true;
  std::string fatal;               ///< code of the finding that makes it invalid; empty if it is valid
  std::vector<std::string> codes;  ///< codes of all findings

  /// "valid", "valid, with malformed-block", "invalid: bad-checksum".
  [[nodiscard]] std::string verdict() const;
};

/// Reads expected.json in a folder of vectors. Fails with Errc::invalid_data if a file that it names does not
/// exist.
base::Result<std::vector<ConformanceVector>> read_vectors(const std::filesystem::path& folder);

}  // namespace sheaf::lab
