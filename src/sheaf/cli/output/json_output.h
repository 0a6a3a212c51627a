#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/model/collection.h"

#include <cstdint>
#include <string_view>

namespace sheaf::cli {

/// Version of everything that --json prints. It is raised when a member is removed, renamed or changes its
/// meaning, not when one is added: programs must ignore unknown members.
inline constexpr std::uint64_t kSchemaVersion = 1;

/// Builds the JSON that a command prints.
class JsonOutput : public format::JsonWriter {
 public:
  /// Begins the object that a command prints, as its report or as one line of it: {"schemaVersion":1, ...
  format::JsonWriter& begin_report() { return begin_object().number("schemaVersion", kSchemaVersion); }
};

/// Prints the result of --count: the number, or {"pages": N}.
void print_count(std::uint64_t pages, bool json);

/// Writes {"code", "level", "line", "offset", "url", "message"} as a member, or as an element if `key` is
/// empty.
void write_finding(format::JsonWriter& out, std::string_view key, const format::Finding& finding);

/// Writes the metadata line as the member "collection"; null if there is none.
void write_head(format::JsonWriter& out, const model::CollectionHead* head);

}  // namespace sheaf::cli
