#pragma once

#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_check.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

/// Skips a request body, or keeps it: a number of bytes, or chunks (RFC 9112 7.1).
class BodySkipper {
 public:
  /// No body.
  BodySkipper() = default;
  /// The body announced by a head that passed check_head.
  explicit BodySkipper(const Fields& fields, std::uint64_t largest = kLargestBody);

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
  std::uint64_t largest_ = kLargestBody;
  bool chunked_ = false;
  std::uint64_t left_ = 0;   ///< of the body or the chunk
  std::uint64_t taken_ = 0;  ///< everything, chunk sizes and trailers too
  unsigned digits_ = 0;
};

}  // namespace sheaf::http::message
