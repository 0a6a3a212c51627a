#include "sheaf/encoding/encoding_decoders.h"

#include <simdjson.h>

#include <optional>

namespace sheaf::encoding {
namespace {

// The bytes that may follow a lead byte: the number of continuation bytes and the range of the first one. For
// some lead bytes the range is narrower than 80..BF, to exclude overlong forms, surrogates and code points
// above U+10FFFF.
struct LeadRule {
  unsigned continuations;
  unsigned char lower = 0x80;
  unsigned char upper = 0xBF;
};

constexpr LeadRule rule_of(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {1};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {2};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {3};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {0};
}

struct Sequence {
  std::size_t length;  // length of a complete character, or of the maximal subpart of an invalid one
  bool complete;
  bool at_end;  // invalid only because the input ends
};

// Reads the sequence that starts with a non-ASCII byte.
Sequence read_sequence(const char* p, const char* end) {
  LeadRule rule = rule_of(static_cast<unsigned char>(*p));
  if (rule.continuations == 0) return {1, false, false};
  std::size_t length = 1;
  for (; rule.continuations > 0; --rule.continuations, ++length) {
    if (p + length == end) return {length, false, true};
    const auto byte = static_cast<unsigned char>(p[length]);
    if (byte < rule.lower || byte > rule.upper) return {length, false, false};
    rule.lower = 0x80;
    rule.upper = 0xBF;
  }
  return {length, true, false};
}

class Utf16Units {
 public:
  Utf16Units(std::string_view bytes, ByteOrder order)
      : bytes_(bytes), high_(order == ByteOrder::big ? 0 : 1) {}
  std::size_t size() const { return bytes_.size() / 2; }
  char32_t operator[](std::size_t i) const {
    return static_cast<char32_t>(byte(2 * i + high_) << 8 | byte(2 * i + 1 - high_));
  }

 private:
  unsigned byte(std::size_t i) const { return static_cast<unsigned char>(bytes_[i]); }
  std::string_view bytes_;
  std::size_t high_;
};

constexpr bool is_lead_surrogate(char32_t unit) { return (unit & 0xFC00) == 0xD800; }
constexpr bool is_trail_surrogate(char32_t unit) { return (unit & 0xFC00) == 0xDC00; }

}  // namespace

bool is_utf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

std::size_t incomplete_utf8_tail(std::string_view bytes) {
  const char* end = bytes.data() + bytes.size();
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto byte = static_cast<unsigned char>(*(end - back));
    if (byte < 0x80) return 0;
    if (byte >= 0xC0) return read_sequence(end - back, end).at_end ? back : 0;
  }
  return 0;
}

void decode_utf8(std::string_view bytes, Utf8Writer& out) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  const char* copied = p;
  while (p != end) {
    p += ascii_prefix(p, end);
    if (p == end) break;
    const Sequence sequence = read_sequence(p, end);
    if (!sequence.complete) {
      out.append({copied, p});
      out.put_error();
      copied = p + sequence.length;
    }
    p += sequence.length;
  }
  out.append({copied, end});
}

void decode_utf16(std::string_view bytes, ByteOrder order, Utf8Writer& out) {
  const Utf16Units units(bytes, order);
  bool cut_surrogate = false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const char32_t unit = units[i];
    if (!is_lead_surrogate(unit)) {
      if (is_trail_surrogate(unit)) {
        out.put_error();
      } else {
        out.put(unit);
      }
    } else if (i + 1 == units.size()) {
      out.put_error();
      cut_surrogate = true;
    } else if (is_trail_surrogate(units[i + 1])) {
      out.put(0x10000 + ((unit & 0x3FF) << 10) + (units[++i] & 0x3FF));
    } else {
      out.put_error();
    }
  }
  // An odd byte at the end is an error, unless it follows a lone lead surrogate: then both are one error.
  if (bytes.size() % 2 != 0 && !cut_surrogate) out.put_error();
}

namespace {

using Byte = unsigned char;

constexpr bool is_in(Byte byte, Byte first, Byte last) { return byte >= first && byte <= last; }

// The result of one decoding step at a non-ASCII byte: the number of bytes consumed and their character.
struct Step {
  std::size_t length;
  char32_t code_point;  // 0: malformed
};

// Rejects an invalid trail byte. An ASCII trail byte is not consumed, because dropping a quote or a < could
// hide markup.
constexpr Step reject(Byte trail) { return {trail < 0x80 ? 1u : 2u, 0}; }

constexpr Step accept(Byte trail, char32_t code_point) {
  return code_point == 0 ? reject(trail) : Step{2, code_point};
}

// Copies runs of ASCII and calls `read_step` with the remaining bytes (at least one) at each other character.
template <class ReadStep>
void decode_steps(std::string_view bytes, Utf8Writer& out, ReadStep read_step) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  while (p != end) {
    p = out.append_ascii(p, end);
    while (p != end && static_cast<Byte>(*p) >= 0x80) {
      const Step step = read_step(reinterpret_cast<const Byte*>(p), static_cast<std::size_t>(end - p));
      if (step.code_point == 0) {
        out.put_error();
      } else {
        out.put(step.code_point);
      }
      p += step.length;
    }
  }
}

Step read_gb18030_four(const Byte* p, std::size_t left) {
  // If the input ends inside the sequence, it is a single error.
  if (left == 2) return {2, 0};
  if (!is_in(p[2], 0x81, 0xFE)) return {1, 0};
  if (left == 3) return {3, 0};
  if (!is_in(p[3], 0x30, 0x39)) return {1, 0};
  const std::uint32_t pointer =
      (p[0] - 0x81u) * 12600 + (p[1] - 0x30u) * 1260 + (p[2] - 0x81u) * 10 + p[3] - 0x30u;
  return {4, gb18030_range_code_point(pointer)};
}

Step read_gb18030(const CodeIndex& index, const Byte* p, std::size_t left) {
  if (p[0] == 0x80) return {1, 0x20AC};
  if (p[0] == 0xFF || left < 2) return {1, 0};
  const Byte trail = p[1];
  if (is_in(trail, 0x30, 0x39)) return read_gb18030_four(p, left);
  if (!is_in(trail, 0x40, 0x7E) && !is_in(trail, 0x80, 0xFE)) return reject(trail);
  return accept(trail, index[(p[0] - 0x81u) * 190 + trail - (trail < 0x7F ? 0x40u : 0x41u)]);
}

Step read_euc_kr(const CodeIndex& index, const Byte* p, std::size_t left) {
  if (p[0] == 0x80 || p[0] == 0xFF || left < 2) return {1, 0};
  const Byte trail = p[1];
  if (!is_in(trail, 0x41, 0xFE)) return reject(trail);
  return accept(trail, index[(p[0] - 0x81u) * 190 + trail - 0x41u]);
}

Step read_shift_jis(const CodeIndex& jis0208, const Byte* p, std::size_t left) {
  const Byte lead = p[0];
  if (lead == 0x80) return {1, 0x80};
  if (is_in(lead, 0xA1, 0xDF)) return {1, 0xFF61u + lead - 0xA1u};
  if (lead == 0xA0 || lead > 0xFC || left < 2) return {1, 0};
  const Byte trail = p[1];
  if (!is_in(trail, 0x40, 0x7E) && !is_in(trail, 0x80, 0xFC)) return reject(trail);
  const unsigned pointer =
      (lead - (lead < 0xA0 ? 0x81u : 0xC1u)) * 188 + trail - (trail < 0x7F ? 0x40u : 0x41u);
  // As in Windows, these rows map to private-use characters.
  if (pointer >= 8836 && pointer <= 10715) return {2, 0xE000 + pointer - 8836};
  return accept(trail, jis0208[pointer]);
}

Step read_euc_jp(const CodeIndex& jis0208, const CodeIndex& jis0212, const Byte* p, std::size_t left) {
  const Byte lead = p[0];
  if ((lead != 0x8E && lead != 0x8F && !is_in(lead, 0xA1, 0xFE)) || left < 2) return {1, 0};
  if (lead == 0x8E) {
    return is_in(p[1], 0xA1, 0xDF) ? Step{2, 0xFF61u + p[1] - 0xA1u} : reject(p[1]);
  }
  if (!is_in(p[1], 0xA1, 0xFE)) return reject(p[1]);
  if (lead != 0x8F) return accept(p[1], jis0208[(lead - 0xA1u) * 94 + p[1] - 0xA1u]);
  if (left < 3) return {2, 0};
  if (!is_in(p[2], 0xA1, 0xFE)) return {p[2] < 0x80 ? 2u : 3u, 0};
  return {3, jis0212[(p[1] - 0xA1u) * 94 + p[2] - 0xA1u]};
}

// Four Big5 codes decode to a letter and a combining mark. Both are 0 for all other codes.
struct Big5Pair {
  char32_t letter;
  char32_t mark;
};

constexpr Big5Pair big5_pair(unsigned pointer) {
  switch (pointer) {
    case 1133: return {0xCA, 0x304};
    case 1135: return {0xCA, 0x30C};
    case 1164: return {0xEA, 0x304};
    case 1166: return {0xEA, 0x30C};
    default: return {};
  }
}

Step read_big5(const CodeIndex& index, Utf8Writer& out, const Byte* p, std::size_t left) {
  if (p[0] == 0x80 || p[0] == 0xFF || left < 2) return {1, 0};
  const Byte trail = p[1];
  if (!is_in(trail, 0x40, 0x7E) && !is_in(trail, 0xA1, 0xFE)) return reject(trail);
  const unsigned pointer = (p[0] - 0x81u) * 157 + trail - (trail < 0x7F ? 0x40u : 0x62u);
  if (const Big5Pair pair = big5_pair(pointer); pair.letter != 0) {
    out.put(pair.letter);
    return {2, pair.mark};
  }
  return accept(trail, index[pointer]);
}

}  // namespace

void decode_gb18030(std::string_view bytes, const CodeIndex& gb18030, Utf8Writer& out) {
  decode_steps(bytes, out, [&](const Byte* p, std::size_t left) { return read_gb18030(gb18030, p, left); });
}

void decode_big5(std::string_view bytes, const CodeIndex& big5, Utf8Writer& out) {
  decode_steps(bytes, out, [&](const Byte* p, std::size_t left) { return read_big5(big5, out, p, left); });
}

void decode_euc_kr(std::string_view bytes, const CodeIndex& euc_kr, Utf8Writer& out) {
  decode_steps(bytes, out, [&](const Byte* p, std::size_t left) { return read_euc_kr(euc_kr, p, left); });
}

void decode_shift_jis(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out) {
  decode_steps(bytes, out, [&](const Byte* p, std::size_t left) { return read_shift_jis(jis0208, p, left); });
}

void decode_euc_jp(std::string_view bytes, const CodeIndex& jis0208, const CodeIndex& jis0212,
                   Utf8Writer& out) {
  decode_steps(bytes, out,
               [&](const Byte* p, std::size_t left) { return read_euc_jp(jis0208, jis0212, p, left); });
}

// ISO-2022-JP switches between character sets by escape sequences, so unlike the other decoders this one has
// a state.

namespace {

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
