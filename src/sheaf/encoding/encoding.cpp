#include "sheaf/encoding/encoding.h"

#include "sheaf/base/ascii.h"
#include "sheaf/encoding/encoding_decoders.h"
#include "sheaf/encoding/encoding_index.h"
#include "sheaf/encoding/encoding_sniffer.h"

#include <algorithm>
#include <array>

namespace sheaf::encoding {
namespace {

bool is_ascii(std::string_view bytes) {
  return ascii_prefix(bytes.data(), bytes.data() + bytes.size()) == bytes.size();
}

// Whether the encoding decodes ASCII bytes as ASCII.
bool keeps_ascii(Encoding encoding) {
  switch (encoding) {
    case Encoding::iso_2022_jp:
    case Encoding::replacement:
    case Encoding::utf_16be:
    case Encoding::utf_16le: return false;
    default: return true;
  }
}

// Whether the bytes are UTF-8 that was truncated in the middle of a character. At least one complete
// non-ASCII character must precede the truncated one.
bool is_cut_utf8(std::string_view bytes) {
  const std::size_t tail = incomplete_utf8_tail(bytes);
  if (tail == 0) return false;
  const std::string_view whole = bytes.substr(0, bytes.size() - tail);
  return !is_ascii(whole) && is_utf8(whole);
}

}  // namespace

struct Decoder::State {
  const CodeIndex& index(IndexName name) {
    CodeIndex& index = indexes[static_cast<std::size_t>(name)];
    if (index.empty()) index = build_index(name);
    return index;
  }

  struct Verdict {
    Sniffed sniffed;
    bool is_valid_utf8 = false;  // found while sniffing, so that decoding need not check again
  };
  Verdict sniff(std::string_view bytes, const SniffOptions& options);
  void decode(std::string_view bytes, Encoding encoding, Utf8Writer& out);

  std::array<CodeIndex, kIndexCount> indexes;
  EncodingDetector detector;
};

void Decoder::State::decode(std::string_view bytes, Encoding encoding, Utf8Writer& out) {
  switch (encoding) {
    case Encoding::utf_8: return decode_utf8(bytes, out);
    case Encoding::utf_16be: return decode_utf16(bytes, ByteOrder::big, out);
    case Encoding::utf_16le: return decode_utf16(bytes, ByteOrder::little, out);
    case Encoding::gbk:
    case Encoding::gb18030: return decode_gb18030(bytes, index(IndexName::gb18030), out);
    case Encoding::big5: return decode_big5(bytes, index(IndexName::big5), out);
    case Encoding::euc_kr: return decode_euc_kr(bytes, index(IndexName::euc_kr), out);
    case Encoding::shift_jis: return decode_shift_jis(bytes, index(IndexName::jis0208), out);
    case Encoding::iso_2022_jp: return decode_iso_2022_jp(bytes, index(IndexName::jis0208), out);
    case Encoding::euc_jp:
      return decode_euc_jp(bytes, index(IndexName::jis0208), index(IndexName::jis0212), out);
    case Encoding::replacement:
      // The standard maps encodings in which ASCII bytes can hide markup from filters to this one, which
      // discards the text.
      if (!bytes.empty()) out.put_error();
      return;
    default: return decode_single_byte(bytes, encoding, out);
  }
}

Decoder::Decoder() : state_(std::make_unique<State>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&& other) noexcept = default;
Decoder& Decoder::operator=(Decoder&& other) noexcept = default;

Decoder::State::Verdict Decoder::State::sniff(std::string_view bytes, const SniffOptions& options) {
  if (const auto encoding = encoding_of_bom(bytes)) return {{*encoding, EncodingSource::bom}};
  auto declared = encoding_for_label(options.transport_charset);
  const auto source = declared ? EncodingSource::transport : EncodingSource::meta;
  if (!declared) declared = prescan(bytes);
  if (declared) {
    const bool overruled =
        options.trust_valid_utf8 && is_single_byte(*declared) && !is_ascii(bytes) && is_utf8(bytes);
    if (!overruled) return {{*declared, source}};
    return {{Encoding::utf_8, EncodingSource::utf8_valid}, true};
  }
  if (is_utf8(bytes)) return {{Encoding::utf_8, EncodingSource::utf8_valid}, true};
  if (is_cut_utf8(bytes)) return {{Encoding::utf_8, EncodingSource::utf8_valid}};
  if (const auto guess = detector.detect(bytes)) return {{*guess, EncodingSource::detector}};
  return {{Encoding::windows_1252, EncodingSource::fallback}};
}

Sniffed Decoder::sniff(std::string_view bytes, const SniffOptions& options) {
  return state_->sniff(bytes, options).sniffed;
}

Decoded Decoder::decode(std::string_view bytes, std::string& buffer, const SniffOptions& options) {
  const State::Verdict verdict = state_->sniff(bytes, options);
  const auto [encoding, source] = verdict.sniffed;
  const std::string_view text = without_bom(bytes, encoding);
  const bool is_text = encoding == Encoding::utf_8 ? verdict.is_valid_utf8 || is_utf8(text)
                                                   : keeps_ascii(encoding) && is_ascii(text);
  if (is_text) return {text, encoding, source, false};
  const bool clean = decode_to_utf8(bytes, encoding, buffer);
  return {buffer, encoding, source, !clean};
}

bool Decoder::decode_to_utf8(std::string_view bytes, Encoding encoding, std::string& out) {
  const std::string_view text = without_bom(bytes, encoding);
  // Most legacy text grows by at most half; the writer reallocates if necessary.
  Utf8Writer writer(out, text.size() + text.size() / 2);
  state_->decode(text, encoding, writer);
  return writer.finish();
}

Sniffed sniff(std::string_view bytes, std::string_view transport_charset) {
  return Decoder().sniff(bytes, {.transport_charset = transport_charset});
}

bool decode_to_utf8(std::string_view bytes, Encoding encoding, std::string& out) {
  return Decoder().decode_to_utf8(bytes, encoding, out);
}

// The label table of the Encoding Standard ("Names and labels"), sorted for a binary search.

namespace {

using enum Encoding;

struct Label {
  std::string_view text;
  Encoding encoding;
};

constexpr std::array<Label, 228> kLabels = {{
    {"866", ibm866},
    {"ansi_x3.4-1968", windows_1252},
    {"arabic", iso_8859_6},
    {"ascii", windows_1252},
    {"asmo-708", iso_8859_6},
    {"big5", big5},
    {"big5-hkscs", big5},
    {"chinese", gbk},
    {"cn-big5", big5},
    {"cp1250", windows_1250},
    {"cp1251", windows_1251},
    {"cp1252", windows_1252},
    {"cp1253", windows_1253},
    {"cp1254", windows_1254},
    {"cp1255", windows_1255},
    {"cp1256", windows_1256},
    {"cp1257", windows_1257},
    {"cp1258", windows_1258},
    {"cp819", windows_1252},
    {"cp866", ibm866},
    {"csbig5", big5},
    {"cseuckr", euc_kr},
    {"cseucpkdfmtjapanese", euc_jp},
    {"csgb2312", gbk},
    {"csibm866", ibm866},
    {"csiso2022jp", iso_2022_jp},
    {"csiso2022kr", replacement},
    {"csiso58gb231280", gbk},
    {"csiso88596e", iso_8859_6},
    {"csiso88596i", iso_8859_6},
    {"csiso88598e", iso_8859_8},
    {"csiso88598i", iso_8859_8_i},
    {"csisolatin1", windows_1252},
    {"csisolatin2", iso_8859_2},
    {"csisolatin3", iso_8859_3},
    {"csisolatin4", iso_8859_4},
    {"csisolatin5", windows_1254},
    {"csisolatin6", iso_8859_10},
    {"csisolatin9", iso_8859_15},
    {"csisolatinarabic", iso_8859_6},
    {"csisolatincyrillic", iso_8859_5},
    {"csisolatingreek", iso_8859_7},
    {"csisolatinhebrew", iso_8859_8},
    {"cskoi8r", koi8_r},
    {"csksc56011987", euc_kr},
    {"csmacintosh", macintosh},
    {"csshiftjis", shift_jis},
    {"csunicode", utf_16le},
    {"cyrillic", iso_8859_5},
    {"dos-874", windows_874},
    {"ecma-114", iso_8859_6},
    {"ecma-118", iso_8859_7},
    {"elot_928", iso_8859_7},
    {"euc-jp", euc_jp},
    {"euc-kr", euc_kr},
    {"gb18030", gb18030},
    {"gb2312", gbk},
    {"gb_2312", gbk},
    {"gb_2312-80", gbk},
    {"gbk", gbk},
    {"greek", iso_8859_7},
    {"greek8", iso_8859_7},
    {"hebrew", iso_8859_8},
    {"hz-gb-2312", replacement},
    {"ibm819", windows_1252},
    {"ibm866", ibm866},
    {"iso-10646-ucs-2", utf_16le},
    {"iso-2022-cn", replacement},
    {"iso-2022-cn-ext", replacement},
    {"iso-2022-jp", iso_2022_jp},
    {"iso-2022-kr", replacement},
    {"iso-8859-1", windows_1252},
    {"iso-8859-10", iso_8859_10},
    {"iso-8859-11", windows_874},
    {"iso-8859-13", iso_8859_13},
    {"iso-8859-14", iso_8859_14},
    {"iso-8859-15", iso_8859_15},
    {"iso-8859-16", iso_8859_16},
    {"iso-8859-2", iso_8859_2},
    {"iso-8859-3", iso_8859_3},
    {"iso-8859-4", iso_8859_4},
    {"iso-8859-5", iso_8859_5},
    {"iso-8859-6", iso_8859_6},
    {"iso-8859-6-e", iso_8859_6},
    {"iso-8859-6-i", iso_8859_6},
    {"iso-8859-7", iso_8859_7},
    {"iso-8859-8", iso_8859_8},
    {"iso-8859-8-e", iso_8859_8},
    {"iso-8859-8-i", iso_8859_8_i},
    {"iso-8859-9", windows_1254},
    {"iso-ir-100", windows_1252},
    {"iso-ir-101", iso_8859_2},
    {"iso-ir-109", iso_8859_3},
    {"iso-ir-110", iso_8859_4},
    {"iso-ir-126", iso_8859_7},
    {"iso-ir-127", iso_8859_6},
    {"iso-ir-138", iso_8859_8},
    {"iso-ir-144", iso_8859_5},
    {"iso-ir-148", windows_1254},
    {"iso-ir-149", euc_kr},
    {"iso-ir-157", iso_8859_10},
    {"iso-ir-58", gbk},
    {"iso8859-1", windows_1252},
    {"iso8859-10", iso_8859_10},
    {"iso8859-11", windows_874},
    {"iso8859-13", iso_8859_13},
    {"iso8859-14", iso_8859_14},
    {"iso8859-15", iso_8859_15},
    {"iso8859-2", iso_8859_2},
    {"iso8859-3", iso_8859_3},
    {"iso8859-4", iso_8859_4},
    {"iso8859-5", iso_8859_5},
    {"iso8859-6", iso_8859_6},
    {"iso8859-7", iso_8859_7},
    {"iso8859-8", iso_8859_8},
    {"iso8859-9", windows_1254},
    {"iso88591", windows_1252},
    {"iso885910", iso_8859_10},
    {"iso885911", windows_874},
    {"iso885913", iso_8859_13},
    {"iso885914", iso_8859_14},
    {"iso885915", iso_8859_15},
    {"iso88592", iso_8859_2},
    {"iso88593", iso_8859_3},
    {"iso88594", iso_8859_4},
    {"iso88595", iso_8859_5},
    {"iso88596", iso_8859_6},
    {"iso88597", iso_8859_7},
    {"iso88598", iso_8859_8},
    {"iso88599", windows_1254},
    {"iso_8859-1", windows_1252},
    {"iso_8859-15", iso_8859_15},
    {"iso_8859-1:1987", windows_1252},
    {"iso_8859-2", iso_8859_2},
    {"iso_8859-2:1987", iso_8859_2},
    {"iso_8859-3", iso_8859_3},
    {"iso_8859-3:1988", iso_8859_3},
    {"iso_8859-4", iso_8859_4},
    {"iso_8859-4:1988", iso_8859_4},
    {"iso_8859-5", iso_8859_5},
    {"iso_8859-5:1988", iso_8859_5},
    {"iso_8859-6", iso_8859_6},
    {"iso_8859-6:1987", iso_8859_6},
    {"iso_8859-7", iso_8859_7},
    {"iso_8859-7:1987", iso_8859_7},
    {"iso_8859-8", iso_8859_8},
    {"iso_8859-8:1988", iso_8859_8},
    {"iso_8859-9", windows_1254},
    {"iso_8859-9:1989", windows_1254},
    {"koi", koi8_r},
    {"koi8", koi8_r},
    {"koi8-r", koi8_r},
    {"koi8-ru", koi8_u},
    {"koi8-u", koi8_u},
    {"koi8_r", koi8_r},
    {"korean", euc_kr},
    {"ks_c_5601-1987", euc_kr},
    {"ks_c_5601-1989", euc_kr},
    {"ksc5601", euc_kr},
    {"ksc_5601", euc_kr},
    {"l1", windows_1252},
    {"l2", iso_8859_2},
    {"l3", iso_8859_3},
    {"l4", iso_8859_4},
    {"l5", windows_1254},
    {"l6", iso_8859_10},
    {"l9", iso_8859_15},
    {"latin1", windows_1252},
    {"latin2", iso_8859_2},
    {"latin3", iso_8859_3},
    {"latin4", iso_8859_4},
    {"latin5", windows_1254},
    {"latin6", iso_8859_10},
    {"logical", iso_8859_8_i},
    {"mac", macintosh},
    {"macintosh", macintosh},
    {"ms932", shift_jis},
    {"ms_kanji", shift_jis},
    {"replacement", replacement},
    {"shift-jis", shift_jis},
    {"shift_jis", shift_jis},
    {"sjis", shift_jis},
    {"sun_eu_greek", iso_8859_7},
    {"tis-620", windows_874},
    {"ucs-2", utf_16le},
    {"unicode", utf_16le},
    {"unicode-1-1-utf-8", utf_8},
    {"unicode11utf8", utf_8},
    {"unicode20utf8", utf_8},
    {"unicodefeff", utf_16le},
    {"unicodefffe", utf_16be},
    {"us-ascii", windows_1252},
    {"utf-16", utf_16le},
    {"utf-16be", utf_16be},
    {"utf-16le", utf_16le},
    {"utf-8", utf_8},
    {"utf8", utf_8},
    {"visual", iso_8859_8},
    {"windows-1250", windows_1250},
    {"windows-1251", windows_1251},
    {"windows-1252", windows_1252},
    {"windows-1253", windows_1253},
    {"windows-1254", windows_1254},
    {"windows-1255", windows_1255},
    {"windows-1256", windows_1256},
    {"windows-1257", windows_1257},
    {"windows-1258", windows_1258},
    {"windows-31j", shift_jis},
    {"windows-874", windows_874},
    {"windows-949", euc_kr},
    {"x-cp1250", windows_1250},
    {"x-cp1251", windows_1251},
    {"x-cp1252", windows_1252},
    {"x-cp1253", windows_1253},
    {"x-cp1254", windows_1254},
    {"x-cp1255", windows_1255},
    {"x-cp1256", windows_1256},
    {"x-cp1257", windows_1257},
    {"x-cp1258", windows_1258},
    {"x-euc-jp", euc_jp},
    {"x-gbk", gbk},
    {"x-mac-cyrillic", x_mac_cyrillic},
    {"x-mac-roman", macintosh},
    {"x-mac-ukrainian", x_mac_cyrillic},
    {"x-sjis", shift_jis},
    {"x-unicode20utf8", utf_8},
    {"x-user-defined", x_user_defined},
    {"x-x-big5", big5},
}};
static_assert(std::ranges::is_sorted(kLabels, {}, &Label::text));

constexpr std::size_t kMaxLabelLength =
    std::ranges::max(kLabels, {}, [](const Label& l) { return l.text.size(); }).text.size();

constexpr std::array<std::string_view, kEncodingCount> kNames = {
    "utf-8",        "ibm866",       "iso-8859-2",   "iso-8859-3",    "iso-8859-4",     "iso-8859-5",
    "iso-8859-6",   "iso-8859-7",   "iso-8859-8",   "iso-8859-8-i",  "iso-8859-10",    "iso-8859-13",
    "iso-8859-14",  "iso-8859-15",  "iso-8859-16",  "koi8-r",        "koi8-u",         "macintosh",
    "windows-874",  "windows-1250", "windows-1251", "windows-1252",  "windows-1253",   "windows-1254",
    "windows-1255", "windows-1256", "windows-1257", "windows-1258",  "x-mac-cyrillic", "gbk",
    "gb18030",      "big5",         "euc-jp",       "iso-2022-jp",   "shift_jis",      "euc-kr",
    "replacement",  "utf-16be",     "utf-16le",     "x-user-defined"};
static_assert(kNames.back() == "x-user-defined");

}  // namespace

std::string_view name(Encoding encoding) { return kNames[static_cast<std::size_t>(encoding)]; }

std::optional<Encoding> encoding_for_label(std::string_view label) {
  label = base::trim_space(label);
  if (label.size() > kMaxLabelLength) return std::nullopt;
  std::array<char, kMaxLabelLength> folded{};
  std::ranges::transform(label, folded.begin(), base::lower_ascii);
  const std::string_view key(folded.data(), label.size());
  const auto* found = std::ranges::lower_bound(kLabels, key, {}, &Label::text);
  if (found == kLabels.end() || found->text != key) return std::nullopt;
  return found->encoding;
}

}  // namespace sheaf::encoding
