#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::cli {

/// The sites of a file, or of standard input ("-"), by pull::parse_site_list.
base::Result<std::vector<base::Url>> read_site_list(const std::string& file);

/// Tells when the file has been written to.
class FileWatch {
 public:
  explicit FileWatch(std::filesystem::path file) : file_(std::move(file)), seen_(look()) {}

  /// Since it was made or last asked. A file that is gone has not changed: its list stays.
  [[nodiscard]] bool has_changed();

 private:
  struct Signature {
    std::filesystem::file_time_type written;
    std::uint64_t bytes = 0;

    friend bool operator==(const Signature&, const Signature&) = default;
  };
  [[nodiscard]] std::optional<Signature> look() const;

  std::filesystem::path file_;
  std::optional<Signature> seen_;
};

}  // namespace sheaf::cli
