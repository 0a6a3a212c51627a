#pragma once

#include "sheaf/format/collections/state_digest.h"
#include "sheaf/store/section_writer.h"
#include "sheaf/store/shared/change_writer.h"
#include "sheaf/store/shared/shared_core.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::shared {

/// An operation on a section of a shared store. This process must own the bucket from the beginning to the
/// end, otherwise the commit fails: its transaction ends with an UPDATE of the bucket that matches no row if
/// the epoch has changed. The row is locked only then, so a long merge does not delay the renewal of the
/// lease.
class SharedSectionWriter final : public SectionWriter {
 public:
  /// Fails with Errc::in_use if another process owns the bucket.
  static base::Result<std::unique_ptr<SharedSectionWriter>> open(SharedCore& core, std::string_view site,
                                                                 std::string_view section);

  base::Result<std::optional<SectionRecord>> read_section() override;
  base::Result<std::vector<std::optional<PageEntry>>> find(std::span<const UrlKey> urls) override;
  base::Result<std::vector<bool>> find_elsewhere(std::span<const UrlKey> urls) override;
  base::Result<std::string> read_json(const PageEntry& entry) override;
  base::Result<Place> add(const PageData& data) override { return packs_.add(data); }
  base::Result<void> close() override { return packs_.close(); }
  base::Result<void> begin(const SectionRecord& record) override;
  base::Result<std::unique_ptr<EntryScan>> scan(Damage damage) override;
  base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const PageEntry& after,
                         Feed feed) override;
  base::Result<void> remove(const UrlKey& url, const PageEntry& before, Feed feed) override;
  /// Does nothing: packs only count pages that are in the index.
  base::Result<void> drop_data(const Place&, std::uint64_t) override { return {}; }
  SectionRecord& record() override { return record_; }
  base::Result<void> commit(Fate fate, const std::vector<SectionEdit::NoteChange>& notes) override;
  base::Result<void> commit_notes(const std::vector<SectionEdit::NoteChange>& notes) override;

 private:
  SharedSectionWriter(SharedCore& core, std::string_view site, std::string_view section, BucketPtr bucket);

  using Steps = std::function<base::Result<void>(PgConnection& connection, std::int64_t sequence)>;
  /// Runs `steps` in a transaction that ends with the UPDATE of the bucket; `changes` is the number of new
  /// entries in the change feed.
  base::Result<void> commit_fenced(std::uint64_t changes, const Steps& steps);
  base::Result<void> write_section(PgConnection& connection, Fate fate);
  base::Result<void> write_notes(PgConnection& connection,
                                 const std::vector<SectionEdit::NoteChange>& notes) const;

  SharedCore& core_;
  std::string site_;
  std::string section_;
  std::unique_lock<std::mutex> section_lock_;
  BucketPtr bucket_;
  std::optional<PlacedSection> before_;
  SectionRecord record_;
  format::StateDigest state_;
  PackWriter packs_;
  ChangeRows rows_;
};

}  // namespace sheaf::store::shared
