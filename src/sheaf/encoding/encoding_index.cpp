#include "sheaf/encoding/encoding_index.h"

#include <unicode/ucnv.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>

namespace sheaf::encoding {
namespace {

struct Correction {
  std::uint16_t pointer;
  char16_t code_point;
};

// Characters of "index Big5" that ICU's Big5-HKSCS (of 2008) does not map, or maps to private-use characters:
// characters that Unicode gained later, and the compatibility codes of older HKSCS and of ETEN, which the web
// still uses.
constexpr Correction kBig5Corrections[] = {
    {1008, 0x9F97},  {1016, 0x9F96},  {1099, 0x31C0},  {1100, 0x31C1},  {1101, 0x31C2},  {1102, 0x31C3},
    {1103, 0x31C4},  {1105, 0x31C5},  {1108, 0x31C6},  {1109, 0x31C7},  {1112, 0x31C8},  {1114, 0x31C9},
    {1115, 0x31CA},  {1116, 0x31CB},  {1117, 0x31CC},  {1119, 0x31CD},  {1120, 0x31CE},  {1170, 0x23DA},
    {1171, 0x23DB},  {1730, 0x9FA6},  {1772, 0x9FA7},  {1779, 0x9FA8},  {1812, 0x9FA9},  {1814, 0x9FAA},
    {1816, 0x9FAB},  {1821, 0x9FAC},  {1844, 0x9FAD},  {1845, 0x9FAE},  {1847, 0x9FAF},  {1866, 0x9FB2},
    {1892, 0x9FB3},  {2082, 0x7BB8},  {2088, 0x7C06},  {2103, 0x7CCE},  {2114, 0x7DD2},  {2123, 0x7E1D},
    {2148, 0x8005},  {2151, 0x8028},  {2221, 0x83C1},  {2239, 0x84A8},  {2244, 0x840F},  {2303, 0x89A6},
    {2304, 0x89A9},  {2354, 0x8D77},  {2400, 0x90FD},  {2413, 0x92B9},  {2477, 0x975C},  {2498, 0x97FF},
    {2605, 0x9F16},  {2673, 0x8503},  {2746, 0x5159},  {2747, 0x515B},  {2748, 0x515D},  {2749, 0x515E},
    {2771, 0x936E},  {2780, 0x7479},  {2990, 0x6D67},  {3087, 0x799B},  {3259, 0x9097},  {3301, 0x975D},
    {3436, 0x701E},  {3451, 0x5B28},  {4136, 0x7201},  {4138, 0x77D7},  {4141, 0x7E87},  {4182, 0x99D6},
    {4206, 0x91D4},  {4220, 0x60DE},  {4230, 0x6FB6},  {4241, 0x8F36},  {4258, 0x4FBB},  {4273, 0x71DF},
    {4279, 0x9104},  {4282, 0x9DF0},  {4294, 0x83CF},  {4329, 0x5C10},  {4330, 0x79E3},  {4349, 0x5A67},
    {4419, 0x8F0B},  {4422, 0x7B51},  {4494, 0x62D0},  {4624, 0x6062},  {4694, 0x75F9},  {4708, 0x6C4A},
    {4742, 0x9B2E},  {4748, 0x9F17},  {4815, 0x50ED},  {4828, 0x5F0C},  {4902, 0x880F},  {4922, 0x62CE},
    {4982, 0x7468},  {4992, 0x7162},  {4997, 0x7250},  {5464, 0x2421},  {10942, 0x5EF4}, {10946, 0x65E0},
    {10948, 0x7676}, {10950, 0x96B6}, {10957, 0x3003}, {10958, 0x4EDD}, {11204, 0x31CF}, {11210, 0x9FB0},
    {11212, 0x9FB1}, {19028, 0x5029}, {19035, 0x507D}, {19088, 0x5305}, {19096, 0x5344}, {19112, 0x537F},
    {19162, 0x5605}, {19240, 0x5A77}, {19299, 0x5E75}, {19305, 0x5ED0}, {19326, 0x5F58}, {19355, 0x60A4},
    {19398, 0x6490}, {19439, 0x6674}, {19454, 0x675E}, {19553, 0x6C9C}, {19554, 0x6E1D}, {19557, 0x6E2F},
    {19611, 0x716E}, {19643, 0x732A}, {19672, 0x745C}, {19697, 0x74E9}, {19748, 0x7809}};
// ETEN's symbols for control characters: one consecutive range.
constexpr std::uint16_t kBig5ControlsFirst = 5432;
constexpr std::uint16_t kBig5ControlsLast = 5463;

// GB18030-2022: 18 characters that had only private-use code points before. 6555 is the ideographic space,
// which many pages write as A3 A0.
constexpr Correction kGb18030Corrections[] = {
    {6555, 0x3000},  {7182, 0xFE10},  {7183, 0xFE12},  {7184, 0xFE11},  {7185, 0xFE13},
    {7186, 0xFE14},  {7187, 0xFE15},  {7188, 0xFE16},  {7201, 0xFE17},  {7202, 0xFE18},
    {7208, 0xFE19},  {23775, 0x9FB4}, {23783, 0x9FB5}, {23788, 0x9FB6}, {23789, 0x9FB7},
    {23795, 0x9FB8}, {23812, 0x9FB9}, {23829, 0x9FBA}, {23845, 0x9FBB}};

// "Index gb18030 ranges": each entry has the first pointer of a range and its code point. Code points are
// consecutive up to the next entry.
constexpr Correction kGb18030Ranges[] = {
    {0, 0x0080},     {36, 0x00A5},    {38, 0x00A9},    {45, 0x00B2},    {50, 0x00B8},    {81, 0x00D8},
    {89, 0x00E2},    {95, 0x00EB},    {96, 0x00EE},    {100, 0x00F4},   {103, 0x00F8},   {104, 0x00FB},
    {105, 0x00FD},   {109, 0x0102},   {126, 0x0114},   {133, 0x011C},   {148, 0x012C},   {172, 0x0145},
    {175, 0x0149},   {179, 0x014E},   {208, 0x016C},   {306, 0x01CF},   {307, 0x01D1},   {308, 0x01D3},
    {309, 0x01D5},   {310, 0x01D7},   {311, 0x01D9},   {312, 0x01DB},   {313, 0x01DD},   {341, 0x01FA},
    {428, 0x0252},   {443, 0x0262},   {544, 0x02C8},   {545, 0x02CC},   {558, 0x02DA},   {741, 0x03A2},
    {742, 0x03AA},   {749, 0x03C2},   {750, 0x03CA},   {805, 0x0402},   {819, 0x0450},   {820, 0x0452},
    {7922, 0x2011},  {7924, 0x2017},  {7925, 0x201A},  {7927, 0x201E},  {7934, 0x2027},  {7943, 0x2031},
    {7944, 0x2034},  {7945, 0x2036},  {7950, 0x203C},  {8062, 0x20AD},  {8148, 0x2104},  {8149, 0x2106},
    {8152, 0x210A},  {8164, 0x2117},  {8174, 0x2122},  {8236, 0x216C},  {8240, 0x217A},  {8262, 0x2194},
    {8264, 0x219A},  {8374, 0x2209},  {8380, 0x2210},  {8381, 0x2212},  {8384, 0x2216},  {8388, 0x221B},
    {8390, 0x2221},  {8392, 0x2224},  {8393, 0x2226},  {8394, 0x222C},  {8396, 0x222F},  {8401, 0x2238},
    {8406, 0x223E},  {8416, 0x2249},  {8419, 0x224D},  {8424, 0x2253},  {8437, 0x2262},  {8439, 0x2268},
    {8445, 0x2270},  {8482, 0x2296},  {8485, 0x229A},  {8496, 0x22A6},  {8521, 0x22C0},  {8603, 0x2313},
    {8936, 0x246A},  {8946, 0x249C},  {9046, 0x254C},  {9050, 0x2574},  {9063, 0x2590},  {9066, 0x2596},
    {9076, 0x25A2},  {9092, 0x25B4},  {9100, 0x25BE},  {9108, 0x25C8},  {9111, 0x25CC},  {9113, 0x25D0},
    {9131, 0x25E6},  {9162, 0x2607},  {9164, 0x260A},  {9218, 0x2641},  {9219, 0x2643},  {11329, 0x2E82},
    {11331, 0x2E85}, {11334, 0x2E89}, {11336, 0x2E8D}, {11346, 0x2E98}, {11361, 0x2EA8}, {11363, 0x2EAB},
    {11366, 0x2EAF}, {11370, 0x2EB4}, {11372, 0x2EB8}, {11375, 0x2EBC}, {11389, 0x2ECB}, {11682, 0x2FFC},
    {11686, 0x3004}, {11687, 0x3018}, {11692, 0x301F}, {11694, 0x302A}, {11714, 0x303F}, {11716, 0x3094},
    {11723, 0x309F}, {11725, 0x30F7}, {11730, 0x30FF}, {11736, 0x312A}, {11982, 0x322A}, {11989, 0x3232},
    {12102, 0x32A4}, {12336, 0x3390}, {12348, 0x339F}, {12350, 0x33A2}, {12384, 0x33C5}, {12393, 0x33CF},
    {12395, 0x33D3}, {12397, 0x33D6}, {12510, 0x3448}, {12553, 0x3474}, {12851, 0x359F}, {12962, 0x360F},
    {12973, 0x361B}, {13738, 0x3919}, {13823, 0x396F}, {13919, 0x39D1}, {13933, 0x39E0}, {14080, 0x3A74},
    {14298, 0x3B4F}, {14585, 0x3C6F}, {14698, 0x3CE1}, {15583, 0x4057}, {15847, 0x4160}, {16318, 0x4338},
    {16434, 0x43AD}, {16438, 0x43B2}, {16481, 0x43DE}, {16729, 0x44D7}, {17102, 0x464D}, {17122, 0x4662},
    {17315, 0x4724}, {17320, 0x472A}, {17402, 0x477D}, {17418, 0x478E}, {17859, 0x4948}, {17909, 0x497B},
    {17911, 0x497E}, {17915, 0x4984}, {17916, 0x4987}, {17936, 0x499C}, {17939, 0x49A0}, {17961, 0x49B8},
    {18664, 0x4C78}, {18703, 0x4CA4}, {18814, 0x4D1A}, {18962, 0x4DAF}, {19043, 0x9FA6}, {33469, 0xE76C},
    {33470, 0xE7C8}, {33471, 0xE7E7}, {33484, 0xE815}, {33485, 0xE819}, {33490, 0xE81F}, {33497, 0xE827},
    {33501, 0xE82D}, {33505, 0xE833}, {33513, 0xE83C}, {33520, 0xE844}, {33536, 0xE856}, {33550, 0xE865},
    {37845, 0xF92D}, {37921, 0xF97A}, {37948, 0xF996}, {38029, 0xF9E8}, {38038, 0xF9F2}, {38064, 0xFA10},
    {38065, 0xFA12}, {38066, 0xFA15}, {38069, 0xFA19}, {38075, 0xFA22}, {38076, 0xFA25}, {38078, 0xFA2A},
    {39108, 0xFE32}, {39109, 0xFE45}, {39113, 0xFE53}, {39114, 0xFE58}, {39115, 0xFE67}, {39116, 0xFE6C},
    {39265, 0xFF5F}, {39394, 0xFFE6}};
constexpr std::uint32_t kGb18030BmpLast = 39419;
constexpr std::uint32_t kGb18030SupplementaryFirst = 189000;
constexpr std::uint32_t kGb18030SupplementaryLast = 1237575;

// How an encoding encodes the pointers of an index: each row of pointers has one lead byte.
struct Layout {
  const char* converter;
  std::string_view prefix;  // bytes before the lead byte
  unsigned rows;
  unsigned columns;
  unsigned first_lead;
  unsigned first_trail;
  unsigned gap_column;  // from this column on, `gap` is added to trail bytes
  unsigned gap;
  bool private_use;  // whether the index has private-use characters; in other indexes they are additions of
                     // ICU
};

constexpr Layout layout_of(IndexName name) {
  switch (name) {
    // Shift_JIS covers the whole index, EUC-JP and ISO-2022-JP only its first 94 rows.
    case IndexName::jis0208: return {"ibm-943_P15A-2003", "", 60, 188, 0x81, 0x40, 0x3F, 1, true};
    // JIS X 0212 ends with row 77; later rows in ICU are extensions.
    case IndexName::jis0212: return {"euc-jp-2007", "\x8F", 77, 94, 0xA1, 0xA1, 94, 0, false};
    case IndexName::gb18030: return {"gb18030", "", 126, 190, 0x81, 0x40, 0x3F, 1, true};
    case IndexName::big5: return {"ibm-1375_P100-2008", "", 126, 157, 0x81, 0x40, 0x3F, 0x22, false};
    case IndexName::euc_kr: return {"windows-949-2000", "", 126, 190, 0x81, 0x41, 190, 0, false};
  }
  return {};
}

constexpr unsigned kShiftJisGapRow = 0x1F;  // Shift_JIS lead bytes skip A0..DF before this row
constexpr std::size_t kMaxColumns = 190;
constexpr std::size_t kMaxCellLength = 4;

struct ConverterCloser {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, ConverterCloser>;

// The encoded bytes of all cells of a row. Each is followed by a line feed, so that an invalid cell does not
// affect the next one.
std::string row_bytes(IndexName name, const Layout& layout, unsigned row) {
  std::string bytes;
  unsigned lead = layout.first_lead + row;
  if (name == IndexName::jis0208 && row >= kShiftJisGapRow) lead += 0x40;
  for (unsigned column = 0; column < layout.columns; ++column) {
    const unsigned trail = layout.first_trail + column + (column >= layout.gap_column ? layout.gap : 0);
    bytes += layout.prefix;
    bytes += static_cast<char>(lead);
    bytes += static_cast<char>(trail);
    bytes += '\n';
  }
  return bytes;
}

bool is_wanted(char32_t c, const Layout& layout) {
  if (c < 0x80 || c == 0xFFFD) return false;  // ICU's result for an unmapped cell
  return layout.private_use || c < 0xE000 || c > 0xF8FF;
}

void convert_row(UConverter* converter, const std::string& bytes, const Layout& layout,
                 std::span<char32_t> cells) {
  std::array<UChar, kMaxColumns * kMaxCellLength> units{};
  std::array<std::int32_t, units.size()> offsets{};
  const char* source = bytes.data();
  UChar* target = units.data();
  UErrorCode status = U_ZERO_ERROR;
  ucnv_resetToUnicode(converter);
  ucnv_toUnicode(converter, &target, units.data() + units.size(), &source, source + bytes.size(),
                 offsets.data(), true, &status);
  const std::size_t cell_size = layout.prefix.size() + 3;
  const auto length = static_cast<std::size_t>(target - units.data());
  for (std::size_t i = 0; i < length;) {
    const auto offset = static_cast<std::size_t>(offsets[i]);
    char32_t c = units[i++];
    if (U16_IS_LEAD(c) && i < length) c = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(c, units[i++]));
    if (offset % cell_size == 0 && is_wanted(c, layout)) cells[offset / cell_size] = c;
  }
}

void correct(CodeIndex& index, std::span<const Correction> corrections) {
  for (const Correction& c : corrections) index[c.pointer] = c.code_point;
}

}  // namespace

CodeIndex build_index(IndexName name) {
  const Layout layout = layout_of(name);
  // The index always has its full size, because each pointer that a decoder can compute must be in range.
  CodeIndex index(std::max<std::size_t>(std::size_t{layout.rows} * layout.columns, std::size_t{94} * 94));
  UErrorCode status = U_ZERO_ERROR;
  const Converter converter(ucnv_open(layout.converter, &status));
  if (U_SUCCESS(status)) {
    for (unsigned row = 0; row < layout.rows; ++row) {
      convert_row(converter.get(), row_bytes(name, layout, row), layout,
                  std::span(index).subspan(std::size_t{row} * layout.columns, layout.columns));
    }
  }
  if (name == IndexName::gb18030) correct(index, kGb18030Corrections);
  if (name == IndexName::big5) {
    correct(index, kBig5Corrections);
    for (std::uint16_t p = kBig5ControlsFirst; p <= kBig5ControlsLast; ++p) {
      index[p] = static_cast<char32_t>(0x2400 + p - kBig5ControlsFirst);
    }
  }
  return index;
}

char32_t gb18030_range_code_point(std::uint32_t pointer) {
  if (pointer >= kGb18030SupplementaryFirst && pointer <= kGb18030SupplementaryLast) {
    return static_cast<char32_t>(0x10000 + pointer - kGb18030SupplementaryFirst);
  }
  if (pointer > kGb18030BmpLast) return 0;
  if (pointer == 7457) return 0xE7C7;  // swapped with A8 BC in 2005
  const auto after = std::ranges::upper_bound(kGb18030Ranges, pointer, {}, &Correction::pointer);
  const Correction& range = *std::prev(after);
  return static_cast<char32_t>(range.code_point + pointer - range.pointer);
}

}  // namespace sheaf::encoding
