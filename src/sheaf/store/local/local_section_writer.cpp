#include "sheaf/store/local/local_section_writer.h"

#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

class IndexScan final : public EntryScan {
 public:
  IndexScan(const StoreView& view, SectionChange& change, SectionWriter::Damage damage)
      : view_(view),
        change_(change),
        damage_(damage),
        cursor_(view.view().scan(index_prefix(change.record().id))) {}

  Result<const Item*> next() override {
    if (std::exchange(started_, true)) cursor_.next();
    if (!cursor_.valid()) {
      SHEAF_TRY(cursor_.check());
      return nullptr;
    }
    const auto url = url_of_index_key(cursor_.key());
    item_.url = url.value_or(UrlKey{});
    item_.entry = url ? decode_entry(cursor_.value()) : std::nullopt;
    if (!item_.entry && damage_ == SectionWriter::Damage::refuse)
      return std::unexpected(
          view_.damaged(url ? "an entry of its index cannot be read" : "a key of its index cannot be read"));
    return &item_;
  }
  Result<void> forget() override { return change_.forget(cursor_.key()); }

 private:
  const StoreView& view_;
  SectionChange& change_;
  SectionWriter::Damage damage_;
  Database::Cursor cursor_;
  bool started_ = false;
  Item item_;
};

}  // namespace

LocalSectionWriter::LocalSectionWriter(StoreCore& core, std::string_view site, std::string_view section,
                                       const DataFiles& files, SectionChange::Memory memory)
    : core_(core),
      site_(site),
      section_(section),
      files_(files),
      memory_(memory),
      section_lock_(core.lock_section(site, section)) {}

const StoreView& LocalSectionWriter::view() {
  if (!view_) view_.emplace(core_.view());
  return *view_;
}

Result<std::optional<SectionRecord>> LocalSectionWriter::read_section() {
  SHEAF_TRY_ASSIGN(auto record, view().section(site_, section_));
  id_ = record ? record->id : 0;
  return record;
}

Result<std::vector<std::optional<PageEntry>>> LocalSectionWriter::find(std::span<const UrlKey> urls) {
  std::vector<std::optional<PageEntry>> entries;
  entries.reserve(urls.size());
  for (const UrlKey& url : urls) {
    SHEAF_TRY_ASSIGN(auto entry, view().entry(id_, url));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::vector<bool>> LocalSectionWriter::find_elsewhere(std::span<const UrlKey> urls) {
  if (!others_) {
    SHEAF_TRY_ASSIGN(others_, view().sections(site_));
  }
  std::vector<bool> elsewhere;
  elsewhere.reserve(urls.size());
  for (const UrlKey& url : urls) {
    bool found = false;
    for (const NamedSection& section : *others_) {
      if (found || section.record.id == id_) continue;
      SHEAF_TRY_ASSIGN(const auto entry, view().entry(section.record.id, url));
      found = entry.has_value();
    }
    elsewhere.push_back(found);
  }
  return elsewhere;
}

Result<Place> LocalSectionWriter::add(const PageData& data) {
  if (!data_) data_.emplace(core_, files_);
  return data_->add(data);
}

Result<void> LocalSectionWriter::begin(const SectionRecord& record) {
  commit_lock_ = std::unique_lock(core_.commit_mutex());
  view_.emplace(core_.view());
  change_.emplace(core_, site_, section_, record, memory_);
  return {};
}

Result<std::unique_ptr<EntryScan>> LocalSectionWriter::scan(Damage damage) {
  return std::make_unique<IndexScan>(view(), *change_, damage);
}

Result<void> LocalSectionWriter::put(const UrlKey& url, const std::optional<PageEntry>& before,
                                     const PageEntry& after, Feed feed) {
  return change_->put(url, before, after, feed);
}

Result<void> LocalSectionWriter::remove(const UrlKey& url, const PageEntry& before, Feed feed) {
  return change_->remove(url, before, feed);
}

Result<void> LocalSectionWriter::drop_data(const Place& place, std::uint64_t json_bytes) {
  return change_->add_old_data(place, json_bytes);
}

Result<void> LocalSectionWriter::commit(Fate fate, const std::vector<SectionEdit::NoteChange>& notes) {
  if (data_) SHEAF_TRY(data_->hand_over(*change_));
  add_notes(change_->more(), notes);
  // If a view existed, the ingested entries would get a sequence number, and RocksDB would compress them
  // again in the background to remove it.
  view_.reset();
  SHEAF_TRY(change_->commit(fate));
  if (data_) data_->keep();
  commit_lock_.unlock();
  return change_->delete_old_data();
}

void LocalSectionWriter::add_notes(Database::Batch& batch,
                                   const std::vector<SectionEdit::NoteChange>& notes) const {
  for (const SectionEdit::NoteChange& note : notes) {
    const std::string key = note_key(site_, note.name);
    if (note.whole_prefix) {
      batch.remove_prefix(key);
    } else if (note.value) {
      batch.put(key, *note.value);
    } else {
      batch.remove(key);
    }
  }
}

Result<void> LocalSectionWriter::commit_notes(const std::vector<SectionEdit::NoteChange>& notes) {
  const std::lock_guard lock(core_.commit_mutex());
  Database::Batch batch(core_.database());
  add_notes(batch, notes);
  if (batch.empty()) return {};
  Meta meta = core_.meta();
  ++meta.commits;
  batch.put(kMetaKey, encode(meta));
  SHEAF_TRY(core_.database().write(batch, Durability::synced));
  core_.meta() = meta;
  core_.journal().add(meta);
  return {};
}

}  // namespace sheaf::store::local
