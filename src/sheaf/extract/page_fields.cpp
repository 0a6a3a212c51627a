#include "sheaf/extract/page_fields.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/extract/outline/language_guess.h"
#include "sheaf/text/text_compare.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace sheaf::extract {
namespace {

constexpr std::size_t kDescriptionChars = 300;
constexpr std::size_t kRealParagraph = 60;  // bytes; shorter texts are captions, dates, greetings
constexpr std::size_t kLanguageBytes = 700;

std::string_view first_heading(const Page& page) {
  std::string_view found;
  for (const Block& block : page.content) {
    const auto* heading = std::get_if<HeadingBlock>(&block.kind);
    if (heading == nullptr) continue;
    if (heading->level == 1) return heading->text;
    if (found.empty()) found = heading->text;
  }
  return found;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

/// Cuts a text to at most `most` characters and an ellipsis, after a word if one ends in the last third.
std::string cut_at_word(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t chars = 0; end < text.size(); ++end) {
    chars += is_continuation(text[end]) ? 0U : 1U;
    if (chars > most) break;
  }
  if (end >= text.size()) return std::string(text);
  const std::size_t last_space = text.substr(0, end).find_last_of(" \n");
  const bool late = last_space != std::string_view::npos && last_space > end * 2 / 3;
  return std::string(text.substr(0, late ? last_space : end)) + "…";
}

/// Whether a text is just a template command of the site's generator: "{{< figure >}}", "{% include %}".
bool is_template_call(std::string_view text) {
  text = text::trim_space(text);
  return (text.starts_with("{{") && text.ends_with("}}")) || (text.starts_with("{%") && text.ends_with("%}"));
}

/// The first paragraph of at least kRealParagraph bytes, else the longest one, else the first quotation.
std::string_view first_paragraph(const Page& page) {
  std::string_view longest;
  std::string_view quoted;
  for (const Block& block : page.content) {
    if (const auto* quote = std::get_if<QuoteBlock>(&block.kind); quote != nullptr && quoted.empty())
      quoted = quote->text;
    const auto* paragraph = std::get_if<TextBlock>(&block.kind);
    if (paragraph == nullptr || is_template_call(paragraph->text)) continue;
    if (paragraph->text.size() >= kRealParagraph) return paragraph->text;
    if (paragraph->text.size() > longest.size()) longest = paragraph->text;
  }
  return longest.empty() ? quoted : longest;
}

/// "/blog/my-first%20post.html" gives "my first post". Returns the host if the path does not give a title.
std::string title_from_url(const base::Url& url) {
  std::string_view path = url.path();
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string title = title_from_name(path.substr(path.rfind('/') + 1));
  const bool says_something = !title.empty() && title.find("\xEF\xBF\xBD") == std::string::npos;
  return says_something ? title : std::string(url.host());
}

/// Enough text of the page to guess its language from.
std::string language_sample(const Page& page) {
  std::string sample;
  sample.reserve(2 * kGuessedBytes);
  sample += page.title;
  for (const Block& block : page.content) {
    if (sample.size() > kLanguageBytes) break;
    sample += ' ';
    if (const auto* text = std::get_if<TextBlock>(&block.kind))
      sample += text->text.substr(0, kLanguageBytes);
    if (const auto* heading = std::get_if<HeadingBlock>(&block.kind)) sample += heading->text;
    if (const auto* list = std::get_if<ListBlock>(&block.kind))
      for (const std::string_view item : list->items) {
        if (sample.size() > kGuessedBytes) break;
        sample.append(item).append(" ");
      }
  }
  return sample;
}

}  // namespace

std::string title_from_name(std::string_view name) {
  for (const std::string_view extension : {".html", ".htm", ".php", ".aspx", ".md", ".markdown"})
    if (name.ends_with(extension)) name.remove_suffix(extension.size());
  // A file name may be invalid UTF-8; a page must not be.
  const std::string decoded = base::percent_decode(name);
  std::string title;
  for (std::string_view rest = decoded; !rest.empty();) {
    const char32_t c = base::take_code_point(rest);
    const bool parts_words = c == U'-' || c == U'_' || c == U'+' || c < 0x20 || c == 0x7F;
    base::append_utf8(title, parts_words ? U' ' : c);
  }
  return std::string(text::trim_space(title));
}

void fill_required_fields(Page& page, const base::Url* url, Arena& arena) {
  if (page.title.empty()) page.title = first_heading(page);
  if (page.title.empty() && url != nullptr) page.title = arena.copy(title_from_url(*url));
  if (page.description.empty()) {
    const std::string_view paragraph = first_paragraph(page);
    page.description = paragraph.empty() ? page.title : arena.copy(cut_at_word(paragraph, kDescriptionChars));
  }
  if (page.language.empty()) page.language = guess_language(language_sample(page));
  if (page.language.empty()) page.language = "und";
}

}  // namespace sheaf::extract
