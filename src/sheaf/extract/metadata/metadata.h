#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/time.h"
#include "sheaf/base/url.h"
#include "sheaf/html/dom.h"
#include "sheaf/model/block.h"

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
  model::OptionalText name;
  model::OptionalText description;
  model::OptionalText content_url;  ///< absolute
  model::OptionalText embed_url;    ///< absolute
  model::OptionalText thumbnail_url;
  model::OptionalText duration;  ///< ISO 8601
  model::OptionalText transcript;
};

/// What a page says of itself, in its head, its structured data and the visible byline. Absent fields are
/// nullopt: falling back on other things is the caller's.
struct Metadata {
  model::OptionalText title;      ///< without the site's name where that is clear
  model::OptionalText site_name;  ///< og:site_name and its like
  model::OptionalText description;
  model::OptionalText author;  ///< several are joined by ", "
  std::optional<base::Instant> published;
  std::optional<base::Instant> modified;
  model::OptionalText language;       ///< a BCP 47 tag in normal case
  model::OptionalText canonical;      ///< absolute
  model::OptionalText declared_text;  ///< the text itself, where structured data repeat it (articleBody, a
                                      ///< recipe, questions and answers)
  std::uint32_t kinds = 0;            ///< what structured data and Open Graph say that it is (DeclaredKind)
  model::OptionalText schema;         ///< one JSON object without line breaks: the main entity of the JSON-LD
  std::optional<model::List<model::Text>> robots;  ///< directives in lower case, each once
  model::List<MediaObject> media;
  html::NodeId headline = html::kNoNode;  ///< the element that shows the title, if one does
};

struct MetadataOptions {
  const base::Url* url = nullptr;            ///< the page's own address
  std::string_view robots_header;            ///< the value of X-Robots-Tag, several joined by commas
  const GeneratedPage* generated = nullptr;  ///< what the page's generator tells, if it is known
  base::Instant now = base::now();           ///< dates more than a day later are not believed
};

/// Strings of the result are views of the document or lie in the arena.
Metadata read_metadata(const html::Document& document, const PageOutline& outline,
                       const MetadataOptions& options, base::Arena& arena);

}  // namespace sheaf::extract
