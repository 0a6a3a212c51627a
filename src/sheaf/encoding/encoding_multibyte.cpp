#include "sheaf/encoding/encoding_decoders.h"

namespace sheaf::encoding {
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

}  // namespace sheaf::encoding
