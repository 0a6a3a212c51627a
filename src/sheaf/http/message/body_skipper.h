#pragma once

#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_check.h"

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

}  // namespace sheaf::http::message
