#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/http/validators.h"
#include "sheaf/publish/left_out.h"
#include "sheaf/store/database.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// What an address of a live site gave when it was last asked for.
struct PageCopy {
  std::string url;                   ///< asked for
  LeftOut left_out = LeftOut::none;  ///< none: a page, whose body is kept too
  std::string detail = {};           ///< of what was left out
  std::string final_url = {};        ///< after redirects
  http::Validators validators = {};
  std::string content_type = {};
  std::string robots_header = {};
  base::Instant checked = {};  ///< when the site last said that it is so
  base::Instant wanted = {};   ///< when a sitemap last named it
  std::uint64_t body_bytes = 0;
};

/// The last answers of a live site to one source, on disk: conditions for the next requests, the pages
/// themselves for snapshots and for days on which they cannot be had, and how far an interrupted pass came.
/// Any thread may call.
class PageCopies {
 public:
  /// The bodies of one source (`name` tells it from others in the database) take up to `limit` bytes, before
  /// the database compresses them. What comes after that is not kept, and so downloaded every time.
  static base::Result<PageCopies> open(store::Database& database, std::string_view name, std::uint64_t limit);
  PageCopies(PageCopies&& other) noexcept;

  /// Forgets everything that is of none of these sources.
  static base::Result<void> drop_others(store::Database& database, std::span<const std::string> names);

  [[nodiscard]] base::Result<std::optional<PageCopy>> find(std::string_view url) const;
  /// Of a page that find() gave; an error if it is not there.
  [[nodiscard]] base::Result<std::string> body(std::string_view url) const;

  /// Takes the place of what was there. Where there is no room for the body, nothing is kept.
  base::Result<void> keep(PageCopy copy, std::string_view body);
  /// The same with the body that is there already.
  base::Result<void> confirm(const PageCopy& copy);

  /// Begins to ask for every page. When it began, or, if one was interrupted not long ago, when that did:
  /// what was checked since then need not be asked for again.
  base::Result<base::Instant> begin_pass(base::Instant now);
  /// Every page was asked for: forgets those that no sitemap has named since the pass began.
  base::Result<void> end_pass(base::Instant began);

 private:
  PageCopies(store::Database& database, std::string prefix, std::uint64_t limit)
      : database_(&database), prefix_(std::move(prefix)), limit_(limit) {}

  [[nodiscard]] std::string key(char kind, std::string_view url) const;
  [[nodiscard]] std::string key(char kind) const { return kind + prefix_; }
  /// Whether there is room; then it is taken.
  bool reserve(std::uint64_t before, std::uint64_t after);

  store::Database* database_;
  std::string prefix_;
  std::uint64_t limit_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
};

}  // namespace sheaf::publish
