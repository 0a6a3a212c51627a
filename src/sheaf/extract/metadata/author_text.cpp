#include "sheaf/extract/metadata/author_text.h"

#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace sheaf::extract {
namespace {

constexpr std::size_t kNames = 16;
constexpr std::size_t kNameBytes = 100;
constexpr std::size_t kTextBytes = 1024;

bool is_any_of(std::string_view word, std::span<const std::string_view> list) {
  return std::ranges::any_of(
      list, [word](std::string_view each) { return text::equal_text(each, word, text::TextCase::ignore); });
}

// Words before an author's name that are not part of it, in the most common languages.
constexpr std::string_view kLeadWords[] = {"by",
                                           "von",
                                           "par",
                                           "por",
                                           "door",
                                           "av",
                                           "af",
                                           "przez",
                                           "od",
                                           "author",
                                           "authors",
                                           "autor",
                                           "autorin",
                                           "autoren",
                                           "autora",
                                           "autores",
                                           "auteur",
                                           "auteurs",
                                           "autore",
                                           "autori",
                                           "verfasser",
                                           "verfasst",
                                           "written",
                                           "posted",
                                           "published",
                                           "publie",
                                           "publicado",
                                           "escrito",
                                           "geschrieben",
                                           "geschreven",
                                           "pubblicato",
                                           "scritto",
                                           "redactor",
                                           "texte",
                                           "text",
                                           "texto",
                                           "testo",
                                           "story",
                                           "article",
                                           "ein",
                                           "artikel",
                                           "beitrag",
                                           "gepostet",
                                           "yazan",
                                           "yazar",
                                           "words",
                                           "interview",
                                           "gastbeitrag",
                                           "kommentar",
                                           "submitted",
                                           "gespeichert",
                                           "erstellt",
                                           "reported",
                                           "report",
                                           "\u00E9crit",
                                           "publi\u00E9",
                                           "ver\u00F6ffentlicht",
                                           "\u0430\u0432\u0442\u043E\u0440",
                                           "\u0410\u0432\u0442\u043E\u0440"};
// Those of them that can precede a name alone and without a colon.
constexpr std::string_view kByWords[] = {"by", "von", "par", "por", "door", "av", "af", "przez", "od"};
constexpr std::string_view kAuthorWords[] = {"author", "autor",  "autorin", "autora",
                                             "auteur", "autore", "yazar"};
// Words for "by" that also begin names: they count only in lowercase.
constexpr std::string_view kLowByWords[] = {"di", "da", "de"};

// Words for what a person does, which are not part of a name.
constexpr std::string_view kRoleWords[] = {"editor",
                                           "writer",
                                           "writers",
                                           "reporter",
                                           "correspondent",
                                           "redakteur",
                                           "redakteurin",
                                           "journalist",
                                           "journalistin",
                                           "journaliste",
                                           "columnist",
                                           "contributor",
                                           "contributing",
                                           "staff",
                                           "producer",
                                           "chefredakteur",
                                           "chefredakteurin",
                                           "volont\u00E4r",
                                           "volont\u00E4rin",
                                           "redaktor",
                                           "korrespondent",
                                           "korrespondentin",
                                           "ressortleiter",
                                           "freelance",
                                           "ceo",
                                           "founder",
                                           "cto",
                                           "manager",
                                           "director",
                                           "autor",
                                           "autorin",
                                           "author",
                                           "photographer",
                                           "fotograf",
                                           "ph.d",
                                           "phd",
                                           "md",
                                           "redactor",
                                           "redactora",
                                           "periodista",
                                           "giornalista",
                                           "dziennikarz"};

// Generic accounts that are not names.
constexpr std::string_view kCountries[] = {"germany", "deutschland", "austria", "switzerland", "france",
                                           "italy",   "spain",       "usa",     "uk"};
constexpr std::string_view kNobody[] = {
    "admin",     "administrator", "webmaster", "root",      "user",        "guest", "anonymous", "unknown",
    "none",      "null",          "n/a",       "undefined", "author",      "autor", "editor",    "super user",
    "superuser", "wordpress",     "website",   "wp-admin",  "author name", "by",    "von"};

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

std::string_view without_colon(std::string_view word) {
  if (word.ends_with(':')) word.remove_suffix(1);
  return word;
}

/// A number made of the first and the last byte of a word, ignoring case.
constexpr std::size_t ends_of(std::string_view word) {
  return (static_cast<unsigned char>(word.front()) % 32) * 32 + static_cast<unsigned char>(word.back()) % 32;
}

/// The sizes of the lead words by their first and last byte, one bit per size. Rejects most other words.
constexpr auto kLeadShapes = [] {
  std::array<std::uint32_t, 1024> shapes{};
  for (const std::string_view word : kLeadWords) shapes[ends_of(word)] |= 1U << (word.size() % 32);
  for (const std::string_view word : kLowByWords) shapes[ends_of(word)] |= 1U << (word.size() % 32);
  return shapes;
}();

bool has_lead_shape(std::string_view word) {
  return !word.empty() && ((kLeadShapes[ends_of(word)] >> (word.size() % 32)) & 1U) != 0;
}

bool is_lead_word(std::string_view word) {
  if (!has_lead_shape(without_colon(word))) return false;
  if (is_any_of(without_colon(word), kLeadWords)) return true;
  return std::ranges::find(kLowByWords, word) != std::end(kLowByWords);
}

std::string_view strip_lead(std::string_view text) {
  for (int words = 0; words < 5; ++words) {
    text = text::trim_space(text);
    while (!text.empty() && (text.front() == ':' || text.front() == '-' || text.front() == '|'))
      text = text::trim_space(text.substr(1));
    const std::string_view word = first_word(text);
    if (word.size() == text.size() || !is_lead_word(word)) break;
    text.remove_prefix(word.size());
  }
  return text::trim_space(text);
}

/// Cuts a text before its first date and the word that introduces the date ("on", "am", "le"). If the text
/// begins with the date, returns what follows it.
std::string_view cut_date(std::string_view text) {
  const auto date = find_date(text, DateOrder::day_first);
  if (!date) return text;
  if (date->begin == 0) return text.substr(date->end);
  constexpr std::string_view kBeforeDate[] = {"on", "am",  "le",  "el",   "il", "op", "em",
                                              "at", "den", "vom", "dnia", "um", "the"};
  text = text::trim_space(text.substr(0, date->begin));
  while (!text.empty() && (text.back() == ',' || text.back() == '|' || text.back() == '-'))
    text = text::trim_space(text.substr(0, text.size() - 1));
  const std::size_t space = text.rfind(' ');
  if (space != std::string_view::npos && is_any_of(text.substr(space + 1), kBeforeDate))
    text = text::trim_space(text.substr(0, space));
  return text;
}

/// Cuts a text at a sign after which a byline continues with something else: the medium, a date, the number
/// of comments.
std::string_view cut_at_bar(std::string_view text) {
  constexpr std::string_view kBars[] = {" | ",      " - ",      " \u2013 ", " \u2014 ", " \u00B7 ",
                                        " \u2022 ", " \u00BB ", "\u2022",   "|"};
  for (const std::string_view bar : kBars)
    if (const std::size_t at = text.find(bar); at != std::string_view::npos && at > 0)
      text = text.substr(0, at);
  return text::trim_space(text);
}

bool is_address(std::string_view word) {
  return word.find("://") != std::string_view::npos || word.starts_with("www.") ||
         word.find('@') != std::string_view::npos || word.find(".com/") != std::string_view::npos;
}

/// Removes "(AFP)" and the like, URLs, mail addresses and handles from the end of a name.
std::string_view strip_extras(std::string_view name) {
  for (int round = 0; round < 4; ++round) {
    name = text::trim_space(name);
    while (!name.empty() && std::string_view(",;:|/*\"").find(name.back()) != std::string_view::npos)
      name = text::trim_space(name.substr(0, name.size() - 1));
    if (name.ends_with(')'))
      if (const std::size_t open = name.rfind('('); open != std::string_view::npos && open > 0) {
        name = name.substr(0, open);
        continue;
      }
    const std::size_t space = name.rfind(' ');
    const std::string_view last = space == std::string_view::npos ? name : name.substr(space + 1);
    if (!is_address(last)) break;
    name = name.substr(0, space == std::string_view::npos ? 0 : space);
  }
  return text::trim_space(name);
}

std::size_t count_words(std::string_view text) {
  return text.empty() ? 0 : 1 + static_cast<std::size_t>(std::ranges::count(text, ' '));
}

bool has_role(std::string_view text) {
  while (!text.empty()) {
    std::string_view word = first_word(text);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    while (!word.empty() && (word.back() == '.' || word.back() == ',')) word.remove_suffix(1);
    if (is_any_of(word, kRoleWords)) return true;
  }
  return false;
}

bool is_small_word(std::string_view word) {
  constexpr std::string_view kParticles[] = {
      "de", "da", "di",  "do",  "dos", "das", "del", "della", "van", "von", "der", "den", "zu",  "la",  "le",
      "el", "al", "bin", "ibn", "y",   "e",   "v.",  "ter",   "ten", "af",  "du",  "des", "vom", "zum", "o'"};
  return std::ranges::find(kParticles, word) != std::end(kParticles);
}

/// Whether a piece of visible text looks like a name: up to six words without digits, all capitalised except
/// particles; or a single lowercase word.
bool looks_like_name(std::string_view name) {
  if (count_words(name) > 6 || name.find_first_of("0123456789?!<>{}=") != std::string_view::npos)
    return false;
  std::size_t capital = 0;
  std::string_view rest = name;
  while (!rest.empty()) {
    const std::string_view word = first_word(rest);
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.empty() || is_small_word(word)) continue;
    if (word.front() >= 'a' && word.front() <= 'z') return count_words(name) == 1;  // a nickname
    ++capital;
  }
  return capital > 0;
}

/// Whether a name is a single word that ends like a domain name: "example.com".
bool is_domain(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.find(' ') != std::string_view::npos) return false;
  const std::string_view end = name.substr(dot + 1);
  return end.size() >= 2 && end.size() <= 3 &&
         std::ranges::all_of(end, [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_name(std::string_view name, AuthorText kind) {
  if (name.size() < 2 || name.size() > kNameBytes || is_any_of(name, kNobody)) return false;
  if (html::same_words(name, "") || is_domain(name)) return false;
  if (is_address(name) || name.find_first_of("{}<>[]=") != std::string_view::npos) return false;
  if (name.find_first_not_of("0123456789 .,-/") == std::string_view::npos) return false;
  if (kind == AuthorText::visible) return looks_like_name(name);
  return count_words(name) <= 8;
}

/// Removes the next name from the front of `text` and returns it. Names are separated by a comma, a
/// semicolon, or "and" in one of the most common languages.
std::string_view take_name(std::string_view& text) {
  constexpr std::string_view kBetween[] = {", ",  "; ",   ";",   " and ", " und ", " et ", " y ", " & ",
                                           " e ", " en ", " i ", " og ",  " och ", " / ",  " + ", " with "};
  std::size_t at = std::string_view::npos;
  std::size_t size = 0;
  for (const std::string_view between : kBetween) {
    const std::size_t found = text.find(between);
    if (found >= at) continue;
    at = found;
    size = between.size();
  }
  const std::string_view name = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + size);
  return name;
}

}  // namespace

std::vector<std::string_view> names_in(std::string_view text, AuthorText kind) {
  std::vector<std::string_view> names;
  if (text.size() > kTextBytes) return names;
  text = cut_at_bar(cut_date(strip_lead(text)));
  // "Example Press, Hamburg, Germany" is a publisher with its location.
  if (const std::size_t comma = text.rfind(", "); comma != std::string_view::npos)
    if (is_any_of(text.substr(comma + 2), kCountries)) return names;
  while (!text.empty() && names.size() < kNames) {
    std::string_view name = strip_extras(strip_lead(take_name(text)));
    // "Jane Doe, Staff Writer": a role follows the name it belongs to.
    if (!names.empty() && has_role(name)) continue;
    if (!is_name(name, kind)) {
      // A line with other text between the names is not a byline.
      if (kind == AuthorText::visible && !name.empty()) break;
      continue;
    }
    if (std::ranges::none_of(names, [name](std::string_view other) { return html::same_words(other, name); }))
      names.push_back(name);
  }
  return names;
}

bool may_introduce_author(std::string_view text) { return has_lead_shape(without_colon(first_word(text))); }

bool is_author_label(std::string_view text) {
  std::string_view word;
  for (text = text::trim_space(text); !text.empty(); text = text::trim_space(text)) {
    word = first_word(text);
    if (!is_lead_word(word)) return false;
    text.remove_prefix(word.size());
  }
  // "Published" alone is followed by a date.
  return !word.empty() && (word.ends_with(':') || is_any_of(word, kByWords) || is_any_of(word, kAuthorWords));
}

bool introduces_author(std::string_view text) {
  const std::string_view word = first_word(text);
  return word.size() < text.size() && has_lead_shape(without_colon(word)) &&
         is_any_of(without_colon(word), kByWords);
}

}  // namespace sheaf::extract
