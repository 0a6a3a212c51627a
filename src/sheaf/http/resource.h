#pragma once

#include "sheaf/base/file.h"
#include "sheaf/http/conditional.h"
#include "sheaf/http/message.h"

#include <string>
#include <vector>

namespace sheaf::http {

/// A file as it was at one moment, ready to be sent many times: an open descriptor, so that it stays whole
/// when another takes its name, what conditional requests need, and the headers of every answer with it.
class Resource {
 public:
  /// `headers` are those of a 200 but for ETag, Last-Modified and Accept-Ranges, which follow from
  /// `representation`.
  Resource(base::FileDescriptor file, Representation representation, std::vector<Header> headers);

  [[nodiscard]] const Representation& representation() const { return representation_; }
  [[nodiscard]] const std::vector<Header>& headers() const { return headers_; }
  [[nodiscard]] int descriptor() const { return file_.get(); }

  /// Header lines as they are sent: all of them, and those that a 304 repeats.
  [[nodiscard]] const std::string& full_lines() const { return full_lines_; }
  [[nodiscard]] const std::string& cache_lines() const { return cache_lines_; }

 private:
  base::FileDescriptor file_;
  Representation representation_;
  std::vector<Header> headers_;
  std::string full_lines_;
  std::string cache_lines_;
};

/// "Name: value" and CRLF.
void append_header_line(std::string& out, std::string_view name, std::string_view value);

}  // namespace sheaf::http
