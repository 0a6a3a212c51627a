#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/text_sort.h"
#include "sheaf/base/url.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::cli {

/// Reads the sites in a file, or in standard input ("-"), as pull::parse_site_list does.
base::Result<std::vector<base::Url>> read_site_list(const std::string& file);

/// Returns the sites that a command names and those of its --list, if it is not empty; each origin once.
/// Fails if the list is given and there are no sites.
base::Result<std::vector<base::Url>> read_sites(const std::vector<std::string>& named,
                                                const std::string& list);

/// Yields the same sites one by one, sorted by origin, in bounded memory. read() reads the whole list, so an
/// error in it is found before anything is done.
class SortedSites {
 public:
  static base::Result<SortedSites> read(const std::vector<std::string>& named, const std::string& list);
  /// Returns nullopt at the end.
  base::Result<std::optional<base::Url>> next();
  [[nodiscard]] bool empty() const { return count_ == 0; }

 private:
  SortedSites();
  base::Result<void> add(const base::Url& site);

  base::TextSort sort_;
  std::uint64_t count_ = 0;
  std::string last_;  ///< origin of the site returned last
};

/// Detects when a file changes.
class FileWatch {
 public:
  explicit FileWatch(std::filesystem::path file) : file_(std::move(file)), seen_(look()) {}

  /// Whether it changed since the last call. A deleted file counts as unchanged, so its list stays in use.
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
