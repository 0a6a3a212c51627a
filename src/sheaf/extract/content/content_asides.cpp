#include "sheaf/extract/content/content_asides.h"

#include "sheaf/html/text_value.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMaxTeaserLength = 250;   // characters: a title and the words before it
constexpr std::uint32_t kMaxRequestLength = 350;  // two sentences
constexpr std::uint32_t kMaxCreditLength = 80;    // a name or two

// Phrases that announce another article, before a colon and a link.
constexpr auto kTeasers = std::to_array<std::string_view>({"also read",        "auch interessant",
                                                           "baca juga",        "czytaj także",
                                                           "czytaj też",       "czytaj więcej",
                                                           "don't miss",       "lea",
                                                           "lea además",       "lea más",
                                                           "lea también",      "lee también",
                                                           "lees ook",         "leer también",
                                                           "leggi anche",      "leia mais",
                                                           "leia também",      "lesen sie auch",
                                                           "lesen sie hier",   "lesen sie mehr",
                                                           "lies auch",        "lire aussi",
                                                           "læs også",         "läs också",
                                                           "mehr zum thema",   "mira",
                                                           "przeczytaj także", "read also",
                                                           "read more",        "read next",
                                                           "related",          "related articles",
                                                           "related story",    "te puede interesar",
                                                           "vea también",      "veja também",
                                                           "zobacz także",     "zobacz też",
                                                           "À lire aussi",     "Читайте также"});

// Beginnings of requests to readers, and of placeholders for something that is not shown.
constexpr auto kRequests = std::to_array<std::string_view>({"abonnez-vous",
                                                            "abonnieren sie",
                                                            "already a subscriber",
                                                            "comments are closed",
                                                            "das könnte dich auch interessieren",
                                                            "das könnte sie auch interessieren",
                                                            "das thema könnte dich auch interessieren",
                                                            "dieser beitrag enthält affiliate",
                                                            "empfohlener externer inhalt",
                                                            "empfohlener redaktioneller inhalt",
                                                            "folgen sie uns",
                                                            "folgen sie unserem",
                                                            "follow us on",
                                                            "for the latest stories",
                                                            "got a news tip",
                                                            "if you enjoyed reading",
                                                            "if you're seeing this message",
                                                            "inscreva-se",
                                                            "iscriviti",
                                                            "jetzt abonnieren",
                                                            "join our telegram",
                                                            "join our whatsapp",
                                                            "kommentare geschlossen",
                                                            "like us on",
                                                            "seguici",
                                                            "sign up for our",
                                                            "sign up to our",
                                                            "submit your letter",
                                                            "subscribe now",
                                                            "subscribe to our",
                                                            "suivez-nous",
                                                            "suscríbete",
                                                            "síguenos",
                                                            "this post contains affiliate",
                                                            "this post contains references",
                                                            "this post may contain affiliate",
                                                            "to view the full story",
                                                            "Únete a nuestro"});

// Words that precede a colon and the name of a photographer or an agency.
constexpr auto kCredits = std::to_array<std::string_view>(
    {"bild", "bilder", "bildquelle", "crédit photo", "crédits photos", "foto", "fotocredit", "fotos",
     "image credit", "photo", "photo credit", "photos"});

/// For each first byte of a phrase, the second bytes that may follow it, as bits by their lowest five bits.
/// Rejects most texts before they are compared. Few phrases begin with a letter that is not ASCII.
constexpr auto kAsideStarts = [] {
  std::array<std::uint32_t, 256> starts{};
  const auto add = [&starts](std::string_view phrase) {
    const auto first = static_cast<unsigned char>(phrase[0]);
    if (first < 0x80)
      starts[first] |= 1U << (static_cast<unsigned char>(phrase[1]) % 32U);
    else
      starts[first] = ~0U;
  };
  for (const std::string_view phrase : kTeasers) add(phrase);
  for (const std::string_view phrase : kRequests) add(phrase);
  for (const std::string_view phrase : kCredits) add(phrase);
  return starts;
}();

bool may_be_aside(std::string_view text) {
  if (text.size() < 4) return false;
  const auto first = static_cast<unsigned char>(text::lower_ascii(text[0]));
  return ((kAsideStarts[first] >> (static_cast<unsigned char>(text[1]) % 32U)) & 1U) != 0;
}

template <class Phrases>
bool begins_with_one(const Phrases& phrases, std::string_view text) {
  const char first = text::lower_ascii(text[0]);
  return std::ranges::any_of(phrases, [first, text](std::string_view phrase) {
    return text::lower_ascii(phrase[0]) == first && html::begins_with_words(text, phrase);
  });
}

template <class Phrases>
bool is_one(const Phrases& phrases, std::string_view text) {
  return std::ranges::any_of(phrases,
                             [text](std::string_view phrase) { return html::same_words(text, phrase); });
}

}  // namespace

bool is_aside(const TextRun& run) {
  if (run.chars > kMaxRequestLength || !may_be_aside(run.text)) return false;
  if (begins_with_one(kRequests, run.text)) return true;
  const std::string_view before = run.text.substr(0, run.text.find(':'));
  if (before.size() == run.text.size()) return false;
  if (run.chars <= kMaxCreditLength && is_one(kCredits, before)) return true;
  return run.chars <= kMaxTeaserLength && run.links > 0 && is_one(kTeasers, before);
}

}  // namespace sheaf::extract
