#include "sheaf/store/local/commit_journal.h"

#include "sheaf/base/record.h"
#include "sheaf/format/limits.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::RecordReader;
using base::RecordWriter;

// Rewritten when it is several times larger than its content needs.
constexpr std::uint64_t kGrowth = 4;
constexpr std::uint64_t kSmallBytes = format::kMiB;

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

}  // namespace

void CommitJournal::read() {
  meta_ = {};
  sections_.clear();
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  bytes_ = rewritten_bytes_ = bytes.size();
  RecordReader records(bytes);
  whole_ = true;
  while (!records.good()) {
    const std::string_view payload = records.text();
    const Check check = records.digest<sizeof(Check)>();
    whole_ = records.good_so_far() && check == check_of(payload);
    if (!whole_) return;
    RecordReader in(payload);
    const auto meta = decode_meta(in.text());
    const std::string key(in.text());
    std::optional<Section> section;
    if (in.number() == 1) {
      section.emplace();
      section->pages = in.number();
      section->state = in.digest<sizeof(base::Digest)>();
    }
    whole_ = meta && in.good();
    if (!whole_) return;
    meta_ = *meta;
    if (section) sections_.insert_or_assign(key, *section);
    if (!section) sections_.erase(key);
  }
}

void CommitJournal::add(const Meta& meta, std::string_view section_key,
                        const std::optional<Section>& section) {
  meta_ = meta;
  if (section) sections_.insert_or_assign(std::string(section_key), *section);
  if (!section) sections_.erase(std::string(section_key));
  if (!whole_ || bytes_ > std::max(kSmallBytes, kGrowth * rewritten_bytes_)) return rewrite();
  whole_ = append(record_of(meta, section_key, section));
}

void CommitJournal::add(const Meta& meta) { add(meta, "", std::nullopt); }

void CommitJournal::replace(const Meta& meta, std::map<std::string, Section, std::less<>> sections) {
  meta_ = meta;
  sections_ = std::move(sections);
  rewrite();
}

bool CommitJournal::append(std::string_view bytes) {
  if (!file_.is_open())
    file_ = base::FileDescriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.is_open() || !base::write_all(file_.get(), bytes, path_.string())) return false;
  bytes_ += bytes.size();
  return true;
}

void CommitJournal::rewrite() {
  file_.reset();
  std::string bytes = record_of(meta_, "", std::nullopt);
  for (const auto& [key, section] : sections_) bytes += record_of(meta_, key, section);
  auto file = base::AtomicFile::create(path_);
  whole_ = file && file->write(bytes) && file->commit();
  if (whole_) bytes_ = rewritten_bytes_ = bytes.size();
}

}  // namespace sheaf::store::local
