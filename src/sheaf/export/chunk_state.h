#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/file.h"
#include "sheaf/export/page_chunks.h"
#include "sheaf/store/feed_cursor.h"

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

/// Which chunks an index has: a file of page and chunk ids, sorted. A store keeps only the newest version of
/// a page, so the ids of the version before must be kept to detect which are gone. 32 bytes a
/// chunk on disk; memory does not depend on their number.
class ChunkState {
 public:
  /// The file, or an empty state where there is none. Errors: invalid_data where it is damaged or of another
  /// kind, refused where it was made with other rules.
  static base::Result<ChunkState> open(const std::filesystem::path& file, const ChunkRules& rules);

  [[nodiscard]] bool is_new() const { return !file_.is_open(); }
  /// The change of the store up to which the state is.
  [[nodiscard]] const store::FeedCursor& cursor() const { return cursor_; }

  /// The ids of a page, in their order.
  [[nodiscard]] base::Result<std::vector<ChunkId>> ids_of(std::string_view site, std::string_view url) const;
  /// The page has these ids from now on. At most once for a page.
  base::Result<void> replace(std::string_view site, std::string_view url, std::span<const ChunkId> ids);
  /// Writes the new state in place of the old.
  base::Result<void> commit(const store::FeedCursor& cursor);

 private:
  using PageId = std::array<std::uint8_t, 16>;
  struct Record {
    PageId page{};
    ChunkId chunk{};  ///< all zero: the page was replaced
    friend auto operator<=>(const Record&, const Record&) = default;
  };

  ChunkState(std::filesystem::path path, const ChunkRules& rules);

  base::Result<void> read_cursor(std::uint64_t size);
  static PageId page_id(std::string_view site, std::string_view url);
  [[nodiscard]] base::Result<Record> read_record(std::uint64_t number) const;
  [[nodiscard]] base::Result<std::uint64_t> lower_bound(const PageId& page) const;
  base::Result<void> merge(base::AtomicFile& out);

  std::filesystem::path path_;
  ChunkRules rules_;
  base::FileDescriptor file_;
  std::uint64_t count_ = 0;
  std::uint64_t records_at_ = 0;  ///< where the records begin in the file
  store::FeedCursor cursor_;
  base::ExternalSort<Record> replaced_;
};

}  // namespace sheaf::exporting
