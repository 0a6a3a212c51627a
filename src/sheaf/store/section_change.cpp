#include "sheaf/store/section_change.h"

#include "sheaf/format/limits.h"

#include <utility>

namespace sheaf::store {
namespace {

using base::Result;

constexpr std::size_t kHeldBytes = 8 * format::kMiB;
constexpr std::size_t kSortMemory = 8 * format::kMiB;
constexpr std::size_t kDeleteBytes = format::kMiB;

format::Digest sum_of(const format::StateDigest& state) {
  return format::StateDigest::parse(state.to_string()).value_or(format::Digest{});
}

}  // namespace

SectionChange::SectionChange(StoreCore& core, std::string_view site, std::string_view section,
                             const SectionRecord& record, Memory memory)
    : core_(core),
      site_(site),
      section_(section),
      record_(record),
      memory_(memory),
      pages_before_(record_.pages),
      meta_(core.meta()),
      more_(core.database()),
      old_data_(kSortMemory, core.folder()) {
  if (record_.id == 0) record_.id = static_cast<std::uint32_t>(meta_.next_section++);
  state_.add(record_.state);
}

Result<void> SectionChange::put(const UrlKey& url, const std::optional<PageEntry>& before,
                                const PageEntry& after, Feed feed) {
  if (before) {
    record_.bytes -= before->json_bytes;
    state_.subtract(before->url, before->modified);
    SHEAF_TRY(old_data_.add(before->place));
  } else {
    ++record_.pages;
  }
  record_.bytes += after.json_bytes;
  state_.add(after.url, after.modified);
  if (feed == Feed::tell)
    SHEAF_TRY(
        tell(ChangeKind::put, after.url, before ? std::string_view(before->modified) : "", after.modified));
  return write_index({index_key(record_.id, url), encode(after)});
}

Result<void> SectionChange::remove(const UrlKey& url, const PageEntry& before, Feed feed) {
  --record_.pages;
  record_.bytes -= before.json_bytes;
  state_.subtract(before.url, before.modified);
  SHEAF_TRY(old_data_.add(before.place));
  if (feed == Feed::tell) SHEAF_TRY(tell(ChangeKind::remove, before.url, before.modified, ""));
  return write_index({index_key(record_.id, url), std::nullopt});
}

Result<void> SectionChange::tell(ChangeKind kind, std::string_view url, std::string_view old_modified,
                                 std::string_view new_modified) {
  Change change{++meta_.last_sequence,    kind, site_, section_, std::string(url), std::string(old_modified),
                std::string(new_modified)};
  Line line{feed_key(change.sequence), encode(change)};
  if (feed_file_) return feed_file_->put(line.key, *line.value);
  held_ += line.key.size() + line.value->size();
  feed_.push_back(std::move(line));
  return {};
}

Result<void> SectionChange::write_index(Line line) {
  if (index_file_)
    return line.value ? index_file_->put(line.key, *line.value) : index_file_->remove(line.key);
  held_ += line.key.size() + (line.value ? line.value->size() : 0);
  index_.push_back(std::move(line));
  return memory_ == Memory::unbounded || held_ < kHeldBytes ? Result<void>() : spill();
}

Result<void> SectionChange::spill() {
  const Place name{meta_.commits, record_.id};
  SHEAF_TRY_ASSIGN(auto index_file, Database::SortedFile::create(core_.database(), Table::main,
                                                                 core_.incoming_file("index", name)));
  index_file_ = std::move(index_file);
  for (Line& line : std::exchange(index_, {})) SHEAF_TRY(write_index(std::move(line)));
  SHEAF_TRY_ASSIGN(auto feed_file, Database::SortedFile::create(core_.database(), Table::main,
                                                                core_.incoming_file("feed", name)));
  feed_file_ = std::move(feed_file);
  for (const Line& line : std::exchange(feed_, {})) SHEAF_TRY(feed_file_->put(line.key, *line.value));
  return {};
}

Result<void> SectionChange::commit(Fate fate) {
  ++meta_.commits;
  record_.state = sum_of(state_);
  // In the order of their keys.
  std::vector<Line> records;
  if (run_) records.push_back({run_key(*run_), std::nullopt});
  records.push_back({std::string(kMetaKey), encode(meta_)});
  records.push_back(
      {section_key(site_, section_), fate == Fate::kept ? std::optional(encode(record_)) : std::nullopt});
  SHEAF_TRY(is_large() ? commit_files(records) : commit_batch(records));
  core_.meta() = meta_;
  return {};
}

Result<void> SectionChange::commit_batch(const std::vector<Line>& records) {
  const auto add = [this](const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      if (line.value) {
        more_.put(line.key, *line.value);
      } else {
        more_.remove(line.key);
      }
    }
  };
  add(records);
  add(feed_);
  add(index_);
  return core_.database().write(more_, Durability::synced);
}

/// One file before the feed, the feed, one between it and the index, the index: none overlaps another.
Result<void> SectionChange::commit_files(const std::vector<Line>& records) {
  std::vector<Database::SortedFile> files;
  const auto add_records = [&](std::string_view name, bool before_feed) -> Result<void> {
    std::optional<Database::SortedFile> file;
    for (const Line& line : records) {
      if ((line.key < kFeed) != before_feed) continue;
      if (!file) {
        SHEAF_TRY_ASSIGN(
            auto made, Database::SortedFile::create(core_.database(), Table::main,
                                                    core_.incoming_file(name, {meta_.commits, record_.id})));
        file = std::move(made);
      }
      SHEAF_TRY(line.value ? file->put(line.key, *line.value) : file->remove(line.key));
    }
    if (file) files.push_back(std::move(*file));
    return {};
  };
  SHEAF_TRY(add_records("run", true));
  if (feed_file_ && feed_file_->bytes() > 0) files.push_back(std::move(*feed_file_));
  SHEAF_TRY(add_records("records", false));
  files.push_back(std::move(*index_file_));
  for (Database::SortedFile& file : files) SHEAF_TRY(file.finish());
  return core_.database().ingest(files);
}

Result<void> SectionChange::delete_old_data() {
  SHEAF_TRY(old_data_.sort());
  Database::Batch batch(core_.database());
  while (true) {
    SHEAF_TRY_ASSIGN(const auto place, old_data_.next());
    if (place) batch.remove(data_key(*place), Table::data);
    if (!batch.empty() && (!place || batch.bytes() > kDeleteBytes))
      SHEAF_TRY(core_.database().write(batch, Durability::buffered));
    if (!place) return {};
  }
}

}  // namespace sheaf::store
