#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::encoding {

/// The encodings of the WHATWG Encoding Standard, in its order. Browsers support no others.
enum class Encoding : std::uint8_t {
  utf_8,
  ibm866,
  iso_8859_2,
  iso_8859_3,
  iso_8859_4,
  iso_8859_5,
  iso_8859_6,
  iso_8859_7,
  iso_8859_8,
  iso_8859_8_i,
  iso_8859_10,
  iso_8859_13,
  iso_8859_14,
  iso_8859_15,
  iso_8859_16,
  koi8_r,
  koi8_u,
  macintosh,
  windows_874,
  windows_1250,
  windows_1251,
  windows_1252,
  windows_1253,
  windows_1254,
  windows_1255,
  windows_1256,
  windows_1257,
  windows_1258,
  x_mac_cyrillic,
  gbk,
  gb18030,
  big5,
  euc_jp,
  iso_2022_jp,
  shift_jis,
  euc_kr,
  replacement,
  utf_16be,
  utf_16le,
  x_user_defined,
};
inline constexpr std::size_t kEncodingCount = 40;

/// The standard's name, in lower case ("windows-1252").
std::string_view name(Encoding encoding);

/// The encoding of a label ("latin1" is windows-1252). Ignores surrounding white space and ASCII case.
/// Returns nullopt if the standard does not have the label.
std::optional<Encoding> encoding_for_label(std::string_view label);

/// Whether the encoding maps each byte to one character. True for x-user-defined too.
constexpr bool is_single_byte(Encoding encoding) {
  return (encoding >= Encoding::ibm866 && encoding <= Encoding::x_mac_cyrillic) ||
         encoding == Encoding::x_user_defined;
}

/// How the encoding was determined, strongest first.
enum class EncodingSource : std::uint8_t {
  bom,         ///< a byte order mark
  transport,   ///< the charset of the Content-Type
  meta,        ///< <meta> or an XML declaration in the first 1024 bytes
  utf8_valid,  ///< no declaration (or not trusted, see SniffOptions), and the bytes are valid UTF-8
  detector,    ///< no declaration: guessed from the statistics of the text
  fallback,    ///< unknown: windows-1252, as in browsers
};

struct SniffOptions {
  /// The value of the charset parameter of the Content-Type, unquoted; empty if there is none. Unknown labels
  /// are ignored.
  std::string_view transport_charset = {};
  /// The standard always uses a declared encoding, even if the bytes contradict it. If this is set and a
  /// single-byte encoding was declared, bytes that are valid UTF-8 with at least one non-ASCII character are
  /// read as UTF-8 nevertheless: single-byte text that is also valid UTF-8 is very rare, while mis-declared
  /// UTF-8 is common. A byte order mark is always obeyed.
  bool trust_valid_utf8 = false;
};

struct Sniffed {
  Encoding encoding;
  EncodingSource source;
};

/// A page, decoded to UTF-8.
struct Decoded {
  std::string_view text;  ///< valid UTF-8 without a byte order mark: a view of the input or of the buffer
  Encoding encoding;
  EncodingSource source;
  bool had_errors;  ///< some malformed bytes became U+FFFD
};

/// Converts pages of any encoding to UTF-8. Never fails: malformed bytes become U+FFFD, as the Encoding
/// Standard requires. A Decoder keeps the tables and the detector that it has needed so far (at most about
/// 400 KB), so use one for many pages. May be used by one thread at a time.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&& other) noexcept;
  Decoder& operator=(Decoder&& other) noexcept;

  /// Determines the encoding as the HTML standard does ("determining the character encoding"): byte order
  /// mark, transport, prescan of the first 1024 bytes. The standard leaves the next step open: here it is
  /// UTF-8 if the bytes are valid, else the detector.
  Sniffed sniff(std::string_view bytes, const SniffOptions& options = {});

  /// Sniffs and decodes. The text is a view of `bytes` if they are already UTF-8 (or ASCII), else of
  /// `buffer`, which is overwritten. It is valid until `bytes` or `buffer` changes.
  Decoded decode(std::string_view bytes, std::string& buffer, const SniffOptions& options = {});

  /// Replaces `out` with the decoded text, which is at most three times as long as `bytes`. A byte order mark
  /// of this encoding is dropped. Returns false if some bytes were malformed.
  bool decode_to_utf8(std::string_view bytes, Encoding encoding, std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same for a single page, with a temporary Decoder.
Sniffed sniff(std::string_view bytes, std::string_view transport_charset = {});
bool decode_to_utf8(std::string_view bytes, Encoding encoding, std::string& out);

}  // namespace sheaf::encoding
