#include "sheaf/http/fetch/request_body.h"

#include <algorithm>
#include <cstring>

namespace sheaf::http::fetch {

base::Result<std::size_t> TextBody::read_at(std::uint64_t offset, std::span<char> out) const {
  const std::string_view rest = bytes_.substr(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(rest.size(), out.size());
  std::memcpy(out.data(), rest.data(), count);
  return count;
}

}  // namespace sheaf::http::fetch
