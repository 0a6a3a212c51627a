#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_parser.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

/// Reads past a request body, which is framed by Content-Length or in chunks (RFC 9112 7.1), and optionally
/// keeps its content.
class BodySkipper {
 public:
  /// For a request without a body.
  BodySkipper() = default;
  /// For the body that a request head announces. The head must have passed check_head().
  explicit BodySkipper(const Fields& fields, std::uint64_t largest = kMaxBodyBytes);

  [[nodiscard]] bool is_done() const { return state_ == State::done; }

  /// Removes the body's bytes from the front of `bytes`, and appends its content to `kept` if that is given.
  /// Returns a fault if chunks are malformed or the body is larger than allowed.
  std::optional<RequestFault> skip(std::string_view& bytes, std::string* kept = nullptr);

 private:
  enum class State : std::uint8_t {
    done,
    data,
    size,
    extension,
    size_end,
    data_end_cr,
    data_end_lf,
    trailer,
    trailer_line,
    trailer_cr,
    end_lf
  };

  std::optional<RequestFault> step(char c);
  std::optional<RequestFault> end_size_line();

  State state_ = State::done;
  std::uint64_t largest_ = kMaxBodyBytes;
  bool chunked_ = false;
  std::uint64_t left_ = 0;   ///< bytes left in the body or the current chunk
  std::uint64_t taken_ = 0;  ///< bytes read so far, including chunk sizes and trailers
  unsigned digits_ = 0;      ///< digits of the chunk size read so far
};

struct ChunkedBody {
  std::string bytes;
  bool is_whole = false;  ///< the body ended with its last chunk
};

/// Decodes a body with the transfer coding "chunked" (RFC 9112, 7.1), which archives keep. Returns nullopt if
/// the body does not begin with a chunk: programs that remove the coding often leave the header that
/// announces it. If the body is truncated or damaged later, returns the content before the damage.
std::optional<ChunkedBody> decode_chunked(std::string_view body);

/// The Accept-Encoding to send if the response goes through decode_content.
inline constexpr std::string_view kAcceptedEncodings = "gzip";

/// Decodes a body by its Content-Encoding: none, identity, gzip, deflate or br. Some servers send codings
/// that were not requested, and archives have the codings that browsers requested. A body labelled gzip that
/// is not gzip is returned unchanged, because servers get that wrong. Fails with Errc::invalid_data if the
/// coding is another one, the data is damaged, or the content is longer than `limit` bytes.
base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit);

/// The first `limit` bytes of the decoded body, however long the rest is. `is_cut`: `body` is only a prefix,
/// so an unexpected end is not an error.
base::Result<std::string> decode_content_prefix(std::string body, std::string_view content_encoding,
                                                std::size_t limit, bool is_cut);

}  // namespace sheaf::http::message
