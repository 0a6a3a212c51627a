#include "sheaf/http/message/content_coding.h"

#include "sheaf/base/brotli_decoder.h"
#include "sheaf/base/gzip_decoder.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace sheaf::http::message {
namespace {

enum class End : std::uint8_t {
  required,    ///< the compressed stream must be complete
  not_needed,  ///< the body is only a prefix of the stream
};

/// Returns at most `limit + 1` bytes: the extra byte tells the caller that the content is longer.
base::Result<std::string> inflate(base::Decoder& decoder, std::string_view body, std::uint64_t limit,
                                  End end) {
  limit = std::min(limit, UINT64_MAX - 1);
  std::string plain;
  std::array<char, std::size_t{32} * 1024> buffer;
  while (plain.size() <= limit) {
    SHEAF_TRY_ASSIGN(const base::DecodeStep step, decoder.decode(body, buffer));
    body.remove_prefix(step.consumed);
    plain.append(buffer.data(),
                 static_cast<std::size_t>(std::min<std::uint64_t>(step.produced, limit + 1 - plain.size())));
    if (step.produced > 0 || step.consumed > 0) continue;
    if (end == End::not_needed || (body.empty() && decoder.may_end())) break;
    return base::fail(base::Errc::invalid_data, "the compressed data ends in the middle");
  }
  return plain;
}

/// The decoder for a body; null if it is not encoded.
base::Result<std::unique_ptr<base::Decoder>> decoder_for(std::string_view body,
                                                         std::string_view content_encoding) {
  const std::string_view coding = trim_blanks(content_encoding);
  if (coding.empty() || equal_ignoring_case(coding, "identity")) return nullptr;
  if (equal_ignoring_case(coding, "gzip") || equal_ignoring_case(coding, "x-gzip"))
    return base::is_gzip(body) ? base::make_gzip_decoder() : nullptr;
  if (equal_ignoring_case(coding, "deflate"))
    return body.empty() ? nullptr : base::make_deflate_decoder(body.substr(0, 2));
  if (equal_ignoring_case(coding, "br")) return body.empty() ? nullptr : base::make_brotli_decoder();
  return base::fail(base::Errc::invalid_data,
                    fmt::format("the body is encoded as {}, which we did not ask for", coding));
}

}  // namespace

base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit) {
  SHEAF_TRY_ASSIGN(const auto decoder, decoder_for(body, content_encoding));
  if (decoder) {
    SHEAF_TRY_ASSIGN(body, inflate(*decoder, body, limit, End::required));
  }
  if (body.size() > limit)
    return base::fail(base::Errc::invalid_data, fmt::format("longer than the limit of {} bytes", limit));
  return body;
}

base::Result<std::string> decode_content_prefix(std::string body, std::string_view content_encoding,
                                                std::size_t limit, bool is_cut) {
  SHEAF_TRY_ASSIGN(const auto decoder, decoder_for(body, content_encoding));
  if (decoder) {
    SHEAF_TRY_ASSIGN(body, inflate(*decoder, body, limit, is_cut ? End::not_needed : End::required));
  }
  body.resize(std::min(body.size(), limit));
  return body;
}

}  // namespace sheaf::http::message
