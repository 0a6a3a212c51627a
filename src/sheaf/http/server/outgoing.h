#pragma once

#include "sheaf/http/message/conditional.h"
#include "sheaf/http/server/server.h"
#include "sheaf/http/server/transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::server {

struct Response;

/// Connection-level facts for the response head.
struct ResponseFrame {
  std::string_view date;             ///< an HTTP-date
  bool is_head = false;              ///< the request was HEAD: everything but the body
  bool closes = false;               ///< the connection closes after this response
  bool requests_keep_alive = false;  ///< an HTTP/1.0 client requested keep-alive
};

/// A response being sent: a sequence of texts and file ranges. Each send() continues where the socket stopped
/// accepting data.
class Outgoing {
 public:
  /// A response without a resource.
  static Outgoing text(const Response& answer, const ResponseFrame& frame);
  /// A response with a resource.
  static Outgoing file(const Response& answer, const message::Decision& decision, const ResponseFrame& frame);

  /// A response whose body follows piece by piece; initially only its head.
  static Outgoing stream(const Response& answer, const ResponseFrame& frame, bool is_chunked);
  /// Adds the next piece of that body. Everything before it must have been sent. The last may be empty.
  void add_piece(std::string_view bytes, bool is_last, bool is_chunked);

  [[nodiscard]] unsigned status() const { return status_; }
  /// Bytes of the body sent so far, and in total.
  [[nodiscard]] std::uint64_t body_sent() const;
  [[nodiscard]] std::uint64_t body_size() const { return total_ - head_size_; }
  [[nodiscard]] bool is_sent() const { return sent_ == total_; }

  /// Sends the next piece. `done` with no bytes: the file was truncated, so the response cannot be completed.
  IoResult send(Transport& transport);

 private:
  struct Piece {
    std::string text;  ///< empty: the piece is a range of the file
    message::ByteRange range = {};
    [[nodiscard]] std::uint64_t size() const { return text.empty() ? range.length : text.size(); }
  };

  void add_text(std::string text);
  void add_range(const message::ByteRange& range);
  void add_multipart(const std::vector<message::ByteRange>& ranges, std::string_view boundary);

  unsigned status_ = 0;
  std::shared_ptr<const Resource> resource_;
  std::vector<Piece> pieces_;  ///< the first begins with the head
  std::uint64_t head_size_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t sent_ = 0;
  std::size_t piece_ = 0;         ///< index of the piece being sent
  std::uint64_t piece_sent_ = 0;  ///< bytes of that piece sent so far
};

}  // namespace sheaf::http::server
