#include "sheaf/base/ascii.h"
#include "sheaf/extract/generators/generated_page.h"
#include "sheaf/extract/generators/permalink.h"
#include "sheaf/extract/metadata/metadata_internal.h"
#include "sheaf/extract/metadata/metadata_names.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace sheaf::extract {
namespace {

constexpr std::size_t kTitleBytes = 1024;  // a longer text is not a title
constexpr std::size_t kHeadingBytes = 512;

/// A separator in a title, including the spaces around its sign.
struct Separator {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool colon = false;
};

/// The size of the separator sign at the beginning of `text`; 0 if there is none. All signs but bars and
/// bullets need a space on both sides, because they also occur in words.
std::size_t separator_sign(std::string_view text, bool& needs_space) {
  struct Sign {
    std::string_view text;
    bool needs_space;
  };
  constexpr Sign kSigns[] = {
      {"|", false},     {"\u2022", false}, {"\u00BB", true}, {"\u00AB", true}, {"\u00B7", true},
      {"\u203A", true}, {"\u2039", true},  {"::", true},     {"-", true},      {"\u2013", true},
      {"\u2014", true}, {"~", true},       {"/", true},      {">", true},      {"<", true},
  };
  for (const Sign& sign : kSigns) {
    if (!text.starts_with(sign.text)) continue;
    needs_space = sign.needs_space;
    return sign.text.size();
  }
  return 0;
}

/// Whether a separator may begin with `c`.
constexpr bool may_begin_separator(char c) {
  return std::string_view(":|-~/><\xC2\xE2").find(c) != std::string_view::npos;
}

std::optional<Separator> separator_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (!may_begin_separator(c)) return std::nullopt;
  const bool space_before = at > 0 && text[at - 1] == ' ';
  if (c == ':' && at + 1 < text.size() && text[at + 1] == ' ')
    return Separator{space_before ? at - 1 : at, at + 2, true};
  bool needs_space = false;
  const std::size_t size = separator_sign(text.substr(at), needs_space);
  if (size == 0) return std::nullopt;
  const bool space_after = at + size < text.size() && text[at + size] == ' ';
  if (needs_space && !(space_before && space_after)) return std::nullopt;
  return Separator{space_before ? at - 1 : at, space_after ? at + size + 1 : at + size, false};
}

/// The ASCII letters and digits of a text in lowercase.
std::string squeeze(std::string_view text) {
  std::string squeezed;
  squeezed.reserve(text.size());
  for (const char c : text)
    if (base::is_alphanumeric(c)) squeezed += text::lower_ascii(c);
  return squeezed;
}

/// Whether both texts are equal after squeeze(). Does not copy them, because most differ in the first letter.
bool same_squeezed(std::string_view a, std::string_view b) {
  const auto skip_others = [](std::string_view& text) {
    while (!text.empty() && !base::is_alphanumeric(text.front())) text.remove_prefix(1);
  };
  for (;; a.remove_prefix(1), b.remove_prefix(1)) {
    skip_others(a);
    skip_others(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (text::lower_ascii(a.front()) != text::lower_ascii(b.front())) return false;
  }
}

/// The label of a host that names the site: "example" in www.example.co.uk. It is the second from the end, or
/// the third if the second is as short as the labels of registries (co, com, org, ac).
std::string_view main_label(std::string_view host) {
  std::array<std::string_view, 3> last;
  for (std::string_view& label : last) {
    const std::size_t dot = host.rfind('.');
    label = dot == std::string_view::npos ? host : host.substr(dot + 1);
    host = dot == std::string_view::npos ? std::string_view() : host.substr(0, dot);
  }
  return last[1].size() <= 3 && last[2].size() > 3 ? last[2] : last[1];
}

bool is_host_name(const MetadataContext& context, std::string_view text) {
  if (context.options.url == nullptr || text.size() > 80) return false;
  const std::string_view host = context.options.url->host();
  const bool is_name = same_squeezed(text, main_label(host)) || same_squeezed(text, host) ||
                       (host.starts_with("www.") && same_squeezed(text, host.substr(4)));
  return is_name && std::ranges::count_if(text, base::is_alphanumeric) >= 3;
}

/// Removes the parts with the site's name from both ends of a title.
std::string_view strip_site(const MetadataContext& context, std::string_view title) {
  for (int round = 0; round < 3; ++round) {
    const std::string_view before = title;
    // The separator remains if a template has left the name empty.
    while (title.ends_with(" |") || title.ends_with(" -")) title.remove_suffix(2);
    for (std::size_t at = title.size(); at-- > 1;) {
      const auto separator = separator_at(title, at);
      if (!separator || separator->colon || separator->begin == 0) continue;
      if (sounds_like_site(context, title.substr(separator->end))) title = title.substr(0, separator->begin);
      break;
    }
    for (std::size_t at = 1; at < title.size(); ++at) {
      const auto separator = separator_at(title, at);
      if (!separator || separator->end >= title.size()) continue;
      const std::string_view part = title.substr(0, separator->begin);
      // Colons also occur within titles, so the part before one must be exactly the site's name.
      if (separator->colon ? is_site_name(context, part) : sounds_like_site(context, part))
        title = title.substr(separator->end);
      break;
    }
    if (title == before) break;
  }
  return title;
}

/// How much of a declared title a heading is. `part`: the whole title, or everything between two of its
/// separators. `beginning`: the title begins with the heading and continues with other words.
enum class Share : std::uint8_t { none, beginning, part };

Share share_of(const DeclaredTitles& declared, std::string_view heading) {
  if (std::ranges::any_of(declared.parts,
                          [heading](std::string_view part) { return html::same_words(part, heading); }))
    return Share::part;
  const bool begins = std::ranges::any_of(
      declared.titles, [heading](std::string_view title) { return html::begins_with_words(title, heading); });
  return begins ? Share::beginning : Share::none;
}

/// Adds the pieces of a title and every sequence of adjacent pieces, so that headlines with separators are
/// found as well.
void add_parts(std::string_view title, std::vector<std::string_view>& parts) {
  constexpr std::size_t kPieces = 7;
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::array<Piece, kPieces> pieces{};
  std::size_t last = 0;
  for (std::size_t at = 1; at < title.size() && last + 1 < kPieces; ++at) {
    const auto separator = separator_at(title, at);
    if (!separator || separator->end <= at) continue;
    pieces[last].end = separator->begin;
    pieces[++last].begin = separator->end;
    at = separator->end - 1;
  }
  pieces[last].end = title.size();
  for (std::size_t from = 0; from <= last; ++from)
    for (std::size_t to = from; to <= last; ++to)
      if (pieces[to].end > pieces[from].begin)
        parts.push_back(title.substr(pieces[from].begin, pieces[to].end - pieces[from].begin));
}

bool ends_with_words(std::string_view whole, std::string_view part) {
  for (std::size_t at = whole.find(' '); at != std::string_view::npos; at = whole.find(' ', at + 1))
    if (html::same_words(whole.substr(at), part)) return true;
  return false;
}

/// Whether a headline and a title have a long word in common.
bool has_common_word(std::string_view headline, std::string_view title) {
  constexpr std::size_t kLongWord = 5;
  while (!headline.empty()) {
    const std::string_view word = headline.substr(0, headline.find(' '));
    headline.remove_prefix(std::min(headline.size(), word.size() + 1));
    if (word.size() < kLongWord) continue;
    if (html::begins_with_words(title, word)) return true;
    for (std::size_t at = title.find(' '); at != std::string_view::npos; at = title.find(' ', at + 1))
      if (html::begins_with_words(title.substr(at), word)) return true;
  }
  return false;
}

/// Whether an element inside a heading is not part of its text.
bool is_heading_chrome(const MetadataContext& context, html::NodeId node) {
  const html::Document& document = context.document;
  if (document.name(node) == html::Name::button) return true;
  const GeneratedPage* const generated = context.options.generated;
  if (generated != nullptr && std::ranges::find(generated->chrome, node) != generated->chrome.end())
    return true;
  if (document.name(node) != html::Name::a) return false;
  std::string text;
  html::append_text_content(document, node, text);
  return is_permalink(document.attribute(node, html::Name::href).value_or(""), text);
}

/// The text of a heading without permalinks and buttons at its ends.
OptionalText heading_text(const MetadataContext& context, html::NodeId heading) {
  constexpr std::size_t kLooked = 64;  // nodes
  auto text = html::element_text(context.document, heading, kHeadingBytes, context.arena);
  if (!text) return std::nullopt;
  std::size_t looked = 0;
  for (const html::NodeId node : html::Descendants(context.document, heading)) {
    if (++looked > kLooked) break;
    if (!context.document.is_element(node) || !is_heading_chrome(context, node)) continue;
    const auto chrome = html::element_text(context.document, node, kHeadingBytes, context.arena);
    if (!chrome) continue;
    if (text->ends_with(*chrome)) {
      text->remove_suffix(chrome->size());
    } else if (text->starts_with(*chrome)) {
      text->remove_prefix(chrome->size());
    }
    *text = text::trim_space(*text);
  }
  return text->empty() ? std::nullopt : text;
}

/// The element that shows the title according to the generator's template.
std::optional<Headline> generated_headline(const MetadataContext& context) {
  const GeneratedPage* const generated = context.options.generated;
  if (generated == nullptr || generated->title == html::kNoNode) return std::nullopt;
  const auto text = heading_text(context, generated->title);
  if (!text) return std::nullopt;
  const auto found = std::ranges::find(context.sources.headings, generated->title, &Candidate::node);
  const std::uint32_t order = found == context.sources.headings.end() ? 0 : found->order;
  return Headline{generated->title, order, *text};
}

OptionalText document_title(const MetadataContext& context) {
  if (context.sources.title == html::kNoNode) return std::nullopt;
  const html::NodeId text = context.document.first_child(context.sources.title);
  if (text == html::kNoNode || context.document.text(text).size() > 8 * kTitleBytes) return std::nullopt;
  const std::string_view clean =
      html::clean_text(context.document.text(text), html::Markup::references_and_tags, context.arena);
  if (clean.empty() || clean.size() > kTitleBytes) return std::nullopt;
  return clean;
}

}  // namespace

bool is_site_name(const MetadataContext& context, std::string_view text) {
  if (text.empty()) return false;
  for (const MetaValue& meta : context.sources.meta(MetaField::site_name))
    if (meta.value.size() <= 256 && html::same_words(meta.value, text)) return true;
  if (context.facts.site_name && html::same_words(*context.facts.site_name, text)) return true;
  if (context.banner && html::same_words(context.banner->text, text)) return true;
  return is_host_name(context, text);
}

bool sounds_like_site(const MetadataContext& context, std::string_view text) {
  if (is_site_name(context, text)) return true;
  if (context.options.url == nullptr || text.size() > 80 || std::ranges::count(text, ' ') > 3) return false;
  const std::string label = squeeze(main_label(context.options.url->host()));
  return label.size() >= 4 && squeeze(text).find(label) != std::string::npos;
}

DeclaredTitles read_declared_titles(const MetadataContext& context) {
  DeclaredTitles declared;
  declared.titles.reserve(4);
  declared.parts.reserve(8);
  const auto add = [&declared](OptionalText title) {
    if (!title || title->size() > kTitleBytes) return;
    const bool known = std::ranges::find(declared.titles, *title) != declared.titles.end();
    declared.titles.push_back(*title);
    if (!known) add_parts(*title, declared.parts);
  };
  add(best_meta(context, MetaField::og_title, kTitleBytes));
  add(context.facts.headline);
  add(best_meta(context, MetaField::other_title, kTitleBytes));
  add(document_title(context));
  return declared;
}

std::optional<Headline> find_banner(const MetadataContext& context) {
  for (const Candidate& candidate : context.sources.headings) {
    if (context.document.name(candidate.node) != html::Name::h1) continue;
    const auto text = heading_text(context, candidate.node);
    if (text && is_banner(context, candidate.node, *text))
      return Headline{candidate.node, candidate.order, *text};
  }
  return std::nullopt;
}

std::optional<Headline> choose_headline(const MetadataContext& context) {
  if (const auto headline = generated_headline(context)) return headline;
  std::optional<Headline> first;  // h1
  std::optional<Headline> banner;
  std::optional<Headline> named;  // h2 to h6 that is a part of a declared title
  for (const Candidate& candidate : context.sources.headings) {
    const bool is_first_level = context.document.name(candidate.node) == html::Name::h1;
    if (named && !is_first_level) continue;
    const auto text = heading_text(context, candidate.node);
    if (!text || html::same_words(*text, "") || is_site_name(context, *text)) continue;
    const Headline headline{candidate.node, candidate.order, *text};
    const Share share = share_of(context.declared, *text);
    if (share != Share::none && sounds_like_site(context, *text)) {
      // The banner, or a headline about the site: used only if there is no other.
      if (!banner) banner = headline;
      continue;
    }
    if (share != Share::none && is_first_level) return headline;
    // For h2 to h6, the beginning of a title is not enough: "What is X?" in an article "What is X, and why".
    if (share == Share::part) named = headline;
    if (is_first_level && !first) first = headline;
  }
  if (named) return named;
  if (banner) return banner;
  return first ? first : context.banner;
}

OptionalText read_title(const MetadataContext& context) {
  const std::vector<std::string_view>& titles = context.declared.titles;
  const GeneratedPage* const generated = context.options.generated;
  if (generated != nullptr && context.headline && context.headline->node == generated->title)
    return context.headline->text;
  const bool is_of_site =
      context.banner && context.headline && context.headline->node == context.banner->node;
  const std::string_view shown =
      context.headline && !is_of_site ? context.headline->text : std::string_view();
  if (!shown.empty() && share_of(context.declared, shown) != Share::none) return strip_site(context, shown);
  std::vector<std::string_view> own_titles;
  for (const std::string_view title : titles) {
    const std::string_view own = strip_site(context, title);
    if (!own.empty() && !is_site_name(context, own)) own_titles.push_back(own);
  }
  // If the heading also has a kicker before or a date after the headline, the title says which part the
  // headline is.
  for (const std::string_view title : own_titles)
    if (html::begins_with_words(shown, title) || ends_with_words(shown, title)) return title;
  if (std::ranges::any_of(own_titles,
                          [shown](std::string_view title) { return has_common_word(shown, title); }))
    return shown;
  if (!own_titles.empty()) return own_titles.front();
  if (!shown.empty()) return shown;
  if (!titles.empty()) return titles.front();
  return std::nullopt;
}

}  // namespace sheaf::extract
