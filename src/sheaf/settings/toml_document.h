#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::settings {

/// A value of a TOML file and where it is.
struct TomlValue {
  enum class Kind : std::uint8_t { text, number, flag, list, table, other };
  Kind kind = Kind::other;
  std::size_t line = 0;   ///< from 1
  std::string name = {};  ///< in the table that it is a member of
  std::string text = {};
  std::int64_t number = 0;
  bool flag = false;
  std::vector<TomlValue> items = {};    ///< of a list
  std::vector<TomlValue> members = {};  ///< of a table

  /// Null if the table has no such member.
  [[nodiscard]] const TomlValue* find(std::string_view wanted) const;
};

/// Parses a file of at most 1 MiB. Errors, invalid_argument: "FILE:LINE: REASON".
base::Result<TomlValue> parse_toml(std::string_view text, const std::string& file);

/// Takes values out of tables and remembers the first error, with the file and its line. Missing and wrong
/// values are empty, so that a caller reads everything and looks for an error once.
class TomlForm {
 public:
  explicit TomlForm(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::optional<base::Error>& error() const { return error_; }
  void wrong(const TomlValue& value, std::string_view what);

  /// Everything else in the table is an error: a misspelt name must not be ignored.
  void allow(const TomlValue& table, std::initializer_list<std::string_view> names);
  std::string text(const TomlValue& table, std::string_view name);
  /// A list of texts, or one text.
  std::vector<std::string> texts(const TomlValue& table, std::string_view name);
  std::optional<std::int64_t> number(const TomlValue& table, std::string_view name, std::int64_t least,
                                     std::int64_t most);

 private:
  std::string file_;
  std::optional<base::Error> error_;
};

}  // namespace sheaf::settings
