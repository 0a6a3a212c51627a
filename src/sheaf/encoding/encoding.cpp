#include "sheaf/encoding/encoding.h"

#include "sheaf/encoding/encoding_decoders.h"
#include "sheaf/encoding/encoding_detector.h"
#include "sheaf/encoding/encoding_index.h"
#include "sheaf/encoding/encoding_sniffer.h"

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

}  // namespace sheaf::encoding
