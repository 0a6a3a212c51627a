#pragma once

#include "sheaf/html/dom.h"
#include <sheaf/arena.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Cleans short texts such as a title, a name or a description. White space is trimmed and collapsed to one
// space between words. Invisible characters (soft hyphens, zero-width spaces, byte-order marks) are removed.
namespace sheaf::html {

/// The markup that a value may still contain after parsing. Values of `meta` and JSON-LD are often escaped
/// twice or contain formatting tags, because a template wrote HTML instead of plain text. In the text of an
/// element a tag would have become an element, so anything that looks like a tag there is text.
enum class Markup : std::uint8_t { references, references_and_tags };

/// Converts a value to plain text. Character references that end in a semicolon are decoded once, so "AT&T"
/// and
/// "?a=1&copy=2" are kept. Only formatting tags (b, br, p, span...) are removed; "the <table> element" is
/// kept. Returns a view of `raw` if nothing changed, else of the arena.
std::string_view clean_text(std::string_view raw, Markup markup, Arena& arena);

/// The visible text of a node, cleaned. Blocks and line breaks separate words. Returns nullopt if the text is
/// empty, longer than `most` bytes, or consists of more than a thousand nodes: it is then content, not a
/// value.
std::optional<std::string_view> element_text(const Document& document, NodeId node, std::size_t most,
                                             Arena& arena);

/// Copies an absolute URL to the arena, in the form that collections allow (backslashes are escaped).
std::string_view url_text(std::string_view href, Arena& arena);

/// Whether two texts have the same letters and digits. Ignores ASCII case, white space and punctuation.
bool same_words(std::string_view a, std::string_view b);

/// Whether `whole` begins with the words of `part`, compared as in same_words(). The match must end at the
/// end of a word of `whole`.
bool begins_with_words(std::string_view whole, std::string_view part);

}  // namespace sheaf::html
