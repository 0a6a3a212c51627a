#include "sheaf/publish/config/config.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/url.h"
#include "sheaf/publish/config/config_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <sstream>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kConfigBytes = std::size_t{1} << 20U;
// publish remembers removed pages for 90 days. If such a page comes back within that time, it gets a later
// `modified`, which merged deltas rely on.
constexpr std::int64_t kMaxMergeDays = 90;

bool has_credentials(const base::Url& url) { return !url.username().empty() || !url.password().empty(); }

base::Result<base::Url> parse_base(const std::string& text) {
  if (base::is_slash_missing(text))
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("base {}: two slashes go after the scheme, as in https://example.com", text));
  auto url = base::Url::parse(text);
  if (url && !url->path().ends_with('/')) url = base::Url::parse(with_slash(std::string(url->href())));
  if (!url || url->has_query() || url->has_fragment())
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("base {}: give the http or https URL of the site, as https://example.com", text));
  if (has_credentials(*url))
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("base {}: remove the user name and password from it; they would be published "
                    "in the sitemap and the collections",
                    url->origin()));
  return *url;
}

/// The path of `inner` relative to `outer`, with a trailing slash; nullopt if it is not inside.
std::optional<std::string> path_below(const fs::path& outer, const fs::path& inner) {
  std::error_code error;
  const fs::path relative =
      fs::relative(fs::weakly_canonical(inner, error), fs::weakly_canonical(outer, error), error);
  const std::string text = relative.generic_string();
  if (error || text.empty() || text == ".." || text.starts_with("../")) return std::nullopt;
  return text == "." ? std::string() : with_slash(text);
}

/// Sets the defaults that depend on other settings.
void fill_in(PublishConfig& config, const fs::path& root) {
  const std::string base(config.base->href());
  if (config.collections_url.empty()) {
    const auto below = root.empty() ? std::nullopt : path_below(root, config.out);
    config.collections_url = base + below.value_or(with_slash(config.out.filename().string()));
    config.collections_url_guessed = !below;
  }
  config.collections_url = with_slash(config.collections_url);
  if (config.sitemap.empty())
    config.sitemap = (root.empty() ? config.out.parent_path() : root) / "sitemap.xml";
  if (config.sitemap_url.empty()) config.sitemap_url = base + config.sitemap.filename().string();
  if (config.robots.empty()) config.robots = config.sitemap.parent_path() / "robots.txt";
  // At a remote target, files are named after their URLs.
  const auto collections = base::Url::parse(config.collections_url);
  if (!config.delivery.prefix && collections)
    config.delivery.prefix = base::percent_decode(collections->path().substr(1));
  const auto sitemap = base::Url::parse(config.sitemap_url);
  if (config.delivery.sitemap.empty() && sitemap)
    config.delivery.sitemap = base::percent_decode(sitemap->path().substr(1));
}

/// The state folder is next to the site's folder and not inside it, because the site's content is served. It
/// is named after that folder, so that no two sites share a state. "." and ".." are resolved first to get the
/// name.
void choose_state_folder(PublishConfig& config, const fs::path& folder) {
  std::string site = folder.lexically_normal().string();
  if (site.size() > 1 && site.ends_with('/')) site.pop_back();
  if (const fs::path name = fs::path(site).filename(); name == "." || name == "..") {
    std::error_code error;
    const fs::path resolved = fs::canonical(folder, error);
    if (!error) site = resolved.string();
  }
  config.state = site + ".sheaf";
}

/// The folders that are served: the rendered pages of the whole site, and the collections.
std::vector<fs::path> served_folders(const PublishConfig& config) {
  std::vector<fs::path> folders;
  for (const SectionConfig& section : config.sections)
    for (const SourceConfig& source : section.sources)
      if (source.kind == SourceKind::html && source.path.empty()) folders.push_back(source.folder);
  folders.push_back(config.out);
  return folders;
}

std::optional<fs::path> served_folder_of_state(const PublishConfig& config) {
  for (const fs::path& folder : served_folders(config))
    if (path_below(folder, config.state)) return folder;
  return std::nullopt;
}

/// Moves the state folder out of what is served: it names the pages that are not published.
void keep_state_private(PublishConfig& config) {
  const auto served = served_folder_of_state(config);
  if (!served) return;
  config.served_state = config.state;
  choose_state_folder(config, *served);
  if (served_folder_of_state(config)) choose_state_folder(config, served_folders(config).front());
}

/// Excludes the folder of the collections from the sources: its files are not pages of the site.
void leave_out_collections(PublishConfig& config) {
  for (SectionConfig& section : config.sections)
    for (SourceConfig& source : section.sources)
      if (!source.folder.empty())
        if (const auto below = path_below(source.folder, config.out); below && !below->empty())
          source.exclude.push_back(*below);
}

/// Fails if the Markdown that publish writes would become a source.
base::Result<void> check_outputs(const PublishConfig& config, const fs::path& file) {
  if (!config.outputs.markdown) return {};
  for (const SectionConfig& section : config.sections)
    for (const SourceConfig& source : section.sources)
      if (source.kind == SourceKind::markdown && path_below(source.folder, config.sitemap.parent_path()))
        return base::fail(
            base::Errc::invalid_argument,
            fmt::format(
                "{}: `markdown` in [outputs] writes into the folder of the sitemap, {}, which is inside "
                "the folder of a markdown source",
                file.string(), config.sitemap.parent_path().string()));
  return {};
}

/// Reads the tables of a sheaf.toml.
class Reader : private TomlTables {
 public:
  Reader(const fs::path& file, PublishConfig& config) : TomlTables(file), config_(config) {}

  base::Result<void> read(const toml::table& root) {
    allow(root,
          {"base", "out", "collections_url", "sitemap", "sitemap_url", "sitemap_mode", "robots", "state",
           "compression", "all", "retention", "delivery", "signing", "usage", "outputs", "section"});
    config_.out = path(root, "out");
    config_.collections_url = text(root, "collections_url");
    config_.sitemap = path(root, "sitemap");
    config_.sitemap_url = text(root, "sitemap_url");
    read_sitemap_mode(root);
    config_.robots = path(root, "robots");
    config_.state = path(root, "state");
    read_compression(root);
    read_all(root);
    read_retention(root);
    read_delivery(*this, root, config_.delivery);
    read_signing(*this, root, config_.signing);
    read_usage(*this, root, config_.usage);
    read_outputs(*this, root, config_.outputs);
    const std::string base = text(root, "base");
    if (config_.out.empty()) wrong(root, "there is no `out`: set it to the folder for the collections");
    if (base.empty())
      wrong(root.contains("base") ? *root.get("base") : static_cast<const toml::node&>(root),
            root.contains("base")
                ? "`base` is empty: set it to the site's URL, as \"https://example.com\""
                : "there is no `base`: set it to the site's URL, as \"https://example.com\"");
    read_sections(root);
    if (error()) return std::unexpected(*error());
    auto parsed_base = parse_base(base);
    if (!parsed_base) {
      wrong(*root.get("base"), parsed_base.error().message);
      return std::unexpected(*error());
    }
    config_.base = std::move(*parsed_base);
    check_url(root, "collections_url");
    check_url(root, "sitemap_url");
    if (error()) return std::unexpected(*error());
    return {};
  }

 private:
  /// Clients do not follow an http URL from an https sitemap, because an attacker on the network could
  /// replace its content.
  void check_url(const toml::table& root, std::string_view name) {
    const std::string given = text(root, name);
    if (given.empty()) return;
    const auto url = base::Url::parse(given);
    if (!url) return wrong(*root.get(name), fmt::format("`{}` must be an http or https URL", name));
    if (has_credentials(*url))
      wrong(*root.get(name),
            fmt::format("`{}` has a user name or password, which would be published; remove it", name));
    if (config_.base->scheme() == "https" && url->scheme() != "https")
      wrong(*root.get(name),
            fmt::format("`{}` is plain http, but the base is https: readers refuse that; use https for both",
                        name));
  }

  void read_sitemap_mode(const toml::table& root) {
    const std::string mode = text(root, "sitemap_mode");
    if (mode == "separate") config_.sitemap_mode = SitemapMode::separate;
    if (!mode.empty() && mode != "separate" && mode != "inline")
      wrong(*root.get("sitemap_mode"), "`sitemap_mode` must be \"inline\" or \"separate\"");
  }

  site::UpdateFreq update(const toml::table& table, std::string_view name) {
    const std::string given = text(table, name);
    if (given.empty()) return site::UpdateFreq::daily;
    if (const auto freq = site::parse_update_freq(given)) return *freq;
    wrong(*table.get(name),
          fmt::format("`{}` must be \"hourly\", \"daily\", \"weekly\" or \"monthly\"", name));
    return site::UpdateFreq::daily;
  }

  void read_compression(const toml::table& root) {
    const std::vector<std::string> names = texts(root, "compression");
    if (names.empty()) return;
    config_.codecs.clear();
    for (const std::string& name : names) {
      if (name == "zstd") {
        config_.codecs.push_back(format::Codec::zstd);
      } else if (name == "gzip") {
        config_.codecs.push_back(format::Codec::gzip);
      } else if (name == "plain") {
        config_.codecs.push_back(format::Codec::plain);
      } else {
        wrong(*root.get("compression"),
              fmt::format("compression \"{}\" is not known; known are: zstd, gzip, plain", name));
      }
    }
  }

  void read_all(const toml::table& root) {
    const toml::node* node = root.get("all");
    if (node == nullptr) return;
    if (const auto flag = node->value_exact<bool>()) {
      if (*flag) config_.all = site::UpdateFreq::daily;
    } else {
      config_.all = update(root, "all");
    }
  }

  void read_retention(const toml::table& root) {
    const toml::node* node = root.get("retention");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return wrong(*node, "`retention` must be a table: [retention]");
    allow(*table, {"delta_days", "snapshots", "merge_days"});
    config_.retention.delta_seconds = number(*table, "delta_days", 1, 3650, 30) * 86'400;
    config_.retention.snapshots = static_cast<std::uint32_t>(number(*table, "snapshots", 1, 1000, 2));
    if (const toml::node* days = table->get("merge_days")) read_merge_days(*days);
  }

  void read_merge_days(const toml::node& node) {
    std::vector<std::uint32_t>& merge_days = config_.retention.merge_days;
    merge_days.clear();
    const toml::array* array = node.as_array();
    if (array == nullptr) return wrong(node, "`merge_days` must be a list of numbers, such as [7, 28]");
    for (const toml::node& each : *array) {
      const std::int64_t before = merge_days.empty() ? 1 : merge_days.back();
      const std::int64_t days = each.value_exact<std::int64_t>().value_or(0);
      const bool is_larger = merge_days.empty() ? days >= 1 : days > before;
      if (!is_larger || days > kMaxMergeDays || days % before != 0)
        return wrong(each,
                     fmt::format("`merge_days` must be numbers from 1 to {}, each a multiple of the one "
                                 "before and larger",
                                 kMaxMergeDays));
      merge_days.push_back(static_cast<std::uint32_t>(days));
    }
  }

  void read_sections(const toml::table& root) {
    const toml::node* node = root.get("section");
    const toml::array* array = node != nullptr ? node->as_array() : nullptr;
    if (array == nullptr || array->empty())
      return wrong(node != nullptr ? *node : static_cast<const toml::node&>(root),
                   "there is no section: begin one with [[section]]");
    for (const toml::node& each : *array) {
      if (const toml::table* table = each.as_table()) {
        read_section(*table);
      } else {
        wrong(each, "begin a section with [[section]]");
      }
    }
  }

  void read_section(const toml::table& table) {
    allow(table, {"name", "update", "source"});
    SectionConfig section;
    section.name = text(table, "name");
    if (!model::is_valid_identifier(section.name))
      wrong(table, "a section needs a `name` of letters, digits, - and _");
    if (std::ranges::find(config_.sections, section.name, &SectionConfig::name) != config_.sections.end())
      wrong(table, fmt::format("there are two sections called \"{}\"", section.name));
    if (section.name == kWholeSite && config_.all)
      wrong(table, "`all` asks for a section of that name; this one must have another");
    section.update = update(table, "update");
    const toml::node* node = table.get("source");
    const toml::array* sources = node != nullptr ? node->as_array() : nullptr;
    if (sources == nullptr || sources->empty())
      return wrong(table, fmt::format("section \"{}\" has no source: add [[section.source]]", section.name));
    for (const toml::node& each : *sources)
      if (const toml::table* source = each.as_table()) section.sources.push_back(read_source(*this, *source));
    config_.sections.push_back(std::move(section));
  }

  PublishConfig& config_;
};

}  // namespace

std::string with_slash(std::string text) {
  if (!text.ends_with('/')) text += '/';
  return text;
}

site::UpdateFreq PublishConfig::update_of(std::string_view section) const {
  if (all && section == kWholeSite) return *all;
  const auto found = std::ranges::find(sections, section, &SectionConfig::name);
  return found == sections.end() ? site::UpdateFreq::daily : found->update;
}

base::Result<PublishConfig> config_for_folder(const fs::path& folder, const std::string& base,
                                              const fs::path& out, const std::string& section) {
  PublishConfig config;
  SHEAF_TRY_ASSIGN(config.base, parse_base(base));
  // Checked first, so that nothing is created for a mistyped name.
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return base::fail(base::Errc::not_found, fmt::format("there is no folder {}", folder.string()));
  config.out = out;
  choose_state_folder(config, folder);
  SourceConfig source;
  source.folder = folder;
  config.sections.push_back(
      {section.empty() ? std::string(kWholeSite) : section, site::UpdateFreq::daily, {source}});
  if (!model::is_valid_identifier(config.sections.front().name))
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("section {}: a name has letters, digits, - and _ only", section));
  fill_in(config, folder);
  leave_out_collections(config);
  return config;
}

base::Result<PublishConfig> parse_config(std::string_view text, const fs::path& file) {
  const toml::parse_result parsed = toml::parse(text, file.string());
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
  PublishConfig config;
  SHEAF_TRY(Reader(file, config).read(parsed.table()));
  if (config.state.empty()) config.state = file.parent_path() / ".sheaf";
  fs::path root;  // folder of the site, if one of the sources is the whole site
  for (const SectionConfig& section : config.sections)
    for (const SourceConfig& source : section.sources)
      if (root.empty() && source.kind == SourceKind::html && source.path.empty()) root = source.folder;
  fill_in(config, root);
  keep_state_private(config);
  leave_out_collections(config);
  SHEAF_TRY(check_outputs(config, file));
  return config;
}

base::Result<void> check_state(const PublishConfig& config) {
  const auto served = served_folder_of_state(config);
  if (!served) return {};
  return base::fail(
      base::Errc::invalid_argument,
      fmt::format("the state folder {} is inside {}, which is served; name another with --state, or "
                  "`state` in sheaf.toml",
                  config.state.string(), served->string()));
}

base::Result<PublishConfig> read_config(const fs::path& file) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file.string()));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_up_to(*source, kConfigBytes));
  if (text.size() > kConfigBytes)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{} is too large for a configuration", file.string()));
  return parse_config(text, file);
}

}  // namespace sheaf::publish
