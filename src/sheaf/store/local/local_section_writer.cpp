#include "sheaf/store/local/local_section_writer.h"

#include "sheaf/format/limits.h"

#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

// Up to this many bytes of pages are committed with the change; more go to files.
constexpr std::size_t kHeldBytes = 2 * format::kMiB;
// All queued pieces fit into the L2 cache, so copying pages takes a third less time. The caller is usually
// ahead of the thread; kPiecesToWakeFor avoids waking it for every single piece that the thread takes.
constexpr std::size_t kPieceBytes = 128 * format::kKiB;
constexpr std::size_t kPiecesWaiting = 16;
constexpr std::size_t kPiecesToWakeFor = 4;

}  // namespace

DataWriter::~DataWriter() {
  if (!queue_) return;
  queue_->close();
  if (thread_.joinable()) thread_.join();
  (void)wait_for_closing();
  file_.reset();
  if (kept_) return;
  core_.packer().abandon(run_);
  // Pages that cannot be deleted now are deleted when the store is opened next.
  (void)core_.abandon_run(run_);
}

Result<Place> DataWriter::add(const PageData& data) {
  const Place place{run_, count_ + 1};
  PageData part = data;
  for (std::string_view rest = data.json;;) {
    part.json = rest.substr(0, kPartBytes);
    SHEAF_TRY(add_record(part));
    rest.remove_prefix(part.json.size());
    if (rest.empty()) return place;
    part.url = part.modified = {};
  }
}

Result<void> DataWriter::add_record(const PageData& data) {
  ++count_;
  encode(data, piece_.bytes);
  piece_.ends.push_back(piece_.bytes.size());
  if (!queue_ && piece_.bytes.size() > kHeldBytes) {
    const std::lock_guard lock(core_.commit_mutex());
    SHEAF_TRY(begin_files());
  }
  if (!queue_ || piece_.bytes.size() <= kPieceBytes) return {};
  // The caller waits here, and not the thread, because the thread must not wait when the change is committed.
  if (files_.pack_threads > 0) core_.packer().wait_for_room(files_.unpacked);
  return send();
}

Result<void> DataWriter::begin_files() {
  SHEAF_TRY(core_.begin_run(run_));
  queue_.emplace(kPiecesWaiting, kPiecesToWakeFor);
  thread_ = std::jthread([this] {
    written_ = write_files();
    queue_->close();
  });
  return {};
}

Result<void> DataWriter::send() {
  Piece next{count_ + 1, {}, {}};
  next.bytes.reserve(piece_.bytes.size());
  // The thread stops taking pieces only after a failure.
  return queue_->push(std::exchange(piece_, std::move(next))) ? Result<void>() : end_files();
}

Result<void> DataWriter::end_files() {
  queue_->close();
  if (thread_.joinable()) thread_.join();
  return written_;
}

Result<void> DataWriter::close() {
  if (!queue_ || std::exchange(closed_, true)) return {};
  SHEAF_TRY(send());
  queue_->close();
  return {};
}

Result<void> DataWriter::hand_over(SectionChange& change) {
  if (!queue_ && change.is_large() && count_ > 0) SHEAF_TRY(begin_files());
  if (queue_) {
    SHEAF_TRY(close());
    SHEAF_TRY(end_files());
    change.set_run(run_);
    return {};
  }
  std::size_t begin = 0;
  std::uint64_t number = piece_.first;
  for (const std::size_t end : piece_.ends) {
    change.more().put(data_key({run_, number++}), std::string_view(piece_.bytes).substr(begin, end - begin),
                      Table::data);
    begin = end;
  }
  return {};
}

Result<void> DataWriter::write_files() {
  while (const auto piece = queue_->pop()) SHEAF_TRY(write(*piece));
  if (file_) SHEAF_TRY(close_file());
  return wait_for_closing();
}

Result<void> DataWriter::write(const Piece& piece) {
  std::size_t begin = 0;
  std::uint64_t number = piece.first;
  for (const std::size_t end : piece.ends) {
    if (!file_) SHEAF_TRY(open_file(number));
    SHEAF_TRY(
        file_->put(data_key({run_, number++}), std::string_view(piece.bytes).substr(begin, end - begin)));
    begin = end;
    if (file_->bytes() >= files_.bytes) SHEAF_TRY(close_file());
  }
  return {};
}

Result<void> DataWriter::open_file(std::uint64_t first) {
  SHEAF_TRY_ASSIGN(auto file, Database::SortedFile::create(core_.database(), Table::data,
                                                           core_.incoming_file("data", {run_, first})));
  file_ = std::move(file);
  ++begun_;
  return {};
}

Result<void> DataWriter::close_file() {
  SHEAF_TRY(wait_for_closing());
  const bool is_packed = files_.pack_threads > 0 && (begun_ > 1 || file_->bytes() >= files_.bytes);
  auto file = std::make_unique<Database::SortedFile>(std::move(*file_));
  file_.reset();
  // If no thread can be started, the file is closed by the thread that waits for the result.
  closing_ = std::async(
      std::launch::async | std::launch::deferred,
      [this, is_packed, file = std::move(file)]() -> Result<void> {
        SHEAF_TRY(file->finish());
        // Nothing refers to these pages yet, so older views may see them.
        SHEAF_TRY(core_.database().ingest(std::span(file.get(), 1), Database::OlderViews::may_see));
        if (is_packed) core_.packer().add(run_, file->key_range(), files_.pack_threads);
        return {};
      });
  return {};
}

Result<void> DataWriter::wait_for_closing() { return closing_.valid() ? closing_.get() : Result<void>(); }

namespace {

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
