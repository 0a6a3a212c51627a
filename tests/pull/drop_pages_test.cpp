// Sites and sections that the user removes from a store, and the pulls after that.
#include "sheaf/pull/drop_pages.h"

#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/site_pin.h"
#include "sheaf/store/site_notes.h"
#include "store/store_fixture.h"
#include "support/collection_text.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace sheaf::pull {
namespace {

const std::string kDroppedSite = "https://example.com";

class DropContract : public store::StoreContract {
 protected:
  void SetUp() override {
    StoreContract::SetUp();
    if (IsSkipped()) return;
    place_ = std::make_unique<store::StorePlace>(GetParam());
    store_ = store::must_open(*place_ / "store");
    options_.fetch = web_.options();
    options_.fetch.connections = 1;
    options_.fetch.delay = std::chrono::milliseconds(0);
    options_.clock = [this] { return now_; };
  }

  /// Offers collections of these sections: each has a page of its own, and all have the page "both".
  void offer(const std::vector<std::string>& sections) {
    std::string text =
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
        "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"><scp:version>0.1</scp:version>";
    for (const std::string& section : sections) {
      test::HeadText head;
      head.section = section;
      head.generated = "2026-01-15T00:00:00Z";
      std::vector<std::string> lines = {head.str()};
      for (const std::string& name : {section, std::string("both")}) {
        test::PageText page;
        page.url = fmt::format("{}/{}", kDroppedSite, name);
        page.modified = "2026-01-01T00:00:00Z";
        lines.push_back(page.str());
      }
      text += fmt::format(
          "<scp:collection section=\"{0}\" type=\"snapshot\" url=\"{1}/{0}.scp\" generated=\"{2}\"/>",
          section, kDroppedSite, head.generated);
      web_.put(fmt::format("{}/{}.scp", kDroppedSite, section),
               {.headers = {{"etag", "\"1\""}}, .body = test::with_checksum(test::join_lines(lines))});
    }
    web_.put(kDroppedSite + "/sitemap.xml", {.body = text + "</urlset>"});
  }

  void offer_pages(int count) {
    std::string text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (int i = 0; i < count; ++i) {
      text += fmt::format("<url><loc>{}/{}</loc></url>", kDroppedSite, i);
      web_.put_html(fmt::format("{}/{}", kDroppedSite, i),
                    fmt::format("<title>Page {0}</title><main><h1>Page {0}</h1><p>What page {0} says is said "
                                "here, in a sentence that is long enough.</p></main>",
                                i));
    }
    web_.put(kDroppedSite + "/sitemap.xml", {.body = text + "</urlset>"});
  }

  void pull() {
    now_.seconds += 3600;
    const auto report =
        pull_site(*store_, *base::Url::parse(kDroppedSite), files_.path() / "files", options_);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->ok) << report->failure.message;
  }

  std::uint64_t drop(const std::optional<std::string>& section = {}) {
    const auto plan = plan_drop(*store_, kDroppedSite, section);
    EXPECT_TRUE(plan) << plan.error().message;
    if (!plan) return 0;
    const auto dropped = drop_pages(*store_, *plan, now_);
    EXPECT_TRUE(dropped) << dropped.error().message;
    return plan->pages();
  }

  using Entries = std::set<std::tuple<std::string, std::string, std::string>>;

  Entries stored() {
    Entries pages;
    const auto walked = store_->each_page({}, [&](const store::StoredPage& page) -> base::Result<bool> {
      pages.emplace(page.section, page.url, page.modified);
      return true;
    });
    EXPECT_TRUE(walked);
    return pages;
  }

  /// What a reader of the feed has who began with nothing.
  Entries replayed() {
    Entries pages;
    for (const store::StoreChange& change : store::changes_of(*store_)) {
      if (!change.old_modified.empty())
        EXPECT_EQ(pages.erase({change.section, change.url, change.old_modified}), 1U) << change.url;
      if (change.kind != store::ChangeKind::removed)
        pages.emplace(change.section, change.url, change.new_modified);
    }
    return pages;
  }

  [[nodiscard]] std::size_t notes() const {
    std::size_t count = 0;
    const auto read = store_->each_note(kDroppedSite, "", [&](std::string_view, std::string_view) {
      ++count;
      return true;
    });
    EXPECT_TRUE(read);
    return count;
  }

  test::TempDir files_;
  std::unique_ptr<store::StorePlace> place_;
  std::unique_ptr<store::PageStore> store_;
  test::ScriptedWeb web_;
  Instant now_{1'800'000'000, 0};
  SitePullOptions options_;
};
INSTANTIATE_TEST_SUITE_P(EveryStore, DropContract, store::kEveryStore, store::kind_name);

TEST_P(DropContract, ASectionGoesAndTheNextPullBringsItBack) {
  offer({"blog", "docs"});
  pull();
  const Entries before = stored();
  ASSERT_EQ(before.size(), 4U);
  EXPECT_TRUE(*store_->note(kDroppedSite, "section/blog"));
  EXPECT_EQ(drop("blog"), 2U);
  EXPECT_FALSE(*store_->note(kDroppedSite, "section/blog"));
  EXPECT_EQ(stored(), (Entries{{"docs", kDroppedSite + "/both", "2026-01-01T00:00:00Z"},
                               {"docs", kDroppedSite + "/docs", "2026-01-01T00:00:00Z"}}));
  EXPECT_EQ(replayed(), stored());
  store::expect_clean(*store_);
  pull();
  EXPECT_EQ(stored(), before) << "although no file has changed";
  EXPECT_EQ(replayed(), stored());
}

TEST_P(DropContract, ASiteGoesWithAllThatIsKnownOfIt) {
  offer({"blog", "docs"});
  pull();
  const Entries before = stored();
  store::SectionEdit other("https://other.example", kHtmlSection);
  other.put_note("mine", "stays");
  ASSERT_TRUE(store_->commit(other));
  ASSERT_TRUE(write_site_pin(*store_, kDroppedSite, SitePin{}));
  EXPECT_TRUE(plan_drop(*store_, kDroppedSite, {})->forgets_key);
  EXPECT_FALSE(plan_drop(*store_, kDroppedSite, "blog")->forgets_key);
  EXPECT_EQ(drop(), 4U);
  EXPECT_TRUE(stored().empty());
  EXPECT_TRUE(replayed().empty());
  EXPECT_EQ(notes(), 0U);
  EXPECT_EQ(*store_->note("https://other.example", "mine"), "stays");
  store::expect_clean(*store_);
  EXPECT_EQ(plan_drop(*store_, kDroppedSite, {}).error().code, base::Errc::not_found);
  pull();
  EXPECT_EQ(stored(), before);
}

TEST_P(DropContract, CrawledPagesGoWithTheirCrawl) {
  offer_pages(3);
  pull();
  ASSERT_EQ(stored().size(), 3U);
  EXPECT_EQ(drop(std::string(kHtmlSection)), 3U);
  EXPECT_TRUE(stored().empty());
  EXPECT_EQ(replayed(), stored());
  EXPECT_FALSE(CrawlState(*store_, kDroppedSite).pass().value());
  pull();
  EXPECT_EQ(stored().size(), 3U);
}

TEST_P(DropContract, WhatIsNotThereIsNotDropped) {
  offer({"blog"});
  pull();
  const auto wrong_section = plan_drop(*store_, kDroppedSite, "blgo");
  ASSERT_FALSE(wrong_section);
  EXPECT_EQ(wrong_section.error().code, base::Errc::not_found);
  EXPECT_NE(wrong_section.error().message.find("no section blgo"), std::string::npos);
  const auto wrong_site = plan_drop(*store_, "https://example.net", {});
  ASSERT_FALSE(wrong_site);
  EXPECT_EQ(wrong_site.error().code, base::Errc::not_found);
}

TEST_P(DropContract, ASiteThatOnlyFailedIsForgotten) {
  store::SectionEdit edit(kDroppedSite, kHtmlSection);
  edit.put_note(store::kScheduleNote, encode(store::SiteSchedule{.next = now_, .failures = 3}));
  ASSERT_TRUE(store_->commit(edit));
  EXPECT_EQ(drop(), 0U);
  EXPECT_EQ(notes(), 0U);
}

}  // namespace
}  // namespace sheaf::pull
