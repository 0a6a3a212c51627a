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

/// A VideoObject or AudioObject of the page's structured data: facts about a video or a recording that the
/// markup does not have.
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

/// A part of the content that the page's structured data declares, for pages that show less.
struct DeclaredPart {
  enum class Kind : std::uint8_t {
    paragraph,  ///< of an article
    post,       ///< of a thread; the note of its first paragraph says who wrote it and when
    question,   ///< followed by its answers
    answer,
    description,  ///< of a product
    price,
    property,  ///< a name, with its value as the note
    ingredient,
    section,  ///< a heading above steps
    step,
  };
  Kind kind = Kind::paragraph;
  Text text;
  Text note;
};

/// What a page says about itself in its head, its structured data and the visible byline. Fields that the
/// page does not have are nullopt; the caller chooses fallbacks.
struct Metadata {
  OptionalText title;      ///< without the site's name, if it was recognised
  OptionalText site_name;  ///< og:site_name and the like
  OptionalText description;
  OptionalText author;  ///< several are joined by ", "
  std::optional<Instant> published;
  std::optional<Instant> modified;
  OptionalText language;       ///< a BCP 47 tag in canonical case
  OptionalText canonical;      ///< absolute
  OptionalText declared_text;  ///< the page's text in its structured data (articleBody, a recipe, questions)
  List<DeclaredPart> declared_parts;  ///< the same text in parts
  std::uint32_t kinds = 0;            ///< bits of DeclaredKind: what structured data and Open Graph declare
  OptionalText schema;                ///< the main entity of the JSON-LD: one JSON object without line breaks
  std::optional<List<Text>> robots;   ///< directives in lowercase, without duplicates
  List<MediaObject> media;
  html::NodeId headline = html::kNoNode;  ///< the element that shows the title, if any
};

struct MetadataOptions {
  const base::Url* url = nullptr;            ///< the page's own URL
  std::string_view robots_header;            ///< the values of X-Robots-Tag, joined by commas
  const GeneratedPage* generated = nullptr;  ///< facts from the page's generator, if it is known
  Instant now = sheaf::now();                ///< dates more than a day after this are ignored
};

/// Reads the metadata of a page. Strings of the result are views of the document or of the arena.
Metadata read_metadata(const html::Document& document, const PageOutline& outline,
                       const MetadataOptions& options, Arena& arena);

}  // namespace sheaf::extract
