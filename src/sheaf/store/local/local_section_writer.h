#pragma once

#include "sheaf/store/local/data_writer.h"
#include "sheaf/store/local/section_change.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/section_writer.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

/// An operation on a section of a local store. Holds the lock of the section until it is destroyed, and the
/// commit mutex from begin() to commit().
class LocalSectionWriter final : public SectionWriter {
 public:
  LocalSectionWriter(StoreCore& core, std::string_view site, std::string_view section,
                     const DataFiles& files = {},
                     SectionChange::Memory memory = SectionChange::Memory::bounded);

  base::Result<std::optional<SectionRecord>> read_section() override;
  base::Result<std::vector<std::optional<PageEntry>>> find(std::span<const UrlKey> urls) override;
  base::Result<std::vector<bool>> find_elsewhere(std::span<const UrlKey> urls) override;
  base::Result<std::string> read_json(const PageEntry& entry) override { return view().json(entry); }
  base::Result<Place> add(const PageData& data) override;
  base::Result<void> close() override { return data_ ? data_->close() : base::Result<void>(); }
  base::Result<void> begin(const SectionRecord& record) override;
  base::Result<std::unique_ptr<EntryScan>> scan(Damage damage) override;
  base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const PageEntry& after,
                         Feed feed) override;
  base::Result<void> remove(const UrlKey& url, const PageEntry& before, Feed feed) override;
  base::Result<void> drop_data(const Place& place, std::uint64_t json_bytes) override;
  SectionRecord& record() override { return change_->record(); }
  base::Result<void> commit(Fate fate, const std::vector<SectionEdit::NoteChange>& notes) override;
  base::Result<void> commit_notes(const std::vector<SectionEdit::NoteChange>& notes) override;

 private:
  const StoreView& view();
  void add_notes(Database::Batch& batch, const std::vector<SectionEdit::NoteChange>& notes) const;

  StoreCore& core_;
  std::string site_;
  std::string section_;
  DataFiles files_;
  SectionChange::Memory memory_;
  std::unique_lock<std::mutex> section_lock_;
  std::optional<StoreView> view_;
  std::uint32_t id_ = 0;  ///< id of the section; 0 if it does not exist
  std::optional<std::vector<NamedSection>> others_;
  std::optional<DataWriter> data_;
  std::unique_lock<std::mutex> commit_lock_;
  std::optional<SectionChange> change_;
};

}  // namespace sheaf::store::local
