#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/base/url.h"
#include "sheaf/html/selector.h"
#include "sheaf/publish/left_out.h"
#include "sheaf/publish/page_address.h"

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

/// What a source knows of a page beside its body, and better. What is empty is left to the body.
struct GivenFields {
  std::string title;
  std::string description;
  std::string author;
  std::string language;
  std::optional<base::Instant> published;
  std::optional<base::Instant> modified;
};

struct SourceConfig;

/// What the user knows of all pages of a source: where their content is.
struct ContentRules {
  std::optional<html::Selector> select;
  std::optional<html::Selector> leave_out;
  std::string text;  ///< both, as written

  /// Nothing where the source has none. An error names the selector.
  static base::Result<std::shared_ptr<const ContentRules>> compile(const SourceConfig& source);
};

/// One thing that may become a page, as its source has it.
struct SourceItem {
  std::string name;  ///< unique in its section, the same on every run: a path, a line's address
  ItemKind kind = ItemKind::html;
  std::filesystem::path file;  ///< where its bytes are, unless they are here
  std::string bytes;
  std::string url;                    ///< its address as far as the source knows; may be empty
  std::optional<base::Instant> time;  ///< when it was last changed, if the source knows
  std::string content_type;           ///< of the transport
  std::string robots_header;
  GivenFields given;
  std::shared_ptr<const ContentRules> rules = {};  ///< of its source, if it has any
  bool all_content = false;  ///< HTML with nothing in it but content, which need not be told from the rest
  std::string trouble;       ///< why it could not be had; the rest but the name is then empty
  LeftOut left_out = LeftOut::none;  ///< the source knows already that it is no page; `trouble` is the detail
};

/// Where pages come from.
class Source {
 public:
  virtual ~Source() = default;

  /// Hands over every item, in the same order on every run with the same items. `sink` says false when no
  /// more are wanted. What is wrong with one item is its `trouble`; an error is for the source as a whole, of
  /// which nothing can then be told.
  virtual base::Result<void> read(const std::function<bool(SourceItem)>& sink) = 0;

  /// How it is called in messages: "html in public/".
  [[nodiscard]] virtual std::string name() const = 0;

  /// After read(): what its user should know, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

class ListedTimes;

struct FolderSourceOptions {
  std::filesystem::path folder;
  ItemKind kind = ItemKind::html;
  base::Url base;  ///< the address of the folder, with a slash at its end
  Extension extension = Extension::keep;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> languages = {};  ///< as in SourceConfig
  const ListedTimes* times = nullptr;  ///< of pages that do not say it themselves; else those of the files
};

/// The pages in a folder and all folders below it, sorted by path. Hidden files and symbolic links that lead
/// out of the folder are passed over.
std::unique_ptr<Source> folder_source(FolderSourceOptions options);

/// One page as JSON a line; `path` may be "-" for standard input. Lines longer than `line_limit` are trouble.
std::unique_ptr<Source> jsonl_source(std::string path, std::uint64_t line_limit);

/// The same from what a command prints; its exit status must be 0. Run by the shell, as the user wrote it.
std::unique_ptr<Source> command_source(std::string command, std::uint64_t line_limit);

struct SqlSourceOptions {
  std::string database;  ///< "sqlite:FILE" or "postgresql://..."
  std::string query;
  base::Url base;  ///< for addresses that are not absolute
  std::uint64_t body_limit = 0;
};

/// The rows of a query, in its order. Columns are fields of pages by their names: url, title, description,
/// author, published, modified, language, and html, markdown or text for the body.
std::unique_ptr<Source> sql_source(SqlSourceOptions options);

class PageCopies;

struct SiteSourceOptions {
  base::Url base;                          ///< the site
  base::Url below;                         ///< only pages whose address begins so
  std::vector<std::string> sitemaps = {};  ///< instead of those that robots.txt names
  std::vector<std::string> include = {};   ///< patterns of paths, without the slash at their front
  std::vector<std::string> exclude = {};
  unsigned connections = 2;
  std::chrono::milliseconds delay{500};  ///< between two requests; robots.txt may ask for more
  std::string user_agent = "sheaf";
  bool allow_private = false;
  bool allow_http = false;
  std::filesystem::path temporary = {};  ///< a folder for what does not fit in memory
};

/// The pages of a live site that its sitemaps name, in their order. `copies` must outlive it.
///
/// Pages are asked for with the conditions of their copies, so what has not changed is not sent again. What
/// cannot be had this time is taken from its copy; if that is the case for more than one page in twenty, and
/// for more than three, the source fails as a whole. It fails too if a sitemap cannot be read to its end.
/// An interrupted read goes on where it was, for six hours.
std::unique_ptr<Source> site_source(SiteSourceOptions options, PageCopies& copies);

}  // namespace sheaf::publish
