#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/publish/config/config_internal.h"

#include <array>

namespace sheaf::publish {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20U;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Splits a line into words like a shell, but knows nothing except both kinds of quotes. Returns nullopt for
/// an unterminated quote.
std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = '\0';
  for (const char c : line) {
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        *word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      if (!word) word.emplace();
    } else if (is_space(c)) {
      if (word) words.push_back(std::move(*word));
      word.reset();
    } else {
      if (!word) word.emplace();
      *word += c;
    }
  }
  if (quote != '\0') return std::nullopt;
  if (word) words.push_back(std::move(*word));
  return words;
}

bool has_placeholder(const std::vector<std::string>& words, std::string_view placeholder) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return word.find(placeholder) != std::string::npos; });
}

/// Reads a command, given as one line or as a list of words.
std::vector<std::string> read_command(TomlTables& tables, const toml::table& table, std::string_view name) {
  const toml::node* node = table.get(name);
  if (node == nullptr) return {};
  if (!node->is_string()) return tables.texts(table, name);
  auto words = split_words(tables.text(table, name));
  if (words && !words->empty()) return std::move(*words);
  tables.wrong(*node, fmt::format("`{}` must be a command; {}", name,
                                  words ? "this one is empty" : "a quote in this one has no end"));
  return {};
}

void check_placeholders(TomlTables& tables, const toml::table& table, std::string_view name,
                        const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 5> kKnown = {"{file}", "{name}", "{type}", "{encoding}", "{cache}"};
  for (const std::string& word : words)
    for (std::size_t at = word.find('{'); at != std::string::npos; at = word.find('{', at + 1)) {
      const std::string_view rest = std::string_view(word).substr(at);
      const bool known = std::ranges::any_of(kKnown, [&](auto each) { return rest.starts_with(each); });
      const std::size_t end = rest.find('}');
      // Other braces belong to the user's own script.
      const bool looks_like_one =
          end != std::string_view::npos && end > 1 &&
          std::ranges::all_of(rest.substr(1, end - 1), [](char c) { return c >= 'a' && c <= 'z'; });
      if (!known && looks_like_one)
        tables.wrong(*table.get(name), fmt::format("{} in `{}` is not known; known are: {}",
                                                   rest.substr(0, end + 1), name, fmt::join(kKnown, ", ")));
    }
}

objects::CommandSettings read_commands(TomlTables& tables, const toml::table& table) {
  tables.allow(table, {"type", "put", "remove", "prefix", "sitemap"});
  objects::CommandSettings delivery;
  delivery.put = read_command(tables, table, "put");
  delivery.remove = read_command(tables, table, "remove");
  if (!has_placeholder(delivery.put, "{file}") || !has_placeholder(delivery.put, "{name}"))
    tables.wrong(table,
                 "delivery by command needs `put` with {file} and {name} in it, as "
                 "\"rclone copyto {file} remote:bucket/{name}\"");
  if (!delivery.remove.empty() && !has_placeholder(delivery.remove, "{name}"))
    tables.wrong(table, "`remove` needs {name} in it, as \"rclone deletefile remote:bucket/{name}\"");
  check_placeholders(tables, table, "put", delivery.put);
  check_placeholders(tables, table, "remove", delivery.remove);
  return delivery;
}

objects::S3Settings read_s3(TomlTables& tables, const toml::table& table) {
  tables.allow(table, {"type", "bucket", "endpoint", "region", "profile", "path_style", "part_size", "tries",
                       "prefix", "sitemap"});
  objects::S3Settings delivery;
  delivery.bucket = tables.text(table, "bucket");
  delivery.endpoint = tables.text(table, "endpoint");
  delivery.region = tables.text(table, "region");
  delivery.profile = tables.text(table, "profile");
  delivery.path_style = tables.flag(table, "path_style");
  delivery.part_bytes = static_cast<std::uint64_t>(
      tables.number(table, "part_size", 5, 5120, static_cast<std::int64_t>(delivery.part_bytes) / kMebibyte) *
      kMebibyte);
  delivery.tries = static_cast<unsigned>(tables.number(table, "tries", 1, 100, delivery.tries));
  const bool plain = std::ranges::all_of(
      delivery.bucket, [](char c) { return base::is_alphanumeric(c) || c == '-' || c == '.' || c == '_'; });
  if (delivery.bucket.empty() || !plain)
    tables.wrong(table, "delivery to S3 needs a `bucket` of letters, digits, - and .");
  if (const auto url = base::Url::parse(delivery.endpoint);
      !delivery.endpoint.empty() && (!url || !url->username().empty() || !url->password().empty()))
    tables.wrong(*table.get("endpoint"),
                 "`endpoint` must be an http or https URL without a password, as \"https://s3.example\"");
  return delivery;
}

/// Checks a name at a remote target: it must be relative, without "..".
void check_name(TomlTables& tables, const toml::table& table, std::string_view key, std::string& name) {
  while (name.starts_with('/')) name.erase(0, 1);
  if (("/" + name + "/").find("/../") != std::string::npos)
    tables.wrong(*table.get(key), fmt::format("`{}` must not have .. in it", key));
}

}  // namespace

void read_delivery(TomlTables& tables, const toml::table& root, DeliveryConfig& delivery) {
  const toml::node* node = root.get("delivery");
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) return tables.wrong(*node, "`delivery` must be a table: [delivery]");
  const std::string type = tables.text(*table, "type");
  if (type == "s3") {
    delivery.to = read_s3(tables, *table);
  } else if (type == "command") {
    delivery.to = read_commands(tables, *table);
  } else if (type == "folder") {
    return tables.allow(*table, {"type"});
  } else {
    return tables.wrong(
        *table, fmt::format("delivery type \"{}\" is not known; known are: folder, s3, command", type));
  }
  if (table->get("prefix") != nullptr) {
    std::string prefix = tables.text(*table, "prefix");
    check_name(tables, *table, "prefix", prefix);
    delivery.prefix = prefix.empty() ? prefix : with_slash(prefix);
  }
  const toml::node* sitemap = table->get("sitemap");
  if (sitemap != nullptr && sitemap->is_boolean()) {
    delivery.with_sitemap = tables.flag(*table, "sitemap").value_or(true);
  } else {
    delivery.sitemap = tables.text(*table, "sitemap");
    check_name(tables, *table, "sitemap", delivery.sitemap);
  }
}

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

void read_signing(TomlTables& tables, const toml::table& root, SigningConfig& signing) {
  const toml::node* node = root.get("signing");
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) return tables.wrong(*node, "`signing` must be a table: [signing]");
  tables.allow(*table, {"key", "command", "public_key"});
  signing.key = tables.path(*table, "key");
  signing.command = tables.texts(*table, "command");
  signing.public_key = tables.path(*table, "public_key");
  if (signing.key.empty() == signing.command.empty())
    return tables.wrong(*table, "[signing] needs either `key`, a secret key file, or `command`");
  if (signing.command.empty() != signing.public_key.empty())
    return tables.wrong(*table,
                        "`command` needs `public_key`, the file KEY.pub of the key it signs with, and `key` "
                        "needs none");
}

void read_usage(TomlTables& tables, const toml::table& root, site::UsagePreferences& usage) {
  const toml::node* node = root.get("usage");
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) return tables.wrong(*node, "`usage` must be a table: [usage]");
  tables.allow(*table, {"content_usage", "content_signal", "license"});
  usage = {tables.text(*table, "content_usage"), tables.text(*table, "content_signal"),
           tables.text(*table, "license")};
  if (const std::string fault = site::find_usage_fault(usage); !fault.empty()) tables.wrong(*table, fault);
}

}  // namespace sheaf::publish
