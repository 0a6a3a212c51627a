#include "sheaf/pull/page_note.h"

#include "sheaf/base/hex.h"
#include "sheaf/format/sha256.h"
#include "sheaf/store/record.h"

#include <fmt/format.h>

#include <span>

namespace sheaf::pull {
namespace {

constexpr std::uint64_t kVersion = 1;

void write(store::RecordWriter& record, const std::optional<base::Instant>& instant) {
  record.number(instant ? 1 : 0);
  if (instant) record.time(*instant);
}

std::optional<base::Instant> read_optional(store::RecordReader& record) {
  if (record.number() == 0) return std::nullopt;
  return record.time();
}

}  // namespace

std::string encode(const PageNote& note) {
  store::RecordWriter record;
  record.number(kVersion)
      .text(note.url)
      .number(static_cast<std::uint64_t>(note.fate))
      .number(note.listed)
      .number(note.visited);
  write(record, note.lastmod);
  write(record, note.lastmod_then);
  record.time(note.fetched);
  record.text(note.validators.etag())
      .text(note.validators.last_modified())
      .digest(note.fingerprint)
      .text(note.modified);
  return record.bytes();
}

std::optional<PageNote> decode_page_note(std::string_view bytes) {
  store::RecordReader record(bytes);
  if (record.number() != kVersion) return std::nullopt;
  PageNote note;
  note.url = record.text();
  const std::uint64_t fate = record.number();
  if (fate > static_cast<std::uint64_t>(PageFate::failed)) return std::nullopt;
  note.fate = static_cast<PageFate>(fate);
  note.listed = record.number();
  note.visited = record.number();
  note.lastmod = read_optional(record);
  note.lastmod_then = read_optional(record);
  note.fetched = record.time();
  const auto etag = record.text();
  const auto last_modified = record.text();
  note.validators = {etag, last_modified};
  note.fingerprint = record.digest<16>();
  note.modified = record.text();
  if (!record.good()) return std::nullopt;
  return note;
}

std::string note_name(std::string_view url) {
  format::Sha256 sha;
  sha.update(url);
  const format::Digest digest = sha.finish();
  return fmt::format("{}{}", kPageNotes, base::to_hex(std::span(digest).first(16)));
}

Visit choose_visit(const PageNote& note, base::Instant now) {
  if (note.fate == PageFate::unknown || note.fate == PageFate::failed || note.fate == PageFate::disallowed)
    return Visit::fetch;
  const bool same_lastmod = note.lastmod && note.lastmod == note.lastmod_then;
  const std::int64_t age = now.seconds - note.fetched.seconds;
  if (same_lastmod && age >= 0 && age < kTrustLastmodSeconds) return Visit::leave;
  return note.validators.empty() ? Visit::fetch : Visit::conditional;
}

base::Instant choose_modified(const std::optional<base::Instant>& stored, bool changed,
                              const std::optional<base::Instant>& stated, base::Instant now) {
  if (stored && !changed) return *stored;
  const bool believable = stated && *stated <= now;
  if (!stored) return believable ? *stated : now;
  if (believable && *stated > *stored) return *stated;
  return std::max(now, base::Instant{stored->seconds + 1, 0});
}

}  // namespace sheaf::pull
