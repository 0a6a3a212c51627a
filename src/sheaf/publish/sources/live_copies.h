#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/page_copies.h"
#include "sheaf/database/database.h"
#include "sheaf/publish/sources/skip_reason.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// Why a URL with this fate is not published; none for a page.
SkipReason skip_reason_for(crawl::PageFate fate);

/// What a URL of a live site gave when it was last requested.
struct LiveCopy {
  crawl::UrlRecord record = {};  ///< without `lastmod` and `lastmod_then`
  Instant wanted = {};           ///< when a sitemap last named it
  std::uint64_t body_bytes = 0;  ///< of a page
};

/// publish's page copies: the last answers of a live site to one source, on disk. They have the conditions
/// for the next requests, the HTML of the pages for snapshots and for times when the site fails, the site's
/// template, and how far an interrupted pass came. Any thread may call.
class LiveCopies final : public crawl::PageCopies {
 public:
  /// The bodies of one source (`name` tells it from others in the database) take up to `limit` bytes, before
  /// the database compresses them. What comes after that is not kept, and so downloaded every time.
  static base::Result<LiveCopies> open(database::Database& database, std::string_view name,
                                       std::uint64_t limit, std::function<Instant()> clock = sheaf::now);
  LiveCopies(LiveCopies&& other) noexcept;

  /// Forgets everything that is of none of these sources.
  static base::Result<void> drop_others(database::Database& database, std::span<const std::string> names);

  base::Result<crawl::UrlRecord> find(const std::string& url) override;
  /// Keeps the body of the visit. Where there is no room for it, nothing is kept.
  base::Result<void> apply(crawl::PageUpdate& update, crawl::CrawledPage& page) override;
  base::Result<std::string> read_template() override;
  base::Result<void> write_template(std::string_view bytes) override;

  /// The HTML of a page that find() knows; an error if it is not there.
  [[nodiscard]] base::Result<std::string> body(std::string_view url) const;

  /// Begins to request every page. Returns when the pass began: now, or if one was interrupted not long ago,
  /// when that did. What was fetched since then need not be requested again.
  base::Result<Instant> begin_pass(Instant now);
  /// Every page was requested: forgets those that no sitemap has named since the pass began.
  base::Result<void> end_pass(Instant began);

 private:
  LiveCopies(database::Database& database, std::string prefix, std::uint64_t limit,
             std::function<Instant()> clock)
      : database_(&database), prefix_(std::move(prefix)), limit_(limit), clock_(std::move(clock)) {}

  [[nodiscard]] base::Result<std::optional<LiveCopy>> read(std::string_view url) const;
  [[nodiscard]] std::string key(char kind, std::string_view url) const;
  [[nodiscard]] std::string key(char kind) const { return kind + prefix_; }
  /// Whether there is room; then it is taken.
  bool reserve(std::uint64_t before, std::uint64_t after);

  database::Database* database_;
  std::string prefix_;
  std::uint64_t limit_;
  std::function<Instant()> clock_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
};

}  // namespace sheaf::publish
