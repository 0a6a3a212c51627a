#pragma once

#include "sheaf/base/url.h"
#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::extract {

class PageOutline;
struct GeneratedPage;

/// A VideoObject or AudioObject of the page's structured data: what it knows of a video or a recording that
/// the markup does not say.
struct MediaObject {
  enum class Kind : std::uint8_t { video, audio };
  Kind kind = Kind::video;
  OptionalText name;
  OptionalText description;
  OptionalText content_url;  ///< absolute
  OptionalText embed_url;    ///< absolute
  OptionalText thumbnail_url;
  OptionalText duration;  ///< ISO 8601
  OptionalText transcript;
};

/// A piece of what structured data say of a page's content, for pages that show less.
struct DeclaredPart {
  enum class Kind : std::uint8_t {
    paragraph,  ///< of an article
    post,       ///< of a thread: its first paragraph has who wrote it and when as its note, others none
    question,   ///< its answers follow
    answer,
    description,  ///< of a product
    price,
    property,  ///< a name, with its value as the note
    ingredient,
    section,  ///< a heading over steps
    step,
  };
  Kind kind = Kind::paragraph;
  Text text;
  Text note;
};

/// What a page says of itself, in its head, its structured data and the visible byline. Absent fields are
/// nullopt: falling back on other things is the caller's.
struct Metadata {
  OptionalText title;      ///< without the site's name where that is clear
  OptionalText site_name;  ///< og:site_name and its like
  OptionalText description;
  OptionalText author;  ///< several are joined by ", "
  std::optional<Instant> published;
  std::optional<Instant> modified;
  OptionalText language;              ///< a BCP 47 tag in normal case
  OptionalText canonical;             ///< absolute
  OptionalText declared_text;         ///< the text itself, where structured data repeat it (articleBody, a
                                      ///< recipe, questions and answers)
  List<DeclaredPart> declared_parts;  ///< the same, piece by piece
  std::uint32_t kinds = 0;            ///< what structured data and Open Graph say that it is (DeclaredKind)
  OptionalText schema;                ///< one JSON object without line breaks: the main entity of the JSON-LD
  std::optional<List<Text>> robots;   ///< directives in lower case, each once
  List<MediaObject> media;
  html::NodeId headline = html::kNoNode;  ///< the element that shows the title, if one does
};

struct MetadataOptions {
  const base::Url* url = nullptr;            ///< the page's own URL
  std::string_view robots_header;            ///< the value of X-Robots-Tag, several joined by commas
  const GeneratedPage* generated = nullptr;  ///< what the page's generator tells, if it is known
  Instant now = sheaf::now();                ///< dates more than a day later are not believed
};

/// Strings of the result are views of the document or lie in the arena.
Metadata read_metadata(const html::Document& document, const PageOutline& outline,
                       const MetadataOptions& options, Arena& arena);

}  // namespace sheaf::extract
