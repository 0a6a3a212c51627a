#include "sheaf/http/message/message_body.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/hex.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sheaf::http::message {
namespace {

RequestFault malformed() { return {400, "the chunks of the body are malformed"}; }

}  // namespace

BodySkipper::BodySkipper(const Fields& fields, std::uint64_t largest) : largest_(largest) {
  if (fields.count("Transfer-Encoding") > 0) {
    chunked_ = true;
    state_ = State::size;
    return;
  }
  const std::string_view length = fields.first("Content-Length");
  std::from_chars(length.data(), length.data() + length.size(), left_);
  if (left_ > 0) state_ = State::data;
}

std::optional<RequestFault> BodySkipper::skip(std::string_view& bytes, std::string* kept) {
  while (!bytes.empty() && state_ != State::done) {
    std::size_t count = 1;
    if (state_ == State::data) {
      count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      left_ -= count;
      if (kept != nullptr) kept->append(bytes.substr(0, count));
      if (left_ == 0) state_ = chunked_ ? State::data_end_cr : State::done;
    } else if (auto fault = step(bytes.front())) {
      return fault;
    }
    bytes.remove_prefix(count);
    taken_ += count;
    // Chunk sizes, extensions and trailers count too, or a client could send them forever.
    if (taken_ > largest_ + largest_ / 16 + 4'096) return RequestFault{413, "the request body is too large"};
  }
  return std::nullopt;
}

std::optional<RequestFault> BodySkipper::end_size_line() {
  if (digits_ == 0) return malformed();
  if (left_ > largest_) return RequestFault{413, "the request body is too large"};
  state_ = left_ == 0 ? State::trailer : State::data;
  digits_ = 0;
  return std::nullopt;
}

/// chunk-size [ chunk-ext ] CRLF chunk-data CRLF, a last chunk of size 0, trailer fields, CRLF.
std::optional<RequestFault> BodySkipper::step(char c) {
  const auto go = [this](bool good, State next) -> std::optional<RequestFault> {
    if (!good) return malformed();
    state_ = next;
    return std::nullopt;
  };
  switch (state_) {
    case State::size:
      if (const int digit = base::hex_value(c); digit >= 0) {
        if (++digits_ > 15) return RequestFault{413, "the request body is too large"};
        left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
        return std::nullopt;
      }
      if (c == '\r') return go(true, State::size_end);
      return go(digits_ > 0 && (c == ';' || base::is_blank(c)), State::extension);
    case State::extension: return c == '\r' ? go(true, State::size_end) : go(c != '\n', State::extension);
    case State::size_end: return c == '\n' ? end_size_line() : malformed();
    case State::data_end_cr: return go(c == '\r', State::data_end_lf);
    case State::data_end_lf: return go(c == '\n', State::size);
    case State::trailer: return c == '\r' ? go(true, State::end_lf) : go(c != '\n', State::trailer_line);
    case State::trailer_line:
      return c == '\r' ? go(true, State::trailer_cr) : go(c != '\n', State::trailer_line);
    case State::trailer_cr: return go(c == '\n', State::trailer);
    case State::end_lf: return go(c == '\n', State::done);
    default: return malformed();
  }
}

namespace {

constexpr std::size_t kSizeDigits = 15;  // 60 bits: larger than any real chunk

/// Takes the line with the size of a chunk, without its extensions.
std::optional<std::uint64_t> take_chunk_size(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = rest.substr(0, end);
  line = trim_blanks(line.substr(0, line.find_first_of(";\r")));
  if (line.empty() || line.size() > kSizeDigits) return std::nullopt;
  std::uint64_t size = 0;
  for (const char c : line) {
    const auto digit = base::hex_value(c);
    if (digit < 0) return std::nullopt;
    size = size * 16 + static_cast<std::uint64_t>(digit);
  }
  rest.remove_prefix(end + 1);
  return size;
}

}  // namespace

std::optional<ChunkedBody> decode_chunked(std::string_view body) {
  ChunkedBody decoded;
  for (bool first = true;; first = false) {
    const auto size = take_chunk_size(body);
    if (!size && first) return std::nullopt;
    if (!size) return decoded;
    decoded.is_whole = *size == 0;
    if (decoded.is_whole) return decoded;  // trailers are not needed
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(*size, body.size()));
    decoded.bytes += body.substr(0, count);
    body.remove_prefix(count);
    if (body.starts_with('\r')) body.remove_prefix(1);
    if (!body.starts_with('\n')) return decoded;
    body.remove_prefix(1);
  }
}

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
