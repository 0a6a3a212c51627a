#include "sheaf/publish/delivery/object_label.h"
#include "sheaf/publish/recipes/recipe_internal.h"

#include <fmt/format.h>

namespace sheaf::publish {
namespace {

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

std::string collections_path(const PublishConfig& config) {
  const auto url = base::Url::parse(config.collections_url);
  return url ? std::string(url->path()) : "/";
}

base::Result<std::string> nginx_recipe(const PublishConfig& config) {
  const std::string folder = absolute_path(config.out);
  const std::string path = collections_path(config);
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
  const std::string folder = absolute_path(config.out);
  const std::string path = collections_path(config);
  for (const std::string& each : {folder, path}) SHEAF_TRY(check_path(each, "\"`{}", "Caddy"));
  std::string text = fmt::format(
      "# Inside the site block of {}.\n"
      "@scp path_regexp \"^{}{}$\"\n"
      "handle @scp {{\n"
      "\troot * \"{}\"\n"
      "\theader Content-Type application/scp\n"
      "\t@gzip path *.gz\n"
      // Set last: Go sends no Content-Length for a body whose encoding is known before.
      "\theader @gzip {{\n\t\tContent-Encoding gzip\n\t\tdefer\n\t}}\n"
      "\t@zstd path *.zst\n"
      "\theader @zstd {{\n\t\tContent-Encoding zstd\n\t\tdefer\n\t}}\n",
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

namespace {

/// What Apache needs to know about the collections, as directives that are valid in a Directory section and
/// in .htaccess.
std::string apache_files(const PublishConfig& config, std::string_view indent) {
  std::string text = fmt::format(
      "<FilesMatch \"^{}$\">\n"
      "    ForceType application/scp\n"
      "    AddEncoding gzip .gz\n"
      "    AddEncoding zstd .zst\n"
      "    SetEnv no-gzip 1\n"  // they are compressed
      "    SetEnv no-brotli 1\n"
      "    FileETag MTime Size\n"
      "    Header set Cache-Control \"public, max-age=3600, must-revalidate\"\n"
      "</FilesMatch>\n",
      name_pattern());
  for (const CacheRule& rule : cache_rules(config))
    text += fmt::format("<FilesMatch \"^{}\">\n    Header set Cache-Control \"{}\"\n</FilesMatch>\n",
                        rule.pattern.substr(1), rule.cache_control);
  std::string indented;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
    indented.append(indent).append(rest.substr(0, rest.find('\n') + 1));
  return indented;
}

}  // namespace

base::Result<std::string> apache_recipe(const PublishConfig& config) {
  const std::string folder = absolute_path(config.out);
  const std::string path = collections_path(config);
  for (const std::string& each : {folder, path}) SHEAF_TRY(check_path(each, "\"\\$%{}", "Apache"));
  return fmt::format(
      "# Inside the VirtualHost of {}. As root, once: a2enmod headers mime alias\n"
      "Alias \"{}\" \"{}/\"\n"
      "<Directory \"{}\">\n"
      "    Require all granted\n"
      "{}"
      "</Directory>\n",
      config.base->host(), path, folder, folder, apache_files(config, "    "));
}

base::Result<std::string> htaccess_recipe(const PublishConfig& config) {
  return fmt::format(
      "# Save it as {}/.htaccess. The server must allow it: AllowOverride FileInfo Options\n{}",
      absolute_path(config.out), apache_files(config, ""));
}

}  // namespace sheaf::publish
