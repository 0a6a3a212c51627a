#include "sheaf/http/server/outgoing.h"

#include "sheaf/http/server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace sheaf::http::server {
namespace {

bool describes_content(const message::Header& header) {
  return header.name == "Content-Type" || header.name == "Content-Encoding";
}

/// Random, so no file can be crafted to contain it.
std::string random_boundary() {
  thread_local std::mt19937_64 generator{std::random_device{}()};
  return fmt::format("sheaf-{:016x}{:016x}", generator(), generator());
}

std::string content_range(const message::ByteRange& range, std::uint64_t size) {
  return fmt::format("bytes {}-{}/{}", range.first, range.first + range.length - 1, size);
}

/// The status line and the headers of every response.
std::string begin_head(unsigned status, const ResponseFrame& frame) {
  std::string head;
  head.reserve(512);
  head += "HTTP/1.1 ";
  head += static_cast<char>('0' + status / 100);
  head += static_cast<char>('0' + status / 10 % 10);
  head += static_cast<char>('0' + status % 10);
  head += ' ';
  head.append(message::reason_phrase(status)).append("\r\n");
  append_header_line(head, "Date", frame.date);
  if (frame.closes)
    head += "Connection: close\r\n";
  else if (frame.requests_keep_alive)
    head += "Connection: keep-alive\r\n";
  return head;
}

void end_head(std::string& head, std::uint64_t length) {
  append_header_line(head, "Content-Length", std::to_string(length));
  head += "\r\n";
}

std::string text_of(const Response& answer) {
  const bool is_sentence = answer.status >= 300 && answer.content_type.starts_with("text/plain");
  if (!is_sentence) return answer.text;
  return fmt::format("{} {}{}{}\n", answer.status, message::reason_phrase(answer.status),
                     answer.text.empty() ? "" : ": ", answer.text);
}

}  // namespace

void Outgoing::add_text(std::string text) {
  total_ += text.size();
  if (!text.empty()) pieces_.push_back({std::move(text), {}});
}

void Outgoing::add_range(const message::ByteRange& range) {
  total_ += range.length;
  if (range.length > 0) pieces_.push_back({{}, range});
}

Outgoing Outgoing::text(const Response& answer, const ResponseFrame& frame) {
  Outgoing out;
  out.status_ = answer.status;
  std::string head = begin_head(answer.status, frame);
  const bool has_body = answer.status != 204;
  if (has_body) append_header_line(head, "Content-Type", answer.content_type);
  for (const message::Header& header : answer.headers) append_header_line(head, header.name, header.value);
  const std::string body = has_body ? text_of(answer) : std::string();
  if (has_body)
    end_head(head, body.size());
  else
    head += "\r\n";
  out.head_size_ = head.size();
  if (!frame.is_head) head += body;
  out.add_text(std::move(head));
  return out;
}

Outgoing Outgoing::stream(const Response& answer, const ResponseFrame& frame, bool is_chunked) {
  Outgoing out;
  out.status_ = answer.status;
  std::string head = begin_head(answer.status, frame);
  append_header_line(head, "Content-Type", answer.content_type);
  for (const message::Header& header : answer.headers) append_header_line(head, header.name, header.value);
  if (is_chunked) append_header_line(head, "Transfer-Encoding", "chunked");
  head += "\r\n";
  out.head_size_ = head.size();
  out.add_text(std::move(head));
  return out;
}

void Outgoing::add_piece(std::string_view bytes, bool is_last, bool is_chunked) {
  pieces_.clear();
  piece_ = 0;
  if (!is_chunked) return add_text(std::string(bytes));
  std::string text;
  if (!bytes.empty()) text = fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
  if (is_last) text += "0\r\n\r\n";
  add_text(std::move(text));
}

/// The parts are pieces of the encoded file, but the multipart body is not encoded. So the content headers go
/// into each part, not into the response head.
void Outgoing::add_multipart(const std::vector<message::ByteRange>& ranges, std::string_view boundary) {
  std::string described;
  for (const message::Header& header : resource_->headers())
    if (describes_content(header)) append_header_line(described, header.name, header.value);
  bool first = true;
  for (const message::ByteRange& range : ranges) {
    add_text(fmt::format("{}--{}\r\n{}Content-Range: {}\r\n\r\n", first ? "" : "\r\n", boundary, described,
                         content_range(range, resource_->representation().size)));
    add_range(range);
    first = false;
  }
  add_text(fmt::format("\r\n--{}--\r\n", boundary));
}

Outgoing Outgoing::file(const Response& answer, const message::Decision& decision,
                        const ResponseFrame& frame) {
  Outgoing out;
  out.status_ = decision.status;
  out.resource_ = answer.resource;
  const std::uint64_t size = out.resource_->representation().size;
  std::string head = begin_head(decision.status, frame);
  if (decision.status != 304)
    for (const message::Header& header : answer.headers) append_header_line(head, header.name, header.value);
  if (decision.status == 304) {
    // No Content-Length: RFC 9110 8.6 allows only the length of the 200 response, and some clients would then
    // wait for that many bytes.
    head.append(out.resource_->cache_lines()).append("\r\n");
  } else if (decision.status == 200) {
    head += out.resource_->full_lines();
    end_head(head, size);
    if (!frame.is_head) out.add_range({0, size});
  } else if (decision.ranges.size() == 1) {
    head += out.resource_->full_lines();
    append_header_line(head, "Content-Range", content_range(decision.ranges.front(), size));
    end_head(head, decision.ranges.front().length);
    out.add_range(decision.ranges.front());
  } else {
    const std::string boundary = random_boundary();
    append_header_line(head, "Content-Type", "multipart/byteranges; boundary=" + boundary);
    for (const message::Header& header : out.resource_->headers())
      if (!describes_content(header)) append_header_line(head, header.name, header.value);
    out.add_multipart(decision.ranges, boundary);
    end_head(head, out.total_);
  }
  out.head_size_ = head.size();
  out.total_ += head.size();
  out.pieces_.insert(out.pieces_.begin(), Piece{std::move(head), {}});
  return out;
}

std::uint64_t Outgoing::body_sent() const { return sent_ > head_size_ ? sent_ - head_size_ : 0; }

IoResult Outgoing::send(Transport& transport) {
  const Piece& piece = pieces_[piece_];
  const More more = piece_ + 1 < pieces_.size() ? More::yes : More::no;
  const IoResult result = piece.text.empty()
                              ? transport.write_file(resource_->descriptor(), piece.range.first + piece_sent_,
                                                     piece.range.length - piece_sent_)
                              : transport.write(std::string_view(piece.text).substr(piece_sent_), more);
  sent_ += result.count;
  piece_sent_ += result.count;
  if (piece_sent_ == piece.size()) {
    ++piece_;
    piece_sent_ = 0;
  }
  return result;
}

}  // namespace sheaf::http::server
