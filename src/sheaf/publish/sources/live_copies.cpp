#include "sheaf/publish/sources/live_copies.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::publish {
namespace {

using base::RecordReader;
using base::RecordWriter;

// The first byte of a key. The source's prefix and the hash of a URL follow.
constexpr char kCopies = 'M';
constexpr char kBodies = 'B';
constexpr char kPass = 'R';
constexpr char kNames = 'N';  // a source's name, to find the data of former sources
constexpr char kTemplate = 'T';
constexpr std::size_t kPrefixBytes = 8;

// An interrupted pass is continued within this time. Later, too many pages may have changed.
constexpr std::int64_t kResumeSeconds = std::int64_t{6} * 3600;
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

std::string short_hash(std::string_view text, std::size_t bytes) {
  const base::Digest digest = base::sha256(text);
  return {reinterpret_cast<const char*>(digest.data()), bytes};
}

/// Fates are stored as skip reasons, for compatibility with older versions.
std::uint64_t to_number(crawl::PageOutcome fate) { return static_cast<std::uint64_t>(skip_reason_for(fate)); }

std::optional<crawl::PageOutcome> to_fate(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(kLastSkipReason)) return std::nullopt;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(crawl::kLastFate); ++i)
    if (const auto fate = static_cast<crawl::PageOutcome>(i);
        fate != crawl::PageOutcome::unknown && to_number(fate) == number)
      return fate;
  return std::nullopt;
}

std::string encode(const LiveCopy& copy) {
  const crawl::UrlRecord& record = copy.record;
  return RecordWriter()
      .text(record.url)
      .number(to_number(record.fate))
      .text(record.detail)
      .text(record.final_url)
      .text(record.validators.etag())
      .text(record.validators.last_modified())
      .text(record.content_type)
      .text(record.robots_header)
      .time(record.fetched)
      .time(copy.wanted)
      .number(copy.body_bytes)
      .bytes();
}

/// Returns nullopt for a damaged record: the page is then fetched again.
std::optional<LiveCopy> decode(std::string_view bytes) {
  RecordReader in(bytes);
  LiveCopy copy;
  crawl::UrlRecord& record = copy.record;
  record.url = in.text();
  const auto fate = to_fate(in.number());
  record.detail = in.text();
  record.final_url = in.text();
  const auto etag = in.text();
  const auto last_modified = in.text();
  record.validators = {etag, last_modified};
  record.content_type = in.text();
  record.robots_header = in.text();
  record.fetched = in.time();
  copy.wanted = in.time();
  copy.body_bytes = in.number();
  if (!in.good() || !fate) return std::nullopt;
  record.fate = *fate;
  return copy;
}

}  // namespace

SkipReason skip_reason_for(crawl::PageOutcome fate) {
  switch (fate) {
    case crawl::PageOutcome::noindex: return SkipReason::noindex;
    case crawl::PageOutcome::missing: return SkipReason::gone;
    case crawl::PageOutcome::no_page: return SkipReason::not_html;
    case crawl::PageOutcome::elsewhere: return SkipReason::redirect;
    case crawl::PageOutcome::duplicate: return SkipReason::duplicate;
    case crawl::PageOutcome::disallowed: return SkipReason::robots_disallowed;
    case crawl::PageOutcome::failed: return SkipReason::unreadable;
    case crawl::PageOutcome::stored:
    case crawl::PageOutcome::unknown: break;
  }
  return SkipReason::none;
}

LiveCopies::LiveCopies(LiveCopies&& other) noexcept
    : database_(other.database_),
      prefix_(std::move(other.prefix_)),
      limit_(other.limit_),
      clock_(std::move(other.clock_)),
      used_(other.used_) {}

base::Result<LiveCopies> LiveCopies::open(database::Database& database, std::string_view name,
                                          std::uint64_t limit, std::function<Instant()> clock) {
  LiveCopies copies(database, short_hash(name, kPrefixBytes), limit, std::move(clock));
  auto cursor = database.scan(copies.key(kCopies));
  for (; cursor.valid(); cursor.next())
    if (const auto copy = decode(cursor.value())) copies.used_ += copy->body_bytes;
  SHEAF_TRY(cursor.check());
  database::Database::Batch batch;
  batch.put(copies.key(kNames), name);
  SHEAF_TRY(database.write(batch, database::Durability::buffered));
  return copies;
}

base::Result<void> LiveCopies::drop_others(database::Database& database, std::span<const std::string> names) {
  database::Database::Batch batch;
  auto cursor = database.scan(std::string(1, kNames));
  for (; cursor.valid(); cursor.next()) {
    if (std::ranges::find(names, cursor.value()) != names.end()) continue;
    for (const char kind : {kCopies, kBodies, kPass, kNames, kTemplate})
      batch.remove_prefix(kind + std::string(cursor.key().substr(1)));
  }
  SHEAF_TRY(cursor.check());
  return batch.empty() ? base::Result<void>() : database.write(batch, database::Durability::buffered);
}

std::string LiveCopies::key(char kind, std::string_view url) const {
  constexpr std::size_t kHashBytes = 16;
  return key(kind) + short_hash(url, kHashBytes);
}

base::Result<std::optional<LiveCopy>> LiveCopies::read(std::string_view url) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_->get(key(kCopies, url)));
  if (!bytes) return std::nullopt;
  auto copy = decode(*bytes);
  if (!copy || copy->record.url != url) return std::nullopt;
  return copy;
}

base::Result<crawl::UrlRecord> LiveCopies::find(const std::string& url) {
  SHEAF_TRY_ASSIGN(auto copy, read(url));
  return copy ? std::move(copy->record) : crawl::UrlRecord{.url = url};
}

base::Result<std::string> LiveCopies::body(std::string_view url) const {
  SHEAF_TRY_ASSIGN(auto bytes, database_->get(key(kBodies, url)));
  if (!bytes)
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("the copy of {} is lost; move the folder `live` in the state folder away, and "
                    "every page is fetched again",
                    url));
  return std::move(*bytes);
}

bool LiveCopies::reserve(std::uint64_t before, std::uint64_t after) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t others = used_ - std::min(used_, before);
  const bool fits = after <= limit_ && others <= limit_ - after;
  used_ = fits ? others + after : others;
  return fits;
}

base::Result<void> LiveCopies::apply(crawl::PageUpdate& update, crawl::CrawledPage& page) {
  const bool was_visited = !page.visit.not_modified || !page.visit.request.is_fresh;
  if (!was_visited || update.record.fate == crawl::PageOutcome::failed) return {};
  SHEAF_TRY_ASSIGN(const auto before, read(update.record.url));
  LiveCopy copy{.record = update.record, .wanted = clock_()};
  const bool has_page = update.record.fate == crawl::PageOutcome::stored;
  const bool same_body = has_page && update.copy == crawl::CopyAction::keep;
  copy.body_bytes = same_body && before ? before->body_bytes : has_page ? page.visit.body.size() : 0;
  database::Database::Batch batch;
  const bool fits = reserve(before ? before->body_bytes : 0, copy.body_bytes);
  if (fits) batch.put(key(kCopies, copy.record.url), encode(copy));
  if (!fits) batch.remove(key(kCopies, copy.record.url));
  if (fits && has_page && !same_body) batch.put(key(kBodies, copy.record.url), page.visit.body);
  if (!fits || !has_page) batch.remove(key(kBodies, copy.record.url));
  return database_->write(batch, database::Durability::buffered);
}

base::Result<std::string> LiveCopies::read_template() {
  SHEAF_TRY_ASSIGN(auto bytes, database_->get(key(kTemplate)));
  return bytes ? std::move(*bytes) : std::string();
}

base::Result<void> LiveCopies::write_template(std::string_view bytes) {
  database::Database::Batch batch;
  batch.put(key(kTemplate), bytes);
  return database_->write(batch, database::Durability::buffered);
}

base::Result<Instant> LiveCopies::begin_pass(Instant now) {
  SHEAF_TRY_ASSIGN(const auto bytes, database_->get(key(kPass)));
  if (bytes) {
    RecordReader in(*bytes);
    const Instant began = in.time();
    if (in.good() && began <= now && now.seconds - began.seconds < kResumeSeconds) return began;
  }
  database::Database::Batch batch;
  batch.put(key(kPass), RecordWriter().time(now).bytes());
  SHEAF_TRY(database_->write(batch, database::Durability::buffered));
  return now;
}

base::Result<void> LiveCopies::end_pass(Instant began) {
  database::Database::Batch batch;
  auto cursor = database_->scan(key(kCopies));
  for (; cursor.valid(); cursor.next()) {
    const auto copy = decode(cursor.value());
    if (copy && copy->wanted >= began) continue;
    reserve(copy ? copy->body_bytes : 0, 0);
    batch.remove(cursor.key());
    batch.remove(kBodies + std::string(cursor.key().substr(1)));
    if (batch.bytes() >= kBatchBytes) SHEAF_TRY(database_->write(batch, database::Durability::buffered));
  }
  SHEAF_TRY(cursor.check());
  batch.remove(key(kPass));
  return database_->write(batch, database::Durability::buffered);
}

}  // namespace sheaf::publish
