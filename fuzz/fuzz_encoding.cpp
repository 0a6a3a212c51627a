// First byte: an encoding; second byte: how the transport declares it; the rest: a page. Whatever the bytes,
// the text is valid UTF-8 of bounded size, ASCII stays what it is, a line feed ends every broken sequence,
// and what sniffing decides is what decoding does.
#include "fuzz_support.h"
#include "sheaf/encoding/encoding.h"
#include "sheaf/encoding/encoding_sniffer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace sheaf::encoding;
using sheaf::fuzz::is_valid_utf8;
using sheaf::fuzz::require;

bool has_state(Encoding encoding) {
  return encoding == Encoding::iso_2022_jp || encoding == Encoding::replacement ||
         encoding == Encoding::utf_16be || encoding == Encoding::utf_16le;
}

std::string decoded(Decoder& decoder, std::string_view bytes, Encoding encoding) {
  std::string out;
  const bool clean = decoder.decode_to_utf8(bytes, encoding, out);
  require(is_valid_utf8(out));
  require(out.size() <= 3 * bytes.size());
  require(clean || out.find("\xEF\xBF\xBD") != std::string::npos);
  return out;
}

void check_ascii(Decoder& decoder, std::string_view page, Encoding encoding) {
  std::string ascii(page);
  for (char& c : ascii) c = static_cast<char>(c & 0x7F);
  const std::string out = decoded(decoder, ascii, encoding);
  if (!has_state(encoding)) require(out == ascii);
}

void check_resynchronisation(Decoder& decoder, std::string_view page, Encoding encoding) {
  if (has_state(encoding)) return;
  const std::string first = std::string(page.substr(0, page.size() / 2)) + "\n";
  const std::string_view second = page.substr(page.size() / 2);
  if (encoding_of_bom(second)) return;  // dropped only at the start
  require(decoded(decoder, first + std::string(second), encoding) ==
          decoded(decoder, first, encoding) + decoded(decoder, second, encoding));
}

void check_page(Decoder& decoder, std::string_view page, const SniffOptions& options) {
  std::string buffer;
  const Decoded result = decoder.decode(page, buffer, options);
  require(is_valid_utf8(result.text));
  const auto within = [&](std::string_view whole) {
    return result.text.data() >= whole.data() &&
           result.text.data() + result.text.size() <= whole.data() + whole.size();
  };
  require(result.text.empty() || within(page) || within(buffer));
  const Sniffed sniffed = decoder.sniff(page, options);
  require(sniffed.encoding == result.encoding && sniffed.source == result.source);
  require(decoded(decoder, page, result.encoding) == result.text);
  require(prescan(page) == prescan(page.substr(0, 1024)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Decoder decoder;  // reused from page to page, as its users do
  if (size < 2) return 0;
  const auto encoding = static_cast<Encoding>(data[0] % kEncodingCount);
  const std::string_view page(reinterpret_cast<const char*>(data) + 2, size - 2);
  decoded(decoder, page, encoding);
  check_ascii(decoder, page, encoding);
  check_resynchronisation(decoder, page, encoding);
  SniffOptions options;
  options.trust_valid_utf8 = (data[1] & 1) != 0;
  if ((data[1] & 2) != 0) options.transport_charset = name(encoding);
  if ((data[1] & 4) != 0) options.transport_charset = page.substr(0, page.find('\n'));
  check_page(decoder, page, options);
  return 0;
}
