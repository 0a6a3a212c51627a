#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/section_record.h"
#include "sheaf/store/section_writer.h"
#include "sheaf/store/shared/shared_core.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::shared {

/// The rows by which an operation changes the index of a section and the change feed. Few rows stay in memory
/// and are passed as parameters to the statements that commit them; more rows are written to the table
/// `stage` first. Either way, three statements merge all of them.
class ChangeRows {
 public:
  ChangeRows(SharedCore& core, BucketPtr bucket) : core_(core), bucket_(std::move(bucket)) {}
  ~ChangeRows();
  ChangeRows(const ChangeRows&) = delete;
  ChangeRows& operator=(const ChangeRows&) = delete;

  base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const PageEntry& after,
                         SectionWriter::Feed feed);
  base::Result<void> remove(const UrlKey& url, const PageEntry& before, SectionWriter::Feed feed);

  /// Deletes a row of the index that cannot be read. Both are as the row has them, so they may be wrong; the
  /// feed reports the removal if they fit together.
  base::Result<void> forget(std::string_view url_hash, std::string_view url);

  /// The number of changes in the feed.
  [[nodiscard]] std::uint64_t reported() const { return reported_; }
  [[nodiscard]] bool empty() const { return count_ == 0 && forgotten_.empty(); }
  /// Must be called after the last row.
  base::Result<void> close();

  /// The section that the rows change.
  struct Target {
    std::uint32_t section = 0;
    std::string site;
    std::string name;
    std::int64_t sequence = 0;  ///< number of the last change before these
  };
  /// Makes the changes. Deletes packs that lose their last page.
  base::Result<void> merge(PgConnection& connection, const Target& target) const;
  /// Must be called after the commit; otherwise the destructor deletes the staged rows.
  void keep() { kept_ = true; }

 private:
  struct Row {
    int kind = 0;
    UrlKey url_hash{};
    std::string url;
    std::string modified;
    std::string old_modified;
    Instant as_of;
    Place place;
    std::uint64_t bytes = 0;
  };
  base::Result<void> add(Row row);
  base::Result<void> stage();
  [[nodiscard]] SqlParams arrays() const;
  /// The SQL of a table `s` for FROM, which has the rows. Its parameters begin with number `first`.
  [[nodiscard]] std::string source(int first) const;
  [[nodiscard]] SqlParams source_params() const;
  base::Result<void> check_stage(PgConnection& connection) const;
  base::Result<void> release_packs(PgConnection& connection) const;
  base::Result<void> delete_forgotten(PgConnection& connection, const Target& target) const;
  base::Result<void> delete_dead(PgConnection& connection, const PgRows& packs) const;

  SharedCore& core_;
  BucketPtr bucket_;
  std::vector<Row> rows_;
  std::map<std::uint64_t, std::int64_t> released_;  ///< by pack: number of pages that it loses
  std::vector<std::string> forgotten_;
  std::optional<std::int64_t> run_;  ///< number of this run in `stage`, if it has rows there
  std::uint64_t count_ = 0;
  std::uint64_t staged_ = 0;
  std::uint64_t removed_ = 0;
  std::uint64_t reported_ = 0;
  bool kept_ = false;
};

}  // namespace sheaf::store::shared
