#include "sheaf/html/page_fields.h"

#include "sheaf/base/hex.h"
#include "sheaf/html/encoding_decoders.h"
#include "sheaf/html/language_guess.h"
#include "sheaf/html/text_compare.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace sheaf::html {
namespace {

constexpr std::size_t kDescriptionChars = 300;
constexpr std::size_t kRealParagraph = 60;  // bytes; shorter texts are captions, dates, greetings
constexpr std::size_t kLanguageBytes = 1200;

std::string_view first_heading(const model::Page& page) {
  std::string_view found;
  for (const model::Block& block : page.content) {
    const auto* heading = std::get_if<model::HeadingBlock>(&block.kind);
    if (heading == nullptr) continue;
    if (heading->level == 1) return heading->text;
    if (found.empty()) found = heading->text;
  }
  return found;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

/// At most that many characters, cut after a word where there is one in the last third.
std::string cut_at_word(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  std::size_t chars = 0;
  std::size_t last_space = 0;
  for (; end < text.size() && chars <= most; ++end) {
    if (!is_continuation(text[end])) ++chars;
    if (chars > most) break;
    if (text[end] == ' ' || text[end] == '\n') last_space = end;
  }
  if (end >= text.size()) return std::string(text);
  const std::size_t cut = last_space > end * 2 / 3 ? last_space : end;
  return std::string(text.substr(0, cut)) + "…";
}

std::string_view first_paragraph(const model::Page& page) {
  std::string_view longest;
  for (const model::Block& block : page.content) {
    const auto* paragraph = std::get_if<model::TextBlock>(&block.kind);
    if (paragraph == nullptr) continue;
    if (paragraph->text.size() >= kRealParagraph) return paragraph->text;
    if (paragraph->text.size() > longest.size()) longest = paragraph->text;
  }
  return longest;
}

/// "/blog/my-first%20post.html" gives "my first post"; the host where the path has nothing to read. Escapes
/// of a path may be of any encoding, and a title that is not UTF-8 would spoil the whole collection.
std::string title_from_url(const base::Url& url) {
  std::string_view path = url.path();
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view extension : {".html", ".htm", ".php", ".aspx", ".md"})
    if (name.ends_with(extension)) name.remove_suffix(extension.size());
  std::string title;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const int high = name[i] == '%' && i + 2 < name.size() ? base::hex_value(name[i + 1]) : -1;
    const int low = high >= 0 ? base::hex_value(name[i + 2]) : -1;
    if (low >= 0 && high * 16 + low >= 0x20) {
      title += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      title += name[i] == '-' || name[i] == '_' || name[i] == '+' ? ' ' : name[i];
    }
  }
  const std::string_view words = trim_space(title);
  return std::string(words.empty() || !is_utf8(words) ? url.host() : words);
}

/// Enough running text to tell the language of.
std::string language_sample(const model::Page& page) {
  std::string sample(page.title);
  for (const model::Block& block : page.content) {
    if (sample.size() > kLanguageBytes) break;
    sample += ' ';
    if (const auto* text = std::get_if<model::TextBlock>(&block.kind))
      sample += text->text.substr(0, kLanguageBytes);
    if (const auto* heading = std::get_if<model::HeadingBlock>(&block.kind)) sample += heading->text;
    if (const auto* list = std::get_if<model::ListBlock>(&block.kind))
      for (const std::string_view item : list->items) sample.append(item).append(" ");
  }
  return sample;
}

}  // namespace

void fill_required_fields(model::Page& page, const base::Url* url, base::Arena& arena) {
  if (page.title.empty()) page.title = first_heading(page);
  if (page.title.empty() && url != nullptr) page.title = arena.copy(title_from_url(*url));
  if (page.description.empty()) {
    const std::string_view paragraph = first_paragraph(page);
    page.description = paragraph.empty() ? page.title : arena.copy(cut_at_word(paragraph, kDescriptionChars));
  }
  if (page.language.empty()) page.language = guess_language(language_sample(page));
  if (page.language.empty()) page.language = "und";
}

}  // namespace sheaf::html
