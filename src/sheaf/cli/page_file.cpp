#include "sheaf/cli/page_file.h"

#include "sheaf/base/byte_source.h"

#include <fmt/format.h>

namespace sheaf::cli {

base::Result<std::string> read_page_file(const std::string& path, std::uint64_t limit) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(path));
  std::string page;
  std::string buffer(1 << 16, '\0');
  while (true) {
    SHEAF_TRY_ASSIGN(const std::size_t count, source->read(buffer));
    if (count == 0) return page;
    page.append(buffer, 0, count);
    if (page.size() > limit)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("{} is over the limit of {} bytes for a page", path, limit));
  }
}

}  // namespace sheaf::cli
