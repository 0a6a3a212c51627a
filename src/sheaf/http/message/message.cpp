#include "sheaf/http/message/message.h"

#include "sheaf/base/ascii.h"

#include <algorithm>

namespace sheaf::http::message {
namespace {

bool is_token_char(char c) {
  if (base::is_alphanumeric(c)) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

Method method_of(std::string_view name) noexcept {
  if (name == "GET") return Method::get;
  if (name == "HEAD") return Method::head;
  if (name == "POST") return Method::post;
  if (name == "OPTIONS") return Method::options;
  for (const std::string_view known : {"PUT", "DELETE", "CONNECT", "TRACE", "PATCH"})
    if (name == known) return Method::known;
  return Method::other;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return base::lower_ascii(x) == base::lower_ascii(y); });
}

bool is_html_type(std::string_view content_type) noexcept {
  const std::string_view type = trim_blanks(content_type.substr(0, content_type.find(';')));
  return equal_ignoring_case(type, "text/html") || equal_ignoring_case(type, "application/xhtml+xml");
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_field_value(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
  });
}

std::size_t Fields::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(std::count_if(
      lines_.begin(), lines_.end(), [&](const Field& line) { return equal_ignoring_case(line.name, name); }));
}

std::string_view Fields::first(std::string_view name) const noexcept {
  for (const Field& line : lines_)
    if (equal_ignoring_case(line.name, name)) return line.value;
  return {};
}

std::string Fields::joined(std::string_view name) const {
  std::string all;
  bool seen = false;
  for (const Field& line : lines_) {
    if (!equal_ignoring_case(line.name, name)) continue;
    if (seen) all += ", ";
    all += line.value;
    seen = true;
  }
  return all;
}

std::string_view reason_phrase(unsigned status) noexcept {
  switch (status) {
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

}  // namespace sheaf::http::message
