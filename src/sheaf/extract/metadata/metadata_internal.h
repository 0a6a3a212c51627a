#pragma once

#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/extract/metadata/json_ld.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/extract/metadata/metadata_address.h"
#include "sheaf/extract/metadata/metadata_sources.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/time.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The parts of read_metadata(); each one decides about one field or two. docs/extraction.md, "Metadata", has
// the rules and their reasons.
namespace sheaf::extract {

/// The visible headline of the page.
struct Headline {
  html::NodeId node = html::kNoNode;
  std::uint32_t order = 0;
  std::string_view text;
};

/// The titles in the page's metadata, the most reliable first.
struct DeclaredTitles {
  std::vector<std::string_view> titles;
  /// The pieces of the titles between separators, and sequences of adjacent pieces: the headline is usually
  /// one of these.
  std::vector<std::string_view> parts;
};

/// A text node and its trimmed text.
struct NearText {
  html::NodeId node = html::kNoNode;
  std::string_view text;
};

struct MetadataContext {
  const html::Document& document;
  const PageOutline& outline;
  const MetadataOptions& options;
  const MetadataSources& sources;
  const JsonLdFacts& facts;
  Arena& arena;
  DeclaredTitles declared;
  std::optional<Headline> banner;  ///< the heading in which the site's header names the site
  std::optional<Headline> headline;
  /// Text nodes around the headline: first those closely after it, then those before it in reverse order,
  /// then further ones after it. Empty if there is no headline.
  std::vector<NearText> near_headline;
};

/// The cleaned value with the best rank of a field, ignoring values that are empty or longer than `most`
/// bytes.
OptionalText best_meta(const MetadataContext& context, MetaField field, std::size_t most);

/// Whether a text is a name of the site: the one that the site declares, its host, or the main word of the
/// host.
bool is_site_name(const MetadataContext& context, std::string_view text);

/// Whether a text is a name of the site, or a short text that contains the main word of the host: "The
/// Example Times" on example.com.
bool sounds_like_site(const MetadataContext& context, std::string_view text);

/// The value of a microdata or RDFa element: its content, datetime or text. nullopt if it describes something
/// other than the page (a comment, a person, an image).
OptionalText item_value(const MetadataContext& context, html::NodeId node, std::size_t most);

// metadata_banner.cpp
/// Whether a heading names the site and not the page: it is a link to the front page, or it is in the page's
/// header and is a part of a declared title but not its beginning.
bool is_banner(const MetadataContext& context, html::NodeId heading, std::string_view text);

// metadata_title.cpp: to be called in this order; each result is stored in the context before the next call.
DeclaredTitles read_declared_titles(const MetadataContext& context);
std::optional<Headline> find_banner(const MetadataContext& context);
std::optional<Headline> choose_headline(const MetadataContext& context);
OptionalText read_title(const MetadataContext& context);

// metadata_author.cpp
OptionalText read_author(const MetadataContext& context);

// metadata_date.cpp
struct PageDates {
  std::optional<Instant> published;
  std::optional<Instant> modified;
};
PageDates read_dates(const MetadataContext& context, std::string_view language);

// metadata_address.cpp
OptionalText read_language(const MetadataContext& context);
OptionalText read_canonical(const MetadataContext& context);
std::optional<List<Text>> read_robots(const MetadataContext& context);

}  // namespace sheaf::extract
