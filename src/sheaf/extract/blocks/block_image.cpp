#include "sheaf/extract/blocks/block_image.h"

#include "sheaf/html/dom.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

namespace sheaf::extract {
namespace {

// Attributes that may have the URL of an image, best first. Scripts for lazy loading keep it in their own
// attributes until the image comes into view; until then `src` is a placeholder. Sets come first because they
// have the larger images.
struct SourceAttribute {
  std::string_view name;
  bool set = false;
};
constexpr std::array<SourceAttribute, 12> kSourceAttributes = {{{"data-srcset", true},
                                                                {"data-lazy-srcset", true},
                                                                {"srcset", true},
                                                                {"data-src", false},
                                                                {"data-original", false},
                                                                {"data-lazy-src", false},
                                                                {"data-lazy", false},
                                                                {"data-orig-src", false},
                                                                {"data-full-src", false},
                                                                {"data-hi-res-src", false},
                                                                {"data-actualsrc", false},
                                                                {"src", false}}};

// The width of a large screen. Wider images are for print and zooming and cost clients more than they are
// worth.
constexpr double kSensibleWidth = 2048;
constexpr double kSensibleDensity = 2;

// Icons of menus and buttons come in the sizes 16, 24 and 32.
constexpr unsigned kIconSize = 32;
constexpr unsigned kPixelSize = 2;

// Names of files whose only purpose is to fill space.
constexpr std::array<std::string_view, 9> kSpacers = {"spacer", "blank", "pixel", "transparent", "1x1",
                                                      "clear",  "dot",   "empty", "placeholder"};

bool has_scheme(std::string_view url, std::string_view scheme) {
  return text::equal_text(url.substr(0, scheme.size()), scheme, text::TextCase::ignore);
}

bool is_spacer(std::string_view url) {
  const char* const end = text::scan::find_any(url.data(), url.data() + url.size(), '?', '#', '?', '#');
  url = url.substr(0, static_cast<std::size_t>(end - url.data()));
  if (const std::size_t slash = url.rfind('/'); slash != std::string_view::npos) url.remove_prefix(slash + 1);
  const std::string_view stem = url.substr(0, url.find('.'));
  return std::ranges::find(kSpacers, stem) != kSpacers.end();
}

bool is_real(std::string_view url) {
  return !url.empty() && !has_scheme(url, "data:") && !has_scheme(url, "blob:") &&
         !has_scheme(url, "about:") && url.front() != '#' && !is_spacer(url);
}

/// A length in pixels: "24", "24px"; nullopt for everything else, including percentages.
std::optional<unsigned> pixels(std::optional<std::string_view> value) {
  if (!value) return std::nullopt;
  const std::string_view text = text::trim_space(*value);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!unit.empty() && unit != "px") return std::nullopt;
  return number;
}

bool is_tiny(const html::Document& document, html::NodeId image) {
  const auto width = pixels(document.attribute(image, html::Name::width));
  const auto height = pixels(document.attribute(image, html::Name::height));
  if ((width && *width <= kPixelSize) || (height && *height <= kPixelSize)) return true;
  return width && height && *width <= kIconSize && *height <= kIconSize;
}

/// One candidate of a srcset; `size` is its width in pixels, or its density converted to pixels.
struct Candidate {
  std::string_view url;
  double size = 0;
};

/// Removes one candidate from the front of `set` and returns it. URLs may contain commas, so a URL ends at
/// white space; a comma at its end terminates the candidate.
std::optional<Candidate> take_candidate(std::string_view& set) {
  while (!set.empty() && (text::is_space(set.front()) || set.front() == ',')) set.remove_prefix(1);
  if (set.empty()) return std::nullopt;
  std::size_t end = 0;
  while (end < set.size() && !text::is_space(set[end])) ++end;
  Candidate candidate{set.substr(0, end), kSensibleWidth / kSensibleDensity};
  set.remove_prefix(end);
  if (candidate.url.back() == ',') {
    while (!candidate.url.empty() && candidate.url.back() == ',') candidate.url.remove_suffix(1);
    return candidate;
  }
  const std::string_view descriptor = text::trim_space(set.substr(0, set.find(',')));
  set.remove_prefix(std::min(set.find(','), set.size()));
  double number = 0;
  const auto [rest, error] =
      std::from_chars(descriptor.data(), descriptor.data() + descriptor.size(), number);
  if (error != std::errc() || rest == descriptor.data() + descriptor.size()) return candidate;
  if (*rest == 'w') candidate.size = number;
  if (*rest == 'x') candidate.size = number * kSensibleWidth / kSensibleDensity;
  return candidate;
}

/// The index of an attribute in kSourceAttributes; the size of the table if it is not in there.
std::size_t source_rank(const html::Document& document, const html::Attribute& attribute) {
  const std::string_view name = document.names().text(attribute.name);
  if (!name.starts_with("data-") && !name.starts_with("src")) return kSourceAttributes.size();
  const auto* found = std::ranges::find(kSourceAttributes, name, &SourceAttribute::name);
  return static_cast<std::size_t>(found - kSourceAttributes.begin());
}

std::string_view own_source(const html::Document& document, html::NodeId image) {
  std::size_t best = kSourceAttributes.size();
  std::string_view source;
  for (const html::Attribute& attribute : document.attributes(image)) {
    const std::size_t rank = source_rank(document, attribute);
    if (rank >= best) continue;
    std::string_view url = text::trim_space(document.value(attribute));
    if (kSourceAttributes[rank].set) url = best_candidate(url);
    if (!is_real(url)) continue;
    best = rank;
    source = url;
  }
  return source;
}

/// The URL of the first usable `source` before the image: a `picture` lists its preferred format first.
std::string_view picture_source(const html::Document& document, html::NodeId image) {
  const html::NodeId picture = document.parent(image);
  if (!document.is_html(picture, html::Name::picture)) return {};
  for (html::NodeId child = document.first_child(picture); child != html::kNoNode && child != image;
       child = document.next(child)) {
    if (!document.is_html(child, html::Name::source)) continue;
    if (const std::string_view url = own_source(document, child); !url.empty()) return url;
  }
  return {};
}

}  // namespace

std::string_view best_candidate(std::string_view srcset) {
  Candidate best;
  while (const auto candidate = take_candidate(srcset)) {
    if (!is_real(candidate->url)) continue;
    const bool fits = candidate->size <= kSensibleWidth;
    const bool best_fits = best.size <= kSensibleWidth;
    const bool better =
        fits ? !best_fits || candidate->size > best.size : !best_fits && candidate->size < best.size;
    if (best.url.empty() || better) best = *candidate;
  }
  return best.url;
}

std::string_view image_source(const html::Document& document, html::NodeId image) {
  if (is_tiny(document, image)) return {};
  const std::string_view own = own_source(document, image);
  return own.empty() ? picture_source(document, image) : own;
}

bool is_emoji(const html::Document& document, html::NodeId image) {
  const std::string_view alt = document.attribute(image, html::Name::alt).value_or("");
  if (alt.empty()) return false;
  return html::has_class(document, image, "emoji") || html::has_class(document, image, "wp-smiley") ||
         html::has_class(document, image, "emojione") || html::has_class(document, image, "twemoji");
}

}  // namespace sheaf::extract
