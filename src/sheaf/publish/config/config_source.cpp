#include "sheaf/base/url.h"
#include "sheaf/html/selector.h"
#include "sheaf/http/message/message.h"
#include "sheaf/model/field_values.h"
#include "sheaf/publish/config/config_internal.h"
#include "sheaf/publish/config/mariadb_address.h"
#include "sheaf/site/robots.h"

namespace sheaf::publish {
namespace {

void read_extension(TomlTables& tables, const toml::table& table, SourceConfig& source) {
  const std::string extension = tables.text(table, "extension");
  if (extension.empty() || extension == "keep") return;
  if (extension == "drop") {
    source.extension = Extension::drop;
  } else if (extension == "folder") {
    source.extension = Extension::folder;
  } else {
    tables.wrong(*table.get("extension"),
                 "`extension` must be \"keep\" (about.html), \"drop\" (about) or \"folder\" (about/)");
  }
}

void read_languages(TomlTables& tables, const toml::table& table, SourceConfig& source) {
  source.languages = tables.texts(table, "languages");
  if (source.languages.empty()) return;
  if (source.kind != SourceKind::markdown)
    return tables.wrong(*table.get("languages"),
                        "`languages` is for markdown sources: rendered pages state their language");
  for (const std::string& language : source.languages)
    if (!model::is_language_tag(language))
      tables.wrong(*table.get("languages"),
                   fmt::format("`languages` has \"{}\"; write codes such as \"en\" or \"pt-BR\"", language));
}

std::string read_selector(TomlTables& tables, const toml::table& table, const char* name) {
  std::string text = tables.text(table, name);
  if (text.empty()) return text;
  if (const auto selector = html::Selector::compile(text); !selector)
    tables.wrong(*table.get(name),
                 fmt::format("`{}` is not a CSS selector: {}", name, selector.error().message));
  return text;
}

/// Whether a URL has a password. Configuration files are copied and committed to repositories, so they must
/// not contain one.
bool has_password(std::string_view url) {
  const std::size_t host = url.find("://") + 3;
  const std::string_view authority = url.substr(host, url.find_first_of("/?", host) - host);
  const std::size_t at = authority.rfind('@');
  return (at != std::string_view::npos && authority.substr(0, at).find(':') != std::string_view::npos) ||
         url.find("password=") != std::string_view::npos;
}

void read_database(TomlTables& tables, const toml::table& table, SourceConfig& source) {
  constexpr std::string_view kSqlite = "sqlite:";
  source.database = tables.text(table, "database");
  source.query = tables.text(table, "query");
  const bool sqlite = source.database.starts_with(kSqlite) && source.database.size() > kSqlite.size();
  const bool postgres =
      source.database.starts_with("postgresql://") || source.database.starts_with("postgres://");
  const bool mariadb = is_mariadb_url(source.database);
  if (!sqlite && !postgres && !mariadb)
    return tables.wrong(table,
                        "a sql source needs a `database`: \"sqlite:shop.db\", \"postgresql://host/shop\" or "
                        "\"mariadb://host/shop\"");
  source.password_file = tables.path(table, "password_file");
  if (!source.password_file.empty() && !mariadb)
    return tables.wrong(*table.get("password_file"),
                        "`password_file` is for MariaDB and MySQL; libpq reads ~/.pgpass");
  if (mariadb && has_password(source.database))
    return tables.wrong(
        *table.get("database"),
        "a password does not belong here: put it into `password_file`, MYSQL_PWD or ~/.my.cnf");
  if (mariadb) {
    const auto address = parse_mariadb_url(source.database);
    if (!address) return tables.wrong(*table.get("database"), address.error().message);
  }
  if (postgres && has_password(source.database))
    return tables.wrong(*table.get("database"),
                        "a password does not belong here: put it into PGPASSWORD or ~/.pgpass");
  if (sqlite)
    source.database = std::string(kSqlite) +
                      tables.resolve(std::string_view(source.database).substr(kSqlite.size())).string();
  if (source.query.empty())
    tables.wrong(table, "a sql source needs a `query`, as \"SELECT url, title, html FROM pages\"");
}

void read_feed_place(TomlTables& tables, const toml::table& table, SourceConfig& source) {
  const std::string url = tables.text(table, "url");
  const std::string file = tables.text(table, "file");
  if (url.empty() == file.empty()) return tables.wrong(table, "a feed source needs a `url` or a `file`");
  if (!url.empty() && !base::Url::parse(url))
    return tables.wrong(*table.get("url"), "`url` must be the http or https URL of the feed");
  source.feed = url.empty() ? tables.resolve(file).string() : url;
}

void read_live_site(TomlTables& tables, const toml::table& table, LiveSiteConfig& live) {
  live.sitemaps = tables.texts(table, "sitemaps");
  live.requests.connections = static_cast<unsigned>(tables.number(table, "connections", 1, 32, 2));
  live.copies = static_cast<std::uint64_t>(tables.number(table, "copies", 0, 10'000'000, 10'240)) << 20U;
  if (const std::string agent = tables.text(table, "user_agent"); !agent.empty()) {
    live.requests.user_agent = agent;
    if (!http::message::is_field_value(agent))
      tables.wrong(*table.get("user_agent"),
                   "`user_agent` must not have line ends or other control characters");
    else if (site::product_token(agent).empty())
      tables.wrong(
          *table.get("user_agent"),
          "`user_agent` must begin with a name of letters, by which robots.txt knows it: \"paintbot/1.0\"");
  }
  const toml::node* delay = table.get("delay");
  if (delay == nullptr) return;
  constexpr double kMaxLength = 3600;
  const auto seconds = delay->value<double>();
  if (!seconds || !(*seconds >= 0 && *seconds <= kMaxLength))
    return tables.wrong(*delay, "`delay` must be a number of seconds from 0 to 3600");
  live.requests.delay = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
}

void read_warc_files(TomlTables& tables, const toml::table& table, SourceConfig& source) {
  for (const std::string& file : tables.texts(table, "files"))
    source.files.push_back(tables.resolve(file).string());
  if (source.files.empty())
    tables.wrong(table, "a warc source needs `files`, as [\"crawl.warc.gz\"] or [\"archive/*.warc.gz\"]");
}

void read_links(TomlTables& tables, const toml::table& table, SourceConfig& source) {
  const std::string links = tables.text(table, "links");
  if (links.empty()) return;
  if (links != "none" && links != "content" && links != "all")
    return tables.wrong(table, fmt::format("`links` is \"{}\"; known are: none, content, all", links));
  source.links = links;
}

}  // namespace

SourceConfig read_source(TomlTables& tables, const toml::table& table) {
  tables.allow(table, {"type",        "folder",    "path",       "file",    "files",         "command",
                       "database",    "query",     "extension",  "include", "exclude",       "languages",
                       "select",      "leave_out", "links",      "inline",  "structured",    "sitemaps",
                       "connections", "delay",     "user_agent", "copies",  "password_file", "url"});
  SourceConfig source;
  const std::string type = tables.text(table, "type");
  if (type == "markdown") {
    source.kind = SourceKind::markdown;
  } else if (type == "jsonl") {
    source.kind = SourceKind::jsonl;
  } else if (type == "sql") {
    source.kind = SourceKind::sql;
    read_database(tables, table, source);
  } else if (type == "site") {
    source.kind = SourceKind::site;
    read_live_site(tables, table, source.live);
  } else if (type == "wordpress") {
    tables.wrong(
        table,
        "there is no source for WordPress, whose database does not say what its plugins hide: use the "
        "plugin in wordpress/sheaf, which writes JSON Lines");
  } else if (type == "feed") {
    source.kind = SourceKind::feed;
    read_feed_place(tables, table, source);
  } else if (type == "warc") {
    source.kind = SourceKind::warc;
    read_warc_files(tables, table, source);
  } else if (type != "html") {
    tables.wrong(table, fmt::format("source type \"{}\" is not known; known are: html, markdown, jsonl, sql, "
                                    "site, warc, feed",
                                    type));
  }
  source.folder = tables.path(table, "folder");
  source.path = tables.text(table, "path");
  if (!source.path.empty()) source.path = with_slash(source.path);
  while (source.path.starts_with('/')) source.path.erase(0, 1);
  source.file = tables.text(table, "file");
  if (!source.file.empty() && source.file != "-") source.file = tables.path(table, "file").string();
  source.command = tables.text(table, "command");
  source.include = tables.texts(table, "include");
  source.exclude = tables.texts(table, "exclude");
  read_extension(tables, table, source);
  read_languages(tables, table, source);
  source.select = read_selector(tables, table, "select");
  source.leave_out = read_selector(tables, table, "leave_out");
  read_links(tables, table, source);
  source.inline_structure = tables.flag(table, "inline").value_or(false);
  source.structured = tables.flag(table, "structured").value_or(false);
  if (source.kind == SourceKind::jsonl && source.file.empty() == source.command.empty())
    tables.wrong(table, "a jsonl source needs a `file` or a `command`");
  const bool in_folder = source.kind == SourceKind::html || source.kind == SourceKind::markdown;
  if (in_folder && source.folder.empty()) tables.wrong(table, "this source needs a `folder`");
  return source;
}

}  // namespace sheaf::publish
