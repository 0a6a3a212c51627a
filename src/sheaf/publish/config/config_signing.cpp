#include "sheaf/publish/config/config_internal.h"

namespace sheaf::publish {

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
