#include "sheaf/cli/options/page_file.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/counted_text.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

namespace sheaf::cli {

base::Result<std::string> read_page_file(const std::string& path, std::uint64_t limit) {
  auto opened = base::open_source(path);
  if (!opened && opened.error().code == base::Errc::is_a_directory)
    return base::fail(base::Errc::is_a_directory, fmt::format("{} is a folder; name a page in it", path));
  SHEAF_TRY_ASSIGN(const auto source, std::move(opened));
  SHEAF_TRY_ASSIGN(std::string page, base::read_up_to(*source, limit));
  if (page.size() > limit)
    return base::fail(base::Errc::invalid_data, fmt::format("{} is over the limit of {} for a page", path,
                                                            base::counted(limit, "byte", "bytes")));
  return page;
}

Instant page_file_time(const std::string& path) {
  struct stat status{};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return sheaf::now();
  return {status.st_mtim.tv_sec, static_cast<std::uint32_t>(status.st_mtim.tv_nsec)};
}

std::vector<std::string_view> describe_limits(const html::LimitsHit& hit) {
  std::vector<std::string_view> notes;
  const auto add = [&notes](bool is_hit, std::string_view what) {
    if (is_hit) notes.push_back(what);
  };
  add(hit.input_bytes, "the page is longer than the limit and was cut");
  add(hit.depth, "elements nest deeper than the limit; deeper ones are attached flat");
  add(hit.nodes, "the page has more nodes than the limit and ends there");
  add(hit.attributes, "an element has more attributes than the limit; further ones were dropped");
  add(hit.formatting, "more formatting elements are open than the limit; the oldest were closed");
  add(hit.emphasis,
      "a paragraph has more emphasis, links or mail addresses than the limit; the rest of their marks is "
      "text");
  add(hit.names, "the page has more different names than fit; further ones were ignored");
  return notes;
}

}  // namespace sheaf::cli
