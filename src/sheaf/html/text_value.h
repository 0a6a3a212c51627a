#pragma once

#include "sheaf/html/dom.h"
#include <sheaf/arena.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Texts as values: the title, a name, a description. White space is collapsed to one space between words and
// trimmed; invisible characters (soft hyphens, zero-width spaces, byte-order marks) are removed.
namespace sheaf::html {

/// Which markup a value may still contain after parsing. Values of `meta` and JSON-LD are often escaped twice
/// or contain formatting tags, because a template wrote HTML instead of plain text. In the text of an element
/// a tag would have become an element, so whatever looks like a tag there is text.
enum class Markup : std::uint8_t { references, references_and_tags };

/// The value as plain text. Character references that end in a semicolon are decoded once, so "AT&T" and
/// "?a=1&copy=2" are kept. Only formatting tags (b, br, p, span...) are removed: "the <table> element" is
/// text. Returns a view of `raw` if nothing changed, else of the arena.
std::string_view clean_text(std::string_view raw, Markup markup, Arena& arena);

/// The visible text of a node, cleaned; blocks and line breaks separate words. nullopt if it is empty, longer
/// than `most` bytes or in a thousand pieces: then it is page content and not a value.
std::optional<std::string_view> element_text(const Document& document, NodeId node, std::size_t most,
                                             Arena& arena);

/// An absolute URL in the form that collections allow, in the arena.
std::string_view url_text(std::string_view href, Arena& arena);

/// Whether both have the same letters and digits, ignoring ASCII case and all other characters.
bool same_words(std::string_view a, std::string_view b);

/// Whether the letters and digits of `whole` begin (or end) with those of `part`, at a word's end (or
/// start).
bool begins_with_words(std::string_view whole, std::string_view part);

}  // namespace sheaf::html
