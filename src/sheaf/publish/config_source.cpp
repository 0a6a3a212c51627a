#include "sheaf/publish/config_internal.h"

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

/// Files of configuration are copied and kept in repositories: no place for a password.
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
  if (!sqlite && !postgres)
    return tables.wrong(table,
                        "a sql source needs a `database`: \"sqlite:shop.db\" or \"postgresql://host/shop\"");
  if (postgres && has_password(source.database))
    return tables.wrong(*table.get("database"),
                        "a password does not belong here: put it into PGPASSWORD or ~/.pgpass");
  if (sqlite)
    source.database = std::string(kSqlite) +
                      tables.resolve(std::string_view(source.database).substr(kSqlite.size())).string();
  if (source.query.empty())
    tables.wrong(table, "a sql source needs a `query`, as \"SELECT url, title, html FROM pages\"");
}

}  // namespace

SourceConfig read_source(TomlTables& tables, const toml::table& table) {
  tables.allow(table, {"type", "folder", "path", "file", "command", "database", "query", "extension",
                       "include", "exclude"});
  SourceConfig source;
  const std::string type = tables.text(table, "type");
  if (type == "markdown") {
    source.kind = SourceKind::markdown;
  } else if (type == "jsonl") {
    source.kind = SourceKind::jsonl;
  } else if (type == "sql") {
    source.kind = SourceKind::sql;
    read_database(tables, table, source);
  } else if (type != "html") {
    tables.wrong(table,
                 fmt::format("source type \"{}\" is not known; known are: html, markdown, jsonl, sql", type));
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
  if (source.kind == SourceKind::jsonl && source.file.empty() == source.command.empty())
    tables.wrong(table, "a jsonl source needs a `file` or a `command`");
  const bool in_folder = source.kind == SourceKind::html || source.kind == SourceKind::markdown;
  if (in_folder && source.folder.empty()) tables.wrong(table, "this source needs a `folder`");
  return source;
}

}  // namespace sheaf::publish
