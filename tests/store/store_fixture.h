#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/shared/shared_database.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/postgres_server.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::store {

inline const std::string kSite = "https://example.com";

/// URL -> `modified`.
using Pages = std::map<std::string, std::string>;

/// Pages by name and second.
using Named = std::vector<std::pair<std::string, std::int64_t>>;

/// p0, p1...
inline Named many(int count, std::int64_t modified = 1) {
  Named pages;
  for (int i = 0; i < count; ++i) pages.emplace_back("p" + std::to_string(i), modified);
  return pages;
}

/// A collection to be applied.
struct TestCollection {
  std::string type = "snapshot";
  std::int64_t generated = 0;
  std::int64_t since = 0;  ///< of a delta
  Named pages;
  std::vector<std::string> removed;
  std::string state;  ///< as it is stated
  std::string section = "blog";
  std::string text = "ok";  ///< of each page

  /// A name below the site, or a whole URL as it is.
  static std::string url(const std::string& name) {
    return name.starts_with("http") ? name : kSite + "/" + name;
  }

  [[nodiscard]] std::string str() const {
    test::HeadText head;
    head.section = section;
    head.type = type;
    head.generated = test::time_text(generated);
    if (type == "delta") head.since = test::time_text(since);
    if (!state.empty()) head.more += R"(,"state":")" + state + "\"";
    if (!removed.empty()) {
      head.more += ",\"removed\":[";
      for (std::size_t i = 0; i < removed.size(); ++i)
        head.more += (i > 0 ? ",\"" : "\"") + url(removed[i]) + "\"";
      head.more += "]";
    }
    std::vector<std::string> lines{head.str()};
    for (const auto& [name, modified] : pages) {
      test::PageText page;
      page.url = url(name);
      page.modified = test::time_text(modified);
      page.content = R"([{"type":"text","text":")" + text + "\"}]";
      lines.push_back(page.str());
    }
    return test::with_checksum(test::join_lines(lines));
  }
};

inline std::string digest_of(const std::vector<std::pair<std::string, std::int64_t>>& pages) {
  format::StateDigest digest;
  for (const auto& [name, modified] : pages) digest.add(TestCollection::url(name), test::time_text(modified));
  return digest.to_string();
}

inline ApplyOptions apply_options() {
  ApplyOptions options;
  options.now = {2'000'000'000, 0};
  return options;
}

inline base::Result<ApplySummary> apply(PageStore& store, const TestCollection& collection,
                                        const ApplyOptions& options = apply_options()) {
  const std::string bytes = collection.str();
  return store.apply(kSite, collection.section, base::buffer_source(bytes), options);
}

/// What a walk over the section gives, and what single reads must agree with.
inline Pages pages_of(const PageStore& store, const std::string& section = "blog") {
  Pages pages;
  PageFilter filter;
  filter.site = kSite;
  filter.section = section;
  const auto walked = store.each_page(filter, [&](const StoredPage& page) -> base::Result<bool> {
    EXPECT_FALSE(pages.contains(page.url));
    EXPECT_NE(page.json.find("\"" + page.url + "\""), std::string::npos);
    pages[page.url] = page.modified;
    return true;
  });
  EXPECT_TRUE(walked) << walked.error().message;
  for (const auto& [url, modified] : pages) {
    const auto page = store.get(kSite, section, url);
    EXPECT_TRUE(page && *page && (*page)->modified == modified) << url;
  }
  return pages;
}

inline Pages expected(const std::vector<std::pair<std::string, std::int64_t>>& pages) {
  Pages all;
  for (const auto& [name, modified] : pages) all[TestCollection::url(name)] = test::time_text(modified);
  return all;
}

inline std::vector<StoreChange> changes_of(const PageStore& store, const FeedCursor& since = 0) {
  std::vector<StoreChange> all;
  const auto read = store.changes(since, [&](const StoreChange& change) {
    all.push_back(change);
    return true;
  });
  EXPECT_TRUE(read) << read.error().message;
  return all;
}

inline void expect_clean(const PageStore& store) {
  const auto summary = store.verify(2);
  ASSERT_TRUE(summary) << summary.error().message;
  for (const std::string& fault : summary->faults) ADD_FAILURE() << fault;
}

/// The kinds of stores that must behave the same.
enum class StoreKind : std::uint8_t { local, shared };

inline std::string kind_name(const testing::TestParamInfo<StoreKind>& kind) {
  return kind.param == StoreKind::local ? "Local" : "Shared";
}

/// A place for the store of one test: a folder, or a database.
class StorePlace {
 public:
  explicit StorePlace(StoreKind kind) {
    if (kind == StoreKind::local) return;
    url_ = test::PostgresServer::shared()->url();
    shared::SharedDatabase database(url_);
    if (!database.query("DROP SCHEMA IF EXISTS sheaf CASCADE"))
      throw std::runtime_error("DROP SCHEMA failed");
    shared::CreateOptions options;
    options.buckets = 8;
    const auto created = shared::create_shared_store(url_, options);
    if (!created) throw std::runtime_error(created.error().message);
  }

  /// The value of --store, whatever the name, for a shared store.
  std::filesystem::path operator/(std::string_view name) const {
    return url_.empty() ? dir_ / name : std::filesystem::path(url_);
  }
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  test::TempDir dir_;
  std::string url_;
};

/// Base of the suites that every kind of store has to pass.
class StoreContract : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (GetParam() == StoreKind::shared && test::PostgresServer::shared() == nullptr)
      GTEST_SKIP() << test::PostgresServer::missing();
  }
};
inline const auto kEveryStore = testing::Values(StoreKind::local, StoreKind::shared);

/// The position after the first `number` changes of kSite.
inline FeedCursor position(const PageStore& store, std::uint64_t number) {
  const FeedCursor newest = *store.newest_change();
  std::vector<std::uint64_t> parts(newest.parts());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (newest.of(i) > 0 || parts.size() == 1) parts[i] = number;
  return FeedCursor(std::move(parts));
}

inline std::unique_ptr<PageStore> must_open(const std::filesystem::path& folder,
                                            StoreAccess access = StoreAccess::write) {
  auto store = open_store(folder.string(), access);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

}  // namespace sheaf::store
