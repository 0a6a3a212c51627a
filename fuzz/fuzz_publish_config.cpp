// The input is a sheaf.toml: what is taken holds together, what is refused says where.
#include "fuzz_support.h"
#include "sheaf/base/url.h"
#include "sheaf/publish/config/config.h"

#include <cstdint>
#include <set>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

void check(const publish::PublishConfig& config) {
  require(config.base.has_value());
  require(base::is_http_url(config.collections_url) && config.collections_url.ends_with('/'));
  require(base::is_http_url(config.sitemap_url));
  require(!config.codecs.empty() && !config.state.empty());
  require(!config.sections.empty());
  std::set<std::string> names;
  for (const publish::SectionConfig& section : config.sections) {
    require(!section.name.empty() && names.insert(section.name).second);
    require(section.name.find('/') == std::string::npos);
    require(!section.sources.empty());
  }
  require(!config.all || !names.contains(std::string(publish::kWholeSite)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto config = publish::parse_config(fuzz::as_text(data, size), "/site/sheaf.toml");
  if (config) {
    check(*config);
  } else {
    require(config.error().message.find("/site/sheaf.toml") != std::string::npos);
    require(fuzz::is_valid_utf8(config.error().message));
  }
  return 0;
}
