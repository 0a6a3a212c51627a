#include "sheaf/compare/compare_site.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/compare/page_measures.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/host_gate.h"
#include "sheaf/http/message/content_coding.h"
#include "sheaf/publish/sources/site_listing.h"
#include "sheaf/publish/sources/source.h"
#include "sheaf/site/robots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace sheaf::compare {
namespace {

constexpr std::uint64_t kMaxPageBytes = std::uint64_t{32} << 20U;
constexpr double kTypicalShare = 0.01;
constexpr std::int64_t kShareDays = 30;
constexpr std::int64_t kSecondsOfDay = 86'400;

/// Estimates from lastmod which share of the listed pages changes per day.
class ChangeShare {
 public:
  explicit ChangeShare(Instant now) : now_(now) {}

  void add(const std::optional<Instant>& lastmod) {
    ++pages_;
    if (!lastmod) return;
    ++dated_;
    const std::int64_t age = now_.seconds - lastmod->seconds;
    if (age >= 0 && age < kShareDays * kSecondsOfDay) ++recent_;
  }

  /// nullopt if fewer than half of the pages have a time, if none is recent, or if all are: then a build
  /// probably set them all.
  [[nodiscard]] std::optional<double> share() const {
    if (pages_ == 0 || dated_ * 2 < pages_ || recent_ == dated_ || recent_ == 0) return std::nullopt;
    return static_cast<double>(recent_) / static_cast<double>(dated_) / static_cast<double>(kShareDays);
  }

 private:
  Instant now_;
  std::uint64_t pages_ = 0;
  std::uint64_t dated_ = 0;
  std::uint64_t recent_ = 0;
};

double choose_share(const CompareOptions& options, const ChangeShare& found, Comparison& comparison) {
  const auto measured = found.share();
  comparison.is_share_measured = !options.changed_share && measured.has_value();
  comparison.changed_share = options.changed_share.value_or(measured.value_or(kTypicalShare));
  return comparison.changed_share;
}

/// Chooses a sample that is spread evenly over the list, so that it covers every part of the site.
base::Result<std::vector<publish::SiteEntry>> choose_sample(const publish::SiteListing& listing,
                                                            const site::RobotsRules& rules,
                                                            std::uint64_t pages, std::uint64_t wanted) {
  std::vector<publish::SiteEntry> sample;
  std::uint64_t position = 0;
  SHEAF_TRY(listing.each([&](publish::SiteEntry entry) {
    const std::uint64_t next = sample.size() * pages / std::max<std::uint64_t>(wanted, 1);
    const bool is_due = position++ >= next;
    const auto url = base::Url::parse(entry.url);
    if (is_due && url && rules.judge(*url).allowed) sample.push_back(std::move(entry));
    return sample.size() < wanted;
  }));
  return sample;
}

base::Result<void> measure_live_page(http::fetch::Fetcher& fetcher, const publish::SiteEntry& entry,
                                     PageMeasures& measures, std::uint64_t& failed) {
  http::fetch::FetchRequest request;
  request.url = entry.url;
  request.limit = kMaxPageBytes;
  request.headers = {{"Accept-Encoding", std::string(http::message::kAcceptedEncodings)}};
  auto response = fetcher.fetch_text(request);
  if (fetcher.trouble() == http::fetch::FetchTrouble::cancelled) return {};
  if (!response || response->head.status != 200) {
    ++failed;
    return {};
  }
  const std::string type(response->head.header("content-type"));
  if (!type.empty() && !type.contains("html")) {
    ++failed;
    return {};
  }
  const std::uint64_t transferred = response->body.size();
  const std::string coding(response->head.header("content-encoding"));
  auto body = http::message::decode_content(std::move(response->body), coding, kMaxPageBytes);
  if (!body) {
    ++failed;
    return {};
  }
  // A response without compression is measured as if it had been compressed with gzip: the server could do
  // that without collections.
  return measures.add({.url = entry.url,
                       .html = *body,
                       .content_type = type,
                       .transferred = coding.empty() ? std::nullopt : std::optional(transferred),
                       .modified = entry.lastmod});
}

std::unexpected<base::Error> too_late(const base::Url& site, const CompareOptions& options,
                                      std::string_view what) {
  return base::fail(base::Errc::io, fmt::format("cannot get {} {} within {} seconds (--max-time)", what,
                                                site.href(), options.max_time.count()));
}

}  // namespace

void extrapolate(Comparison& comparison, std::uint64_t listed) {
  const std::uint64_t requested = comparison.sampled + comparison.skipped;
  if (comparison.sampled == 0 || listed <= requested) return;
  const double factor = static_cast<double>(listed) / static_cast<double>(requested);
  const auto grow = [factor](std::uint64_t& value) {
    value = static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * factor));
  };
  for (std::uint64_t* value :
       {&comparison.html_bytes, &comparison.crawl.first_bytes, &comparison.crawl.update_bytes,
        &comparison.crawl.parse_nanoseconds, &comparison.conditional_bytes,
        &comparison.collections.first_bytes, &comparison.collections.update_bytes,
        &comparison.collections.parse_nanoseconds, &comparison.gzip_snapshot, &comparison.tree_nanoseconds})
    grow(*value);
  comparison.pages = comparison.sampled;
  grow(comparison.pages);
  comparison.crawl.first_requests += comparison.pages - comparison.sampled;
  comparison.crawl.update_requests += comparison.pages - comparison.sampled;
}

base::Result<Comparison> compare_folder(const std::filesystem::path& folder, const base::Url& base,
                                        const CompareOptions& options) {
  Comparison comparison;
  comparison.site = folder.string();
  const auto source = publish::folder_source({.folder = folder, .base = base, .include = {}, .exclude = {}});
  SHEAF_TRY_ASSIGN(PageMeasures measures,
                   PageMeasures::begin(choose_share(options, ChangeShare(sheaf::now()), comparison)));
  base::Result<void> measured;
  std::uint64_t bytes = 0;
  SHEAF_TRY(source->read([&](const publish::SourceItem& item) {
    const auto opened = base::open_regular_file(item.file.string());
    auto html = opened ? base::read_whole(**opened, kMaxPageBytes) : std::unexpected(opened.error());
    if (!html) {
      ++comparison.skipped;
      return true;
    }
    bytes += html->size();
    measured = measures.add({.url = item.url, .html = *html, .modified = item.time});
    if (options.progress) options.progress(bytes, measures.pages(), 0);
    return measured.has_value();
  }));
  SHEAF_TRY(measured);
  SHEAF_TRY(measures.finish(comparison));
  return comparison;
}

base::Result<Comparison> compare_live_site(const base::Url& site, const CompareOptions& options) {
  Comparison comparison;
  comparison.site = site.href();
  http::fetch::HostGate gate(1, 1);
  http::fetch::FetchOptions fetch = options.fetch;
  fetch.gate = &gate;
  const std::function<bool()> is_late = http::fetch::cancelled_after(options.max_time, options.fetch);
  fetch.cancelled = is_late;
  gate.set_delay(http::fetch::host_key(site), options.delay);
  auto listed = publish::SiteListing::read(
      {.site = site, .fetch = fetch, .on_robots = [&](const auto& robots) {
         gate.set_delay(http::fetch::host_key(site),
                        crawl::choose_delay(options.delay, robots.rules_for(fetch.user_agent)));
       }});
  if (is_late()) return too_late(site, options, "robots.txt and the sitemaps of");
  SHEAF_TRY_ASSIGN(const publish::SiteListing listing, std::move(listed));
  ChangeShare share(sheaf::now());
  std::uint64_t pages = 0;
  SHEAF_TRY(listing.each([&](const publish::SiteEntry& entry) {
    share.add(entry.lastmod);
    ++pages;
    return true;
  }));
  if (pages == 0)
    return base::fail(
        base::Errc::not_found,
        fmt::format("the sitemaps of {} list no pages; compare a folder of its pages instead", site.href()));
  const site::RobotsRules rules = listing.robots().rules_for(fetch.user_agent);
  SHEAF_TRY_ASSIGN(const auto sample, choose_sample(listing, rules, pages, std::min(options.sample, pages)));
  SHEAF_TRY_ASSIGN(PageMeasures measures, PageMeasures::begin(choose_share(options, share, comparison)));
  http::fetch::Fetcher fetcher(fetch);
  std::uint64_t failed = 0;
  for (const publish::SiteEntry& entry : sample) {
    SHEAF_TRY(measure_live_page(fetcher, entry, measures, failed));
    if (is_late()) break;
    if (options.progress) options.progress(fetcher.use().bytes, measures.pages(), sample.size());
  }
  if (is_late() && measures.pages() == 0) return too_late(site, options, "any page of");
  SHEAF_TRY(measures.finish(comparison));
  comparison.skipped += failed;
  if (is_late())
    comparison.notes.push_back(
        fmt::format("the time limit of {} seconds is reached: {} of {} pages of the "
                    "sample were requested",
                    options.max_time.count(), comparison.sampled + comparison.skipped, sample.size()));
  extrapolate(comparison, pages);
  return comparison;
}

}  // namespace sheaf::compare
