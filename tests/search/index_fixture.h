#pragma once

#include "sheaf/search/search_index.h"
#include "store/store_fixture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::search {

inline const std::string kExample = "https://docs.example.com";

struct TestPage {
  std::string name;
  std::string title;
  std::string text;
  std::string language = "en";
  std::string modified = "2026-01-01T00:00:00Z";
};

/// With Xapian for a local store, with PostgreSQL for a shared one.
class Index : public store::StoreContract {
 protected:
  void SetUp() override {
    StoreContract::SetUp();
    if (IsSkipped()) return;
    place_.emplace(GetParam());
    store_ = store::must_open(location());
  }

  void put(const std::vector<TestPage>& pages, const std::string& section = "html",
           const std::string& site = kExample) {
    store::SectionEdit edit(site, section);
    for (const TestPage& page : pages) {
      const std::string url = site + "/" + page.name;
      edit.put_page(url, page.modified,
                    R"({"url":")" + url + R"(","title":")" + page.title +
                        R"(","description":"","modified":")" + page.modified + R"(","language":")" +
                        page.language + R"(","content":[{"type":"text","text":")" + page.text + "\"}]}",
                    {1'700'000'000 + ++edits_, 0});
    }
    const auto done = store_->commit(edit);
    ASSERT_TRUE(done) << done.error().message;
  }

  void remove(const std::string& name, const std::string& section = "html") {
    store::SectionEdit edit(kExample, section);
    edit.remove_page(kExample + "/" + name);
    ASSERT_TRUE(store_->commit(edit));
  }

  IndexSummary update(const IndexOptions& options = {}) {
    auto summary = update_index(*store_, location(), options);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(IndexSummary{});
  }

  base::Result<SearchResults> ask(const SearchRequest& request) {
    auto index = open_index(location());
    EXPECT_TRUE(index) << index.error().message;
    if (!index) return std::unexpected(index.error());
    return (*index)->search(*store_, request);
  }

  SearchResults results(const SearchRequest& request) {
    auto result = ask(request);
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(SearchResults{});
  }

  /// The last parts of the URLs found, in order.
  std::vector<std::string> names(const SearchRequest& request) {
    std::vector<std::string> found;
    for (const SearchHit& hit : results(request).hits)
      found.push_back(hit.url.substr(hit.url.rfind('/') + 1));
    return found;
  }
  std::vector<std::string> found(const std::string& query) { return names(SearchRequest{.query = query}); }

  std::string fault(const SearchRequest& request) {
    const auto result = ask(request);
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().message;
  }

  [[nodiscard]] std::string location() const { return (*place_ / "store").string(); }

  using Names = std::vector<std::string>;
  std::optional<store::StorePlace> place_;
  std::unique_ptr<store::PageStore> store_;
  std::int64_t edits_ = 0;
};

}  // namespace sheaf::search
