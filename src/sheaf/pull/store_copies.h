#pragma once

#include "sheaf/crawl/page_copies.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/pull/crawl_state.h"
#include "sheaf/store/page_store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sheaf::pull {

/// The PageCopies of `pull`: extracted pages in a section of the store, together with the site's crawl state.
/// Changes are collected and committed from time to time, pages and state in one step.
class StoreCopies final : public crawl::PageCopies {
 public:
  StoreCopies(store::PageStore& store, const std::string& site, const std::string& section,
              const format::Limits& limits, std::function<Instant()> clock);

  base::Result<crawl::UrlRecord> find(const std::string& url) override;
  base::Result<void> apply(crawl::PageUpdate& update, crawl::CrawledPage& page) override;
  base::Result<std::string> read_template() override { return state_.site_template(); }
  base::Result<void> write_template(std::string_view bytes) override;

  /// Continues the pass that was interrupted, or begins a new one. The URL records say which pages are
  /// stored. If the section was deleted (replaced by collections, or dropped), they are wrong, so they are
  /// deleted too; otherwise its pages would never be fetched again.
  base::Result<void> begin_pass();

  /// Sets the source that pages record as their provenance; "html" by default.
  void set_provenance(std::string_view from) { from_ = from; }

  [[nodiscard]] const CrawlState& state() const { return state_; }
  /// The current pass. Changes to it are written with the next commit.
  [[nodiscard]] const CrawlPass& pass() const { return pass_; }
  void set_pass(CrawlPass pass);
  /// Counts a failed page in this pass.
  void count_failure();

  /// The record of a URL, including changes that are not committed yet.
  base::Result<CrawledUrl> recall(const std::string& url);
  base::Result<void> remember(const CrawledUrl& url);
  /// Removes the record of a URL, and its page if it has one.
  base::Result<void> forget(const CrawledUrl& url);
  void forget_all_urls();

  base::Result<void> commit();
  /// Commits if the last commit was some time, or some visits, ago.
  base::Result<void> commit_if_due();

  /// Bytes of all pages that were stored, as JSON.
  [[nodiscard]] std::uint64_t stored_bytes() const { return stored_bytes_; }
  /// Changes of all commits so far.
  [[nodiscard]] const PageChanges& counts() const { return counts_; }

 private:
  base::Result<CrawlPass> check_section(CrawlPass before);
  base::Result<void> store_page(crawl::PageUpdate& update, crawl::CrawledPage& page, CrawledUrl& url);
  base::Result<void> commit_if_large();
  [[nodiscard]] bool is_valid(const std::string& json);

  store::PageStore& store_;
  CrawlState state_;
  store::SectionEdit edit_;
  format::PageDecoder decoder_;
  std::function<Instant()> clock_;
  std::string from_ = "html";
  CrawlPass pass_;
  std::unordered_map<std::string, CrawledUrl> pending_;  ///< changes in edit_, by URL
  std::string json_;
  std::string padded_;
  std::size_t visits_ = 0;  ///< visits since the last commit
  std::chrono::steady_clock::time_point last_commit_;
  PageChanges counts_;
  std::uint64_t stored_bytes_ = 0;
};

}  // namespace sheaf::pull
