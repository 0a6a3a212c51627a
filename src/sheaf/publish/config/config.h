#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/limits.h"
#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/usage_preferences.h"
#include <sheaf/requests.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sheaf::publish {

struct DeliveryConfig {
  std::variant<std::monostate, objects::S3Settings, objects::CommandSettings>
      to;                             ///< monostate: the folder itself is served
  std::optional<std::string> prefix;  ///< prefix of the collections' names; by default derived from their URL
  std::string sitemap;                ///< name of the sitemap at the target; derived from its URL if empty
  bool with_sitemap = true;           ///< false: the sitemap is not delivered, but served from its file
};

/// Settings of [outputs]: other files that are made from the published pages.
struct OutputsConfig {
  bool llms_txt = false;
  bool markdown = false;  ///< write a .md file for each page
  std::string feed = {};  ///< file name of the Atom feed of changes; empty: no feed
  std::uint32_t feed_entries = 100;
  std::uint32_t llms_pages = 1000;  ///< maximum per section
  std::string title = {};           ///< of llms.txt and the feed; empty: the host
  std::string summary = {};
  bool index_now = false;
  std::string index_now_key = {};  ///< empty: a key is generated and stored
  std::string index_now_url = "https://api.indexnow.org/indexnow";

  [[nodiscard]] bool empty() const { return !llms_txt && !markdown && feed.empty() && !index_now; }
  /// Whether an output needs data of every page, which is then remembered.
  [[nodiscard]] bool needs_pages() const { return llms_txt || markdown || !feed.empty(); }
};

enum class SourceKind : std::uint8_t { html, markdown, jsonl, sql, site, warc, feed };

/// How `about.html` appears in a URL. `index.html` always becomes the URL of its folder.
enum class Extension : std::uint8_t {
  keep,    ///< /about.html
  drop,    ///< /about
  folder,  ///< /about/
};

/// How the pages of a live site are requested.
struct LiveSiteConfig {
  std::vector<std::string> sitemaps;  ///< used instead of those that robots.txt names
  RequestOptions requests = {};
  std::uint64_t copies = std::uint64_t{10} << 30;  ///< maximum size of stored pages in bytes
};

struct SourceConfig {
  SourceKind kind = SourceKind::html;
  std::filesystem::path folder;    ///< html, markdown
  std::string path;                ///< path of the folder in URLs: "docs/" for https://example.com/docs/; for
                                   ///< a site, the prefix of its pages' URLs
  std::string file;                ///< jsonl; "-" is standard input
  std::vector<std::string> files;  ///< warc
  std::string command;             ///< jsonl, instead of a file
  std::string database;            ///< sql: "sqlite:FILE", "postgresql://...", "mariadb://..."
  std::filesystem::path password_file;  ///< sql: password of a MariaDB user
  std::string feed;                     ///< feed: its URL or file
  std::string query;                    ///< sql
  Extension extension = Extension::keep;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> languages;  ///< markdown: languages in names such as post.de.md; the first one has
                                       ///< no suffix
  std::string select;                  ///< CSS selector of the content, for HTML
  std::string leave_out;               ///< CSS selector of what to skip, for HTML
  std::string links = "content";       ///< which links become blocks: none, content, all
  bool structured = false;             ///< write `structured` blocks, which draft 3 does not have
  bool inline_structure = false;       ///< write `inline` and `start` of blocks (docs/format.md)
  LiveSiteConfig live;                 ///< site
};

struct SectionConfig {
  std::string name;
  site::UpdateFreq update = site::UpdateFreq::daily;
  std::vector<SourceConfig> sources;
};

/// Where publish writes the SCP elements.
enum class SitemapMode : std::uint8_t {
  inline_elements,  ///< in the site's sitemap
  separate,         ///< in sitemap-scp.xml next to it; the site's sitemap is not changed
};

struct Retention {
  std::int64_t delta_seconds = std::int64_t{30} * 86'400;
  std::uint32_t snapshots = 2;
  /// Deltas of this many days are also offered as one merged delta. Ascending, each a multiple of the
  /// previous one.
  std::vector<std::uint32_t> merge_days = {1, 7, 28};
};

/// How collections are signed: with a key file, or by a command that has the key.
struct SigningConfig {
  std::filesystem::path key;         ///< a secret key file
  std::vector<std::string> command;  ///< has the placeholders {file}, {signature} and {comment}
  std::filesystem::path public_key;  ///< public key file of the command's key

  [[nodiscard]] bool empty() const { return key.empty() && command.empty(); }
};

/// The settings of a site.
struct PublishConfig {
  std::optional<base::Url> base;  ///< with a trailing slash
  std::filesystem::path out;      ///< the folder of the collections
  std::string collections_url;    ///< its URL, with a trailing slash
  bool collections_url_guessed =
      false;                      ///< collections_url is a guess: the folder is not inside the site's folder
  std::filesystem::path sitemap;  ///< file of the sitemap; created if it does not exist
  std::string sitemap_url;
  SitemapMode sitemap_mode = SitemapMode::inline_elements;
  std::filesystem::path robots;  ///< robots.txt; may be missing
  std::filesystem::path state;   ///< the catalog's folder
  /// Where the settings put the state: inside the served folder. publish moves it to `state`, beside it.
  std::filesystem::path served_state;
  std::vector<format::Codec> codecs = {format::Codec::zstd, format::Codec::gzip};
  Retention retention;
  std::vector<SectionConfig> sections;
  std::optional<site::UpdateFreq> all;  ///< interval of the section `all`, if it is wanted
  DeliveryConfig delivery;
  SigningConfig signing;
  site::UsagePreferences usage;  ///< written to robots.txt
  OutputsConfig outputs;
  format::Limits limits;

  /// The interval of a section's snapshots; daily for an unknown section.
  [[nodiscard]] site::UpdateFreq update_of(std::string_view section) const;
};

/// The section with the pages of all others, if it is configured.
inline constexpr std::string_view kWholeSite = "all";

/// The configuration for a folder of rendered pages without further settings: one section with that name, or
/// `all`.
base::Result<PublishConfig> config_for_folder(const std::filesystem::path& folder, const std::string& base,
                                              const std::filesystem::path& out, const std::string& section);

/// Fails if the state folder would be inside a folder that is served, where everybody can read it.
base::Result<void> check_state(const PublishConfig& config);

/// Reads a sheaf.toml. Relative paths are relative to its folder. Errors name the line.
base::Result<PublishConfig> read_config(const std::filesystem::path& file);

/// Like read_config(), but from text; `file` is used for messages and relative paths.
base::Result<PublishConfig> parse_config(std::string_view text, const std::filesystem::path& file);

}  // namespace sheaf::publish
