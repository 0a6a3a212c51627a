#include "sheaf/pull/warc_import.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/crawl/page_extract.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/site_quality.h"
#include "sheaf/pull/store_copies.h"
#include "sheaf/site/site_text.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using crawl::ArchivedPage;
using crawl::PageOutcome;

/// A site of the archive, created when its first page is read.
struct ImportSite {
  std::string name;  ///< in the store
  base::Url address;
  std::shared_ptr<const crawl::SiteTemplate> frame = {};
  bool is_new_frame = false;  ///< learned in this run, from enough pages to be stored
};

struct ImportPage {
  std::shared_ptr<const ImportSite> site;
  Instant date;
  crawl::CrawledPage page;
};

/// Passes on the pages with the templates of their sites. Learns a template if the store has none.
class TemplatedPages {
 public:
  TemplatedPages(const store::PageStore& store, crawl::WarcPages& pages) : store_(store), pages_(pages) {}

  /// Calls `push` for each page until it returns false.
  template <class Push>
  Result<void> run(const Push& push) {
    while (true) {
      SHEAF_TRY_ASSIGN(auto page, pages_.next());
      if (!page) return release(push);
      if (!site_ || page->site != key_) {
        SHEAF_TRY(release(push));
        if (stopped_) return {};
        SHEAF_TRY(begin_site(page->site));
      }
      bytes_ += page->visit.body.size();
      waiting_.push_back(std::move(*page));
      if (site_->frame || crawl::is_enough_to_learn(waiting_.size(), bytes_)) SHEAF_TRY(release(push));
      if (stopped_) return {};
    }
  }

 private:
  Result<void> begin_site(const std::string& key) {
    key_ = key;
    SHEAF_TRY_ASSIGN(std::string name, find_name(key));
    auto address = base::Url::parse(name);
    if (!address) return base::fail(base::Errc::invalid_data, name + " is not the URL of a site");
    site_ = std::make_shared<ImportSite>(ImportSite{std::move(name), std::move(*address)});
    SHEAF_TRY_ASSIGN(const std::string bytes, CrawlState(store_, site_->name).site_template());
    if (!bytes.empty()) site_->frame = crawl::SiteTemplate::load(bytes);
    return {};
  }

  /// The name that the site already has in the store, else the origin of most of its pages.
  [[nodiscard]] Result<std::string> find_name(const std::string& key) const {
    for (const std::string_view prefix : {"https://", "https://www.", "http://", "http://www."}) {
      std::string name = std::string(prefix) + key;
      SHEAF_TRY_ASSIGN(const auto sections, store_.sections(name));
      if (!sections.empty()) return name;
    }
    return pages_.origin_of(key);
  }

  /// Passes on the pages that waited for a template.
  template <class Push>
  Result<void> release(const Push& push) {
    if (!waiting_.empty() && !site_->frame) {
      extract::Extractor extractor;
      site_->frame = crawl::learn_template(
          extractor, waiting_, [](const auto& page) -> const std::string& { return page.visit.body; },
          [](const auto& page) -> const std::string& { return page.visit.content_type; });
      site_->is_new_frame = waiting_.size() >= crawl::kLearnPages;
    }
    bytes_ = 0;
    for (ArchivedPage& page : std::exchange(waiting_, {}))
      if (!push(ImportPage{site_, page.date, {.visit = std::move(page.visit)}})) {
        stopped_ = true;
        return {};
      }
    return {};
  }

  const store::PageStore& store_;
  crawl::WarcPages& pages_;
  std::string key_;
  std::shared_ptr<ImportSite> site_;  ///< does not change after its first page was passed on
  std::vector<ArchivedPage> waiting_;
  std::size_t bytes_ = 0;
  bool stopped_ = false;
};

/// Stores the pages of one site.
class SiteImport {
 public:
  SiteImport(const WarcImportTask& task, std::shared_ptr<const ImportSite> site, std::string section)
      : task_(task),
        site_(std::move(site)),
        section_(std::move(section)),
        copies_(task.store, site_->name, section_, task.options.limits, [this] { return date_; }),
        start_(std::chrono::steady_clock::now()) {
    report_.site = site_->name;
    report_.began = task.options.clock();
    report_.route = PullRoute::warc;
    copies_.set_provenance("warc");
  }

  [[nodiscard]] const ImportSite* site() const { return site_.get(); }

  Result<void> begin() {
    SHEAF_TRY_ASSIGN(const auto before, copies_.state().pass());
    continues_ = before && !before->ended;
    SHEAF_TRY(copies_.begin_pass());
    if (site_->is_new_frame) SHEAF_TRY(copies_.write_template(site_->frame->bytes()));
    SHEAF_TRY_ASSIGN(const auto sections, task_.store.sections(site_->name));
    for (const store::SectionState& section : sections)
      if (section.origin == store::Origin::collections) collections_.push_back(section.section);
    return {};
  }

  Result<void> take(ImportPage page) {
    date_ = page.date;
    const std::string& url = page.page.visit.request.url;
    ++crawl_.listed;
    SHEAF_TRY_ASSIGN(const bool held, is_held(url));
    if (held) {
      ++crawl_.held;
      return {};
    }
    SHEAF_TRY_ASSIGN(const CrawledUrl known, copies_.recall(url));
    const bool was_visited =
        known.record.fate != PageOutcome::unknown && known.record.fate != PageOutcome::failed;
    if (was_visited && known.record.fetched >= date_) {
      ++crawl_.fresh;
      return {};
    }
    SHEAF_TRY_ASSIGN(const auto update, crawl::settle_visit(copies_, page.page, date_));
    count(update);
    return copies_.commit_if_due();
  }

  /// Commits what is left. If a crawl of the site was interrupted, its pass stays open, because the archive
  /// does not list the whole site.
  Result<PullReport> finish() {
    if (!continues_) {
      CrawlPass ended = copies_.pass();
      ended.ended = true;
      copies_.set_pass(std::move(ended));
    }
    SHEAF_TRY(copies_.commit());
    SHEAF_TRY_ASSIGN(const auto state, task_.store.section(site_->name, section_));
    crawl_.pages = state ? state->pages : 0;
    crawl_.complete = true;
    crawl_ += copies_.counts();
    report_.crawl = crawl_;
    report_.ok = true;
    SHEAF_TRY(report_quality());
    report_.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start_);
    return std::move(report_);
  }

 private:
  /// Whether a section from collections has the page. What the site itself publishes takes precedence.
  Result<bool> is_held(const std::string& url) const {
    for (const std::string& section : collections_) {
      SHEAF_TRY_ASSIGN(const auto page, task_.store.find(site_->name, section, url));
      if (page) return true;
    }
    return false;
  }

  void count(const crawl::PageUpdate& update) {
    ++crawl_.fetched;
    if (update.unchanged) ++crawl_.unchanged;
    switch (update.record.fate) {
      case PageOutcome::noindex: ++crawl_.noindex; break;
      case PageOutcome::no_page: ++crawl_.no_page; break;
      case PageOutcome::elsewhere: ++crawl_.elsewhere; break;
      case PageOutcome::duplicate: ++crawl_.duplicates; break;
      default: break;
    }
  }

  Result<void> report_quality() {
    if (!task_.options.on_quality) return {};
    quality::QualityReport quality;
    SHEAF_TRY(report_stored_pages(task_.store, site_->name, task_.options.limits, quality));
    SHEAF_TRY_ASSIGN(report_.quality, quality.finish());
    return task_.options.on_quality(site_->name, quality);
  }

  const WarcImportTask& task_;
  std::shared_ptr<const ImportSite> site_;
  std::string section_;
  StoreCopies copies_;
  Instant date_;  ///< date of the current page, used as the clock of copies_
  bool continues_ = false;
  std::vector<std::string> collections_;  ///< sections from collections
  CrawlReport crawl_;
  PullReport report_;
  std::chrono::steady_clock::time_point start_;
};

class WarcImport {
 public:
  explicit WarcImport(const WarcImportTask& task) : task_(task), pages_(page_options(task)) {}

  Result<WarcImportResult> run() {
    for (const std::string& name : task_.files) {
      SHEAF_TRY_ASSIGN(const auto file, base::open_source(name));
      SHEAF_TRY(pages_.add(*file));
    }
    SHEAF_TRY(pages_.sort());
    SHEAF_TRY(import_pages());
    result_.counts = pages_.counts();
    return result_;
  }

 private:
  using Pipeline = base::OrderedPipeline<ImportPage, ImportPage>;

  static crawl::WarcPagesOptions page_options(const WarcImportTask& task) {
    crawl::WarcPagesOptions options{.page_bytes = task.options.crawl.page_bytes,
                                    .temporary = task.temporary,
                                    .threads = task.options.threads,
                                    .now = task.options.clock(),
                                    .on_fault = task.on_fault,
                                    .cancelled = task.options.cancelled};
    if (!task.sites.empty())
      options.is_selected = [&task](const base::Url& url) {
        return std::ranges::any_of(task.sites,
                                   [&](const base::Url& site) { return site::is_same_site(url, site); });
      };
    if (task.options.progress)
      options.progress = [&task](std::uint64_t bytes, std::uint64_t records) {
        task.options.progress({"read", {}, bytes, records, 0});
      };
    return options;
  }

  /// One thread reads pages and learns templates, several extract, and the calling thread stores.
  Result<void> import_pages() {
    Pipeline pipeline(task_.options.threads, [this] {
      return [this, extractor = std::make_shared<extract::Extractor>()](ImportPage page) {
        extract(*extractor, page);
        return page;
      };
    });
    Result<void> listed;
    Result<void> taken;
    std::exception_ptr thrown;
    {
      const std::jthread reader([&] {
        try {
          listed = TemplatedPages(task_.store, pages_).run([&](ImportPage page) {
            return pipeline.push(std::move(page));
          });
        } catch (...) {
          thrown = std::current_exception();
        }
        pipeline.close();
      });
      taken = store_pages(pipeline);
      pipeline.stop();  // unblocks the reader
    }
    if (thrown) std::rethrow_exception(thrown);
    SHEAF_TRY(taken);
    return result_.complete ? listed : Result<void>();
  }

  void extract(extract::Extractor& extractor, ImportPage& page) {
    crawl::extract_page(extractor, page.site->frame.get(), page.site->address, robots_, page.date,
                        task_.options.crawl.links, page.page);
  }

  Result<void> store_pages(Pipeline& pipeline) {
    std::uint64_t done = 0;
    while (auto page = pipeline.next()) {
      if (task_.options.cancelled && task_.options.cancelled()) {
        result_.complete = false;
        break;
      }
      if (!site_ || site_->site() != page->site.get()) SHEAF_TRY(begin_site(page->site));
      SHEAF_TRY(site_->take(std::move(*page)));
      if (task_.options.progress) task_.options.progress({"pages", "warc", 0, ++done, pages_.counts().pages});
    }
    return end_site();
  }

  Result<void> begin_site(const std::shared_ptr<const ImportSite>& site) {
    SHEAF_TRY(end_site());
    SHEAF_TRY_ASSIGN(std::string section, choose_crawl_section(task_.store, site->name));
    site_ = std::make_unique<SiteImport>(task_, site, std::move(section));
    ++result_.sites;
    return site_->begin();
  }

  Result<void> end_site() {
    if (!site_) return {};
    SHEAF_TRY_ASSIGN(const PullReport report, site_->finish());
    site_.reset();
    if (task_.on_report) task_.on_report(report);
    return {};
  }

  const WarcImportTask& task_;
  crawl::WarcPages pages_;
  /// No requests are made, so no robots.txt is read either.
  site::OriginRobots robots_{"sheaf", [](const base::Url&) -> Result<site::RobotsReply> {
                               return base::fail(base::Errc::refused, "an import makes no requests");
                             }};
  std::unique_ptr<SiteImport> site_;
  WarcImportResult result_;
};

}  // namespace

Result<WarcImportResult> import_warc(const WarcImportTask& task) { return WarcImport(task).run(); }

}  // namespace sheaf::pull
