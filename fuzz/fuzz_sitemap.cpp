// A sitemap, also cut in the middle and in other pieces: what is handed over does not depend on the pieces,
// and keeps to the limits.
#include "fuzz_support.h"
#include "sheaf/base/url.h"
#include "sheaf/site/sitemap.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

/// Bytes a few at a time.
class Pieces final : public base::ByteSource {
 public:
  Pieces(std::string_view bytes, std::size_t piece) : bytes_(bytes), piece_(piece) {}
  base::Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min({out.size(), bytes_.size(), piece_});
    if (count > 0) std::memcpy(out.data(), bytes_.data(), count);
    bytes_.remove_prefix(count);
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return std::nullopt; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string_view bytes_;
  std::size_t piece_;
  std::string name_ = "fuzz";
};

/// Checks each part and keeps all of it as text.
class Checker final : public site::SitemapSink {
 public:
  explicit Checker(const site::SitemapLimits& limits) : limits_(limits) {}

  site::Reading on_url(const site::SitemapUrl& entry) override {
    return take(entry.loc, entry.lastmod, entry.line);
  }
  site::Reading on_child(const site::ChildSitemap& entry) override {
    return take(entry.loc, entry.lastmod, entry.line);
  }
  void on_version(std::string_view version) override { note(version); }
  void on_compression(std::string_view codec) override { note(codec); }
  void on_section(const site::AdvertisedSection& section) override {
    require(model::is_valid_identifier(section.name) && section.line > 0);
    note(section.name);
  }
  void on_collection(const site::AdvertisedCollection& collection) override {
    require(model::is_valid_identifier(collection.section) && collection.line > 0);
    require(base::is_http_url(collection.url) || base::Url::parse(collection.url).has_value());
    note(collection.url);
  }
  void on_finding(const site::SitemapFinding& finding) override {
    require(!finding.message.empty() && fuzz::is_valid_utf8(finding.message));
    ++findings;
  }

  std::string everything;
  std::size_t findings = 0;

 private:
  site::Reading take(std::string_view loc, std::string_view lastmod, std::uint64_t line) {
    require(base::is_http_url(loc) || base::Url::parse(loc).has_value());
    require(fuzz::is_valid_utf8(loc) && line > 0);
    require(lastmod.size() <= limits_.text_bytes);
    note(loc);
    note(lastmod);
    return site::Reading::go_on;
  }
  void note(std::string_view text) { everything.append(text).push_back('\n'); }

  const site::SitemapLimits& limits_;
};

std::string read(std::string_view bytes, std::size_t piece, const site::SitemapLimits& limits) {
  Checker checker(limits);
  Pieces source(bytes, piece);
  const auto address = base::Url::parse("https://example.com/sitemap.xml");
  const auto summary = site::read_sitemap(source, limits, checker, &*address);
  require(summary.has_value());
  require(summary->urls + summary->children <= limits.urls);
  require(summary->sections + summary->collections <= limits.advertised);
  require(checker.findings <= limits.findings_per_code * site::kSitemapCodeCount);
  require(summary->complete || checker.findings > 0);
  return checker.everything;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::as_text(data, size);
  site::SitemapLimits limits;
  limits.text_bytes = 200;
  limits.urls = 50;
  limits.advertised = 20;
  limits.plain_bytes = 1U << 20;
  const std::string whole = read(bytes, SIZE_MAX, limits);
  if (!bytes.starts_with("\x1f\x8b")) require(read(bytes, 7, limits) == whole);
  read(bytes.substr(0, bytes.size() / 2), SIZE_MAX, limits);
  return 0;
}
