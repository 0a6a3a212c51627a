#include "sheaf/export/chunk_export.h"

#include "sheaf/base/ascii.h"
#include "sheaf/export/selected_pages.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace sheaf::exporting {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::string_view kStateKind = "sheafck";
constexpr std::string_view kStateMagic = "sheafck3";
constexpr std::string_view kStartOver = "delete it and build the index again";
constexpr std::uint64_t kMaxCursorLength = std::uint64_t{1} << 20U;
constexpr std::size_t kStateSortMemory = std::size_t{16} << 20U;
constexpr std::size_t kWriteStep = std::size_t{1} << 20U;

Result<void> read_exactly(int descriptor, std::uint64_t offset, void* out, std::size_t size,
                          const std::filesystem::path& path) {
  const ssize_t got = pread(descriptor, out, size, static_cast<off_t>(offset));
  if (got == static_cast<ssize_t>(size)) return {};
  if (got < 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot read {}", path.string())));
  return fail(Errc::invalid_data,
              fmt::format("{} is damaged: it ends too early; {}", path.string(), kStartOver));
}

}  // namespace

/// The first bytes of the file. The position in the feed follows as text, then the records, then a SHA-256 of
/// everything before it. Numbers are in native byte order: the file is a cache for this machine.
struct ChunkState::Head {
  std::array<char, 8> magic{};
  std::uint64_t unit = 0;
  std::uint64_t max_chars = 0;
  std::uint64_t overlap = 0;
  std::uint64_t cursor_size = 0;
  base::Digest store{};
};

ChunkState::ChunkState(std::filesystem::path path, const ChunkRules& rules, std::string_view store_id)
    : path_(std::move(path)),
      rules_(rules),
      store_(base::sha256(store_id)),
      replaced_(kStateSortMemory, path_.parent_path()) {}

Result<ChunkState> ChunkState::open(const std::filesystem::path& file, const ChunkRules& rules,
                                    std::string_view store_id) {
  ChunkState state(file, rules, store_id);
  state.file_ = base::FileDescriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!state.file_.is_open() && errno == ENOENT) return state;
  if (!state.file_.is_open())
    return std::unexpected(base::system_error(errno, fmt::format("cannot open {}", file.string())));
  SHEAF_TRY(state.read_head());
  return state;
}

Result<void> ChunkState::read_head() {
  Head head;
  SHEAF_TRY(read_exactly(file_.get(), 0, &head.magic, sizeof(head.magic), path_));
  const std::string_view magic(head.magic.data(), head.magic.size());
  const bool is_state = magic.starts_with(kStateKind) && base::is_digit(magic.back());
  if (!is_state) return fail(Errc::invalid_data, fmt::format("{} is not a chunk state file", path_.string()));
  if (magic != kStateMagic)
    return fail(Errc::refused,
                fmt::format("{} was written by another version of sheaf: {}", path_.string(), kStartOver));
  SHEAF_TRY(read_exactly(file_.get(), 0, &head, sizeof(head), path_));
  struct stat facts{};
  const bool has_size = fstat(file_.get(), &facts) == 0;
  const auto size = static_cast<std::uint64_t>(has_size ? facts.st_size : 0);
  records_at_ = sizeof(head) + std::min(head.cursor_size, kMaxCursorLength);
  const std::uint64_t fixed = records_at_ + sizeof(base::Digest);
  if (head.cursor_size > kMaxCursorLength || size < fixed || (size - fixed) % sizeof(Record) != 0)
    return fail(Errc::invalid_data,
                fmt::format("{} is damaged: its size is wrong; {}", path_.string(), kStartOver));
  SHEAF_TRY(check_sum(size - sizeof(base::Digest)));
  SHEAF_TRY(check_origin(head));
  count_ = (size - fixed) / sizeof(Record);
  std::string text(head.cursor_size, '\0');
  SHEAF_TRY(read_exactly(file_.get(), sizeof(head), text.data(), text.size(), path_));
  SHEAF_TRY_ASSIGN(cursor_, store::FeedCursor::parse(text));
  return {};
}

/// Reads the whole file. A run that writes a new state does that anyway.
Result<void> ChunkState::check_sum(std::uint64_t size) const {
  base::Sha256 sha;
  std::string part;
  for (std::uint64_t done = 0; done < size; done += part.size()) {
    part.resize(std::min<std::uint64_t>(kWriteStep, size - done));
    SHEAF_TRY(read_exactly(file_.get(), done, part.data(), part.size(), path_));
    sha.update(part);
  }
  base::Digest stated{};
  SHEAF_TRY(read_exactly(file_.get(), size, stated.data(), stated.size(), path_));
  if (sha.finish() == stated) return {};
  return fail(Errc::invalid_data,
              fmt::format("{} is damaged: its checksum is wrong; {}", path_.string(), kStartOver));
}

Result<void> ChunkState::check_origin(const Head& head) const {
  if (head.store != store_)
    return fail(Errc::refused, fmt::format("{} belongs to another store, or the store was created anew: use "
                                           "another file, or {}",
                                           path_.string(), kStartOver));
  if (head.unit == static_cast<std::uint64_t>(rules_.unit) && head.max_chars == rules_.max_chars &&
      head.overlap == rules_.overlap)
    return {};
  return fail(
      Errc::refused,
      fmt::format("{} was made with --{} --max-chars {} --overlap {}: use the same, or another file",
                  path_.string(), head.unit == 0 ? "chunks" : "blocks", head.max_chars, head.overlap));
}

ChunkState::PageId ChunkState::page_id(std::string_view site, std::string_view url) {
  base::Sha256 sha;
  sha.update(site);
  sha.update(std::string_view("\0", 1));
  sha.update(url);
  const base::Digest digest = sha.finish();
  PageId id;
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

Result<ChunkState::Record> ChunkState::read_record(std::uint64_t number) const {
  Record record;
  SHEAF_TRY(read_exactly(file_.get(), records_at_ + number * sizeof(Record), &record, sizeof(record), path_));
  return record;
}

/// Returns the number of the first record of `page`, or of a later page.
Result<std::uint64_t> ChunkState::lower_bound(const PageId& page) const {
  std::uint64_t low = 0;
  std::uint64_t high = count_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    SHEAF_TRY_ASSIGN(const Record record, read_record(middle));
    if (record.page < page) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Result<std::vector<ChunkId>> ChunkState::ids_of(std::string_view site, std::string_view url) const {
  std::vector<ChunkId> ids;
  if (count_ == 0) return ids;
  const PageId page = page_id(site, url);
  SHEAF_TRY_ASSIGN(const std::uint64_t first, lower_bound(page));
  for (std::uint64_t number = first; number < count_; ++number) {
    SHEAF_TRY_ASSIGN(const Record record, read_record(number));
    if (record.page != page) break;
    ids.push_back(record.chunk);
  }
  return ids;
}

Result<void> ChunkState::replace(std::string_view site, std::string_view url, std::span<const ChunkId> ids) {
  const PageId page = page_id(site, url);
  SHEAF_TRY(replaced_.add({page, {}}));
  for (const ChunkId& id : ids) SHEAF_TRY(replaced_.add({page, id}));
  return {};
}

/// Merges the old and the new records, which are both sorted. Old records are kept unless their page was
/// replaced.
Result<void> ChunkState::merge(const Write& write) {
  constexpr std::uint64_t kReadRecords = kWriteStep / sizeof(Record);
  std::string bytes;
  const auto put = [&](const Record& record) -> Result<void> {
    bytes.append(reinterpret_cast<const char*>(&record), sizeof(record));
    if (bytes.size() < kWriteStep) return {};
    return write(std::exchange(bytes, {}));
  };
  SHEAF_TRY_ASSIGN(auto next, replaced_.next());
  std::optional<PageId> gone;
  const auto put_new_until = [&](const PageId* last) -> Result<void> {
    while (next && (last == nullptr || next->page <= *last)) {
      gone = next->page;
      if (next->chunk != ChunkId{}) SHEAF_TRY(put(*next));
      SHEAF_TRY_ASSIGN(next, replaced_.next());
    }
    return {};
  };
  std::vector<Record> old;
  for (std::uint64_t number = 0; number < count_; number += old.size()) {
    old.resize(std::min(kReadRecords, count_ - number));
    SHEAF_TRY(read_exactly(file_.get(), records_at_ + number * sizeof(Record), old.data(),
                           old.size() * sizeof(Record), path_));
    for (const Record& record : old) {
      SHEAF_TRY(put_new_until(&record.page));
      if (gone != record.page) SHEAF_TRY(put(record));
    }
  }
  SHEAF_TRY(put_new_until(nullptr));
  return write(bytes);
}

Result<void> ChunkState::commit(const store::FeedCursor& cursor) {
  SHEAF_TRY(replaced_.sort());
  const std::string text = cursor.text();
  Head head;
  std::copy(kStateMagic.begin(), kStateMagic.end(), head.magic.begin());
  head.unit = static_cast<std::uint64_t>(rules_.unit);
  head.max_chars = rules_.max_chars;
  head.overlap = rules_.overlap;
  head.cursor_size = text.size();
  head.store = store_;
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(path_));
  base::Sha256 sha;
  const Write write = [&](std::string_view bytes) -> Result<void> {
    sha.update(bytes);
    return out.write(bytes);
  };
  SHEAF_TRY(write({reinterpret_cast<const char*>(&head), sizeof(head)}));
  SHEAF_TRY(write(text));
  SHEAF_TRY(merge(write));
  const base::Digest digest = sha.finish();
  SHEAF_TRY(out.write({reinterpret_cast<const char*>(digest.data()), digest.size()}));
  return out.commit();
}

namespace {

using store::PageStore;
using store::StoredPage;

class ChunkFeed {
 public:
  ChunkFeed(const PageStore& store, ChunkState& state, const ChunkRules& rules, const ExportSink& sink)
      : store_(store), state_(state), rules_(rules), sink_(sink) {}

  Result<ChunkChanges> run() {
    if (state_.is_new()) {
      SHEAF_TRY_ASSIGN(changes_.cursor, store_.newest_change());
      SHEAF_TRY(
          walk_pages(store_, {}, format::Detail::checks, [this](const StoredPage& stored, const Page* page) {
            return compare(stored.site, stored.section, stored.url, page);
          }));
    } else {
      SHEAF_TRY_ASSIGN(const ExportSummary walked,
                       walk_changed_pages(store_, {}, state_.cursor(),
                                          [this](const store::StoreChange& change, const StoredPage* stored) {
                                            return compare_changed(change, stored);
                                          }));
      changes_.cursor = walked.cursor;
    }
    SHEAF_TRY(state_.commit(changes_.cursor));
    return changes_;
  }

 private:
  Result<void> compare_changed(const store::StoreChange& change, const StoredPage* stored) {
    if (stored == nullptr) return compare(change.site, change.section, change.url, nullptr);
    const auto page = decoder_(stored->json);
    if (!page)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the store's page {} cannot be read: {}; `sheaf verify` gives details",
                                    stored->url, page.error()));
    return compare(stored->site, stored->section, stored->url, *page);
  }

  /// `page` is null if it was removed.
  Result<void> compare(std::string_view site, std::string_view section, std::string_view url,
                       const Page* page) {
    ++changes_.pages;
    SHEAF_TRY_ASSIGN(std::vector<ChunkId> before, state_.ids_of(site, url));
    std::ranges::sort(before);
    std::vector<ChunkId> now;
    const std::vector<PageChunk> chunks =
        page == nullptr ? std::vector<PageChunk>() : chunk_page(site, *page, rules_);
    now.reserve(chunks.size());
    for (const PageChunk& chunk : chunks) now.push_back(chunk.id);
    for (const PageChunk& chunk : chunks)
      if (std::ranges::binary_search(before, chunk.id)) {
        ++changes_.kept;
      } else {
        SHEAF_TRY(report_added(chunk, {site, section}, *page));
      }
    SHEAF_TRY(state_.replace(site, url, now));
    std::ranges::sort(now);
    for (const ChunkId& id : before)
      if (!std::ranges::binary_search(now, id)) SHEAF_TRY(report_removed(id, url));
    return {};
  }

  Result<void> report_added(const PageChunk& chunk, const ChunkPlace& place, const Page& page) {
    ++changes_.added;
    line_.clear();
    append_chunk_json(line_, chunk, place, page, rules_);
    line_.insert(1, R"("op":"add",)");
    line_ += '\n';
    return sink_(line_);
  }

  Result<void> report_removed(const ChunkId& id, std::string_view url) {
    ++changes_.removed;
    line_ = fmt::format(R"({{"op":"remove","id":"{}","url":)", chunk_id_text(id));
    format::append_json_string(line_, url);
    line_ += "}\n";
    return sink_(line_);
  }

  const PageStore& store_;
  ChunkState& state_;
  const ChunkRules& rules_;
  const ExportSink& sink_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
  std::string line_;
  ChunkChanges changes_;
};

}  // namespace

Result<ExportSummary> export_chunks(const PageStore& store, const ExportOptions& options,
                                    const ChunkRules& rules, const ExportSink& sink) {
  std::string line;
  return walk_pages(store, options, format::Detail::checks,
                    [&](const StoredPage& stored, const Page* page) -> Result<void> {
                      for (const PageChunk& chunk : chunk_page(stored.site, *page, rules)) {
                        line.clear();
                        append_chunk_json(line, chunk, {stored.site, stored.section}, *page, rules);
                        line += '\n';
                        SHEAF_TRY(sink(line));
                      }
                      return {};
                    });
}

Result<ChunkChanges> export_chunk_changes(const PageStore& store, std::string_view store_id,
                                          const std::filesystem::path& state_file, const ChunkRules& rules,
                                          const ExportSink& sink) {
  SHEAF_TRY_ASSIGN(auto state, ChunkState::open(state_file, rules, store_id));
  return ChunkFeed(store, state, rules, sink).run();
}

}  // namespace sheaf::exporting
