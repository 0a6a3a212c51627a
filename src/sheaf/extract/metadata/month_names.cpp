#include "sheaf/extract/metadata/month_names.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

namespace sheaf::extract {
namespace {

struct MonthNames {
  int month;
  std::string_view names;
};

// Folded by fold_letter and separated by spaces. A name that several groups share is listed in the first one.
// Where two languages disagree (listopad is November in Polish and Czech, October in Croatian), the one with
// more pages wins.
constexpr MonthNames kMonthNames[] = {
    // English, German, French, Spanish, Italian, Portuguese, Dutch, the Nordic languages, Romanian, Catalan,
    // Indonesian, Serbian, Slovenian; Slovak, Hungarian
    {1, "january januar janner januari janvier enero gennaio janeiro ianuarie gener janar januara"},
    {2, "february februar feber februari fevrier febrero febbraio fevereiro februarie febrer februara"},
    {3, "march marz maerz mars marzo marco maart marts martie marc maret mart marcius"},
    {4, "april avril abril aprile aprilie aprila aprilis"},
    {5, "may mai mayo maggio maio mei maj maig maja majus"},
    {6, "june juni juin junio giugno junho iunie juny jun juna junius"},
    {7, "july juli juillet julio luglio julho iulie juliol jul jula julius"},
    {8, "august aout agosto augustus augusti agost agustus avgust augusta augusztus"},
    {9,
     "september septembre septiembre setiembre settembre setembro septembrie setembre septembar septembra "
     "szeptember"},
    {10, "october oktober octobre octubre ottobre outubro octombrie oktobar oktobra"},
    {11, "november novembre noviembre novembro noiembrie novembar novembra"},
    {12,
     "december dezember decembre diciembre dicembre dezembro desember decembrie desembre decembar "
     "decembra"},
    // Polish, Czech, Turkish, Finnish
    {1, "stycznia styczen ledna leden ocak tammikuuta tammikuu"},
    {2, "lutego luty unora unor subat helmikuuta helmikuu"},
    {3, "marca marzec brezna brezen maaliskuuta maaliskuu"},
    {4, "kwietnia kwiecien dubna duben nisan huhtikuuta huhtikuu"},
    {5, "kvetna kveten mayis toukokuuta toukokuu"},
    {6, "czerwca czerwiec cervna cerven haziran kesakuuta kesakuu"},
    {7, "lipca lipiec cervence cervenec temmuz heinakuuta heinakuu"},
    {8, "sierpnia sierpien srpna srpen agustos elokuuta elokuu"},
    {9, "wrzesnia wrzesien zari eylul syyskuuta syyskuu"},
    {10, "pazdziernika pazdziernik rijna rijen ekim lokakuuta lokakuu"},
    {11, "listopada listopad listopadu kasim marraskuuta marraskuu"},
    {12, "grudnia grudzien prosince prosinec aralik joulukuuta joulukuu"},
    // Russian, Bulgarian, Ukrainian, Greek, as folded by fold_letter
    {1, "anvara anvar anuari sicna ianoyarioy ianoyarios"},
    {2, "fevrala fevral fevruari lutogo febroyarioy febroyarios"},
    {3, "marta berezna martioy martios"},
    {4, "aprela aprel kvitna aprilioy aprilios"},
    {5, "maa travna maioy maios"},
    {6, "iuna iun uni ioynioy ioynios"},
    {7, "iula iul uli lipna ioylioy ioylios"},
    {8, "avgusta serpna aygoystoy aygoystos"},
    {9, "sentabra sentabr septemvri veresna septembrioy septembrios"},
    {10, "oktabra oktabr oktomvri jovtna oktobrioy oktobrios"},
    {11, "noabra noabr noemvri noembrioy noembrios"},
    {12, "dekabra dekabr dekemvri grudna dekembrioy dekembrios"},
    // Abbreviations
    {1, "jan janv ene gen ian sty anv"},
    {2, "feb fev febr fevr lut"},
    {3, "mar mrz mrt"},
    {4, "apr avr abr kwi"},
    {5, "mag mayi"},
    {6, "giu cze"},
    {7, "juil lug lip"},
    {8, "aug ago sie avg"},
    {9, "sep sept set wrz sen"},
    {10, "oct okt ott out paz"},
    {11, "nov lis noa"},
    {12, "dec dez dic des gru dek"},
};

struct Month {
  std::string_view name;
  int month = 0;
};

constexpr std::size_t count_names() {
  std::size_t count = 0;
  for (const MonthNames& row : kMonthNames)
    count += 1 + static_cast<std::size_t>(std::ranges::count(row.names, ' '));
  return count;
}

constexpr auto make_months() {
  std::array<Month, count_names()> months{};
  std::size_t size = 0;
  for (const MonthNames& row : kMonthNames) {
    std::string_view rest = row.names;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      months[size++] = {name, row.month};
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    }
  }
  // Lookup may find any of several equal names, so is_sound() checks that equal names have the same month.
  std::ranges::sort(months, std::less<>{}, &Month::name);
  return months;
}

constexpr auto kMonths = make_months();

constexpr bool is_sound() {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i].name.size() > kMaxMonthLength) return false;
    if (i > 0 && kMonths[i - 1].name == kMonths[i].name && kMonths[i - 1].month != kMonths[i].month)
      return false;
  }
  return true;
}
static_assert(is_sound(), "a name is too long, or the name of two months");

// U+00C0 to U+017F, folded; a space stands for a character that is not a letter.
constexpr std::string_view kLatin =
    "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kLatin.size() == 0x180 - 0xC0);

// U+0430 to U+045F. The hard and the soft sign become x, so that they do not end a word.
constexpr std::string_view kCyrillic = "abvgdejziiklmnoprstufhccssxyxeuaeedgesiiilnhkiuc";
static_assert(kCyrillic.size() == 0x460 - 0x430);

// U+03B1 to U+03CE.
constexpr std::string_view kGreek = "abgdezitiklmnxoprsstyfhpoiyoyo";
static_assert(kGreek.size() == 0x3CF - 0x3B1);

char letter_at(std::string_view table, char32_t index) {
  const char letter = table[index];
  return letter == ' ' ? '\0' : letter;
}

char fold_greek(char32_t c) {
  if (c >= 0x3B1 && c <= 0x3CE) return letter_at(kGreek, c - 0x3B1);
  if (c >= 0x391 && c <= 0x3AB) return letter_at(kGreek, c - 0x391);
  switch (c) {
    case 0x386:
    case 0x3AC: return 'a';
    case 0x388:
    case 0x3AD: return 'e';
    case 0x389:
    case 0x38A:
    case 0x390:
    case 0x3AE:
    case 0x3AF: return 'i';
    case 0x38C:
    case 0x38F: return 'o';
    case 0x38E:
    case 0x3B0: return 'y';
    default: return '\0';
  }
}

}  // namespace

char fold_letter(char32_t letter) {
  if (letter >= 'a' && letter <= 'z') return static_cast<char>(letter);
  if (letter >= 'A' && letter <= 'Z') return static_cast<char>(letter + 0x20);
  if (letter >= 0xC0 && letter <= 0x17F) return letter_at(kLatin, letter - 0xC0);
  if (letter == 0x218 || letter == 0x219) return 's';  // Romanian
  if (letter == 0x21A || letter == 0x21B) return 't';
  if (letter >= 0x386 && letter <= 0x3CE) return fold_greek(letter);
  if (letter >= 0x400 && letter <= 0x40F) return letter_at(kCyrillic, letter - 0x400 + 0x20);
  if (letter >= 0x410 && letter <= 0x42F) return letter_at(kCyrillic, letter - 0x410);
  if (letter >= 0x430 && letter <= 0x45F) return letter_at(kCyrillic, letter - 0x430);
  return '\0';
}

int month_of(std::string_view folded) {
  const auto* const found = std::ranges::lower_bound(kMonths, folded, std::less<>{}, &Month::name);
  return found != kMonths.end() && found->name == folded ? found->month : 0;
}

}  // namespace sheaf::extract
