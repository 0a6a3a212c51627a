#pragma once

#include "sheaf/format/codecs/codec.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::warc {

/// A record as text. `length` instead of the right one, where it is given.
inline std::string record_text(std::string_view type, std::string_view url, std::string_view block,
                               std::string_view length = {}) {
  std::string text = "WARC/1.0\r\nWARC-Type: ";
  text += type;
  text += "\r\nWARC-Target-URI: ";
  text += url;
  text += "\r\nWARC-Date: 2026-05-01T10:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n";
  text += "Content-Type: application/http; msgtype=response\r\nContent-Length: ";
  text += length.empty() ? std::to_string(block.size()) : std::string(length);
  text += "\r\n\r\n";
  text += block;
  return text + "\r\n\r\n";
}

/// A response with a page.
inline std::string response_text(std::string_view url, std::string_view body) {
  std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  block += body;
  return record_text("response", url, block);
}

inline std::string compressed(std::string_view text, format::Codec codec) {
  std::string out;
  (void)format::make_encoder(codec, 1)->encode(text, format::Flush::end, out);
  return out;
}

}  // namespace sheaf::warc
