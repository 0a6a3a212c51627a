#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/store/open/open_store.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
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

/// A collection to be applied: pages by name and second.
struct TestCollection {
  std::string type = "snapshot";
  std::int64_t generated = 0;
  std::int64_t since = 0;  ///< of a delta
  std::vector<std::pair<std::string, std::int64_t>> pages;
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

inline std::vector<StoreChange> changes_of(const PageStore& store, std::uint64_t since = 0) {
  std::vector<StoreChange> all;
  const auto read = store.changes(since, [&](const StoreChange& change) {
    all.push_back(change);
    return true;
  });
  EXPECT_TRUE(read) << read.error().message;
  return all;
}

inline void expect_clean(const PageStore& store) {
  const auto summary = store.verify();
  ASSERT_TRUE(summary) << summary.error().message;
  for (const std::string& fault : summary->faults) ADD_FAILURE() << fault;
}

inline std::unique_ptr<PageStore> must_open(const std::filesystem::path& folder,
                                            Access access = Access::write) {
  auto store = open_store(folder.string(), access);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

}  // namespace sheaf::store
