#include "sheaf/base/counted_text.h"
#include "sheaf/crawl/crawler.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/http/message/message.h"
#include "sheaf/publish/sources/glob.h"
#include "sheaf/publish/sources/live_copies.h"
#include "sheaf/publish/sources/site_listing.h"
#include "sheaf/publish/sources/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::publish {
namespace {

// Maximum number of pages that may fail: one in kFailedShare, but always kFailedFew.
constexpr std::uint64_t kFailedShare = 20;
constexpr std::uint64_t kFailedFew = 3;

std::uint64_t tolerated(std::uint64_t pages) { return std::max(kFailedFew, pages / kFailedShare); }

class SiteSource final : public Source {
 public:
  SiteSource(SiteSourceOptions options, LiveCopies& copies, SiteListings& listings)
      : options_(std::move(options)),
        copies_(copies),
        listings_(listings),
        crawler_({.site = options_.base, .fetch = options_.fetch, .clock = options_.clock}) {}

  [[nodiscard]] std::string name() const override { return "the live site " + options_.base.origin(); }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    const auto obey = [this](const site::RobotsTxt& robots) {
      crawler_.set_robots(robots.rules_for(options_.fetch.user_agent));
    };
    SHEAF_TRY_ASSIGN(const auto found, listings_.get({.site = options_.base,
                                                      .sitemaps = options_.sitemaps,
                                                      .fetch = crawler_.fetch_options(),
                                                      .on_robots = obey,
                                                      .temporary = options_.temporary}));
    const SiteListing& listing = *found.listing;
    if (found.is_new) notes_ = listing.notes();
    obey(listing.robots());
    SHEAF_TRY(count_pages(listing));
    SHEAF_TRY_ASSIGN(const Instant began, copies_.begin_pass(options_.clock()));
    if (!options_.relearn) {
      SHEAF_TRY_ASSIGN(template_, crawl::load_template(copies_));
    }
    is_learned_ = template_ != nullptr;
    SHEAF_TRY_ASSIGN(const bool all, visit_pages(listing, began, sink));
    if (!all) return {};
    report_failures();
    return copies_.end_pass(began);
  }

 private:
  [[nodiscard]] bool is_selected_page(std::string_view text) const {
    const auto url = base::Url::parse(text);
    if (!url || !url->path().starts_with(options_.below.path())) return false;
    return is_selected(url->path().substr(1), options_.include, options_.exclude);
  }

  base::Result<void> count_pages(const SiteListing& listing) {
    SHEAF_TRY(listing.each([this](const SiteEntry& entry) {
      count_ += is_selected_page(entry.url) ? 1 : 0;
      return true;
    }));
    if (count_ > 0) return {};
    return base::fail(
        base::Errc::refused,
        fmt::format("the sitemaps of {} name no page below {} that `include` and `exclude` select",
                    options_.base.origin(), options_.below.href()));
  }

  /// Returns false if the sink stopped the source.
  base::Result<bool> visit_pages(const SiteListing& listing, Instant began,
                                 const std::function<bool(SourceItem)>& sink) {
    const auto list = [&](const auto& push) { return push_pages(listing, began, push); };
    using Settled = base::Result<crawl::SettledPage>;
    const auto make_worker = [this] {
      return [this](crawl::PageVisit visit) -> Settled { return settle(std::move(visit)); };
    };
    SHEAF_TRY_ASSIGN(const bool all, crawler_.visit_pages<Settled>(list, make_worker,
                                                                   [&](Settled page) -> base::Result<bool> {
                                                                     if (!page)
                                                                       return std::unexpected(page.error());
                                                                     return take(std::move(*page), sink);
                                                                   }));
    if (!all || is_learned_) return all;
    return learn(sink);
  }

  template <class Push>
  base::Result<void> push_pages(const SiteListing& listing, Instant began, const Push& push) {
    base::Result<void> looked_up;
    SHEAF_TRY(listing.each([&](SiteEntry entry) {
      if (!is_selected_page(entry.url)) return true;
      auto record = copies_.find(entry.url);
      if (!record) {
        looked_up = std::unexpected(record.error());
        return false;
      }
      const crawl::Visit visit = crawl::choose_visit(crawl::last_visit(*record), options_.clock(), began);
      record->lastmod = entry.lastmod;
      return push(crawl::make_request(*record, visit));
    }));
    return looked_up;
  }

  /// Runs on the threads that fetch.
  base::Result<crawl::SettledPage> settle(crawl::PageVisit visit) {
    crawl::SettledPage settled{.page = {.visit = std::move(visit)}};
    if (settled.page.visit.cancelled) return settled;
    SHEAF_TRY_ASSIGN(settled.update, crawl::settle_visit(copies_, settled.page, options_.clock()));
    return settled;
  }

  base::Result<bool> take(crawl::SettledPage settled, const std::function<bool(SourceItem)>& sink) {
    if (!settled.update) return true;  // cancelled, which says nothing about the page
    crawl::PageVisit& visit = settled.page.visit;
    if (settled.update->failed) SHEAF_TRY(count_failure(visit));
    SHEAF_TRY_ASSIGN(SourceItem item, make_item(*settled.update, visit));
    return hand_over(std::move(item), sink);
  }

  base::Result<SourceItem> make_item(const crawl::PageUpdate& update, crawl::PageVisit& visit) {
    const crawl::UrlRecord& record = update.record;
    SourceItem item;
    item.name = record.url;
    item.skip = skip_reason_for(record.fate);
    if (item.skip != SkipReason::none) {
      item.trouble = update.failed ? crawl::describe_failure(visit) : record.detail;
      return item;
    }
    if (update.copy == crawl::CopyAction::replace) {
      item.bytes = std::move(visit.body);
    } else {
      SHEAF_TRY_ASSIGN(item.bytes, copies_.body(record.url));
    }
    item.url = record.final_url;
    item.content_type = record.content_type;
    item.robots_header = record.robots_header;
    item.time = visit.request.lastmod;
    const auto served =
        http::message::parse_http_date(record.validators.last_modified(), record.fetched.seconds);
    if (served) item.time = Instant{*served, 0};
    return item;
  }

  /// Passes an item to the sink. Until the template of the site is known, items wait for it.
  base::Result<bool> hand_over(SourceItem item, const std::function<bool(SourceItem)>& sink) {
    if (is_learned_) {
      item.site_template = template_;
      return sink(std::move(item));
    }
    if (!item.bytes.empty()) ++learning_pages_;
    learning_bytes_ += item.bytes.size();
    learning_.push_back(std::move(item));
    if (!crawl::is_enough_to_learn(learning_pages_, learning_bytes_)) return true;
    return learn(sink);
  }

  /// Learns the template from the waiting items, and passes them on. A small site gets none, because each
  /// added page would change it.
  base::Result<bool> learn(const std::function<bool(SourceItem)>& sink) {
    is_learned_ = true;
    extract::Extractor extractor;
    crawl::TemplateSample sample;
    for (const SourceItem& item : learning_) {
      if (item.bytes.empty() || !sample.offer(item.name)) continue;
      extractor.extract(item.bytes, {.url = item.url, .content_type = item.content_type});
      sample.add(extractor.frame_texts(crawl::TemplateSample::kMaxTexts));
    }
    if (sample.pages() >= crawl::kMinPages) {
      template_ = crawl::learn_from_sample(sample, nullptr).frame;
      if (!template_) template_ = crawl::empty_template(sample.pages());
      SHEAF_TRY(copies_.write_template(template_->bytes()));
    }
    for (SourceItem& item : std::exchange(learning_, {})) {
      item.site_template = template_;
      if (!sink(std::move(item))) return false;
    }
    return true;
  }

  base::Result<void> count_failure(const crawl::PageVisit& visit) {
    if (++failed_ == 1) first_failure_ = crawl::describe_failure(visit);
    if (failed_ <= tolerated(count_)) return {};
    return base::fail(
        base::Errc::io,
        fmt::format("more than {} of the {} of {} could not be fetched, so nothing is published; what "
                    "was fetched is kept for the next run. The first: {}",
                    failed_ - 1, base::counted(count_, "page", "pages"), options_.base.origin(),
                    first_failure_));
  }

  void report_failures() {
    if (failed_ == 0) return;
    notes_.push_back(fmt::format(
        "{} of {} could not be fetched this time; those that were published before do not change: {}",
        base::human_count(failed_), base::counted(count_, "page", "pages"), first_failure_));
  }

  SiteSourceOptions options_;
  LiveCopies& copies_;
  SiteListings& listings_;
  crawl::Crawler crawler_;
  std::uint64_t count_ = 0;  ///< pages that the sitemaps list and the options select
  std::uint64_t failed_ = 0;
  std::string first_failure_;
  std::shared_ptr<const crawl::SiteTemplate> template_;
  bool is_learned_ = false;           ///< the template is decided, even if there is none
  std::vector<SourceItem> learning_;  ///< items that wait for the template
  std::size_t learning_pages_ = 0;
  std::size_t learning_bytes_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<Source> site_source(SiteSourceOptions options, LiveCopies& copies, SiteListings& listings) {
  return std::make_unique<SiteSource>(std::move(options), copies, listings);
}

}  // namespace sheaf::publish
