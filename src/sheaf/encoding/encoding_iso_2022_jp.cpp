// ISO-2022-JP switches between character sets by escape sequences, so unlike the other decoders this one has
// a state.
#include "sheaf/encoding/encoding_decoders.h"

#include <optional>

namespace sheaf::encoding {
namespace {

using Byte = unsigned char;

enum class Set { ascii, roman, katakana, jis0208 };

std::optional<Set> set_of_escape(std::string_view after_escape) {
  if (after_escape.starts_with("(B")) return Set::ascii;
  if (after_escape.starts_with("(J")) return Set::roman;
  if (after_escape.starts_with("(I")) return Set::katakana;
  if (after_escape.starts_with("$@") || after_escape.starts_with("$B")) return Set::jis0208;
  return std::nullopt;
}

class Iso2022JpDecoder {
 public:
  Iso2022JpDecoder(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out)
      : bytes_(bytes), jis0208_(jis0208), out_(out) {}

  void run() {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == kEscape) {
        read_escape();
      } else if (set_ == Set::jis0208) {
        read_pair();
      } else {
        read_single();
      }
    }
  }

 private:
  static constexpr char kEscape = '\x1B';

  void read_escape() {
    ++at_;
    const auto set = set_of_escape(bytes_.substr(at_));
    if (!set) {
      // The bytes after the invalid escape are decoded in the current character set.
      fail();
      return;
    }
    at_ += 2;
    set_ = *set;
    // Two consecutive switches produce no text; the standard makes this an error so that it cannot hide text.
    if (just_switched_) out_.put_error();
    just_switched_ = true;
  }

  void read_single() {
    const auto byte = static_cast<Byte>(bytes_[at_++]);
    const char32_t c = single(byte);
    if (c == kNone) return fail();
    just_switched_ = false;
    out_.put(c);
  }

  void read_pair() {
    const auto lead = static_cast<Byte>(bytes_[at_++]);
    if (lead < 0x21 || lead > 0x7E) return fail();
    just_switched_ = false;
    // A truncated pair is one error. An escape in place of the second byte is not consumed.
    if (at_ == bytes_.size() || bytes_[at_] == kEscape) return out_.put_error();
    const auto trail = static_cast<Byte>(bytes_[at_++]);
    const bool valid = trail >= 0x21 && trail <= 0x7E;
    const char32_t c = valid ? jis0208_[(lead - 0x21u) * 94 + trail - 0x21u] : 0;
    if (c == 0) return out_.put_error();
    out_.put(c);
  }

  void fail() {
    just_switched_ = false;
    out_.put_error();
  }

  static constexpr char32_t kNone = 0xFFFFFFFF;

  char32_t single(Byte byte) const {
    if (set_ == Set::katakana) {
      return byte >= 0x21 && byte <= 0x5F ? 0xFF61u + byte - 0x21u : kNone;
    }
    if (byte >= 0x80 || byte == 0x0E || byte == 0x0F) return kNone;
    if (set_ == Set::roman && byte == 0x5C) return 0xA5;
    if (set_ == Set::roman && byte == 0x7E) return 0x203E;
    return byte;
  }

  std::string_view bytes_;
  const CodeIndex& jis0208_;
  Utf8Writer& out_;
  std::size_t at_ = 0;
  Set set_ = Set::ascii;
  bool just_switched_ = false;
};

}  // namespace

void decode_iso_2022_jp(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out) {
  Iso2022JpDecoder(bytes, jis0208, out).run();
}

}  // namespace sheaf::encoding
