// SCP elements merged into a sitemap: the result reads back, a second merge changes nothing, and taking the
// elements out again gives the file as it was.
#include "fuzz_support.h"
#include "sheaf/site/sitemap_merge.h"

#include <cstdint>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

site::Advertised example() {
  site::Advertised advertised;
  advertised.version = "0.1";
  advertised.compression = {"zstd", "gzip"};
  advertised.sections = {{"blog", site::UpdateFreq::daily, site::PageCount{47, true}, 0}};
  site::AdvertisedCollection collection;
  collection.section = "blog";
  collection.url = "https://example.com/blog.scp.zst?a=1&b=2";
  collection.generated = Instant{1'768'435'200, 0};
  collection.expires = Instant{1'768'521'600, 0};
  collection.pages = 47;
  collection.size = 480'000;
  advertised.collections = {collection};
  return advertised;
}

constexpr std::size_t kElements = 4;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void check_urlset(const std::string& file) {
  const site::Advertised advertised = example();
  const auto merged = site::merge_advertised(file, advertised);
  if (!merged) return;
  const auto source = base::buffer_source(merged->bytes);
  const auto read = site::read_advertised(*source);
  require(read.has_value() && read->advertised.collections.size() == 1);
  require(read->advertised.collections[0].url == advertised.collections[0].url);
  require(read->summary.sections + read->summary.collections == kElements - 2);
  const auto again = site::merge_advertised(merged->bytes, advertised);
  require(again.has_value() && again->bytes == merged->bytes && !again->changed);
  const auto removed = site::merge_advertised(merged->bytes, {});
  require(removed.has_value());
  // What had SCP in it before, or an empty first element, cannot come back as it was.
  const auto before = site::merge_advertised(file, {});
  require(before.has_value());
  if (before->bytes == file && !contains(file, "/>") && !contains(file, "scp-protocol"))
    require(removed->bytes == file);
}

void check_index(const std::string& file) {
  const auto added = site::add_child_sitemap(file, "https://example.com/scp.xml");
  require(added.has_value());
  const auto again = site::add_child_sitemap(added->bytes, "https://example.com/scp.xml");
  require(again.has_value() && again->bytes == added->bytes);
  require(added->bytes.size() >= file.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file(fuzz::as_text(data, size));
  const auto kind = site::kind_of_sitemap(file);
  if (!kind) return 0;
  if (*kind == site::SitemapKind::urlset) check_urlset(file);
  if (*kind == site::SitemapKind::index) check_index(file);
  return 0;
}
