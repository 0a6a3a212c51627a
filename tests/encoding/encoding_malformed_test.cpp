#include "sheaf/encoding/encoding.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sheaf::encoding {
namespace {

using namespace std::string_view_literals;

#define FFFD "\xEF\xBF\xBD"

struct Malformed {
  std::string_view label;
  std::string_view bytes;
  std::string_view text;
};

constexpr Malformed kMalformed[] = {
    // UTF-8: one U+FFFD for each maximal subpart (Unicode 3.9, "U+FFFD substitution of maximal subparts").
    {"utf-8", "\x80"sv, FFFD},
    {"utf-8", "a\xC3"sv, "a" FFFD},
    {"utf-8", "\xC3<"sv, FFFD "<"},
    {"utf-8", "\xC0\x80"sv, FFFD FFFD},
    {"utf-8", "\xC1\xBF"sv, FFFD FFFD},
    {"utf-8", "\xE2\x82"sv, FFFD},
    {"utf-8", "\xE2\x82<"sv, FFFD "<"},
    {"utf-8", "\xE0\x80\xAF"sv, FFFD FFFD FFFD},
    {"utf-8", "\xED\xA0\x80"sv, FFFD FFFD FFFD},
    {"utf-8", "\xF0\x9F\x98"sv, FFFD},
    {"utf-8", "\xF0\x9F\x98\xF0\x9F\x98\x80"sv, FFFD "\U0001F600"},
    {"utf-8", "\xF0\x80\x80\x80"sv, FFFD FFFD FFFD FFFD},
    {"utf-8", "\xF4\x90\x80\x80"sv, FFFD FFFD FFFD FFFD},
    {"utf-8", "\xF5\x80\x80\x80"sv, FFFD FFFD FFFD FFFD},
    {"utf-8", "\xFE\xFF"sv, FFFD FFFD},
    {"utf-8", "\x41\xC0\xAF\x41\xF4\x80\x80\x41"sv, "A" FFFD FFFD "A" FFFD "A"},
    // UTF-16: lone surrogates and odd lengths.
    {"utf-16be", "\xD8\x3D"sv, FFFD},
    {"utf-16be", "\xD8\x3D\x00<"sv, FFFD "<"},
    {"utf-16be", "\xDE\x00\x00<"sv, FFFD "<"},
    {"utf-16be", "\xD8\x3D\xD8\x3D\xDE\x00"sv, FFFD "\U0001F600"},
    {"utf-16be", "\x00"sv, FFFD},
    {"utf-16be", "\xD8\x3D\x00"sv, FFFD},
    {"utf-16le", "a\0b"sv, "a" FFFD},
    {"utf-16le", "\x3D\xD8\x3C\x00"sv, FFFD "<"},
    // gb18030 and gbk: an ASCII byte that cannot follow is read again.
    {"gbk", "\xFF"sv, FFFD},
    {"gbk", "\x81"sv, FFFD},
    {"gbk", "\x81<"sv, FFFD "<"},
    {"gbk", "\x81\""sv, FFFD "\""},
    {"gbk", "\x81\x7F"sv, FFFD "\x7F"},
    {"gbk", "\x81\xFF"sv, FFFD},
    {"gb18030", "\x81\x30"sv, FFFD},
    {"gb18030", "\x81\x30\x81"sv, FFFD},
    {"gb18030", "\x81\x30<"sv, FFFD "0<"},
    {"gb18030", "\x81\x30\x81<"sv, FFFD "0" FFFD "<"},
    {"gb18030", "\x81\x30\x81\x81"sv, FFFD "0\u4E96"},
    {"gb18030", "\x84\x31\xA4\x40"sv, FFFD "1\uE5E6"},
    {"gb18030", "\x84\x32\x81\x30<"sv, FFFD "<"},
    {"gb18030", "\xE3\x32\x9A\x36<"sv, FFFD "<"},
    // Big5
    {"big5", "\x80"sv, FFFD},
    {"big5", "\xFF"sv, FFFD},
    {"big5", "\xA4"sv, FFFD},
    {"big5", "\xA4<"sv, FFFD "<"},
    {"big5", "\xA4\x80"sv, FFFD},
    {"big5", "\x81\x40"sv, FFFD "@"},
    {"big5", "\x81\xA1"sv, FFFD},
    {"big5", "\xA4\xFF\xA4\x40"sv, FFFD "\u4E00"},
    // EUC-KR
    {"euc-kr", "\x80"sv, FFFD},
    {"euc-kr", "\xB0"sv, FFFD},
    {"euc-kr", "\xB0<"sv, FFFD "<"},
    {"euc-kr", "\x81\x5B"sv, FFFD "["},
    {"euc-kr", "\xC9\xA1"sv, FFFD},
    {"euc-kr", "\xFE\xFF"sv, FFFD},
    // Shift_JIS
    {"shift_jis", "\xA0"sv, FFFD},
    {"shift_jis", "\xFD\xFE\xFF"sv, FFFD FFFD FFFD},
    {"shift_jis", "\x93"sv, FFFD},
    {"shift_jis", "\x93<"sv, FFFD "<"},
    {"shift_jis", "\x93\x7F"sv, FFFD "\x7F"},
    {"shift_jis", "\x85\x40"sv, FFFD "@"},
    {"shift_jis", "\x85\x9F"sv, FFFD},
    {"shift_jis", "\x93\xFD\x93\xFA"sv, FFFD "\u65E5"},
    {"shift_jis", "\x80"sv, "\xC2\x80"},
    // EUC-JP
    {"euc-jp", "\x80"sv, FFFD},
    {"euc-jp", "\x8E"sv, FFFD},
    {"euc-jp", "\x8E<"sv, FFFD "<"},
    {"euc-jp", "\x8E\xE0"sv, FFFD},
    {"euc-jp", "\x8F"sv, FFFD},
    {"euc-jp", "\x8F<"sv, FFFD "<"},
    {"euc-jp", "\x8F\xB0"sv, FFFD},
    {"euc-jp", "\x8F\xB0<"sv, FFFD "<"},
    {"euc-jp", "\x8F\xB0\x80"sv, FFFD},
    {"euc-jp", "\x8F\xA1\xA1"sv, FFFD},
    {"euc-jp", "\xC6"sv, FFFD},
    {"euc-jp", "\xC6<"sv, FFFD "<"},
    {"euc-jp", "\xC6\x80"sv, FFFD},
    {"euc-jp", "\xA9\xA1"sv, FFFD},
    {"euc-jp", "\xFF"sv, FFFD},
    // ISO-2022-JP
    {"iso-2022-jp", "\x80"sv, FFFD},
    {"iso-2022-jp", "\x0E\x0F"sv, FFFD FFFD},
    {"iso-2022-jp", "\x1B"sv, FFFD},
    {"iso-2022-jp", "\x1B<"sv, FFFD "<"},
    {"iso-2022-jp", "\x1B$"sv, FFFD "$"},
    {"iso-2022-jp", "\x1B$A"sv, FFFD "$A"},
    {"iso-2022-jp", "\x1B(Z"sv, FFFD "(Z"},
    {"iso-2022-jp", "\x1B(J\x1B(B"sv, FFFD},
    {"iso-2022-jp", "\x1B(Ja\x1B(Bb"sv, "ab"},
    {"iso-2022-jp", "\x1B$B\x46"sv, FFFD},
    {"iso-2022-jp", "\x1B$B\x46\x1B(B<"sv, FFFD "<"},
    {"iso-2022-jp", "\x1B$B\x46\x80\x46\x7C"sv, FFFD "\u65E5"},
    {"iso-2022-jp", "\x1B$B\n\x46\x7C"sv, FFFD "\u65E5"},
    {"iso-2022-jp", "\x1B$B\x2D\x7D"sv, FFFD},
    {"iso-2022-jp", "\x1B(I\x60"sv, FFFD},
    {"iso-2022-jp", "\x1B(I\x31\x1B<"sv, "\uFF71" FFFD "\uFF7C"},
    // Single-byte holes, and the encodings that are not shown at all.
    {"iso-8859-3", "\xA5<"sv, FFFD "<"},
    {"windows-1253", "\xAA\xD2\xFF"sv, FFFD FFFD FFFD},
    {"windows-874", "\xDB<"sv, FFFD "<"},
    {"iso-2022-kr", "\x1B$)C<b>text</b>"sv, FFFD},
    {"hz-gb-2312", "<script>"sv, FFFD},
    {"replacement", "a"sv, FFFD},
};

TEST(SpecDecoding, MalformedBytesBecomeReplacements) {
  Decoder decoder;
  std::string out;
  for (const Malformed& row : kMalformed) {
    const bool clean = decoder.decode_to_utf8(row.bytes, encoding_for_label(row.label).value(), out);
    EXPECT_EQ(out, row.text) << row.label << " row " << &row - kMalformed;
    EXPECT_EQ(clean, row.text.find(FFFD) == std::string_view::npos)
        << row.label << " row " << &row - kMalformed;
  }
}

TEST(SpecDecoding, EmptyInputGivesEmptyText) {
  std::string out = "old";
  EXPECT_TRUE(decode_to_utf8("", Encoding::replacement, out));
  EXPECT_EQ(out, "");
  EXPECT_TRUE(decode_to_utf8({}, Encoding::utf_16le, out));
  EXPECT_EQ(out, "");
}

// A quote or a < after any lead byte stays: otherwise bytes could hide the end of an attribute or a tag.
TEST(SpecDecoding, MarkupAfterAnyByteSurvives) {
  Decoder decoder;
  std::string out;
  for (const Encoding encoding : {Encoding::gbk, Encoding::gb18030, Encoding::big5, Encoding::euc_jp,
                                  Encoding::shift_jis, Encoding::euc_kr, Encoding::utf_8}) {
    for (int lead = 0x80; lead < 0x100; ++lead) {
      for (const char markup : {'<', '>', '"', '\'', '&', ' ', '\n', '/'}) {
        decoder.decode_to_utf8(std::string{static_cast<char>(lead), markup, 'x'}, encoding, out);
        EXPECT_TRUE(out.ends_with(std::string{markup, 'x'}))
            << name(encoding) << " " << lead << " " << markup;
      }
    }
  }
}

// docs/encodings.md: memory is bounded by the size of the page.
TEST(SheafOnlyDecoding, TheTextIsAtMostThreeTimesAsLongAsTheBytes) {
  Decoder decoder;
  std::string out;
  std::minstd_rand random(1);
  for (int number = 0; number <= static_cast<int>(Encoding::x_user_defined); ++number) {
    const auto encoding = static_cast<Encoding>(number);
    for (int round = 0; round < 300; ++round) {
      std::string bytes(1 + random() % 40, '\0');
      for (char& byte : bytes) byte = static_cast<char>(round % 2 == 0 ? random() : 0x80 | random());
      decoder.decode_to_utf8(bytes, encoding, out);
      EXPECT_LE(out.size(), 3 * bytes.size()) << name(encoding) << " round " << round;
    }
  }
}

// ESC sequences of ISO-2022-JP make no sense elsewhere and pass through as the control characters they are.
TEST(SpecDecoding, EscapesArePlainElsewhere) {
  std::string out;
  EXPECT_TRUE(decode_to_utf8("\x1B$B\x46\x7C", Encoding::shift_jis, out));
  EXPECT_EQ(out, "\x1B$BF|");
}

}  // namespace
}  // namespace sheaf::encoding
