#pragma once

#include "sheaf/base/url.h"
#include "sheaf/extract/metadata/metadata.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace sheaf::extract {

/// What the JSON-LD of a page says about it. Texts are cleaned; dates and languages are as written.
struct JsonLdFacts {
  OptionalText headline;
  OptionalText description;
  List<Text> authors;  ///< names, in order
  OptionalText published;
  OptionalText uploaded;  ///< date of a video or recording, which may be older than the page around it
  OptionalText modified;
  OptionalText language;
  OptionalText site_name;
  OptionalText declared_text;  ///< the text of the main entity: articleBody, a recipe's steps
  List<DeclaredPart> parts;    ///< the same text in parts
  OptionalText schema;         ///< the main entity: one JSON object without line breaks, with its @context
  List<MediaObject> media;
  std::uint32_t kinds = 0;  ///< bits of DeclaredKind: the types of all top-level entities
};

/// Reads the texts of the page's `script type=application/ld+json` elements. Repairs common errors whose
/// meaning is certain (json_repair.h). Skips a block that is not JSON even then, is nested too deeply, or is
/// too large. `page` resolves URLs and determines which of several articles is this page.
JsonLdFacts read_json_ld(std::span<const std::string_view> blocks, const base::Url* page, Arena& arena);

}  // namespace sheaf::extract
