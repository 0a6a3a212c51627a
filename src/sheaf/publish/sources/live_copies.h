#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/page_copies.h"
#include "sheaf/database/database.h"
#include <sheaf/publish.h>
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// The reason why a URL with this fate is not published; `none` for a page.
SkipReason skip_reason_for(crawl::PageOutcome fate);

/// The last response of a live site for a URL.
struct LiveCopy {
  crawl::UrlRecord record = {};  ///< without `lastmod` and `lastmod_then`
  Instant wanted = {};           ///< last time that it was visited because a sitemap listed it
  std::uint64_t body_bytes = 0;  ///< size of the page's HTML
};

/// The PageCopies of `publish`: the last responses of a live site for one source, on disk. They have the
/// validators for conditional requests, the HTML of the pages (for snapshots, and for when requests fail),
/// the site's template, and the state of an interrupted pass. Thread-safe.
class LiveCopies final : public crawl::PageCopies {
 public:
  /// Opens the copies of one source, which `name` identifies in the database. Its bodies take up to `limit`
  /// bytes before compression. Further bodies are not stored, so they are downloaded in every run.
  static base::Result<LiveCopies> open(database::Database& database, std::string_view name,
                                       std::uint64_t limit, std::function<Instant()> clock = sheaf::now);
  LiveCopies(LiveCopies&& other) noexcept;

  /// Deletes the data of all sources that are not in `names`.
  static base::Result<void> drop_others(database::Database& database, std::span<const std::string> names);

  base::Result<crawl::UrlRecord> find(const std::string& url) override;
  /// Stores the body of the visit, unless the limit is reached.
  base::Result<void> apply(crawl::PageUpdate& update, crawl::CrawledPage& page) override;
  base::Result<std::string> read_template() override;
  base::Result<void> write_template(std::string_view bytes) override;

  /// The HTML of a page that find() knows. Fails if it is missing.
  [[nodiscard]] base::Result<std::string> body(std::string_view url) const;

  /// Starts a pass over all pages, or continues a recently interrupted one. Returns when the pass began.
  /// Pages fetched since then need not be requested again.
  base::Result<Instant> begin_pass(Instant now);
  /// Ends the pass: deletes pages that no sitemap has listed since `began`.
  base::Result<void> end_pass(Instant began);

 private:
  LiveCopies(database::Database& database, std::string prefix, std::uint64_t limit,
             std::function<Instant()> clock)
      : database_(&database), prefix_(std::move(prefix)), limit_(limit), clock_(std::move(clock)) {}

  [[nodiscard]] base::Result<std::optional<LiveCopy>> read(std::string_view url) const;
  [[nodiscard]] std::string key(char kind, std::string_view url) const;
  [[nodiscard]] std::string key(char kind) const { return kind + prefix_; }
  /// Replaces a reservation of `before` bytes by one of `after` bytes. If that exceeds the limit, only
  /// releases `before` and returns false.
  bool reserve(std::uint64_t before, std::uint64_t after);

  database::Database* database_;
  std::string prefix_;
  std::uint64_t limit_;
  std::function<Instant()> clock_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
};

}  // namespace sheaf::publish
