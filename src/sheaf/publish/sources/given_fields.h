#pragma once

#include "sheaf/publish/sources/source.h"

#include <string_view>

// What rows of databases and lines of JSON have in common: fields of a page and a body.
namespace sheaf::publish {

enum class BodyKind : std::uint8_t { html, markdown, text };

/// Sets the body of an item. Plain text becomes HTML: empty lines separate paragraphs, line breaks are kept.
void set_body(SourceItem& item, BodyKind kind, std::string_view body);

/// Parses a time as databases and people write it, or sets the item's `trouble`. An empty text is no time.
void take_time_text(std::string_view name, std::string_view text, std::optional<Instant>& time,
                    SourceItem& item);

/// Makes an item of a page as JSON that has `html`, `markdown` or `text` instead of `content`. Returns false,
/// and leaves the item as it is, if it has none of them or is not an object.
bool take_body_line(SourceItem& item);

}  // namespace sheaf::publish
