#pragma once

#include "sheaf/base/file.h"
#include "sheaf/http/message/conditional.h"
#include "sheaf/http/message/message.h"

#include <string>
#include <vector>

namespace sheaf::http::server {

/// One version of a file, ready to be sent many times. It holds the validators for conditional requests, the
/// response headers, and an open descriptor, so it stays intact when the file is replaced.
class Resource {
 public:
  /// `headers` are those of a 200 response, except ETag, Last-Modified and Accept-Ranges, which follow from
  /// `representation`.
  Resource(base::FileDescriptor file, message::Representation representation,
           std::vector<message::Header> headers);

  [[nodiscard]] const message::Representation& representation() const { return representation_; }
  [[nodiscard]] const std::vector<message::Header>& headers() const { return headers_; }
  [[nodiscard]] int descriptor() const { return file_.get(); }

  /// Formatted header lines: all of them, or only those that a 304 repeats.
  [[nodiscard]] const std::string& full_lines() const { return full_lines_; }
  [[nodiscard]] const std::string& cache_lines() const { return cache_lines_; }

 private:
  base::FileDescriptor file_;
  message::Representation representation_;
  std::vector<message::Header> headers_;
  std::string full_lines_;
  std::string cache_lines_;
};

/// Appends "Name: value" and CRLF.
void append_header_line(std::string& out, std::string_view name, std::string_view value);

}  // namespace sheaf::http::server
