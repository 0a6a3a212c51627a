#include "sheaf/markup/own_path.h"

#include "sheaf/base/ascii.h"

#include <utility>

namespace sheaf::markup {

void append_query_value(std::string& out, std::string_view value) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : value) {
    if (base::is_alphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4U], kHex[byte & 0xFU]};
  }
}

OwnPath OwnPath::with(Literal name, std::string_view value) && {
  if (value.empty()) return std::move(*this);
  text_ += text_.find('?') == std::string::npos ? '?' : '&';
  text_.append(name.text()) += '=';
  append_query_value(text_, value);
  return std::move(*this);
}

OwnPath OwnPath::with(Literal name, std::uint64_t value) const& { return with(name, std::to_string(value)); }

OwnPath OwnPath::at(Literal prefix, std::uint64_t number) const {
  OwnPath path = *this;
  path.text_.append("#").append(prefix.text()).append(std::to_string(number));
  return path;
}

}  // namespace sheaf::markup
