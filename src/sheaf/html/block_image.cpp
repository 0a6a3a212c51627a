#include "sheaf/html/block_image.h"

#include "sheaf/html/query.h"
#include "sheaf/html/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace sheaf::html {
namespace {

// Where scripts for lazy loading keep the address until the image comes into view.
constexpr std::array<std::string_view, 8> kLazySources = {"data-src",        "data-original", "data-lazy-src",
                                                          "data-lazy",       "data-orig-src", "data-full-src",
                                                          "data-hi-res-src", "data-actualsrc"};
constexpr std::array<std::string_view, 3> kLazySets = {"data-srcset", "data-lazy-srcset", "srcset"};

// A wide screen; wider ones are for print and zooming, and cost readers far more than they show.
constexpr double kSensibleWidth = 2048;
constexpr double kSensibleDensity = 2;

// Icons of menus and buttons come in the sizes 16, 24 and 32.
constexpr unsigned kIconSize = 32;
constexpr unsigned kPixelSize = 2;

// Files whose only purpose is to take up room.
constexpr std::array<std::string_view, 9> kSpacers = {"spacer", "blank", "pixel", "transparent", "1x1",
                                                      "clear",  "dot",   "empty", "placeholder"};

bool has_scheme(std::string_view url, std::string_view scheme) {
  return equal_text(url.substr(0, scheme.size()), scheme, TextCase::ignore);
}

bool is_spacer(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  if (const std::size_t slash = url.rfind('/'); slash != std::string_view::npos) url.remove_prefix(slash + 1);
  const std::string_view stem = url.substr(0, url.find('.'));
  return std::ranges::find(kSpacers, stem) != kSpacers.end();
}

bool is_real(std::string_view url) {
  return !url.empty() && !has_scheme(url, "data:") && !has_scheme(url, "blob:") &&
         !has_scheme(url, "about:") && url.front() != '#' && !is_spacer(url);
}

/// A length in pixels: "24", "24px"; nullopt for everything else, percentages included.
std::optional<unsigned> pixels(std::optional<std::string_view> value) {
  if (!value) return std::nullopt;
  const std::string_view text = trim_space(*value);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!unit.empty() && unit != "px") return std::nullopt;
  return number;
}

bool is_tiny(const Document& document, NodeId image) {
  const auto width = pixels(document.attribute(image, Name::width));
  const auto height = pixels(document.attribute(image, Name::height));
  if ((width && *width <= kPixelSize) || (height && *height <= kPixelSize)) return true;
  return width && height && *width <= kIconSize && *height <= kIconSize;
}

/// One candidate of a srcset; `size` is its width in pixels or, scaled to that, its density.
struct Candidate {
  std::string_view url;
  double size = 0;
};

/// Takes one candidate off the front. Commas may stand inside an address, so it ends at white space; one that
/// hangs at its end closes the candidate.
std::optional<Candidate> take_candidate(std::string_view& set) {
  while (!set.empty() && (is_space(set.front()) || set.front() == ',')) set.remove_prefix(1);
  if (set.empty()) return std::nullopt;
  std::size_t end = 0;
  while (end < set.size() && !is_space(set[end])) ++end;
  Candidate candidate{set.substr(0, end), kSensibleWidth / kSensibleDensity};
  set.remove_prefix(end);
  if (candidate.url.back() == ',') {
    while (!candidate.url.empty() && candidate.url.back() == ',') candidate.url.remove_suffix(1);
    return candidate;
  }
  const std::string_view descriptor = trim_space(set.substr(0, set.find(',')));
  set.remove_prefix(std::min(set.find(','), set.size()));
  double number = 0;
  const auto [rest, error] =
      std::from_chars(descriptor.data(), descriptor.data() + descriptor.size(), number);
  if (error != std::errc() || rest == descriptor.data() + descriptor.size()) return candidate;
  if (*rest == 'w') candidate.size = number;
  if (*rest == 'x') candidate.size = number * kSensibleWidth / kSensibleDensity;
  return candidate;
}

std::string_view own_source(const Document& document, NodeId image) {
  for (const std::string_view name : kLazySets)
    if (const auto set = document.attribute(image, name))
      if (const std::string_view url = best_candidate(*set); !url.empty()) return url;
  for (const std::string_view name : kLazySources)
    if (const auto value = document.attribute(image, name))
      if (const std::string_view url = trim_space(*value); is_real(url)) return url;
  const std::string_view url = trim_space(document.attribute(image, Name::src).value_or(""));
  return is_real(url) ? url : std::string_view();
}

/// The set of the first `source` before the image that has one: the `picture` lists the preferred form first.
std::string_view picture_source(const Document& document, NodeId image) {
  const NodeId picture = document.parent(image);
  if (!document.is_html(picture, Name::picture)) return {};
  for (NodeId child = document.first_child(picture); child != kNoNode && child != image;
       child = document.next(child)) {
    if (!document.is_html(child, Name::source)) continue;
    for (const std::string_view name : kLazySets)
      if (const auto set = document.attribute(child, name))
        if (const std::string_view url = best_candidate(*set); !url.empty()) return url;
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

std::string_view image_source(const Document& document, NodeId image) {
  if (is_tiny(document, image)) return {};
  const std::string_view own = own_source(document, image);
  return own.empty() ? picture_source(document, image) : own;
}

bool is_emoji(const Document& document, NodeId image) {
  const std::string_view alt = document.attribute(image, Name::alt).value_or("");
  if (alt.empty()) return false;
  return has_class(document, image, "emoji") || has_class(document, image, "wp-smiley") ||
         has_class(document, image, "emojione") || has_class(document, image, "twemoji");
}

}  // namespace sheaf::html
