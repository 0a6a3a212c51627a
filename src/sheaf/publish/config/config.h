#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/limits.h"
#include "sheaf/publish/config/delivery_config.h"
#include "sheaf/site/advertised.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

enum class SourceKind : std::uint8_t { html, markdown, jsonl, sql, site };

/// What becomes of `about.html` in an address. `index.html` is always its folder.
enum class Extension : std::uint8_t {
  keep,    ///< /about.html
  drop,    ///< /about
  folder,  ///< /about/
};

/// How a live site is asked for its pages.
struct LiveSiteConfig {
  std::vector<std::string> sitemaps;  ///< instead of those that robots.txt names
  unsigned connections = 2;
  std::chrono::milliseconds delay{500};
  std::string user_agent = "sheaf";
  std::uint64_t copies = std::uint64_t{10} << 30;  ///< bytes of pages that are kept
};

struct SourceConfig {
  SourceKind kind = SourceKind::html;
  std::filesystem::path folder;  ///< html, markdown
  std::string path;              ///< of the folder in addresses: "docs/" for https://example.com/docs/; for a
                                 ///< site, where the addresses of its pages begin
  std::string file;              ///< jsonl; "-" is standard input
  std::string command;           ///< jsonl, instead of a file
  std::string database;          ///< sql: "sqlite:FILE", "postgresql://..."
  std::string query;             ///< sql
  Extension extension = Extension::keep;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> languages;  ///< markdown: of names such as post.de.md; the first has no mark
  std::string select;                  ///< CSS selectors, for HTML: what is the content,
  std::string leave_out;               ///< and what is not
  std::string links = "content";       ///< which links become blocks: none, content, all
  bool inline_structure = false;       ///< whether blocks have `inline` and `start` (docs/format.md)
  LiveSiteConfig live;                 ///< site
};

struct SectionConfig {
  std::string name;
  site::UpdateFreq update = site::UpdateFreq::daily;
  std::vector<SourceConfig> sources;
};

struct Retention {
  std::int64_t delta_seconds = std::int64_t{30} * 86'400;
  std::uint32_t snapshots = 2;
};

/// Everything about a site that does not change from run to run.
struct PublishConfig {
  std::optional<base::Url> base;  ///< with a slash at its end
  std::filesystem::path out;      ///< the folder of the collections
  std::string collections_url;    ///< its address, with a slash at its end
  bool address_guessed = false;   ///< that one: the folder does not lie in the site's
  std::filesystem::path sitemap;  ///< the file; made if it is not there
  std::string sitemap_url;
  std::filesystem::path robots;  ///< robots.txt; may not be there
  std::filesystem::path state;   ///< the catalog's folder
  /// Where older versions kept the catalog by default, in a folder that several sites may have shared. Empty:
  /// nowhere else.
  std::filesystem::path former_state;
  std::vector<format::Codec> codecs = {format::Codec::zstd, format::Codec::gzip};
  Retention retention;
  std::vector<SectionConfig> sections;
  std::optional<site::UpdateFreq> all;  ///< a section of that name with the pages of all others
  DeliveryConfig delivery;
  format::Limits limits;

  /// How often the section has a new snapshot; daily for one that is not ours.
  [[nodiscard]] site::UpdateFreq update_of(std::string_view section) const;
};

/// The section with the pages of all others, where one is asked for.
inline constexpr std::string_view kWholeSite = "all";

/// The whole configuration for a folder of rendered pages, and nothing else said: one section of that name.
base::Result<PublishConfig> config_for_folder(const std::filesystem::path& folder, const std::string& base,
                                              const std::filesystem::path& out, const std::string& section);

/// Reads a sheaf.toml. Relative paths are relative to its folder. Errors name the line.
base::Result<PublishConfig> read_config(const std::filesystem::path& file);

/// The same from text; `file` for messages and relative paths.
base::Result<PublishConfig> parse_config(std::string_view text, const std::filesystem::path& file);

}  // namespace sheaf::publish
