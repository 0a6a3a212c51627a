#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/publish/config/config_internal.h"

namespace sheaf::publish {
namespace {

constexpr std::string_view kDefaultFeed = "changes.atom";

/// Reads `feed`, which is a bool or the name of the file.
std::string read_feed_name(TomlTables& tables, const toml::table& table) {
  const toml::node* node = table.get("feed");
  if (node == nullptr) return {};
  if (const auto flag = node->value_exact<bool>()) return *flag ? std::string(kDefaultFeed) : std::string();
  std::string name = tables.text(table, "feed");
  const bool is_plain = std::ranges::all_of(
      name, [](char c) { return base::is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
  if (name.empty() || !is_plain || name.starts_with('.') || name.size() > 100)
    tables.wrong(*node,
                 "`feed` must be true, or a file name of letters, digits, -, _ and ., as \"changes.atom\"");
  return name;
}

/// The protocol allows 8 to 128 letters, digits and dashes.
void check_key(TomlTables& tables, const toml::table& table, const std::string& key) {
  if (key.empty()) return;
  const bool is_valid = key.size() >= 8 && key.size() <= 128 &&
                        std::ranges::all_of(key, [](char c) { return base::is_alphanumeric(c) || c == '-'; });
  if (!is_valid)
    tables.wrong(*table.get("indexnow_key"), "`indexnow_key` must have 8 to 128 letters, digits and dashes");
}

}  // namespace

void read_outputs(TomlTables& tables, const toml::table& root, OutputsConfig& outputs) {
  const toml::node* node = root.get("outputs");
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) return tables.wrong(*node, "`outputs` must be a table: [outputs]");
  tables.allow(*table, {"llms_txt", "llms_pages", "markdown", "feed", "feed_entries", "title", "summary",
                        "indexnow", "indexnow_key", "indexnow_url"});
  outputs.llms_txt = tables.flag(*table, "llms_txt").value_or(false);
  outputs.llms_pages = static_cast<std::uint32_t>(tables.number(*table, "llms_pages", 1, 50'000, 1000));
  outputs.markdown = tables.flag(*table, "markdown").value_or(false);
  outputs.feed = read_feed_name(tables, *table);
  outputs.feed_entries = static_cast<std::uint32_t>(tables.number(*table, "feed_entries", 1, 5000, 100));
  outputs.title = tables.text(*table, "title");
  outputs.summary = tables.text(*table, "summary");
  outputs.index_now = tables.flag(*table, "indexnow").value_or(false);
  outputs.index_now_key = tables.text(*table, "indexnow_key");
  check_key(tables, *table, outputs.index_now_key);
  if (const std::string url = tables.text(*table, "indexnow_url"); !url.empty()) {
    outputs.index_now_url = url;
    if (!base::Url::parse(url))
      tables.wrong(*table->get("indexnow_url"), "`indexnow_url` must be an http or https URL");
  }
}

}  // namespace sheaf::publish
