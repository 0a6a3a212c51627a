#include "sheaf/publish/page_copies.h"

#include "sheaf/format/sha256.h"
#include "sheaf/store/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::publish {
namespace {

using store::RecordReader;
using store::RecordWriter;

// The first byte of a key; the source's prefix follows, and the hash of an address.
constexpr char kCopies = 'M';
constexpr char kBodies = 'B';
constexpr char kPass = 'R';
constexpr char kNames = 'N';  // which prefixes there are
constexpr std::size_t kPrefixBytes = 8;

// An interrupted pass is taken up again for so long; after that pages may have changed too much.
constexpr std::int64_t kResumeSeconds = std::int64_t{6} * 3600;
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

std::string short_hash(std::string_view text, std::size_t bytes) {
  format::Sha256 sha;
  sha.update(text);
  const format::Digest digest = sha.finish();
  return {reinterpret_cast<const char*>(digest.data()), bytes};
}

std::string encode(const PageCopy& copy) {
  return RecordWriter()
      .text(copy.url)
      .number(static_cast<std::uint64_t>(copy.left_out))
      .text(copy.detail)
      .text(copy.final_url)
      .text(copy.validators.etag())
      .text(copy.validators.last_modified())
      .text(copy.content_type)
      .text(copy.robots_header)
      .time(copy.checked)
      .time(copy.wanted)
      .number(copy.body_bytes)
      .bytes();
}

/// A damaged record is as good as none: the page is fetched again.
std::optional<PageCopy> decode(std::string_view bytes) {
  RecordReader in(bytes);
  PageCopy copy;
  copy.url = in.text();
  const std::uint64_t left_out = in.number();
  copy.detail = in.text();
  copy.final_url = in.text();
  const auto etag = in.text();
  const auto last_modified = in.text();
  copy.validators = {etag, last_modified};
  copy.content_type = in.text();
  copy.robots_header = in.text();
  copy.checked = in.time();
  copy.wanted = in.time();
  copy.body_bytes = in.number();
  if (!in.good() || left_out > static_cast<std::uint64_t>(kLastLeftOut)) return std::nullopt;
  copy.left_out = static_cast<LeftOut>(left_out);
  return copy;
}

}  // namespace

PageCopies::PageCopies(PageCopies&& other) noexcept
    : database_(other.database_),
      prefix_(std::move(other.prefix_)),
      limit_(other.limit_),
      used_(other.used_) {}

base::Result<PageCopies> PageCopies::open(store::Database& database, std::string_view name,
                                          std::uint64_t limit) {
  PageCopies copies(database, short_hash(name, kPrefixBytes), limit);
  auto cursor = database.scan(copies.key(kCopies));
  for (; cursor.valid(); cursor.next())
    if (const auto copy = decode(cursor.value())) copies.used_ += copy->body_bytes;
  SHEAF_TRY(cursor.check());
  store::Database::Batch batch;
  batch.put(copies.key(kNames), name);
  SHEAF_TRY(database.write(batch, store::Durability::buffered));
  return copies;
}

base::Result<void> PageCopies::drop_others(store::Database& database, std::span<const std::string> names) {
  store::Database::Batch batch;
  auto cursor = database.scan(std::string(1, kNames));
  for (; cursor.valid(); cursor.next()) {
    if (std::ranges::find(names, cursor.value()) != names.end()) continue;
    for (const char kind : {kCopies, kBodies, kPass, kNames})
      batch.remove_prefix(kind + std::string(cursor.key().substr(1)));
  }
  SHEAF_TRY(cursor.check());
  return batch.empty() ? base::Result<void>() : database.write(batch, store::Durability::buffered);
}

std::string PageCopies::key(char kind, std::string_view url) const {
  constexpr std::size_t kHashBytes = 16;
  return key(kind) + short_hash(url, kHashBytes);
}

base::Result<std::optional<PageCopy>> PageCopies::find(std::string_view url) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_->get(key(kCopies, url)));
  if (!bytes) return std::nullopt;
  auto copy = decode(*bytes);
  if (!copy || copy->url != url) return std::nullopt;
  return copy;
}

base::Result<std::string> PageCopies::body(std::string_view url) const {
  SHEAF_TRY_ASSIGN(auto bytes, database_->get(key(kBodies, url)));
  if (!bytes)
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("the copy of {} is lost; move the folder `live` in the state folder away, and "
                    "every page is fetched again",
                    url));
  return std::move(*bytes);
}

bool PageCopies::reserve(std::uint64_t before, std::uint64_t after) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t others = used_ - std::min(used_, before);
  const bool fits = after <= limit_ && others <= limit_ - after;
  used_ = fits ? others + after : others;
  return fits;
}

base::Result<void> PageCopies::keep(PageCopy copy, std::string_view body) {
  SHEAF_TRY_ASSIGN(const auto before, find(copy.url));
  copy.body_bytes = body.size();
  store::Database::Batch batch;
  if (reserve(before ? before->body_bytes : 0, copy.body_bytes)) {
    batch.put(key(kCopies, copy.url), encode(copy));
    if (copy.left_out == LeftOut::none) {
      batch.put(key(kBodies, copy.url), body);
    } else {
      batch.remove(key(kBodies, copy.url));
    }
  } else {
    batch.remove(key(kCopies, copy.url));
    batch.remove(key(kBodies, copy.url));
  }
  return database_->write(batch, store::Durability::buffered);
}

base::Result<void> PageCopies::confirm(const PageCopy& copy) {
  store::Database::Batch batch;
  batch.put(key(kCopies, copy.url), encode(copy));
  return database_->write(batch, store::Durability::buffered);
}

base::Result<base::Instant> PageCopies::begin_pass(base::Instant now) {
  SHEAF_TRY_ASSIGN(const auto bytes, database_->get(key(kPass)));
  if (bytes) {
    RecordReader in(*bytes);
    const base::Instant began = in.time();
    if (in.good() && began <= now && now.seconds - began.seconds < kResumeSeconds) return began;
  }
  store::Database::Batch batch;
  batch.put(key(kPass), RecordWriter().signed_number(now.seconds).number(now.nanoseconds).bytes());
  SHEAF_TRY(database_->write(batch, store::Durability::buffered));
  return now;
}

base::Result<void> PageCopies::end_pass(base::Instant began) {
  store::Database::Batch batch;
  auto cursor = database_->scan(key(kCopies));
  for (; cursor.valid(); cursor.next()) {
    const auto copy = decode(cursor.value());
    if (copy && copy->wanted >= began) continue;
    reserve(copy ? copy->body_bytes : 0, 0);
    batch.remove(cursor.key());
    batch.remove(kBodies + std::string(cursor.key().substr(1)));
    if (batch.bytes() >= kBatchBytes) SHEAF_TRY(database_->write(batch, store::Durability::buffered));
  }
  SHEAF_TRY(cursor.check());
  batch.remove(key(kPass));
  return database_->write(batch, store::Durability::buffered);
}

}  // namespace sheaf::publish
