#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/html/selector.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/publish/config/mariadb_address.h"
#include "sheaf/publish/sources/page_address.h"
#include "sheaf/visibility/page_rules.h"
#include <sheaf/publish.h>
#include <sheaf/time.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

/// The reason of a page that is not public.
constexpr SkipReason reason_of(visibility::Hold hold) {
  switch (hold) {
    case visibility::Hold::none: return SkipReason::none;
    case visibility::Hold::draft: return SkipReason::draft;
    case visibility::Hold::secret: return SkipReason::private_page;
    case visibility::Hold::noindex: return SkipReason::noindex;
    case visibility::Hold::future: return SkipReason::future;
    case visibility::Hold::expired: return SkipReason::expired;
    case visibility::Hold::guarded: return SkipReason::guarded;
    case visibility::Hold::unreadable: return SkipReason::unreadable;
    case visibility::Hold::no_text: return SkipReason::no_text;
  }
  return SkipReason::unreadable;
}

enum class ItemKind : std::uint8_t {
  html,
  markdown,
  page,  ///< a page as JSON
};

/// Metadata that a source has in addition to the body. It takes precedence; empty fields are read from the
/// body.
struct GivenFields {
  std::string title;
  std::string description;
  std::string author;
  std::string language;
  std::optional<Instant> published;
  std::optional<Instant> modified;
};

struct SourceConfig;

/// User settings for all pages of a source: where their content is, and what is written of it.
struct ContentRules {
  std::optional<html::Selector> select;
  std::optional<html::Selector> leave_out;
  std::string links = "content";
  bool inline_structure = false;
  bool structured = false;
  std::string text;  ///< all settings as text, for fingerprints

  /// Returns null if the source has no such settings. Errors name the selector.
  static base::Result<std::shared_ptr<const ContentRules>> compile(const SourceConfig& source);
};

/// Something that may become a page, as its source provides it.
struct SourceItem {
  std::string name;  ///< unique in its section and stable between runs: a path, a line number, the URL of a
                     ///< row
  ItemKind kind = ItemKind::html;
  std::filesystem::path file;  ///< file with the bytes, unless `bytes` has them
  std::string bytes;
  std::string url;              ///< may be empty if the source does not know it
  std::optional<Instant> time;  ///< time of the last change, if the source knows it
  std::string content_type;     ///< Content-Type of the response
  std::string robots_header;
  GivenFields given;
  std::shared_ptr<const ContentRules> rules = {};                 ///< rules of its source, if there are any
  std::shared_ptr<const crawl::SiteTemplate> site_template = {};  ///< template of its source, if there is one
  bool all_content = false;            ///< the HTML has only content, without a template around it
  std::string trouble;                 ///< why it could not be read; then everything but the name is empty
  SkipReason skip = SkipReason::none;  ///< set if the source knows that it is not a page; `trouble` then has
                                       ///< details
};

/// A source of pages.
class Source {
 public:
  virtual ~Source() = default;

  /// Passes every item to `sink`, in the same order in every run with the same items. `sink` returns false to
  /// stop. A problem with one item is its `trouble`; an error means that the whole source failed.
  virtual base::Result<void> read(const std::function<bool(SourceItem)>& sink) = 0;

  /// Name for messages: "HTML in public/".
  [[nodiscard]] virtual std::string name() const = 0;

  /// Hints for the user after read(), one sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

class ListedTimes;

struct FolderSourceOptions {
  std::filesystem::path folder;
  ItemKind kind = ItemKind::html;
  base::Url base;  ///< URL of the folder, with a trailing slash
  Extension extension = Extension::keep;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> languages = {};  ///< as in SourceConfig
  const ListedTimes* times = nullptr;       ///< for pages without a time; null: use the files' times
};

/// The pages in a folder and all folders below it, sorted by path. Hidden files and symbolic links that lead
/// out of the folder are skipped.
std::unique_ptr<Source> folder_source(FolderSourceOptions options);

/// One page as JSON per line, or an object with `url` and `html`, `markdown` or `text`; `path` may be "-" for
/// standard input. A line longer than `line_limit` is reported as `trouble`.
std::unique_ptr<Source> jsonl_source(std::string path, std::uint64_t line_limit);

/// Like jsonl_source(), but reads the output of a command, which runs in a shell and must exit with status 0.
std::unique_ptr<Source> command_source(std::string command, std::uint64_t line_limit);

struct SqlSourceOptions {
  std::string database;  ///< "sqlite:FILE", "postgresql://...", or with `mariadb` a name for messages
  std::optional<MariadbAddress> mariadb = {};
  std::filesystem::path password_file = {};  ///< for MariaDB; default: sql_rows.h
  std::string query;
  base::Url base;  ///< for relative URLs
  std::uint64_t body_limit = 0;
};

/// The rows of a query, in its order. The names of the columns are fields of pages: url, title, description,
/// author, published, modified, language, and for the body html, markdown or text. Columns such as `status`,
/// `draft` or `password` decide whether a page is public (visibility/page_rules.h).
std::unique_ptr<Source> sql_source(SqlSourceOptions options);

struct WarcSourceOptions {
  std::vector<std::string> files;         ///< the last part of a path may contain `*`
  base::Url below;                        ///< only pages whose URLs begin with this
  std::vector<std::string> include = {};  ///< patterns for paths without the leading slash
  std::vector<std::string> exclude = {};
};

/// The HTML pages in WARC files, the newest capture of each (crawl/warc_pages.h). Damage in the files is
/// reported as a note.
std::unique_ptr<Source> warc_source(WarcSourceOptions options);

class LiveCopies;
class SiteListings;

struct SiteSourceOptions {
  base::Url base;                          ///< the site
  base::Url below;                         ///< only pages whose URLs begin with this
  std::vector<std::string> sitemaps = {};  ///< used instead of those that robots.txt names
  std::vector<std::string> include = {};   ///< patterns for paths without the leading slash
  std::vector<std::string> exclude = {};
  http::fetch::FetchOptions fetch = {};  ///< with the gate of the run
  std::function<Instant()> clock = sheaf::now;
  std::filesystem::path temporary = {};  ///< folder for data that does not fit in memory
  bool relearn = false;                  ///< learn the template again, even if there is one
};

/// The pages of a live site that its sitemaps list, in that order. `copies` and `listings` must outlive it.
///
/// Requests are conditional, so unchanged pages are not sent again. A page that cannot be fetched is taken
/// from its copy. The whole source fails if this happens to more than three pages and to more than one in
/// twenty, or if a sitemap cannot be read completely. An interrupted read can be continued for six hours. The
/// site's template is learned from the first pages of the first read that has enough of them
/// (crawl/site_template.h).
std::unique_ptr<Source> site_source(SiteSourceOptions options, LiveCopies& copies, SiteListings& listings);

}  // namespace sheaf::publish
