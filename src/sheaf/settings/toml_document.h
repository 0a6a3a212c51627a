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

/// A value of a TOML file and its position.
struct TomlValue {
  enum class Kind : std::uint8_t { text, number, flag, list, table, other };
  Kind kind = Kind::other;
  std::size_t line = 0;   ///< line number, from 1
  std::string name = {};  ///< key in the enclosing table
  std::string text = {};
  std::int64_t number = 0;
  bool flag = false;
  std::vector<TomlValue> items = {};    ///< items of a list
  std::vector<TomlValue> members = {};  ///< members of a table

  /// Returns the member with that name; null if there is none.
  [[nodiscard]] const TomlValue* find(std::string_view wanted) const;
};

/// Parses a file of at most 1 MiB. Fails with invalid_argument and a message "FILE:LINE: REASON".
base::Result<TomlValue> parse_toml(std::string_view text, const std::string& file);

/// Reads values from tables and records the first error with file and line. Missing and invalid values are
/// returned as empty values, so a caller can read everything and check for an error once.
class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::optional<base::Error>& error() const { return error_; }
  void wrong(const TomlValue& value, std::string_view what);

  /// Reports an error if the table has any other member, so that misspelt names are not ignored.
  void allow(const TomlValue& table, std::initializer_list<std::string_view> names);
  std::string text(const TomlValue& table, std::string_view name);
  /// Reads a list of texts. A single text is accepted too.
  std::vector<std::string> texts(const TomlValue& table, std::string_view name);
  std::optional<std::int64_t> number(const TomlValue& table, std::string_view name, std::int64_t least,
                                     std::int64_t most);

 private:
  std::string file_;
  std::optional<base::Error> error_;
};

}  // namespace sheaf::settings
