#include "sheaf/export/chunk_state.h"

#include "sheaf/base/sha256.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::string_view kStateMagic = "sheafck1";
// For a shared store: the feed position is a text after the head, and `cursor` is its size.
constexpr std::string_view kSharedStateMagic = "sheafck2";
constexpr std::uint64_t kMaxCursorLength = std::uint64_t{1} << 20U;
constexpr std::size_t kStateSortMemory = std::size_t{16} << 20U;
constexpr std::size_t kWriteStep = std::size_t{1} << 20U;

/// The first bytes of the file. Numbers are in native byte order: the file is a cache for this machine.
struct StateHead {
  std::array<char, 8> magic{};
  std::uint64_t unit = 0;
  std::uint64_t max_chars = 0;
  std::uint64_t overlap = 0;
  std::uint64_t cursor = 0;  ///< number of the change, or the size of the text
};

Result<void> read_exactly(int descriptor, std::uint64_t offset, void* out, std::size_t size,
                          const std::filesystem::path& path) {
  const ssize_t got = pread(descriptor, out, size, static_cast<off_t>(offset));
  if (got == static_cast<ssize_t>(size)) return {};
  if (got < 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot read {}", path.string())));
  return fail(Errc::invalid_data,
              fmt::format("{} is damaged: it ends too early; delete it to start over", path.string()));
}

}  // namespace

ChunkState::ChunkState(std::filesystem::path path, const ChunkRules& rules)
    : path_(std::move(path)), rules_(rules), replaced_(kStateSortMemory, path_.parent_path()) {}

Result<ChunkState> ChunkState::open(const std::filesystem::path& file, const ChunkRules& rules) {
  ChunkState state(file, rules);
  base::FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.is_open() && errno == ENOENT) return state;
  if (!descriptor.is_open())
    return std::unexpected(base::system_error(errno, fmt::format("cannot open {}", file.string())));
  StateHead head;
  SHEAF_TRY(read_exactly(descriptor.get(), 0, &head, sizeof(head), file));
  const std::string_view magic(head.magic.data(), head.magic.size());
  if (magic != kStateMagic && magic != kSharedStateMagic)
    return fail(Errc::invalid_data, fmt::format("{} is not a chunk state file", file.string()));
  struct stat facts{};
  const bool has_size = fstat(descriptor.get(), &facts) == 0;
  const auto bytes = static_cast<std::uint64_t>(has_size ? facts.st_size : 0);
  const std::uint64_t text = magic == kSharedStateMagic ? head.cursor : 0;
  state.records_at_ = sizeof(head) + std::min(text, kMaxCursorLength);
  if (text > kMaxCursorLength || bytes < state.records_at_ ||
      (bytes - state.records_at_) % sizeof(Record) != 0)
    return fail(Errc::invalid_data,
                fmt::format("{} is damaged: its size is wrong; delete it to start over", file.string()));
  if (head.unit != static_cast<std::uint64_t>(rules.unit) || head.max_chars != rules.max_chars ||
      head.overlap != rules.overlap)
    return fail(
        Errc::refused,
        fmt::format("{} was made with --{} --max-chars {} --overlap {}: use the same, or another file",
                    file.string(), head.unit == 0 ? "chunks" : "blocks", head.max_chars, head.overlap));
  state.file_ = std::move(descriptor);
  state.count_ = (bytes - state.records_at_) / sizeof(Record);
  state.cursor_ = head.cursor;
  if (magic == kSharedStateMagic) SHEAF_TRY(state.read_cursor(text));
  return state;
}

Result<void> ChunkState::read_cursor(std::uint64_t size) {
  std::string text(size, '\0');
  SHEAF_TRY(read_exactly(file_.get(), sizeof(StateHead), text.data(), text.size(), path_));
  auto cursor = store::FeedCursor::parse(text);
  if (!cursor)
    return fail(Errc::invalid_data, fmt::format("{} is damaged; delete it to start over", path_.string()));
  cursor_ = std::move(*cursor);
  return {};
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
Result<void> ChunkState::merge(base::AtomicFile& out) {
  constexpr std::uint64_t kReadRecords = kWriteStep / sizeof(Record);
  std::string bytes;
  const auto put = [&](const Record& record) -> Result<void> {
    bytes.append(reinterpret_cast<const char*>(&record), sizeof(record));
    if (bytes.size() < kWriteStep) return {};
    return out.write(std::exchange(bytes, {}));
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
  return out.write(bytes);
}

Result<void> ChunkState::commit(const store::FeedCursor& cursor) {
  SHEAF_TRY(replaced_.sort());
  StateHead head;
  const std::string text = cursor.parts() == 1 ? std::string() : cursor.text();
  const std::string_view magic = text.empty() ? kStateMagic : kSharedStateMagic;
  std::copy(magic.begin(), magic.end(), head.magic.begin());
  head.unit = static_cast<std::uint64_t>(rules_.unit);
  head.max_chars = rules_.max_chars;
  head.overlap = rules_.overlap;
  head.cursor = text.empty() ? cursor.total() : text.size();
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(path_));
  SHEAF_TRY(out.write({reinterpret_cast<const char*>(&head), sizeof(head)}));
  SHEAF_TRY(out.write(text));
  SHEAF_TRY(merge(out));
  return out.commit();
}

}  // namespace sheaf::exporting
