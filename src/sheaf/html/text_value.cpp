#include "sheaf/html/text_value.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/html/char_ref.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>

namespace sheaf::html {
namespace {

enum class Glyph : std::uint8_t { seen, space, nothing };

/// How a non-ASCII character is displayed.
Glyph glyph_of(char32_t c) {
  if (c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
      c == 0x205F || c == 0x3000 || c == 0x85)
    return Glyph::space;
  // U+200C and U+200D are kept, because they are part of the spelling in Persian and the Indic scripts.
  if (c == 0xAD || c == 0x200B || c == 0x200E || c == 0x200F || c == 0x2060 || c == 0xFEFF ||
      (c >= 0x202A && c <= 0x202E) || (c >= 0x80 && c < 0xA0))
    return Glyph::nothing;
  return Glyph::seen;
}

/// Whether a character with this lead byte may be one for which glyph_of() does not return `seen`.
constexpr bool may_be_unseen(unsigned char lead) {
  return lead == 0xC2 || lead == 0xE1 || lead == 0xE2 || lead == 0xE3 || lead == 0xEF;
}

/// Whether the text is already clean, decided in one pass over its bytes. Most values are clean.
bool is_clean(std::string_view text) {
  char before = ' ';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '&' || c == '<' || may_be_unseen(byte)) return false;
    if (c == ' ' && before == ' ') return false;
    before = c;
  }
  return before != ' ';
}

/// Appends characters to a string: collapses white space and drops invisible characters.
class CleanWriter {
 public:
  explicit CleanWriter(std::string& out) : out_(out) {}

  void space() { pending_ = true; }

  void text(std::string_view text) {
    while (!text.empty()) {
      if (static_cast<unsigned char>(text.front()) < 0x80) {
        const auto* const end = std::ranges::find_if_not(text, is_seen_ascii);
        const auto size = static_cast<std::size_t>(end - text.begin());
        if (size > 0) {
          seen(text.substr(0, size));
        } else {
          pending_ = true;
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
        continue;
      }
      const std::string_view all = text;
      const Glyph glyph = glyph_of(base::take_code_point(text));
      if (glyph == Glyph::space) pending_ = true;
      if (glyph == Glyph::seen) seen(all.substr(0, all.size() - text.size()));
    }
  }

 private:
  static bool is_seen_ascii(char c) { return c > ' ' && c < 0x7F; }

  void seen(std::string_view characters) {
    if (pending_ && !out_.empty()) out_ += ' ';
    pending_ = false;
    out_ += characters;
  }

  std::string& out_;
  bool pending_ = false;
};

/// Tags that only format text. In a value they are markup, because no title is about them.
struct FormattingTag {
  std::string_view name;
  bool parts_words;
};
constexpr FormattingTag kFormattingTags[] = {
    {"a", false},   {"abbr", false}, {"b", false},     {"br", true},    {"cite", false},
    {"div", true},  {"em", false},   {"font", false},  {"h1", true},    {"h2", true},
    {"h3", true},   {"i", false},    {"li", true},     {"mark", false}, {"ol", true},
    {"p", true},    {"s", false},    {"small", false}, {"span", false}, {"strong", false},
    {"sub", false}, {"sup", false},  {"u", false},     {"ul", true},    {"wbr", false},
};

/// Maximum size of a tag, which bounds the search for the closing bracket. Templates do not leave longer tags
/// in values.
constexpr std::size_t kTagBytes = 1024;

/// Removes a formatting tag from the front of `text`, which begins with '<'. Returns the tag's row, or null
/// if there is none.
const FormattingTag* take_tag(std::string_view& text) {
  std::size_t at = 1;
  if (at < text.size() && text[at] == '/') ++at;
  const std::size_t begin = at;
  while (at < text.size() && base::is_alphanumeric(text[at])) ++at;
  const std::string_view name = text.substr(begin, at - begin);
  const auto* const row = std::ranges::find_if(kFormattingTags, [name](const FormattingTag& tag) {
    return text::equal_text(tag.name, name, text::TextCase::ignore);
  });
  if (row == std::end(kFormattingTags)) return nullptr;
  const std::size_t end = text.substr(0, kTagBytes).find('>', at);
  if (end == std::string_view::npos) return nullptr;
  text.remove_prefix(end + 1);
  return row;
}

}  // namespace

std::string_view clean_text(std::string_view raw, Markup markup, Arena& arena) {
  if (is_clean(raw)) return raw;
  std::string out;
  out.reserve(raw.size());
  CleanWriter writer(out);
  while (!raw.empty()) {
    const char* const markup_begin =
        text::scan::find_any(raw.data(), raw.data() + raw.size(), '&', '<', '&', '<');
    const auto plain = static_cast<std::size_t>(markup_begin - raw.data());
    writer.text(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    if (raw.front() == '<' && markup == Markup::references_and_tags) {
      if (const FormattingTag* tag = take_tag(raw)) {
        if (tag->parts_words) writer.space();
        continue;
      }
    }
    if (raw.front() == '&') {
      std::array<char, 4> buffer{};
      const CharRef ref = read_char_ref(raw.data() + 1, raw.data() + raw.size(), RefPlace::attribute, buffer);
      if (ref.consumed != 0 && raw[ref.consumed] == ';') {
        writer.text(ref.text);
        raw.remove_prefix(ref.consumed + 1);
        continue;
      }
    }
    writer.text(raw.substr(0, 1));
    raw.remove_prefix(1);
  }
  return arena.copy(out);
}

std::optional<std::string_view> element_text(const Document& document, NodeId node, std::size_t most,
                                             Arena& arena) {
  std::string raw;
  // `most` is the size without superfluous white space, so more raw bytes are allowed, but not any number.
  const std::size_t most_raw = 4 * most + 256;
  // The number of nodes is limited as well, because a page may nest a million empty elements.
  constexpr std::size_t kNodes = 1000;
  std::size_t nodes = 0;
  for (NodeId inside = next_in_order(document, node, node); inside != kNoNode;) {
    if (++nodes > kNodes) return std::nullopt;
    if (document.kind(inside) == NodeKind::text) raw += document.text(inside).substr(0, most_raw);
    if (raw.size() > most_raw) return std::nullopt;
    const bool element = document.is_element(inside);
    const ElementKind kind = element ? element_kind(document.name(inside)) : ElementKind::inside;
    if (element && (kind == ElementKind::block || document.name(inside) == Name::br)) raw += ' ';
    const bool skipped = element && (kind == ElementKind::unseen || document.name(inside) == Name::svg);
    inside = skipped ? next_after(document, inside, node) : next_in_order(document, inside, node);
  }
  const std::string_view clean = clean_text(arena.copy(raw), Markup::references, arena);
  if (clean.empty() || clean.size() > most) return std::nullopt;
  return clean;
}

std::string_view url_text(std::string_view href, Arena& arena) {
  // The URL standard keeps backslashes in a query or a fragment, but readers of collections reject them
  // everywhere.
  if (href.find('\\') == std::string_view::npos) return arena.copy(href);
  std::string escaped;
  for (const char c : href) {
    if (c == '\\') {
      escaped += "%5C";
    } else {
      escaped += c;
    }
  }
  return arena.copy(escaped);
}

namespace {

/// Removes word separators from the front: ASCII punctuation and white space, and the punctuation of
/// U+2000 to U+206F (dashes, quotes).
void skip_between(std::string_view& text) {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte < 0x80 && !base::is_alphanumeric(text.front())) {
      text.remove_prefix(1);
    } else if (byte == 0xE2 && text.size() >= 3 && (text[1] == '\x80' || text[1] == '\x81')) {
      text.remove_prefix(3);
    } else if (byte == 0xC2 && text.size() >= 2) {  // U+0080 to U+00BF: symbols, and only two letters
      text.remove_prefix(2);
    } else {
      return;
    }
  }
}

/// Removes the longest common prefix of letters and digits from both texts.
void take_same(std::string_view& a, std::string_view& b) {
  for (;;) {
    skip_between(a);
    skip_between(b);
    if (a.empty() || b.empty() || text::lower_ascii(a.front()) != text::lower_ascii(b.front())) return;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

}  // namespace

bool same_words(std::string_view a, std::string_view b) {
  take_same(a, b);
  return a.empty() && b.empty();
}

bool begins_with_words(std::string_view whole, std::string_view part) {
  std::string_view rest = whole;
  take_same(rest, part);
  if (!part.empty()) return false;
  // The match must end at the end of a word. take_same() stops after separators, so check the byte before the
  // rest.
  return rest.empty() || rest.size() == whole.size() || !base::is_alphanumeric(*(rest.data() - 1)) ||
         !base::is_alphanumeric(rest.front());
}

}  // namespace sheaf::html
