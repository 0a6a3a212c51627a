#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/page_chunks.h"
#include "sheaf/store/page_store.h"

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

/// The chunks that an index has: a sorted file of page and chunk ids. A store keeps only the newest version
/// of a page, so the ids of the previous version must be kept to detect which chunks are gone. Takes 32 bytes
/// per chunk on disk; memory use does not depend on the number of chunks. The file ends with a checksum,
/// which open() verifies, and names the store: change numbers of another store mean nothing.
class ChunkState {
 public:
  /// Opens the file; if it does not exist, the state is empty. Fails with Errc::invalid_data if the file is
  /// damaged or not a state file, and with Errc::refused if it was written with other rules, for another
  /// store or by another version of sheaf. `store_id` identifies the store.
  static base::Result<ChunkState> open(const std::filesystem::path& file, const ChunkRules& rules,
                                       std::string_view store_id);

  [[nodiscard]] bool is_new() const { return !file_.is_open(); }
  /// The position in the store's feed up to which the state is current.
  [[nodiscard]] const store::FeedCursor& cursor() const { return cursor_; }

  /// Returns the chunk ids of a page, sorted.
  [[nodiscard]] base::Result<std::vector<ChunkId>> ids_of(std::string_view site, std::string_view url) const;
  /// Replaces the chunk ids of a page. Call it at most once per page.
  base::Result<void> replace(std::string_view site, std::string_view url, std::span<const ChunkId> ids);
  /// Writes the new state, which replaces the file.
  base::Result<void> commit(const store::FeedCursor& cursor);

 private:
  using PageId = std::array<std::uint8_t, 16>;
  struct Record {
    PageId page{};
    ChunkId chunk{};  ///< all zero: marks a page as replaced
    friend auto operator<=>(const Record&, const Record&) = default;
  };

  struct Head;
  using Write = std::function<base::Result<void>(std::string_view bytes)>;

  ChunkState(std::filesystem::path path, const ChunkRules& rules, std::string_view store_id);

  base::Result<void> read_head();
  base::Result<void> check_sum(std::uint64_t size) const;
  [[nodiscard]] base::Result<void> check_origin(const Head& head) const;
  static PageId page_id(std::string_view site, std::string_view url);
  [[nodiscard]] base::Result<Record> read_record(std::uint64_t number) const;
  [[nodiscard]] base::Result<std::uint64_t> lower_bound(const PageId& page) const;
  base::Result<void> merge(const Write& write);

  std::filesystem::path path_;
  ChunkRules rules_;
  base::Digest store_;  ///< hash of the store's identity
  base::FileDescriptor file_;
  std::uint64_t count_ = 0;
  std::uint64_t records_at_ = 0;  ///< offset of the first record in the file
  store::FeedCursor cursor_;
  base::ExternalSort<Record> replaced_;
};

/// Writes the chunks of the selected pages, one JSON object per line (docs/chunks.md).
base::Result<ExportSummary> export_chunks(const store::PageStore& store, const ExportOptions& options,
                                          const ChunkRules& rules, const ExportSink& sink);

struct ChunkChanges {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t kept = 0;   ///< unchanged chunks of changed pages
  std::uint64_t pages = 0;  ///< changed pages
  store::FeedCursor cursor;
};

/// Writes what changed since the state file was last written, page by page: a line {"op":"add",...} with each
/// new chunk, and {"op":"remove","id":..,"url":..} for each chunk that is gone. Then updates the state file.
/// Without a state file, every chunk is new. Fails with Errc::refused if the store's feed no longer reaches
/// back to the state, or if the state was written with other rules or for another store. `store_id`
/// identifies the store (store_identity()).
base::Result<ChunkChanges> export_chunk_changes(const store::PageStore& store, std::string_view store_id,
                                                const std::filesystem::path& state_file,
                                                const ChunkRules& rules, const ExportSink& sink);

}  // namespace sheaf::exporting
