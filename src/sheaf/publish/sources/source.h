#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/html/selector.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/publish/config/mariadb_address.h"
#include "sheaf/publish/sources/page_address.h"
#include "sheaf/publish/sources/skip_reason.h"
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

enum class ItemKind : std::uint8_t {
  html,
  markdown,
  page,  ///< a page as JSON
};

/// Metadata that a source has beside the body. It takes precedence; empty fields are read from the body.
struct GivenFields {
  std::string title;
  std::string description;
  std::string author;
  std::string language;
  std::optional<Instant> published;
  std::optional<Instant> modified;
};

struct SourceConfig;

/// User settings for all pages of a source: where their content is, and how much of it to write.
struct ContentRules {
  std::optional<html::Selector> select;
  std::optional<html::Selector> leave_out;
  std::string links = "content";
  bool inline_structure = false;
  std::string text;  ///< all, as written

  /// Nothing where the source has none. An error names the selector.
  static base::Result<std::shared_ptr<const ContentRules>> compile(const SourceConfig& source);
};

/// One thing that may become a page, as its source has it.
struct SourceItem {
  std::string name;  ///< unique in its section and stable between runs: a path, the URL of a line
  ItemKind kind = ItemKind::html;
  std::filesystem::path file;  ///< with the bytes, unless `bytes` has them
  std::string bytes;
  std::string url;              ///< as far as the source knows; may be empty
  std::optional<Instant> time;  ///< when it was last changed, if the source knows
  std::string content_type;     ///< of the transport
  std::string robots_header;
  GivenFields given;
  std::shared_ptr<const ContentRules> rules = {};                 ///< of its source, if it has any
  std::shared_ptr<const crawl::SiteTemplate> site_template = {};  ///< of a live site
  bool all_content = false;            ///< HTML that is all content: no template around it
  std::string trouble;                 ///< why it could not be read; everything but the name is then empty
  SkipReason skip = SkipReason::none;  ///< the source knows that it is not a page; `trouble` is the detail
};

/// Where pages come from.
class Source {
 public:
  virtual ~Source() = default;

  /// Passes every item to `sink`, in the same order on every run with the same items. `sink` returns false to
  /// stop. A problem with one item is its `trouble`; an error is a failure of the whole source.
  virtual base::Result<void> read(const std::function<bool(SourceItem)>& sink) = 0;

  /// The name in messages: "html in public/".
  [[nodiscard]] virtual std::string name() const = 0;

  /// After read(): hints for the user, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

class ListedTimes;

struct FolderSourceOptions {
  std::filesystem::path folder;
  ItemKind kind = ItemKind::html;
  base::Url base;  ///< the URL of the folder, with a slash at its end
  Extension extension = Extension::keep;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> languages = {};  ///< as in SourceConfig
  const ListedTimes* times = nullptr;       ///< for pages without their own time; else the times of the files
};

/// The pages in a folder and all folders below it, sorted by path. Hidden files and symbolic links that lead
/// out of the folder are skipped.
std::unique_ptr<Source> folder_source(FolderSourceOptions options);

/// One page as JSON per line; `path` may be "-" for standard input. A line longer than `line_limit` is
/// reported as `trouble`.
std::unique_ptr<Source> jsonl_source(std::string path, std::uint64_t line_limit);

/// The same from the output of a command; its exit status must be 0. It runs in a shell.
std::unique_ptr<Source> command_source(std::string command, std::uint64_t line_limit);

struct SqlSourceOptions {
  std::string database;  ///< "sqlite:FILE", "postgresql://..." or a name for messages
  std::optional<MariadbAddress> mariadb = {};
  std::optional<std::string> password = {};  ///< MariaDB; else from `password_file`, else as sql_rows.h says
  std::filesystem::path password_file = {};
  std::string query;
  base::Url base;  ///< for relative URLs
  std::uint64_t body_limit = 0;
};

/// The rows of a query, in its order. Columns are fields of pages by their names: url, title, description,
/// author, published, modified, language, and html, markdown, text or wordpress (a post as WordPress stores
/// it) for the body.
std::unique_ptr<Source> sql_source(SqlSourceOptions options);

struct WarcSourceOptions {
  std::vector<std::string> files;         ///< the last part of a name may have `*`
  base::Url below;                        ///< only pages whose URL begins with this
  std::vector<std::string> include = {};  ///< patterns of paths, without the slash at their front
  std::vector<std::string> exclude = {};
};

/// The HTML pages in WARC files, the newest capture of each (crawl/warc_pages.h). Damage in the files is a
/// note.
std::unique_ptr<Source> warc_source(WarcSourceOptions options);

class LiveCopies;
class SiteListings;

struct SiteSourceOptions {
  base::Url base;                          ///< the site
  base::Url below;                         ///< only pages whose URL begins with this
  std::vector<std::string> sitemaps = {};  ///< instead of those that robots.txt names
  std::vector<std::string> include = {};   ///< patterns of paths, without the slash at their front
  std::vector<std::string> exclude = {};
  unsigned connections = 2;
  std::chrono::milliseconds delay{500};  ///< between two requests; robots.txt may ask for more
  http::fetch::FetchOptions fetch = {};  ///< user agent, what is allowed, and the gate of the run
  std::function<Instant()> clock = sheaf::now;
  std::filesystem::path temporary = {};  ///< a folder for what does not fit in memory
  bool relearn = false;                  ///< learn the template anew, whatever was learned before
};

/// The pages of a live site that its sitemaps list, in that order. `copies` and `listings` must outlive it.
///
/// Requests are conditional, so unchanged pages are not sent again. A page that cannot be fetched this time
/// is taken from its copy; if that is the case for more than one page in twenty, and for more than three, the
/// source fails as a whole. It fails too if a sitemap cannot be read to its end. An interrupted read can be
/// continued for six hours. The site's template is learned from the first pages of the first read that has
/// enough of them (crawl/template_learning.h).
std::unique_ptr<Source> site_source(SiteSourceOptions options, LiveCopies& copies, SiteListings& listings);

}  // namespace sheaf::publish
