#include "sheaf/http/message/body_skipper.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"

#include <algorithm>
#include <charconv>

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

}  // namespace sheaf::http::message
