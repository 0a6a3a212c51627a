#include "sheaf/publish/sources/feed_source.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/record.h"
#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/feeds/feed.h"
#include "sheaf/html/text_value.h"

#include <fmt/format.h>

#include <sheaf/arena.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace sheaf::publish {
namespace {

constexpr std::size_t kMaxFeedBytes = std::size_t{32} << 20U;

std::optional<Instant> parse_feed_time(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto time = parse_time(text)) return time->instant;
  if (const auto date = extract::parse_date_value(text, extract::DateOrder::unknown)) return date->instant;
  return std::nullopt;
}

/// An entry of a feed, as stored in the database.
struct KeptEntry {
  std::string url;
  std::string html;
  GivenFields given;

  /// The time by which feeds are sorted.
  [[nodiscard]] std::optional<Instant> time() const {
    return given.published ? given.published : given.modified;
  }

  [[nodiscard]] std::string encode() const {
    base::RecordWriter out;
    out.number(1).text(url).text(html).text(given.title).text(given.description).text(given.author);
    return out.text(given.language).optional_time(given.published).optional_time(given.modified).bytes();
  }

  static std::optional<KeptEntry> decode(std::string_view bytes) {
    base::RecordReader in(bytes);
    KeptEntry entry;
    if (in.number() != 1) return std::nullopt;
    for (std::string* field : {&entry.url, &entry.html, &entry.given.title, &entry.given.description,
                               &entry.given.author, &entry.given.language})
      *field = in.text();
    entry.given.published = in.optional_time();
    entry.given.modified = in.optional_time();
    return in.good() ? std::optional(std::move(entry)) : std::nullopt;
  }
};

class FeedSource final : public Source {
 public:
  FeedSource(FeedSourceOptions options, database::Database& kept)
      : options_(std::move(options)), kept_(kept) {}

  [[nodiscard]] std::string name() const override { return "feed " + options_.place; }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    notes_.clear();
    SHEAF_TRY_ASSIGN(const std::string bytes, load());
    auto feed = feeds::parse_feed(bytes, {.bytes = kMaxFeedBytes});
    if (!feed)
      return base::fail(feed.error().code, fmt::format("{}: {}", options_.place, feed.error().message));
    SHEAF_TRY(keep(*feed));
    auto cursor = kept_.scan(prefix());
    for (; cursor.valid(); cursor.next()) {
      auto entry = KeptEntry::decode(cursor.value());
      if (!entry)
        return base::fail(
            base::Errc::invalid_data,
            fmt::format("the kept entries of {} are damaged; delete the folder `feeds` in the state "
                        "folder",
                        options_.place));
      if (!sink(item_of(std::move(*entry)))) return {};
    }
    return cursor.check();
  }

 private:
  [[nodiscard]] std::string prefix() const { return options_.name + '\0'; }
  [[nodiscard]] std::string key_of(std::string_view url) const {
    const base::Digest digest = base::sha256(url);
    return prefix() + std::string(reinterpret_cast<const char*>(digest.data()), 16);
  }

  base::Result<std::string> load() {
    if (!base::Url::parse(options_.place)) {
      return base::read_regular_file(options_.place, kMaxFeedBytes + 1);
    }
    http::fetch::Fetcher fetcher(options_.fetch);
    http::fetch::FetchRequest request;
    request.url = options_.place;
    request.limit = kMaxFeedBytes;
    SHEAF_TRY_ASSIGN(auto response, fetcher.fetch_text(request));
    if (response.head.status == 200) return std::move(response.body);
    return base::fail(base::Errc::io, fmt::format("{} answered {}", options_.place, response.head.status));
  }

  base::Result<void> keep(const feeds::Feed& feed) {
    if (feed.is_truncated)
      notes_.push_back(fmt::format("{} has too many entries; the rest was not read", options_.place));
    const auto site =
        base::Url::parse(feed.site_url.empty() ? options_.place : feed.site_url, &options_.base);
    const base::Url& relative_to = site ? *site : options_.base;
    database::Database::Batch batch;
    std::set<std::string> there;
    std::optional<Instant> oldest;
    std::uint64_t summaries = 0;
    for (const feeds::SyndicatedEntry& entry : feed.entries) {
      const auto url = entry.url.empty() ? std::nullopt : base::Url::parse(entry.url, &relative_to);
      if (!url) {
        notes_.push_back(fmt::format("{}: an entry without a URL was skipped: {}", options_.place,
                                     entry.title.substr(0, 100)));
        continue;
      }
      const KeptEntry kept = kept_of(entry, feed, std::string(url->href()));
      summaries += entry.html.empty() ? 1 : 0;
      if (const auto time = kept.time(); time && (!oldest || *time < *oldest)) oldest = time;
      there.insert(key_of(kept.url));
      batch.put(key_of(kept.url), kept.encode());
    }
    if (summaries > 0)
      notes_.push_back(fmt::format("{}: {} only a summary, which became the content", options_.place,
                                   base::counted(summaries, "entry has", "entries have")));
    for (const std::string& ref : feed.deleted)
      if (const auto url = base::Url::parse(ref, &relative_to)) batch.remove(key_of(url->href()));
    SHEAF_TRY(drop_missing(there, oldest, batch));
    return kept_.write(batch, database::Durability::synced);
  }

  base::Result<void> drop_missing(const std::set<std::string>& there, const std::optional<Instant>& oldest,
                                  database::Database::Batch& batch) {
    auto cursor = kept_.scan(prefix());
    for (; cursor.valid(); cursor.next()) {
      if (!oldest || there.contains(std::string(cursor.key()))) continue;
      const auto entry = KeptEntry::decode(cursor.value());
      if (entry && entry->time() && *entry->time() > *oldest) batch.remove(cursor.key());
    }
    return cursor.check();
  }

  static KeptEntry kept_of(const feeds::SyndicatedEntry& entry, const feeds::Feed& feed, std::string url) {
    Arena arena;
    const auto plain = [&](const std::string& text) {
      return std::string(html::clean_text(text, html::Markup::references_and_tags, arena));
    };
    KeptEntry kept;
    kept.url = std::move(url);
    kept.html = entry.html.empty() ? entry.summary : entry.html;
    kept.given.title = plain(entry.title);
    // If the summary is the whole content, it must not be repeated as the description.
    if (!entry.html.empty()) kept.given.description = plain(entry.summary);
    kept.given.author = plain(entry.author);
    kept.given.language = entry.language.empty() ? feed.language : entry.language;
    kept.given.published = parse_feed_time(entry.published);
    kept.given.modified = parse_feed_time(entry.modified);
    if (!kept.given.modified) kept.given.modified = kept.given.published;
    return kept;
  }

  [[nodiscard]] SourceItem item_of(KeptEntry entry) const {
    SourceItem item;
    item.name = entry.url;
    item.url = std::move(entry.url);
    item.kind = ItemKind::html;
    item.content_type = "text/html; charset=utf-8";
    item.bytes = std::move(entry.html);
    item.given = std::move(entry.given);
    item.all_content = true;
    if (item.bytes.size() > options_.body_limit)
      item.trouble = fmt::format("its content is over the limit of {} bytes for a page", options_.body_limit);
    return item;
  }

  FeedSourceOptions options_;
  database::Database& kept_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<Source> feed_source(FeedSourceOptions options, database::Database& kept) {
  return std::make_unique<FeedSource>(std::move(options), kept);
}

}  // namespace sheaf::publish
