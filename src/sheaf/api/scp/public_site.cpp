#include "sheaf/base/byte_source.h"
#include "sheaf/base/url.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/site/sitemap_merge.h"

#include <fmt/format.h>

#include <sheaf/robots.h>
#include <sheaf/sitemap.h>

#include <utility>

namespace sheaf {
namespace {

Result<std::optional<base::Url>> parse_sitemap_url(std::string_view url) {
  if (url.empty()) return std::nullopt;
  auto parsed = base::Url::parse(url);
  if (!parsed)
    return fail(Errc::invalid_argument, fmt::format("{}: give the sitemap's http or https URL", url));
  return parsed;
}

}  // namespace

Result<SitemapSummary> read_sitemap(std::string_view bytes, SitemapSink& sink, std::string_view url,
                                    const SitemapLimits& limits) {
  SHEAF_TRY_ASSIGN(const auto base, parse_sitemap_url(url));
  const auto source = base::buffer_source(bytes, "sitemap");
  return site::read_sitemap(*source, limits, sink, base ? &*base : nullptr);
}

Result<AdvertisedSitemap> read_advertised(std::string_view bytes, std::string_view url,
                                          const SitemapLimits& limits) {
  SHEAF_TRY_ASSIGN(const auto base, parse_sitemap_url(url));
  const auto source = base::buffer_source(bytes, "sitemap");
  return site::read_advertised(*source, limits, base ? &*base : nullptr);
}

Result<std::string> new_sitemap(const Advertised& advertised) { return site::write_sitemap(advertised); }

Result<MergedSitemap> update_sitemap(std::string_view existing, const Advertised& advertised) {
  return site::merge_advertised(existing, advertised);
}

Result<MergedSitemap> add_to_sitemap_index(std::string_view index, std::string_view sitemap_url) {
  return site::add_child_sitemap(index, sitemap_url);
}

std::optional<std::string> resolve_url(std::string_view reference, std::string_view base) {
  std::optional<base::Url> parsed_base;
  if (!base.empty()) {
    parsed_base = base::Url::parse(base);
    if (!parsed_base) return std::nullopt;
  }
  const auto url = base::Url::parse(reference, parsed_base ? &*parsed_base : nullptr);
  if (!url) return std::nullopt;
  return std::string(url->href());
}

class Robots::Impl {
 public:
  Impl(std::string_view bytes, std::string_view agent)
      : robots(site::RobotsTxt::parse(bytes)), rules(robots.rules_for(agent)) {}

  site::RobotsTxt robots;
  site::RobotsRules rules;
};

Robots::Robots(std::string_view bytes, std::string_view agent)
    : impl_(std::make_unique<Impl>(bytes, agent)) {}
Robots::~Robots() = default;
Robots::Robots(Robots&&) noexcept = default;
Robots& Robots::operator=(Robots&&) noexcept = default;

bool Robots::allows(std::string_view url) const {
  const auto parsed = base::Url::parse(url);
  return parsed && impl_->rules.judge(*parsed).allowed;
}

std::string Robots::rule_for(std::string_view url) const {
  const auto parsed = base::Url::parse(url);
  const site::RobotsRule* rule = parsed ? impl_->rules.judge(*parsed).rule : nullptr;
  if (rule == nullptr) return {};
  return fmt::format("{}: {}", rule->allow ? "Allow" : "Disallow", rule->text);
}

const std::string& Robots::group() const { return impl_->rules.group(); }
std::optional<double> Robots::crawl_delay() const { return impl_->rules.crawl_delay(); }
const std::vector<std::string>& Robots::sitemaps() const { return impl_->robots.sitemaps(); }
const std::vector<RobotsFinding>& Robots::findings() const { return impl_->robots.findings(); }

}  // namespace sheaf
