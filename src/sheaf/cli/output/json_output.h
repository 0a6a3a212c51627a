#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/model/collection.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::cli {

/// Version of everything that --json prints. It is raised when a member is removed, renamed or changes its
/// meaning, not when one is added: programs must ignore unknown members.
inline constexpr std::uint64_t kSchemaVersion = 1;

/// Builds one JSON value on one line, members in the order of the calls.
class JsonOutput {
 public:
  /// The object that a command prints as its report or as a line of it: {"schemaVersion":1, ...
  JsonOutput& begin_report();
  JsonOutput& begin_object(std::string_view key = {});
  JsonOutput& end_object();
  JsonOutput& begin_array(std::string_view key = {});
  JsonOutput& end_array();
  JsonOutput& string(std::string_view key, std::string_view value);
  JsonOutput& element(std::string_view value);
  JsonOutput& number(std::string_view key, std::uint64_t value);
  JsonOutput& decimal(std::string_view key, double value);
  JsonOutput& boolean(std::string_view key, bool value);
  JsonOutput& null(std::string_view key);
  JsonOutput& raw(std::string_view key, std::string_view json);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void begin(std::string_view key);

  std::string text_;
  bool first_ = true;
};

/// Prints the result of --count: the number, or {"pages": N}.
void print_count(std::uint64_t pages, bool json);

/// {"code", "level", "line", "offset", "url", "message"} as a member or element.
void write_finding(JsonOutput& out, std::string_view key, const format::Finding& finding);

/// The metadata line under "collection"; null if there is none.
void write_head(JsonOutput& out, const model::CollectionHead* head);

}  // namespace sheaf::cli
