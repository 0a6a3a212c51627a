#pragma once

#include "sheaf/base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sheaf::lab {

/// A small collection, good or bad, and what a validator must say about it.
struct ConformanceVector {
  std::string name;  ///< of its file
  bool is_valid = true;
  std::string fatal;               ///< the code of the problem that ends the reading; empty if there is none
  std::vector<std::string> codes;  ///< of all findings

  /// "valid", "valid, with malformed-block", "invalid: bad-checksum".
  [[nodiscard]] std::string verdict() const;
};

/// Reads expected.json of a folder of vectors. Every file that it names must be there.
base::Result<std::vector<ConformanceVector>> read_vectors(const std::filesystem::path& folder);

}  // namespace sheaf::lab
