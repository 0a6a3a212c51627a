#pragma once

#include "sheaf/base/hash.h"
#include "sheaf/base/url.h"
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// Modification times of pages from the sitemap next to them. Generators know these times, while the files
/// have all just been written.
class ListedTimes {
 public:
  /// Reads the sitemap of a folder of pages or, if it is an index, the sitemaps next to it that it lists. If
  /// a sitemap is missing or unreadable, there are no times; its problems are reported when it is written.
  static ListedTimes read(const std::filesystem::path& sitemap, const base::Url& sitemap_url);

  /// The time of a page; nullopt if the sitemap does not have one.
  [[nodiscard]] std::optional<Instant> at(std::string_view url) const;

 private:
  struct Entry {
    std::uint64_t url = 0;  ///< hash of the URL
    std::int64_t seconds = 0;
  };
  class Reader;

  [[nodiscard]] std::uint64_t hash(std::string_view url) const;

  base::HashKey key_ = base::HashKey::random();
  std::vector<Entry> entries_;  ///< sorted by url
};

}  // namespace sheaf::publish
