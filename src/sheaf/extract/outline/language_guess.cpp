#include "sheaf/extract/outline/language_guess.h"

#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMinLetters = 20;
constexpr float kMinWords = 2.5F;  // points; a function word's point is divided among its languages
constexpr float kLead = 1.25F;     // ratio to the score of the next language
// After every kCheckedWords function words, stop if the best language has this many points and this lead.
constexpr std::uint32_t kCheckedWords = 12;
constexpr float kClearWords = 6;
constexpr float kClearLead = 2.5F;

struct LanguageWords {
  std::string_view tag;
  std::string_view words;  // lower case, separated by spaces
};

// The most frequent function words of languages that share a script.
constexpr LanguageWords kLanguages[] = {
    {"en",
     "the of and to in is that for it with as was on are this be by not have from or which you they but at "
     "has were"},
    {"de",
     "der die und das den von zu mit ist nicht auf für im des dem ein eine sich auch als es wird sind wie "
     "bei oder nach aus"},
    {"fr",
     "le la les des et est une dans pour que qui sur avec par au il du pas plus sont ce cette ses aux ont "
     "mais nous vous"},
    {"es",
     "el la los las de y que en un una por con para del se su al como más lo sus pero fue este son está ha "
     "también"},
    {"it",
     "il di che la e un per in una con non del della sono le si da gli alla dei nel più come anche delle "
     "questo ha è"},
    {"pt",
     "o a os as de que e do da em um uma para com não por no na dos mais se como foi ao das é são também "
     "pelo"},
    {"nl",
     "de het een en van in is dat op te voor met zijn niet aan er om ook als maar bij door naar uit worden "
     "deze wordt heeft"},
    {"pl",
     "w i na z się nie do to że jest o jak po za od co dla przez czy tym są oraz ale ich który może był"},
    {"cs",
     "a v na se je že s z do pro to jsou jako by ale za po od které také byl nebo při jeho podle který až "
     "být"},
    {"sk",
     "a v na sa je že s z do pre to sú ako by ale za po od ktoré tiež bol alebo pri jeho podľa ktorý až byť"},
    {"sv",
     "och att det i som en på är av för den med till inte har om ett men var jag från så kan vi när ska"},
    {"da",
     "og at det i er en af til på for den der med som de ikke har et om fra var jeg men kan blev også vi"},
    {"nb",
     "og det i er en av til på for den som med ikke har et om fra var jeg men kan ble også vi skal etter"},
    {"fi", "ja on ei että se oli hän mutta joka myös kun niin ovat kuin tai sekä mukaan voi olla jos ole"},
    {"hu", "a az és hogy nem is egy van meg csak de ez volt ki már mint vagy szerint után azt még ha"},
    {"ro", "și în de la a cu pe nu o un din care este să mai au pentru că ce sunt prin fi după fost"},
    {"tr", "ve bir bu için ile de da olarak çok daha olan gibi en ne var kadar sonra ancak değil her"},
    {"hr", "i u je na se da su za od s a o kao što ne koji iz bi će koje ili nije godine"},
    {"sl", "in je v na se da so za z ki pa kot tudi po o ne bi ni pri ali še bo"},
    {"lt", "ir į kad su iš yra ne tai kaip bet o už jo buvo apie po nuo tik prie"},
    {"lv", "un ir ar no uz par kas ka bet arī kā tas gan tiek pēc ne līdz pie"},
    {"et", "ja on ei et see ka oli kui aga mis ning ta või oma kes seda pärast"},
    {"vi", "và của là có cho không được một trong các những với đã này người để khi ở đến từ"},
    {"id",
     "yang dan di untuk dengan dari ini itu tidak dalam pada akan juga ke adalah oleh karena atau saya bisa"},
    {"ca", "el la els les de i que en un una per amb del és dels no als més aquest són com també"},
    {"ru", "и в не на что с по как это из за от для к так но он его а все было был она же"},
    {"uk", "і в не на що з по як це із за від для до та але він його а все було був також у"},
    {"bg", "и в не на че с по как това от за да се но той са е си ще или до при"},
    {"sr", "и у је на да се су за од не као што који са из би али или они"},
    {"ar", "في من على إلى أن عن هذا التي الذي مع هذه ما كان لا بعد قد بين كل"},
    {"fa", "در به از که این را با است برای آن یک خود تا شد هم های می بر"},
    {"ur", "کے میں کی ہے اور سے کا کو پر نے کہ یہ ہیں بھی کر اس تھا"},
};
constexpr std::size_t kLanguageCount = std::size(kLanguages);
static_assert(kLanguageCount <= 64);

struct FunctionWord {
  std::string_view text;
  float weight = 0;             // points for each of its languages: one point divided among them
  std::uint64_t languages = 0;  // one bit per language
};

constexpr std::size_t kSlots = 2048;

constexpr std::size_t slot_of(std::uint32_t hash) { return (hash ^ (hash >> 15U)) % kSlots; }

constexpr auto kSmallWords = [] {
  std::array<FunctionWord, kSlots> slots{};
  for (std::size_t language = 0; language < kLanguageCount; ++language) {
    std::string_view rest = kLanguages[language].words;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      const std::uint32_t hash = text::hash_text_word(word);
      std::size_t at = slot_of(hash);
      while (!slots[at].text.empty() && slots[at].text != word) at = (at + 1) % kSlots;
      slots[at].text = word;
      slots[at].languages |= std::uint64_t{1} << language;
      slots[at].weight = 1.0F / static_cast<float>(std::popcount(slots[at].languages));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
  }
  return slots;
}();

// The hashes of kSmallWords; 0 marks an empty slot. Most lookups fail, and this smaller table answers them
// with fewer cache misses.
constexpr auto kSmallHashes = [] {
  std::array<std::uint32_t, kSlots> hashes{};
  for (std::size_t at = 0; at < kSlots; ++at)
    hashes[at] = kSmallWords[at].text.empty() ? 0 : text::hash_text_word(kSmallWords[at].text);
  return hashes;
}();
static_assert(std::ranges::count(kSmallHashes, 0U) ==
              std::ranges::count(kSmallWords, 0U, &FunctionWord::languages));

constexpr std::size_t kMaxSmallWordLength =
    std::ranges::max(kSmallWords, {}, [](const FunctionWord& word) { return word.text.size(); }).text.size();

/// For each first byte, the sizes of the function words that begin with it, one bit per size. Rejects most
/// other words before they are hashed.
constexpr auto kSmallShapes = [] {
  std::array<std::uint32_t, 256> shapes{};
  for (const FunctionWord& word : kSmallWords) {
    if (word.text.empty()) continue;
    const auto first = static_cast<unsigned char>(word.text.front());
    const std::uint32_t size = 1U << word.text.size();
    shapes[first] |= size;
    if (first == 0xD1) shapes[0xD0] |= size;  // lowercase Cyrillic at 0xD1 has capitals at 0xD0
  }
  return shapes;
}();
static_assert(kMaxSmallWordLength < 32);

/// Whether some function word has the same size and first byte, ignoring case.
bool has_small_shape(std::string_view word) {
  return word.size() <= kMaxSmallWordLength &&
         ((kSmallShapes[static_cast<unsigned char>(text::lower_ascii(word.front()))] >> word.size()) & 1U) !=
             0;
}

/// Looks up the hash of a lowercase word; nullptr if it is not a function word. A hash collision is rare and
/// harmless.
const FunctionWord* find_small_word(std::uint32_t hash) {
  for (std::size_t at = slot_of(hash); kSmallHashes[at] != 0; at = (at + 1) % kSlots)
    if (kSmallHashes[at] == hash) return &kSmallWords[at];
  return nullptr;
}

// Scripts that are used by one language only, or by one far more than by others.
struct ScriptLanguage {
  char32_t first;
  char32_t last;
  std::string_view tag;
};
constexpr ScriptLanguage kScripts[] = {
    {0x0370, 0x03FF, "el"}, {0x0530, 0x058F, "hy"}, {0x0590, 0x05FF, "he"}, {0x0900, 0x097F, "hi"},
    {0x0980, 0x09FF, "bn"}, {0x0A00, 0x0A7F, "pa"}, {0x0A80, 0x0AFF, "gu"}, {0x0B80, 0x0BFF, "ta"},
    {0x0C00, 0x0C7F, "te"}, {0x0C80, 0x0CFF, "kn"}, {0x0D00, 0x0D7F, "ml"}, {0x0D80, 0x0DFF, "si"},
    {0x0E00, 0x0E7F, "th"}, {0x0E80, 0x0EFF, "lo"}, {0x1000, 0x109F, "my"}, {0x10A0, 0x10FF, "ka"},
    {0x1200, 0x137F, "am"}, {0x1780, 0x17FF, "km"}, {0x3040, 0x30FF, "ja"}, {0x4E00, 0x9FFF, "zh"},
    {0xAC00, 0xD7AF, "ko"},
};
constexpr std::size_t kScriptCount = std::size(kScripts);
constexpr std::size_t kKana = 18;
constexpr std::size_t kHan = 19;
static_assert(kScripts[kKana].tag == "ja" && kScripts[kHan].tag == "zh");

/// Returns the code point at `at` and advances `at`. Stray continuation bytes and cut characters give one
/// code point per byte.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  const std::size_t more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  if (more == 0 || at + more > text.size()) return first;
  char32_t code = first & (0x3FU >> more);
  for (std::size_t i = 0; i < more; ++i)
    code = (code << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  return code;
}

std::string_view language_by_script(std::string_view text) {
  unsigned char highest = 0;
  for (const char c : text) highest = std::max(highest, static_cast<unsigned char>(c));
  if (highest < 0xCD) return {};  // Latin
  std::array<std::uint32_t, kScriptCount> letters{};
  std::uint32_t others = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_code_point(text, at);
    if (code < 0x80) {
      others += (code | 0x20U) >= 'a' && (code | 0x20U) <= 'z' ? 1U : 0U;
      continue;
    }
    const auto script = std::ranges::find_if(
        kScripts, [code](const ScriptLanguage& s) { return code >= s.first && code <= s.last; });
    if (script == std::end(kScripts)) {
      ++others;
    } else {
      ++letters[static_cast<std::size_t>(script - std::begin(kScripts))];
    }
  }
  // Japanese is written with Chinese characters and kana; Chinese texts have at most a few kana.
  if (letters[kKana] * 10 > letters[kHan]) letters[kKana] += std::exchange(letters[kHan], 0);
  const auto most = std::ranges::max_element(letters);
  if (*most < kMinLetters || *most < others) return {};
  return kScripts[static_cast<std::size_t>(most - letters.begin())].tag;
}

/// Lowercases ASCII, Latin-1 and Cyrillic capitals: enough to recognise a function word at the start of a
/// sentence.
std::size_t lower_word(std::string_view word, std::span<char> out) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    out[i] = text::lower_ascii(word[i]);
    if (i == 0) continue;
    const auto before = static_cast<unsigned char>(word[i - 1]);
    const auto c = static_cast<unsigned char>(word[i]);
    if (before == 0xC3 && c >= 0x80 && c < 0x9F) out[i] = static_cast<char>(c + 0x20);
    if (before == 0xD0 && c >= 0x90 && c < 0xA0) out[i] = static_cast<char>(c + 0x20);
    if (before == 0xD0 && c >= 0xA0 && c < 0xB0) {
      out[i - 1] = static_cast<char>(0xD1);
      out[i] = static_cast<char>(c - 0x20);
    }
  }
  return word.size();
}

using Scores = std::array<float, kLanguageCount>;

/// The language with at least `fewest` points and `lead` times as many as the next; empty if there is none.
std::string_view winner(Scores scores, float fewest, float lead) {
  const auto best = std::ranges::max_element(scores);
  const auto place = static_cast<std::size_t>(best - scores.begin());
  const float score = std::exchange(*best, 0.0F);
  if (score < fewest || score < lead * *std::ranges::max_element(scores)) return {};
  return kLanguages[place].tag;
}

/// Adds the weight of a function word to the scores of its languages. Returns false for other words.
bool score_word(text::PaddedText word, Scores& scores) {
  if (!has_small_shape(word)) return false;
  std::uint32_t hash = 0;
  if (std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    std::array<char, 32> lower{};  // padded to whole blocks
    const std::string_view memory(lower.data(), lower.size());
    hash = text::words::hash_of(text::PaddedText::inside(memory.substr(0, lower_word(word, lower)), memory));
  } else {
    hash = text::words::hash_of(word);
  }
  const FunctionWord* const small = find_small_word(hash);
  if (small == nullptr) return false;
  for (std::uint64_t rest = small->languages; rest != 0; rest &= rest - 1)
    scores[static_cast<std::size_t>(std::countr_zero(rest))] += small->weight;
  return true;
}

std::string_view language_by_words(std::string_view text) {
  Scores scores{};
  std::uint32_t small_words = 0;
  std::string_view clear;
  text::each_word_text<text::words::Digits::between_words>(text, [&](text::PaddedText word) {
    // Most texts are clear after a few lines: no need to read on.
    if (score_word(word, scores) && ++small_words % kCheckedWords == 0)
      clear = winner(scores, kClearWords, kClearLead);
    return clear.empty();
  });
  if (!clear.empty()) return clear;
  return winner(scores, kMinWords, kLead);
}

}  // namespace

std::string_view guess_language(std::string_view text) {
  text = text.substr(0, kGuessedBytes);
  const std::string_view by_script = language_by_script(text);
  return by_script.empty() ? language_by_words(text) : by_script;
}

}  // namespace sheaf::extract
