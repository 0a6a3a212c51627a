#pragma once

#include "sheaf/http/conditional.h"
#include "sheaf/http/resource.h"
#include "sheaf/http/transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http {

struct Answer;

/// What the head of an answer says besides the answer itself.
struct AnswerFrame {
  std::string_view date;    ///< an HTTP-date
  bool is_head = false;     ///< the request was HEAD: everything but the body
  bool closes = false;      ///< the connection ends with this answer
  bool says_alive = false;  ///< the client speaks HTTP/1.0 and asked to go on
};

/// An answer on its way: texts and stretches of a file, one after the other, from where the socket stopped
/// taking them.
class Outgoing {
 public:
  /// An answer without a resource.
  static Outgoing text(const Answer& answer, const AnswerFrame& frame);
  /// An answer with a resource, as decided.
  static Outgoing file(std::shared_ptr<const Resource> resource, const Decision& decision,
                       const AnswerFrame& frame);

  [[nodiscard]] unsigned status() const { return status_; }
  /// Bytes of the body that were sent, and that there are.
  [[nodiscard]] std::uint64_t body_sent() const;
  [[nodiscard]] std::uint64_t body_size() const { return total_ - head_size_; }
  [[nodiscard]] bool is_sent() const { return sent_ == total_; }

  /// Sends the next piece. `done` with no bytes: the file is shorter than it was, and the answer cannot be
  /// made whole.
  IoResult send(Transport& transport);

 private:
  struct Piece {
    std::string text;  ///< empty: the piece lies in the file
    ByteRange range = {};
    [[nodiscard]] std::uint64_t size() const { return text.empty() ? range.length : text.size(); }
  };

  void add_text(std::string text);
  void add_range(const ByteRange& range);
  void add_multipart(const std::vector<ByteRange>& ranges, std::string_view boundary);

  unsigned status_ = 0;
  std::shared_ptr<const Resource> resource_;
  std::vector<Piece> pieces_;  ///< the first begins with the head
  std::uint64_t head_size_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t sent_ = 0;
  std::size_t piece_ = 0;         ///< the one that is being sent
  std::uint64_t piece_sent_ = 0;  ///< of it
};

}  // namespace sheaf::http
