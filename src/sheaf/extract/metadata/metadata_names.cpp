#include "sheaf/extract/metadata/metadata_names.h"

#include "sheaf/base/ascii.h"
#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

namespace sheaf::extract {
namespace {

struct MetaName {
  std::string_view name;  // lowercase letters and digits only
  MetaField field;
  std::uint8_t rank;
};

using enum MetaField;

// Ranks within a field: names with rank 0 are made for exactly this purpose and widely read by machines, so
// errors are noticed. Names with higher ranks are less precise, older, or meant for one service.
constexpr MetaName kMetaNames[] = {
    {"abstract", description, 4},
    {"applicationname", site_name, 2},
    {"articleauthor", author, 1},
    {"articleauthorname", author, 0},
    {"articlecreated", published, 2},
    {"articledatepublished", published, 1},
    {"articlemodified", modified, 1},
    {"articlemodifiedtime", modified, 0},
    {"articlepublished", published, 1},
    {"articlepublishedtime", published, 0},
    {"articleupdatedtime", modified, 1},
    {"author", author, 0},
    {"authors", author, 1},
    {"btpubdate", published, 2},
    {"byl", author, 0},
    {"byline", author, 1},
    {"citationauthor", author, 0},
    {"citationdate", published, 2},
    {"citationonlinedate", published, 1},
    {"citationpublicationdate", published, 1},
    {"citationtitle", other_title, 0},
    {"contentlanguage", language, 1},
    {"created", published, 2},
    {"creationdate", published, 2},
    {"creator", author, 2},
    {"cxenseparseauthor", author, 2},
    {"cxenseparserecspublishtime", published, 2},
    {"date", published, 2},
    {"datecreated", published, 2},
    {"datemodified", modified, 0},
    {"datepublished", published, 0},
    {"dateupdated", modified, 1},
    {"dcauthor", author, 2},
    {"dccreator", author, 1},
    {"dcdate", published, 2},
    {"dcdatecreated", published, 1},
    {"dcdateissued", published, 1},
    {"dcdatemodified", modified, 1},
    {"dcdescription", description, 3},
    {"dclanguage", language, 1},
    {"dctermsabstract", description, 3},
    {"dctermscreated", published, 1},
    {"dctermscreator", author, 1},
    {"dctermsdate", published, 2},
    {"dctermsdescription", description, 3},
    {"dctermsissued", published, 1},
    {"dctermslanguage", language, 1},
    {"dctermsmodified", modified, 1},
    {"dctermstitle", other_title, 1},
    {"dctitle", other_title, 1},
    {"description", description, 0},
    {"displaydate", published, 2},
    {"lastmod", modified, 2},
    {"lastmodified", modified, 2},
    {"lastupdated", modified, 2},
    {"modified", modified, 2},
    {"ogarticleauthor", author, 1},
    {"ogarticlemodifiedtime", modified, 1},
    {"ogarticlepublishedtime", published, 1},
    {"ogdescription", description, 1},
    {"oglocale", language, 2},
    {"ogpubdate", published, 1},
    {"ogpublishedtime", published, 1},
    {"ogsitename", site_name, 0},
    {"ogtitle", og_title, 0},
    {"ogtype", page_type, 0},
    {"ogupdatedtime", modified, 1},
    {"ogurl", address, 0},
    {"originalpublicationdate", published, 1},
    {"parselyauthor", author, 0},
    {"parselypubdate", published, 1},
    {"parselytitle", other_title, 0},
    {"pubdate", published, 1},
    {"publicationdate", published, 1},
    {"publishdate", published, 1},
    {"publisheddate", published, 1},
    {"publishedtime", published, 1},
    {"publishtime", published, 1},
    {"rnewsdatepublished", published, 1},
    {"robots", robots, 0},
    {"sailthruauthor", author, 0},
    {"sailthrudate", published, 1},
    {"sailthrudescription", description, 3},
    {"sailthrutitle", other_title, 0},
    {"twitterdescription", description, 2},
    {"twittertitle", other_title, 0},
    {"updatedtime", modified, 1},
};
static_assert(std::ranges::all_of(kMetaNames, [](const MetaName& row) { return row.rank < kMetaRanks; }));

struct ItemName {
  std::string_view name;
  ItemField field;
};
constexpr ItemName kItemNames[] = {
    {"author", ItemField::author},           {"creator", ItemField::author},
    {"datecreated", ItemField::created},     {"datemodified", ItemField::modified},
    {"datepublished", ItemField::published}, {"description", ItemField::description},
    {"inlanguage", ItemField::language},
};

constexpr std::size_t kMaxNameLength = 32;

/// The letters and digits of a name in lowercase; empty if it is longer than all names in the tables.
class FoldedName {
 public:
  constexpr explicit FoldedName(std::string_view name) {
    for (const char raw : name) {
      const char c = text::lower_ascii(raw);
      if (!base::is_alphanumeric(c)) continue;
      if (size_ == text_.size()) {
        size_ = 0;
        return;
      }
      text_[size_++] = c;
      hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x01000193U;
    }
  }
  [[nodiscard]] constexpr std::string_view text() const { return {text_.data(), size_}; }
  [[nodiscard]] constexpr std::uint32_t hash() const { return hash_ ^ (hash_ >> 15U); }

 private:
  std::array<char, kMaxNameLength> text_{};
  std::size_t size_ = 0;
  std::uint32_t hash_ = 0;
};

// A hash table with open addressing: each slot has the number of a row above, plus one. The branches of a
// binary search would be unpredictable.
constexpr auto kMetaSlots = [] {
  std::array<std::uint8_t, 256> slots{};
  for (std::size_t row = 0; row < std::size(kMetaNames); ++row) {
    std::size_t slot = FoldedName(kMetaNames[row].name).hash() % slots.size();
    while (slots[slot] != 0) slot = (slot + 1) % slots.size();
    slots[slot] = static_cast<std::uint8_t>(row + 1);
  }
  return slots;
}();
static_assert(std::size(kMetaNames) < kMetaSlots.size() / 2);

/// The first eight letters of a word as one number, which is enough to distinguish the words below.
using WordKey = std::uint64_t;

constexpr WordKey word_key(std::string_view word) {
  WordKey key = 0;
  for (const char c : word.substr(0, 8)) key = (key << 8) | static_cast<unsigned char>(c);
  return key;
}

struct SignWord {
  WordKey key = 0;
  std::uint32_t sign = 0;
};

struct SignWords {
  std::uint32_t sign;
  std::string_view words;
};

constexpr SignWords kSignWords[] = {
    {kAuthorSign,
     "author authors autor autoren autorin autores auteur auteurs autore auth writer verfasser username"},
    {kAuthorSign | kNameSign, "authorname authname autorname"},
    {kMetaSign, "meta metadata postmeta"},
    {kBylineSign, "byline bylines byl postedby writtenby"},
    {kNameSign, "name fn names link"},
    {kDetailSign,
     "image img avatar photo picture pic bio biography description desc about info social job role "
     "position box"},
    {kDateSign,
     "date dates datum fecha datetime time timestamp dateline postdate entrydate pubdate postedon "
     "datestamp newsdate timedata"},
    {kPublishedSign | kDateSign, "published publisheddate publishdate publicationdate"},
    {kPublishedSign, "publish posted created"},
    {kModifiedSign, "modified updated lastmod update lastupdate"},
    {kCommentSign,
     "comment comments commentlist respond disqus kommentare kommentar commentaires comentarios"},
    {kAsideSign,
     "sidebar related teaser teasers widget widgets recommended recommendations recommend popular "
     "trending menu navigation nav breadcrumb breadcrumbs newsletter carousel"},
};

// A hash table with open addressing and a low load factor: most words of classes are not in it, and one
// access finds that out.
constexpr std::size_t kSignSlots = 512;

constexpr std::size_t slot_of(WordKey key) {
  return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 55U);
}

constexpr auto make_sign_table() {
  std::array<SignWord, kSignSlots> table{};
  for (const SignWords& row : kSignWords) {
    std::string_view rest = row.words;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      std::size_t slot = slot_of(word_key(word));
      while (table[slot].key != 0 && table[slot].key != word_key(word)) slot = (slot + 1) % kSignSlots;
      table[slot] = {word_key(word), table[slot].sign | row.sign};
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
  }
  return table;
}

constexpr auto kSignTable = make_sign_table();

std::uint32_t sign_of(WordKey key) {
  for (std::size_t slot = slot_of(key); kSignTable[slot].key != 0; slot = (slot + 1) % kSignSlots)
    if (kSignTable[slot].key == key) return kSignTable[slot].sign;
  return 0;
}

/// For each first letter, the second letters of the words above, as bits. Rejects most other words.
constexpr auto make_word_starts() {
  std::array<std::uint32_t, 26> starts{};
  for (const SignWords& row : kSignWords) {
    std::string_view rest = row.words;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      starts[static_cast<std::size_t>(word[0] - 'a')] |= 1U << static_cast<unsigned>(word[1] - 'a');
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
  }
  return starts;
}
constexpr auto kWordStarts = make_word_starts();

/// Whether a word may begin with these two letters, in any case.
bool may_begin_word(char first, char second) {
  const auto index = static_cast<std::size_t>(text::lower_ascii(first) - 'a');
  return ((kWordStarts[index] >> static_cast<unsigned>(text::lower_ascii(second) - 'a')) & 1U) != 0;
}

/// The word_key of a word of ASCII letters, converted to lowercase.
WordKey folded_key(text::PaddedText word) {
  if constexpr (std::endian::native == std::endian::little) {
    if (word.can_read(word.data(), 8)) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, word.data(), 8);
      const std::uint64_t key = __builtin_bswap64(bytes | 0x2020202020202020U);
      return word.size() < 8 ? key >> (8 * (8 - word.size())) : key;
    }
  }
  WordKey key = 0;
  for (const char c : word.prefix(8)) key = (key << 8) | static_cast<unsigned char>(text::lower_ascii(c));
  return key;
}

}  // namespace

std::optional<NamedMeta> find_meta_name(std::string_view name) {
  const FoldedName folded(name);
  for (std::size_t slot = folded.hash() % kMetaSlots.size(); kMetaSlots[slot] != 0;
       slot = (slot + 1) % kMetaSlots.size()) {
    const MetaName& row = kMetaNames[kMetaSlots[slot] - 1];
    if (row.name == folded.text()) return NamedMeta{row.field, row.rank};
  }
  return std::nullopt;
}

std::optional<ItemField> find_item_name(std::string_view name) {
  const FoldedName folded(name);
  const auto* const found = std::ranges::find(kItemNames, folded.text(), &ItemName::name);
  if (found == std::end(kItemNames)) return std::nullopt;
  return found->field;
}

std::uint32_t class_signs(text::PaddedText value) {
  std::uint32_t signs = 0;
  text::each_name_word<text::words::Beyond::between_words>(value, [&](text::PaddedText word) {
    // Skip words of one letter.
    if (word.size() > 1 && may_begin_word(word[0], word[1])) signs |= sign_of(folded_key(word));
  });
  return signs;
}

}  // namespace sheaf::extract
