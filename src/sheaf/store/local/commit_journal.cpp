#include "sheaf/store/local/commit_journal.h"

#include "sheaf/base/record.h"
#include "sheaf/format/limits.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::RecordReader;
using base::RecordWriter;

// The file is rewritten when it is larger than kSmallBytes and than kGrowth times its size after the last
// rewrite.
constexpr std::uint64_t kGrowth = 4;
constexpr std::uint64_t kSmallBytes = format::kMiB;
// Enough for ten million sections; a larger file was not written by us.
constexpr std::uint64_t kMaxBytes = 4 * format::kGiB;

using Check = std::array<std::uint8_t, 8>;

Check check_of(std::string_view payload) {
  const base::Digest digest = base::sha256(payload);
  Check check{};
  std::copy_n(digest.begin(), check.size(), check.begin());
  return check;
}

/// A record: size, payload, and the first bytes of the payload's hash.
std::string record_of(const Meta& meta, std::string_view key,
                      const std::optional<CommitJournal::Section>& section) {
  RecordWriter payload;
  payload.text(encode(meta)).text(key).number(section ? 1 : 0);
  if (section) payload.number(section->pages).digest(section->state);
  RecordWriter record;
  return record.text(payload.bytes()).digest(check_of(payload.bytes())).bytes();
}

/// Reads the next record into `all`; false if it is damaged.
bool read_record(RecordReader& records, CommitJournal::Records& all) {
  const std::string_view payload = records.text();
  const Check check = records.digest<sizeof(Check)>();
  if (!records.good_so_far() || check != check_of(payload)) return false;
  RecordReader in(payload);
  const auto meta = decode_meta(in.text());
  const std::string key(in.text());
  std::optional<CommitJournal::Section> section;
  if (in.number() == 1) {
    section.emplace();
    section->pages = in.number();
    section->state = in.digest<sizeof(base::Digest)>();
  }
  if (!meta || !in.good()) return false;
  all.meta = *meta;
  if (section) all.sections.insert_or_assign(key, *section);
  if (!section) all.sections.erase(key);
  return true;
}

/// Whether the record at `begin`, which cannot be read, is one that is being written, or that a power loss
/// damaged. Records are appended without a sync, so a power loss may keep later bytes and lose earlier ones.
/// But a disk writes whole sectors, and a sector that was lost has zeros from the end of the last record that
/// it had. Records have no such zeros. `records` has tried to read the record.
bool is_cut_off(std::string_view bytes, std::size_t begin, const RecordReader& records) {
  constexpr std::size_t kMaxRecord = std::size_t{64} << 10U;
  constexpr std::size_t kSector = 512;
  if (!records.good_so_far() && bytes.size() - begin < kMaxRecord) return true;
  const std::string_view seen = bytes.substr(0, std::min(bytes.size(), begin + kMaxRecord));
  while (begin < seen.size()) {
    const std::string_view sector = seen.substr(begin, kSector - begin % kSector);
    if (sector.find_first_not_of('\0') == std::string_view::npos) return true;
    begin += sector.size();
  }
  return false;
}

/// The first bytes of a file; fewer if it cannot be read.
std::string read_bytes(int file, std::uint64_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

void CommitJournal::hold() {
  held_ = base::FileDescriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  const bool is_known = held_.is_open() && ::fstat(held_.get(), &status) == 0;
  // A file of this size cannot be read either.
  const std::uint64_t unknown = errno == ENOENT ? 0 : UINT64_MAX;
  held_bytes_ = is_known ? static_cast<std::uint64_t>(status.st_size) : unknown;
}

CommitJournal::Records CommitJournal::read_held() const {
  Records all;
  const bool is_readable = held_.is_open() && held_bytes_ <= kMaxBytes;
  const std::string bytes = is_readable ? read_bytes(held_.get(), held_bytes_) : std::string();
  all.bytes = bytes.size();
  all.is_whole = bytes.size() == held_bytes_;
  all.is_damaged = !all.is_whole;
  RecordReader records(bytes);
  while (all.is_whole && !records.good()) {
    const std::size_t begin = bytes.size() - records.rest().size();
    all.is_whole = read_record(records, all);
    if (!all.is_whole) all.is_damaged = !is_cut_off(bytes, begin, records);
  }
  return all;
}

void CommitJournal::load() {
  records_ = read_held();
  rewritten_bytes_ = records_.bytes;
  held_.reset();
}

void CommitJournal::add(const Meta& meta, std::string_view section_key,
                        const std::optional<Section>& section) {
  records_.meta = meta;
  if (section) records_.sections.insert_or_assign(std::string(section_key), *section);
  if (!section) records_.sections.erase(std::string(section_key));
  if (!records_.is_whole || records_.bytes > std::max(kSmallBytes, kGrowth * rewritten_bytes_))
    return rewrite();
  records_.is_whole = append(record_of(meta, section_key, section));
}

void CommitJournal::add(const Meta& meta) { add(meta, "", std::nullopt); }

void CommitJournal::replace(const Meta& meta, std::map<std::string, Section, std::less<>> sections) {
  records_.meta = meta;
  records_.sections = std::move(sections);
  rewrite();
}

bool CommitJournal::append(std::string_view bytes) {
  if (!file_.is_open())
    file_ = base::FileDescriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.is_open() || !base::write_all(file_.get(), bytes, path_.string())) return false;
  records_.bytes += bytes.size();
  return true;
}

void CommitJournal::rewrite() {
  file_.reset();
  std::string bytes = record_of(records_.meta, "", std::nullopt);
  for (const auto& [key, section] : records_.sections) bytes += record_of(records_.meta, key, section);
  auto file = base::AtomicFile::create(path_);
  records_.is_whole = file && file->write(bytes) && file->commit();
  if (records_.is_whole) records_.bytes = rewritten_bytes_ = bytes.size();
}

}  // namespace sheaf::store::local
