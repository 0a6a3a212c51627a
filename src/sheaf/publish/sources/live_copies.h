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

/// The last response of a live site for a URL.
struct LiveCopy {
  crawl::UrlRecord record = {};  ///< without `lastmod` and `lastmod_then`
  Instant wanted = {};           ///< when a sitemap last listed it
  std::uint64_t body_bytes = 0;  ///< of a page
};

/// publish's page copies: the last responses of a live site for one source, on disk. They contain the
/// validators for conditional requests, the HTML of the pages for snapshots and for when the site fails, the
/// site's template, and the state of an interrupted pass. Any thread may call.
class LiveCopies final : public crawl::PageCopies {
 public:
  /// The bodies of one source (`name` identifies it in the database) take up to `limit` bytes before
  /// compression. Further bodies are not stored, and downloaded in every run.
  static base::Result<LiveCopies> open(database::Database& database, std::string_view name,
                                       std::uint64_t limit, std::function<Instant()> clock = sheaf::now);
  LiveCopies(LiveCopies&& other) noexcept;

  /// Deletes everything that belongs to none of these sources.
  static base::Result<void> drop_others(database::Database& database, std::span<const std::string> names);

  base::Result<crawl::UrlRecord> find(const std::string& url) override;
  /// Stores the body of the visit, unless the limit is reached.
  base::Result<void> apply(crawl::PageUpdate& update, crawl::CrawledPage& page) override;
  base::Result<std::string> read_template() override;
  base::Result<void> write_template(std::string_view bytes) override;

  /// The HTML of a page that find() knows; an error if it is missing.
  [[nodiscard]] base::Result<std::string> body(std::string_view url) const;

  /// Starts a pass over all pages. Returns its start: now, or that of a recently interrupted pass. Pages
  /// fetched since then need not be requested again.
  base::Result<Instant> begin_pass(Instant now);
  /// Ends the pass: deletes pages that no sitemap has listed since it began.
  base::Result<void> end_pass(Instant began);

 private:
  LiveCopies(database::Database& database, std::string prefix, std::uint64_t limit,
             std::function<Instant()> clock)
      : database_(&database), prefix_(std::move(prefix)), limit_(limit), clock_(std::move(clock)) {}

  [[nodiscard]] base::Result<std::optional<LiveCopy>> read(std::string_view url) const;
  [[nodiscard]] std::string key(char kind, std::string_view url) const;
  [[nodiscard]] std::string key(char kind) const { return kind + prefix_; }
  /// Reserves space; false if the limit is reached.
  bool reserve(std::uint64_t before, std::uint64_t after);

  database::Database* database_;
  std::string prefix_;
  std::uint64_t limit_;
  std::function<Instant()> clock_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
};

}  // namespace sheaf::publish
