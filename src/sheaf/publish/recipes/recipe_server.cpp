#include "sheaf/publish/delivery/object_label.h"
#include "sheaf/publish/recipes/recipe_internal.h"

#include <fmt/format.h>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

/// The path of the collections' URL, with a slash at both ends.
std::string path_of(const PublishConfig& config) {
  const auto url = base::Url::parse(config.collections_url);
  return url ? std::string(url->path()) : "/";
}

std::string for_regex(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view(".+*?()[]{}|^$\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// A pattern that matches only files that sheaf writes, so that the site's own rules apply to everything else
/// in the folder.
std::string name_pattern() {
  // A merged delta has two times. No {2}, because Caddy takes braces for a placeholder.
  return "[A-Za-z0-9_-]+-(?:snapshot|delta)-(?:[0-9]+T[0-9]+Z-)?[0-9]+T[0-9]+Z\\.scp(?:\\.gz|\\.zst)?";
}

std::string folder_of(const PublishConfig& config) {
  std::string folder = fs::absolute(config.out).lexically_normal().string();
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

/// A regular expression for paths, and the Cache-Control of these files.
struct CacheRule {
  std::string pattern;
  std::string cache_control;
};

std::vector<CacheRule> cache_rules(const PublishConfig& config) {
  std::vector<CacheRule> rules;
  const auto add = [&](const std::string& section, model::CollectionType type) {
    const CollectionName name{section, type, {}, format::Codec::plain};
    rules.push_back({fmt::format("/{}-{}-[^/]*$", for_regex(section),
                                 type == model::CollectionType::delta ? "delta" : "snapshot"),
                     label_of_collection(name, config.update_of(section)).cache_control});
  };
  for (const SectionConfig& section : config.sections)
    for (const auto type : {model::CollectionType::snapshot, model::CollectionType::delta})
      add(section.name, type);
  if (config.all)
    for (const auto type : {model::CollectionType::snapshot, model::CollectionType::delta})
      add(std::string(kWholeSite), type);
  return rules;
}

base::Result<void> check_path(const std::string& path, std::string_view forbidden, std::string_view program) {
  const std::size_t at = path.find_first_of(forbidden);
  if (at == std::string::npos) return {};
  return base::fail(base::Errc::refused,
                    fmt::format("{} cannot represent a path that contains {}: {}", program, path[at], path));
}

}  // namespace

base::Result<std::string> nginx_recipe(const PublishConfig& config) {
  const std::string folder = folder_of(config);
  const std::string path = path_of(config);
  for (const std::string& each : {folder, path}) SHEAF_TRY(check_path(each, "\"$\\{}", "nginx"));
  std::string text = fmt::format(
      "# Inside the server block of {}, before its other locations.\n"
      "location ~ \"^{}(?<scp_file>{})$\" {{\n"
      "    alias \"{}/$scp_file\";\n"
      "    types {{ }}\n"
      "    default_type application/scp;\n"
      "    gzip off;  # they are compressed\n"
      "    etag on;\n"
      "    if_modified_since before;\n"
      "    set $scp_encoding \"\";\n"
      "    if ($uri ~ \"\\.gz$\") {{ set $scp_encoding gzip; }}\n"
      "    if ($uri ~ \"\\.zst$\") {{ set $scp_encoding zstd; }}\n"
      "    add_header Content-Encoding $scp_encoding;\n"
      "    set $scp_cache \"public, max-age=3600, must-revalidate\";\n",
      config.base->host(), for_regex(path), name_pattern(), folder);
  for (const CacheRule& rule : cache_rules(config))
    text += fmt::format("    if ($uri ~ \"{}\") {{ set $scp_cache \"{}\"; }}\n", rule.pattern,
                        rule.cache_control);
  text += "    add_header Cache-Control $scp_cache;\n}\n";
  return text;
}

base::Result<std::string> caddy_recipe(const PublishConfig& config) {
  const std::string folder = folder_of(config);
  const std::string path = path_of(config);
  for (const std::string& each : {folder, path}) SHEAF_TRY(check_path(each, "\"`{}", "Caddy"));
  std::string text = fmt::format(
      "# Inside the site block of {}.\n"
      "@scp path_regexp \"^{}{}$\"\n"
      "handle @scp {{\n"
      "\troot * \"{}\"\n"
      "\theader Content-Type application/scp\n"
      "\t@gzip path *.gz\n"
      "\theader @gzip Content-Encoding gzip\n"
      "\t@zstd path *.zst\n"
      "\theader @zstd Content-Encoding zstd\n",
      config.base->host(), for_regex(path), name_pattern(), folder);
  std::size_t number = 0;
  for (const CacheRule& rule : cache_rules(config)) {
    text += fmt::format("\t@cache{0} path_regexp \"{1}\"\n\theader @cache{0} Cache-Control \"{2}\"\n",
                        ++number, rule.pattern, rule.cache_control);
  }
  if (path != "/") text += fmt::format("\turi strip_prefix \"{}\"\n", path.substr(0, path.size() - 1));
  text += "\tfile_server\n}\n";
  return text;
}

}  // namespace sheaf::publish
