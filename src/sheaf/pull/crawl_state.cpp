#include "sheaf/pull/crawl_state.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/record.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace sheaf::pull {
namespace {

constexpr std::string_view kRobotsNote = "robots";
constexpr std::string_view kPassNote = "crawl";
constexpr std::string_view kTemplateNote = "profile";
constexpr std::string_view kUrlNotes = "page/";

constexpr std::uint64_t kRobotsVersion = 1;
constexpr std::uint64_t kUrlVersion = 2;

/// Half of the SHA-256 of the URL. So keys have a fixed size, and the order of the requests does not reveal
/// which URLs are already known.
std::string note_name(std::string_view url) {
  const base::Digest digest = base::sha256(url);
  return fmt::format("{}{}", kUrlNotes, base::to_hex(std::span(digest).first(16)));
}

}  // namespace

std::string encode(const RobotsCopy& copy) {
  return base::RecordWriter()
      .number(kRobotsVersion)
      .text(copy.validators.etag())
      .text(copy.validators.last_modified())
      .text(copy.body)
      .bytes();
}

std::optional<RobotsCopy> decode_robots_copy(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kRobotsVersion) return std::nullopt;
  const auto etag = record.text();
  const auto last_modified = record.text();
  RobotsCopy copy{{etag, last_modified}, std::string(record.text())};
  if (!record.good()) return std::nullopt;
  return copy;
}

std::string encode(const CrawlPass& pass) {
  return base::RecordWriter()
      .number(pass.number)
      .number(pass.listed ? 1 : 0)
      .number(pass.by_links ? 1 : 0)
      .number(pass.ended ? 1 : 0)
      .text(pass.section)
      .number(pass.has_pages ? 1 : 0)
      .number(pass.failed)
      .number(pass.only_wanted ? 1 : 0)
      .text(pass.rules)
      .bytes();
}

std::optional<CrawlPass> decode_crawl_pass(std::string_view bytes) {
  base::RecordReader record(bytes);
  CrawlPass pass;
  pass.number = record.number();
  pass.listed = record.number() != 0;
  pass.by_links = record.number() != 0;
  pass.ended = record.number() != 0;
  pass.section = record.text();
  pass.has_pages = record.number() != 0;
  pass.failed = record.number();
  pass.only_wanted = record.number() != 0;
  if (record.has_more()) pass.rules = record.text();
  if (!record.good()) return std::nullopt;
  return pass;
}

std::string encode(const CrawledUrl& url) {
  const crawl::UrlRecord& known = url.record;
  base::RecordWriter out;
  out.number(kUrlVersion)
      .text(known.url)
      .number(static_cast<std::uint64_t>(known.fate))
      .number(url.listed)
      .number(url.visited)
      .optional_time(known.lastmod)
      .optional_time(known.lastmod_then)
      .time(known.fetched)
      .text(known.validators.etag())
      .text(known.validators.last_modified())
      .digest(url.fingerprint)
      .text(url.modified)
      .number(url.shown_chars)
      .number(url.has_own_title ? 1 : 0)
      .text(known.final_url == known.url ? "" : known.final_url);
  return out.bytes();
}

std::optional<CrawledUrl> decode_crawled_url(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kUrlVersion) return std::nullopt;
  CrawledUrl url;
  crawl::UrlRecord& known = url.record;
  known.url = record.text();
  const std::uint64_t fate = record.number();
  if (fate > static_cast<std::uint64_t>(crawl::kLastFate)) return std::nullopt;
  known.fate = static_cast<crawl::PageOutcome>(fate);
  url.listed = record.number();
  url.visited = record.number();
  known.lastmod = record.optional_time();
  known.lastmod_then = record.optional_time();
  known.fetched = record.time();
  const auto etag = record.text();
  const auto last_modified = record.text();
  known.validators = {etag, last_modified};
  url.fingerprint = record.digest<16>();
  url.modified = record.text();
  url.shown_chars = record.number();
  url.has_own_title = record.number() != 0;
  known.final_url = record.text();
  if (known.final_url.empty() && known.fate == crawl::PageOutcome::stored) known.final_url = known.url;
  if (!record.good()) return std::nullopt;
  return url;
}

base::Result<std::optional<RobotsCopy>> CrawlState::robots() const {
  SHEAF_TRY_ASSIGN(const auto bytes, store_->note(site_, kRobotsNote));
  return bytes ? decode_robots_copy(*bytes) : std::nullopt;
}

base::Result<std::optional<CrawlPass>> CrawlState::pass() const {
  SHEAF_TRY_ASSIGN(const auto bytes, store_->note(site_, kPassNote));
  if (!bytes) return std::nullopt;
  return decode_crawl_pass(*bytes).value_or(CrawlPass{});
}

base::Result<std::string> CrawlState::site_template() const {
  SHEAF_TRY_ASSIGN(auto bytes, store_->note(site_, kTemplateNote));
  return bytes ? std::move(*bytes) : std::string();
}

base::Result<CrawledUrl> CrawlState::url(const std::string& url) const {
  SHEAF_TRY_ASSIGN(const auto bytes, store_->note(site_, note_name(url)));
  if (bytes)
    if (auto known = decode_crawled_url(*bytes)) return std::move(*known);
  CrawledUrl unknown;
  unknown.record.url = url;
  return unknown;
}

base::Result<void> CrawlState::each_url(const std::function<bool(CrawledUrl)>& use) const {
  return store_->each_note(site_, kUrlNotes, [&](std::string_view, std::string_view value) {
    auto url = decode_crawled_url(value);
    return !url || use(std::move(*url));
  });
}

void CrawlState::put(Edit& edit, const RobotsCopy& copy) { edit.put_note(kRobotsNote, encode(copy)); }
void CrawlState::put(Edit& edit, const CrawlPass& pass) { edit.put_note(kPassNote, encode(pass)); }
void CrawlState::put(Edit& edit, const CrawledUrl& url) {
  edit.put_note(note_name(url.record.url), encode(url));
}
void CrawlState::put_template(Edit& edit, std::string_view bytes) { edit.put_note(kTemplateNote, bytes); }
void CrawlState::remove_url(Edit& edit, std::string_view url) { edit.remove_note(note_name(url)); }
void CrawlState::remove_urls(Edit& edit) { edit.remove_notes(kUrlNotes); }

void CrawlState::remove_crawl(Edit& edit) {
  remove_urls(edit);
  edit.remove_note(kPassNote);
  edit.remove_note(kTemplateNote);
}

}  // namespace sheaf::pull
