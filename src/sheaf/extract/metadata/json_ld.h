#pragma once

#include "sheaf/base/url.h"
#include "sheaf/extract/metadata/metadata.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace sheaf::extract {

/// What the JSON-LD of a page says of it. Texts are cleaned, dates and languages as they stand.
struct JsonLdFacts {
  OptionalText headline;
  OptionalText description;
  List<Text> authors;  ///< names, in order
  OptionalText published;
  OptionalText uploaded;  ///< of a video or sound, which may be older than the page around it
  OptionalText modified;
  OptionalText language;
  OptionalText site_name;
  OptionalText declared_text;  ///< all that the page tells of its main entity: articleBody, a recipe's steps
  List<DeclaredPart> parts;    ///< the same, piece by piece
  OptionalText schema;         ///< the main entity: one JSON object without line breaks, with its @context
  List<MediaObject> media;
  std::uint32_t kinds =
      0;  ///< of DeclaredKind: the types of all that the page speaks of at the top of its data
};

/// Reads the texts of the page's `script type=application/ld+json` elements. What people get wrong is put
/// right where the meaning is beyond doubt (see json_repair.h); a block that is no JSON even so, is nested
/// too deep or too large is skipped. `page` resolves URLs and determines which of several articles is
/// this one.
JsonLdFacts read_json_ld(std::span<const std::string_view> blocks, const base::Url* page, Arena& arena);

}  // namespace sheaf::extract
