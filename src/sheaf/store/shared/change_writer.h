#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/section_writer.h"
#include "sheaf/store/shared/shared_core.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::shared {

/// Writes the pages of one operation as packs, before anything refers to them. Few pages stay in memory and
/// are inserted by the transaction that commits the operation. More pages are inserted immediately, as packs
/// without used pages, and deleted again if the operation is not committed. With object storage, larger packs
/// are objects. Objects of an operation that is not committed are left to gc, because its COMMIT may still
/// take effect.
class PackWriter {
 public:
  PackWriter(SharedCore& core, BucketPtr bucket);
  ~PackWriter();
  PackWriter(const PackWriter&) = delete;
  PackWriter& operator=(const PackWriter&) = delete;

  /// The section's dictionary, if it has one. Must be called before the first add().
  void set_dictionary(std::string dictionary) { dictionary_ = std::move(dictionary); }
  /// The dictionary after the last page: the given one, or one made of the first full pack; empty if there
  /// were too few pages.
  [[nodiscard]] const std::string& dictionary() const { return dictionary_; }

  base::Result<Place> add(const PageData& data);
  base::Result<void> close();

  /// Counts a page of this pack to which the index will refer.
  void count_live(std::uint64_t pack) { ++live_[pack]; }
  /// Inserts the packs that are in memory, and sets the number of used pages of the others. May be repeated
  /// with another connection.
  base::Result<void> commit(PgConnection& connection) const;
  /// Must be called after the commit; otherwise the destructor deletes the packs.
  void keep() { kept_ = true; }

 private:
  struct Pack {
    std::uint64_t number = 0;
    std::uint32_t pages = 0;
    std::uint64_t raw = 0;
    bool with_dictionary = false;
    std::string bytes;
    std::string object = {};  ///< name of the object that has the bytes instead
  };

  std::uint64_t new_number();
  base::Result<void> end_pack();
  base::Result<void> put_object(Pack& pack);
  base::Result<void> write_held();
  base::Result<void> insert(PgConnection& connection, const Pack& pack, std::uint32_t live) const;
  [[nodiscard]] std::uint32_t live_of(std::uint64_t pack) const;

  SharedCore& core_;
  BucketPtr bucket_;
  std::unique_ptr<PackObjects> objects_;
  PackBuilder builder_;
  std::uint64_t number_ = 0;  ///< number of the pack being built
  std::string dictionary_;
  std::vector<Pack> held_;
  std::size_t held_bytes_ = 0;
  std::vector<std::uint64_t> written_;
  std::map<std::uint64_t, std::uint32_t> live_;
  bool kept_ = false;
};

/// The epoch is part of a pack's number, so that no two owners of a bucket ever use the same number, and
/// numbers increase.
inline constexpr unsigned kPackEpochShift = 36;

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
