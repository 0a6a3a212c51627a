#include "sheaf/encoding/encoding.h"

#include "sheaf/encoding/encoding_index.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace sheaf::encoding {
namespace {

using namespace std::string_view_literals;

std::uint64_t fnv1a(std::uint64_t hash, char32_t value) {
  for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ ((value >> shift) & 0xFF)) * 0x100000001B3;
  return hash;
}
constexpr std::uint64_t kFnvStart = 0xCBF29CE484222325;

// Code points of valid UTF-8.
std::u32string code_points(std::string_view text) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    char32_t c = lead;
    const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (more > 0) c = lead & (0x3F >> more);
    for (int k = 0; k < more; ++k) c = c << 6 | (static_cast<unsigned char>(text[i++]) & 0x3F);
    result += c;
  }
  return result;
}

// Encoding Standard, "Names and labels": the first label of a line names the encoding.
constexpr std::string_view kLabels[] = {
    "utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8",
    "ibm866 866 cp866 csibm866",
    "iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i "
    "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
    "iso_8859-7:1987 sun_eu_greek",
    "iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
    "iso_8859-8:1988 visual",
    "iso-8859-8-i csiso88598i logical",
    "iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16",
    "koi8-r cskoi8r koi koi8 koi8_r",
    "koi8-u koi8-ru",
    "macintosh csmacintosh mac x-mac-roman",
    "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
    "windows-1250 cp1250 x-cp1250",
    "windows-1251 cp1251 x-cp1251",
    "windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
    "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252",
    "windows-1253 cp1253 x-cp1253",
    "windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 "
    "latin5 x-cp1254",
    "windows-1255 cp1255 x-cp1255",
    "windows-1256 cp1256 x-cp1256",
    "windows-1257 cp1257 x-cp1257",
    "windows-1258 cp1258 x-cp1258",
    "x-mac-cyrillic x-mac-ukrainian",
    "gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
    "gb18030",
    "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp cseucpkdfmtjapanese x-euc-jp",
    "iso-2022-jp csiso2022jp",
    "shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
    "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
    "windows-949",
    "replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr",
    "utf-16be unicodefffe",
    "utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    "x-user-defined",
};

TEST(SpecEncodingLabels, EveryLabelNamesItsEncoding) {
  std::size_t labels = 0;
  for (std::size_t i = 0; i < std::size(kLabels); ++i) {
    std::istringstream line{std::string(kLabels[i])};
    const auto encoding = static_cast<Encoding>(i);
    for (std::string label; line >> label; ++labels) {
      EXPECT_EQ(encoding_for_label(label), encoding) << label;
    }
    EXPECT_EQ(name(encoding), kLabels[i].substr(0, kLabels[i].find(' ')));
  }
  EXPECT_EQ(std::size(kLabels), kEncodingCount);
  EXPECT_EQ(labels, 228u);
}

TEST(SpecEncodingLabels, WhiteSpaceAroundAndCaseDoNotMatter) {
  for (const std::string_view label : {" utf-8"sv, "UTF-8"sv, "\t\n\f\r uTf8 \r\n"sv, "Unicode20UTF8 "sv}) {
    EXPECT_EQ(encoding_for_label(label), Encoding::utf_8) << label;
  }
  EXPECT_EQ(encoding_for_label("ISO-8859-1"), Encoding::windows_1252);
  EXPECT_EQ(encoding_for_label("US-ASCII"), Encoding::windows_1252);
  EXPECT_EQ(encoding_for_label("Latin5"), Encoding::windows_1254);
  EXPECT_EQ(encoding_for_label("GB2312"), Encoding::gbk);
  EXPECT_EQ(encoding_for_label("Shift_JIS"), Encoding::shift_jis);
  EXPECT_EQ(encoding_for_label("KS_C_5601-1987"), Encoding::euc_kr);
  EXPECT_EQ(encoding_for_label("UTF-16"), Encoding::utf_16le);
}

TEST(SpecEncodingLabels, OthersAreUnknown) {
  for (const std::string_view label : {""sv,
                                       " "sv,
                                       "utf"sv,
                                       "utf-7"sv,
                                       "utf-32"sv,
                                       "utf 8"sv,
                                       "utf-8\0"sv,
                                       "\vutf-8"sv,
                                       "\xC2\xA0utf-8"sv,
                                       "\"utf-8\""sv,
                                       "utf-8;"sv,
                                       "iso-8859-12"sv,
                                       "iso-8859-17"sv,
                                       "iso_8859-16"sv,
                                       "cp437"sv,
                                       "windows-1259"sv,
                                       "windows-936"sv,
                                       "big5-eten"sv,
                                       "euc-tw"sv,
                                       "euc-cn"sv,
                                       "cesu-8"sv,
                                       "ebcdic-cp-us"sv,
                                       "none"sv,
                                       "unknown"sv,
                                       "8859-1"sv,
                                       "x-user-define"sv,
                                       "x-user-definedx"sv,
                                       "cseucpkdfmtjapanesecseucpkdfmtjapanese"sv}) {
    EXPECT_EQ(encoding_for_label(label), std::nullopt) << label;
  }
}

TEST(SpecEncodings, SingleByteKind) {
  EXPECT_TRUE(is_single_byte(Encoding::ibm866));
  EXPECT_TRUE(is_single_byte(Encoding::windows_1252));
  EXPECT_TRUE(is_single_byte(Encoding::x_mac_cyrillic));
  EXPECT_TRUE(is_single_byte(Encoding::x_user_defined));
  EXPECT_FALSE(is_single_byte(Encoding::utf_8));
  EXPECT_FALSE(is_single_byte(Encoding::gbk));
  EXPECT_FALSE(is_single_byte(Encoding::replacement));
}

// FNV-1a over the code points of the bytes 80..FF, U+FFFD for those without one, computed from the standard's
// indexes.
struct TableSum {
  std::string_view label;
  std::uint64_t sum;
};
constexpr TableSum kTableSums[] = {
    {"ibm866", 0x96319DCF1D929585},         {"iso-8859-2", 0x15DD93976FE998CA},
    {"iso-8859-3", 0x707DADE9FEBD4C23},     {"iso-8859-4", 0xF0B5D36AAB27B23C},
    {"iso-8859-5", 0xAC92A43EB69C8F9A},     {"iso-8859-6", 0xA69291684C9006AC},
    {"iso-8859-7", 0xCDAAE3D55ED19818},     {"iso-8859-8", 0xFD6567811B536B7D},
    {"iso-8859-8-i", 0xFD6567811B536B7D},   {"iso-8859-10", 0x233BDB423408493B},
    {"iso-8859-13", 0x3A4F3B5B04C42A4A},    {"iso-8859-14", 0x75B35CF60953A41F},
    {"iso-8859-15", 0xEC2DF6E172F1BED8},    {"iso-8859-16", 0x5FAEACFF2300A1EC},
    {"koi8-r", 0x79B9C995AC090B16},         {"koi8-u", 0x3AC9F3805AE4EFB6},
    {"macintosh", 0x7EBECF5C3A3C57AD},      {"windows-874", 0x24991D0B580DAC55},
    {"windows-1250", 0x0DAF793815160EE8},   {"windows-1251", 0x729B349AC32A31B7},
    {"windows-1252", 0x3C481CA49EEFFB78},   {"windows-1253", 0xC05AA0A5F060E5B5},
    {"windows-1254", 0x8CF2CBAACFA5B91E},   {"windows-1255", 0xD056164F83F6027B},
    {"windows-1256", 0xEA1CE6FBD2270C30},   {"windows-1257", 0x9B2773398EA4EFB9},
    {"windows-1258", 0x868C3EFE3FDD4D6A},   {"x-mac-cyrillic", 0xE4A36C3EC0BAB6CB},
    {"x-user-defined", 0xF5D127D88B213A25},
};

TEST(SpecEncodings, SingleByteTables) {
  std::string ascii;
  for (int i = 0; i < 128; ++i) ascii += static_cast<char>(i);
  Decoder decoder;
  std::string out;
  for (const TableSum& table : kTableSums) {
    const Encoding encoding = encoding_for_label(table.label).value();
    EXPECT_TRUE(decoder.decode_to_utf8(ascii, encoding, out));
    EXPECT_EQ(out, ascii) << table.label;
    std::uint64_t sum = kFnvStart;
    for (int byte = 0x80; byte < 0x100; ++byte) {
      const bool clean = decoder.decode_to_utf8(std::string(1, static_cast<char>(byte)), encoding, out);
      const std::u32string decoded = code_points(out);
      ASSERT_EQ(decoded.size(), 1u);
      EXPECT_EQ(clean, decoded[0] != 0xFFFD);
      sum = fnv1a(sum, decoded[0]);
    }
    EXPECT_EQ(sum, table.sum) << table.label;
  }
  EXPECT_EQ(std::size(kTableSums), 29u);
}

// The same over the multi-byte indexes: fails where another version of ICU brings other data.
TEST(SpecEncodings, MultiByteIndexes) {
  struct Expected {
    IndexName name;
    std::size_t mapped;
    std::uint64_t sum;
  };
  for (const Expected& expected : {Expected{IndexName::jis0208, 9604, 0x23C8D8F36D3CF698},
                                   Expected{IndexName::jis0212, 6067, 0x5B56479163FD7636},
                                   Expected{IndexName::gb18030, 23940, 0x1D93F96466693822},
                                   Expected{IndexName::big5, 18590, 0x770B6FA0631178DF},
                                   Expected{IndexName::euc_kr, 17048, 0xB4FC3F13C6ABF5FA}}) {
    std::uint64_t sum = kFnvStart;
    std::size_t mapped = 0;
    for (const char32_t c : build_index(expected.name)) {
      sum = fnv1a(sum, c);
      mapped += c != 0 ? 1 : 0;
    }
    EXPECT_EQ(mapped, expected.mapped) << static_cast<int>(expected.name);
    EXPECT_EQ(sum, expected.sum) << static_cast<int>(expected.name);
  }
}

TEST(SpecEncodings, Gb18030Ranges) {
  EXPECT_EQ(gb18030_range_code_point(0), 0x80u);
  EXPECT_EQ(gb18030_range_code_point(35), 0xA3u);
  EXPECT_EQ(gb18030_range_code_point(36), 0xA5u);
  EXPECT_EQ(gb18030_range_code_point(7457), 0xE7C7u);
  EXPECT_EQ(gb18030_range_code_point(39419), 0xFFFFu);
  EXPECT_EQ(gb18030_range_code_point(39420), 0u);
  EXPECT_EQ(gb18030_range_code_point(188999), 0u);
  EXPECT_EQ(gb18030_range_code_point(189000), 0x10000u);
  EXPECT_EQ(gb18030_range_code_point(1237575), 0x10FFFFu);
  EXPECT_EQ(gb18030_range_code_point(1237576), 0u);
}

struct Text {
  std::string_view label;
  std::string_view bytes;
  std::string_view text;
};
constexpr Text kTexts[] = {
    {"ibm866", "\x8F\xE0\xA8\xA2\xA5\xE2\x2C\x20\xAC\xA8\xE0"sv,
     "\u041F\u0440\u0438\u0432\u0435\u0442, \u043C\u0438\u0440"},
    {"iso-8859-2", "\x5A\x61\xBF\xF3\xB3\xE6\x20\x67\xEA\xB6\x6C\xB1\x20\x6A\x61\xBC\xF1"sv,
     "Za\u017C\u00F3\u0142\u0107 g\u0119\u015Bl\u0105 ja\u017A\u0144"},
    {"iso-8859-3", "\xB6\x6F\x72\x61\xBC\x6F\x20\xFE\x61\x6E\xF8\x69\xF8\x61\x73\x20\xB1"sv,
     "\u0125ora\u0135o \u015Dan\u011Di\u011Das \u0127"},
    {"iso-8859-4", "\xF3\xEF\x6C\x69\x73\x20\xB9\xFE\x6E\x61\x20\xF1\xBA\x6D\x61"sv,
     "\u0137\u012Blis \u0161\u016Bna \u0146\u0113ma"},
    {"iso-8859-5", "\xA9\xE3\xD1\xD0\xD2\x20\xD8\x20\xF0"sv, "\u0409\u0443\u0431\u0430\u0432 \u0438 \u2116"},
    {"iso-8859-6", "\xE5\xD1\xCD\xC8\xC7"sv, "\u0645\u0631\u062D\u0628\u0627"},
    {"iso-8859-7", "\xB6\xEB\xF6\xE1\x20\xE2\xDE\xF4\xE1"sv,
     "\u0386\u03BB\u03C6\u03B1 \u03B2\u03AE\u03C4\u03B1"},
    {"iso-8859-8", "\xF9\xEC\xE5\xED"sv, "\u05E9\u05DC\u05D5\u05DD"},
    {"iso-8859-8-i", "\xF9\xEC\xE5\xED"sv, "\u05E9\u05DC\u05D5\u05DD"},
    {"iso-8859-10", "\xDE\xF3\x72\xF0\x75\x72\x20\xBF"sv, "\u00DE\u00F3r\u00F0ur \u014B"},
    {"iso-8859-13", "\xE0\xE8\xE6\xEB\xE1\xF0\xF8\xFB\xFE\x20\xB4"sv,
     "\u0105\u010D\u0119\u0117\u012F\u0161\u0173\u016B\u017E \u201C"},
    {"iso-8859-14", "\xD0\x79\x6E\x20\xFE\x64\x20\xA8"sv, "\u0174yn \u0177d \u1E80"},
    {"iso-8859-15", "\xBD\x75\x76\x72\x65\x20\x35\x20\xA4\x20\xA6"sv, "\u0153uvre 5 \u20AC \u0160"},
    {"iso-8859-16", "\xBA\x74\x69\x69\x6E\xFE\xE3\x20\xFE\x61\x72\xE3"sv,
     "\u0219tiin\u021B\u0103 \u021Bar\u0103"},
    {"koi8-r", "\xF0\xD2\xC9\xD7\xC5\xD4\x20\xA5"sv, "\u041F\u0440\u0438\u0432\u0435\u0442 \u2554"},
    {"koi8-u", "\xA7\xD6\xC1\xCB\x20\xBD\xC1\xCE\xCF\xCB\x20\xA4"sv,
     "\u0457\u0436\u0430\u043A \u0490\u0430\u043D\u043E\u043A \u0454"},
    {"macintosh", "\x6E\x61\x95\x76\x65\x20\xB0\x20\xDB"sv, "na\u00EFve \u221E \u20AC"},
    {"windows-874", "\xCA\xC7\xD1\xCA\xB4\xD5\x20\x80"sv, "\u0E2A\u0E27\u0E31\u0E2A\u0E14\u0E35 \u20AC"},
    {"windows-1250", "\x50\xF8\xED\x6C\x69\x9A\x20\x9E\x6C\x75\x9D\x6F\x75\xE8\x6B\xFD"sv,
     "P\u0159\u00EDli\u0161 \u017Elu\u0165ou\u010Dk\u00FD"},
    {"windows-1251", "\xD1\xFA\xE5\xF8\xFC\x20\xE5\xF9\xB8\x20\xB9"sv,
     "\u0421\u044A\u0435\u0448\u044C \u0435\u0449\u0451 \u2116"},
    {"windows-1252", "\x93\x63\x61\x66\xE9\x94\x20\x96\x20\x80\x35"sv,
     "\u201Ccaf\u00E9\u201D \u2013 \u20AC5"},
    {"windows-1253", "\xA2\xEB\xF6\xE1\x92"sv, "\u0386\u03BB\u03C6\u03B1\u2019"},
    {"windows-1254", "\xDD\x73\x74\x61\x6E\x62\x75\x6C\x20\xF0\xFC\xFE\xFD"sv,
     "\u0130stanbul \u011F\u00FC\u015F\u0131"},
    {"windows-1255", "\xF9\xC8\xD1\xEC\xE5\xC9\xED\x20\xA4"sv,
     "\u05E9\u05B8\u05C1\u05DC\u05D5\u05B9\u05DD \u20AA"},
    {"windows-1256", "\x81\xC7\xDF\xD3\xCA\xC7\xE4\x20\x8E"sv,
     "\u067E\u0627\u0643\u0633\u062A\u0627\u0646 \u0698"},
    {"windows-1257", "\xDE\x65\x6D\x61\x69\x74\xEB\x20\xFB\x6B\x69\x73"sv, "\u017Demait\u0117 \u016Bkis"},
    {"windows-1258", "\xD0\x61\xCC\x20\x4E\x61\xDE\x6E\x67"sv, "\u0110a\u0300 Na\u0303ng"},
    {"x-mac-cyrillic", "\x8F\xF0\xE8\xE2\xB4\xF2\x20\xFF"sv, "\u041F\u0440\u0438\u0432\u0456\u0442 \u20AC"},
    {"gbk", "\xBA\xBA\xD7\xD6\xB1\xE0\xC2\xEB\xA3\xAC\xC4\xE3\xBA\xC3"sv,
     "\u6C49\u5B57\u7F16\u7801\uFF0C\u4F60\u597D"},
    {"gb18030", "\xBA\xBA\xD7\xD6\xA2\xE3\x95\x32\x82\x36\x94\x39\xFC\x36\x81\x32\xE8\x34"sv,
     "\u6C49\u5B57\u20AC\U00020000\U0001F600\u0F00"},
    {"big5", "\xBA\x7E\xA6\x72\xBD\x73\xBD\x58\xA1\x41\xA7\x41\xA6\x6E"sv,
     "\u6F22\u5B57\u7DE8\u78BC\uFF0C\u4F60\u597D"},
    {"euc-jp", "\xC6\xFC\xCB\xDC\xB8\xEC\xA5\xC6\xA5\xAD\xA5\xB9\xA5\xC8"sv,
     "\u65E5\u672C\u8A9E\u30C6\u30AD\u30B9\u30C8"},
    {"iso-2022-jp",
     "\x1B\x24\x42\x46\x7C\x4B\x5C\x38\x6C\x1B\x28\x42\x20\x61\x6E\x64\x20\x1B\x24\x42\x25\x46\x25\x2D\x25\x39\x25\x48\x1B\x28\x42"sv,
     "\u65E5\u672C\u8A9E and \u30C6\u30AD\u30B9\u30C8"},
    {"shift_jis", "\x93\xFA\x96\x7B\x8C\xEA\x83\x65\x83\x4C\x83\x58\x83\x67"sv,
     "\u65E5\u672C\u8A9E\u30C6\u30AD\u30B9\u30C8"},
    {"euc-kr", "\xC7\xD1\xB1\xB9\xBE\xEE\x20\xC0\xCE\xC4\xDA\xB5\xF9"sv,
     "\uD55C\uAD6D\uC5B4 \uC778\uCF54\uB529"},
    {"euc-kr", "\x8C\x63\xB9\xE6\xB0\xA2\xC7\xCF\x20\xBC\x84\xBD\xC3"sv,
     "\uB620\uBC29\uAC01\uD558 \uD3B2\uC2DC"},
    {"utf-16be", "\x00\x6E\x00\x61\x00\xEF\x00\x76\x00\x65\x00\x20\x6F\x22\x5B\x57\x00\x20\xD8\x3D\xDE\x00"sv,
     "na\u00EFve \u6F22\u5B57 \U0001F600"},
    {"utf-16le", "\x6E\x00\x61\x00\xEF\x00\x76\x00\x65\x00\x20\x00\x22\x6F\x57\x5B\x20\x00\x3D\xD8\x00\xDE"sv,
     "na\u00EFve \u6F22\u5B57 \U0001F600"},
    {"utf-8", "\x6E\x61\xC3\xAF\x76\x65\x20\xE6\xBC\xA2\xE5\xAD\x97\x20\xF0\x9F\x98\x80"sv,
     "na\u00EFve \u6F22\u5B57 \U0001F600"},
    {"shift_jis", "\x87\x40\xFA\x40\xED\x40\xB1\xDD"sv, "\u2460\u2170\u7E8A\uFF71\uFF9D"},
    {"shift_jis", "\xF0\x40\x81\x60"sv, "\uE000\uFF5E"},
    {"big5", "\x87\x40\x88\x62\xF9\xD6\xC7\xF3"sv, "\u43F0\u00CA\u0304\u7881\u0410"},
    {"euc-jp", "\x8E\xB1\x8F\xB0\xA1"sv, "\uFF71\u4E02"},
    {"gbk", "\x80\xA3\xA0\xA6\xD9\xA8\xBC"sv, "\u20AC\u3000\uFE10\u1E3F"},
    {"gbk", "\x81\x30\x81\x30\x90\x30\x81\x30\x81\x35\xF4\x37"sv, "\xC2\x80\U00010000\uE7C7"},
    {"iso-2022-jp", "\x1B\x28\x4A\x5C\x7E\x1B\x28\x49\x31\x1B\x28\x42\x5C"sv, "\u00A5\u203E\uFF71\\"},
    {"x-user-defined", "\x61\x80\xFF"sv, "a\uF780\uF7FF"},
    {"windows-1252", "\x81\x8D\x8F\x90\x9D"sv, "\xC2\x81\xC2\x8D\xC2\x8F\xC2\x90\xC2\x9D"},
};

TEST(SpecEncodings, DecodesText) {
  Decoder decoder;
  std::string out;
  std::set<Encoding> seen;
  for (const Text& text : kTexts) {
    const Encoding encoding = encoding_for_label(text.label).value();
    seen.insert(encoding);
    EXPECT_TRUE(decoder.decode_to_utf8(text.bytes, encoding, out)) << text.label;
    EXPECT_EQ(out, text.text) << text.label;
    EXPECT_TRUE(decode_to_utf8(text.bytes, encoding, out));
    EXPECT_EQ(out, text.text) << text.label;
  }
  EXPECT_EQ(seen.size(), kEncodingCount - 1);  // all but replacement
}

TEST(SpecEncodings, DecodesLongRunsAcrossGrowth) {
  Decoder decoder;
  std::string out;
  std::string bytes;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    bytes += i % 7 == 0 ? "plain ascii text, more than sixteen bytes "sv : "\xCA\xC7"sv;
    expected += i % 7 == 0 ? "plain ascii text, more than sixteen bytes "sv : "\u0E2A\u0E27"sv;
  }
  EXPECT_TRUE(decoder.decode_to_utf8(bytes, Encoding::windows_874, out));
  EXPECT_EQ(out, expected);
  // The buffer's old content must not show through.
  EXPECT_TRUE(decoder.decode_to_utf8("x", Encoding::windows_874, out));
  EXPECT_EQ(out, "x");
  EXPECT_TRUE(decoder.decode_to_utf8("", Encoding::shift_jis, out));
  EXPECT_EQ(out, "");
}

TEST(SpecEncodings, DecoderMoves) {
  Decoder first;
  std::string out;
  first.decode_to_utf8("\x93\xFA", Encoding::shift_jis, out);
  Decoder second = std::move(first);
  EXPECT_TRUE(second.decode_to_utf8("\x93\xFA", Encoding::shift_jis, out));
  EXPECT_EQ(out, "\u65E5");
}

}  // namespace
}  // namespace sheaf::encoding
