#pragma once

#include "sheaf/encoding/encoding.h"
#include "sheaf/encoding/encoding_index.h"
#include "sheaf/encoding/utf8_writer.h"

#include <string_view>

// The decoders of the Encoding Standard, one function each. Each takes the whole input at once, so what the
// standard calls "restoring" a byte means not to consume it. Errors are written as U+FFFD.
namespace sheaf::encoding {

bool is_utf8(std::string_view bytes);

/// Length of an incomplete but otherwise valid UTF-8 sequence at the end: 0 to 3.
std::size_t incomplete_utf8_tail(std::string_view bytes);

void decode_utf8(std::string_view bytes, Utf8Writer& out);

enum class ByteOrder { big, little };
void decode_utf16(std::string_view bytes, ByteOrder order, Utf8Writer& out);

/// `encoding` must be single-byte.
void decode_single_byte(std::string_view bytes, Encoding encoding, Utf8Writer& out);

void decode_gb18030(std::string_view bytes, const CodeIndex& gb18030, Utf8Writer& out);
void decode_big5(std::string_view bytes, const CodeIndex& big5, Utf8Writer& out);
void decode_euc_kr(std::string_view bytes, const CodeIndex& euc_kr, Utf8Writer& out);
void decode_shift_jis(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out);
void decode_euc_jp(std::string_view bytes, const CodeIndex& jis0208, const CodeIndex& jis0212,
                   Utf8Writer& out);
void decode_iso_2022_jp(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out);

}  // namespace sheaf::encoding
