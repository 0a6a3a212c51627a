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

}  // namespace

SourceConfig read_source(TomlTables& tables, const toml::table& table) {
  tables.allow(table, {"type", "folder", "path", "file", "command", "extension", "include", "exclude"});
  SourceConfig source;
  const std::string type = tables.text(table, "type");
  if (type == "markdown") {
    source.kind = SourceKind::markdown;
  } else if (type == "jsonl") {
    source.kind = SourceKind::jsonl;
  } else if (type != "html") {
    tables.wrong(table,
                 fmt::format("source type \"{}\" is not known; known are: html, markdown, jsonl", type));
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
  if (source.kind != SourceKind::jsonl && source.folder.empty())
    tables.wrong(table, "this source needs a `folder`");
  return source;
}

}  // namespace sheaf::publish
