#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"

#include <fmt/format.h>
#include <toml_library.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::publish {

/// Reads values from tables, and records the first error with its line. Missing and invalid values are
/// returned as empty or as their default.
class TomlTables {
 public:
  explicit TomlTables(std::filesystem::path file) : file_(std::move(file)) {}

  [[nodiscard]] const std::optional<base::Error>& error() const { return error_; }

  void wrong(const toml::node& node, std::string what) {
    if (error_) return;
    const auto line = node.source().begin.line;
    error_ = base::Error{base::Errc::invalid_argument,
                         line > 0 ? fmt::format("{}:{}: {}", file_.string(), line, what)
                                  : fmt::format("{}: {}", file_.string(), what)};
  }

  void allow(const toml::table& table, std::initializer_list<std::string_view> names) {
    for (const auto& [key, value] : table)
      if (std::ranges::find(names, key.str()) == names.end())
        wrong(value, fmt::format("`{}` is not known here; known are: {}", key.str(), fmt::join(names, ", ")));
  }

  std::string text(const toml::table& table, std::string_view name) {
    const toml::node* node = table.get(name);
    if (node == nullptr) return {};
    if (const auto value = node->value_exact<std::string>()) return *value;
    wrong(*node, fmt::format("`{}` must be a text in quotes", name));
    return {};
  }

  /// Resolves a path relative to the folder of the file.
  [[nodiscard]] std::filesystem::path resolve(std::string_view given) const {
    return (file_.parent_path() / given).lexically_normal();
  }

  std::filesystem::path path(const toml::table& table, std::string_view name) {
    const std::string given = text(table, name);
    return given.empty() ? std::filesystem::path() : resolve(given);
  }

  std::vector<std::string> texts(const toml::table& table, std::string_view name) {
    const toml::node* node = table.get(name);
    std::vector<std::string> values;
    if (node == nullptr) return values;
    if (const auto* one = node->as_string()) return {one->get()};
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      wrong(*node, fmt::format("`{}` must be a list of texts", name));
      return values;
    }
    for (const toml::node& each : *array) {
      if (const auto* value = each.as_string()) {
        values.push_back(value->get());
      } else {
        wrong(each, fmt::format("`{}` must be a list of texts", name));
      }
    }
    return values;
  }

  std::int64_t number(const toml::table& table, std::string_view name, std::int64_t least, std::int64_t most,
                      std::int64_t otherwise) {
    const toml::node* node = table.get(name);
    if (node == nullptr) return otherwise;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= least && *value <= most) return *value;
    wrong(*node, fmt::format("`{}` must be a whole number from {} to {}", name, least, most));
    return otherwise;
  }

  std::optional<bool> flag(const toml::table& table, std::string_view name) {
    const toml::node* node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<bool>();
    if (!value) wrong(*node, fmt::format("`{}` must be true or false", name));
    return value;
  }

 private:
  std::filesystem::path file_;
  std::optional<base::Error> error_;
};

/// Reads a [[section.source]].
SourceConfig read_source(TomlTables& tables, const toml::table& table);

/// Reads [delivery], if there is one.
void read_delivery(TomlTables& tables, const toml::table& root, DeliveryConfig& delivery);

/// Reads [outputs], if there is one.
void read_outputs(TomlTables& tables, const toml::table& root, OutputsConfig& outputs);

/// Reads [signing], if there is one.
void read_signing(TomlTables& tables, const toml::table& root, SigningConfig& signing);

/// Reads [usage], if there is one.
void read_usage(TomlTables& tables, const toml::table& root, site::UsagePreferences& usage);

std::string with_slash(std::string text);

}  // namespace sheaf::publish
