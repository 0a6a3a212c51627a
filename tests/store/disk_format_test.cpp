// The bytes of a store, written key by key and not by the code that is tested: a change of the format must
// not go unnoticed.
#include "sheaf/base/record.h"
#include "sheaf/database/database.h"
#include "store_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::store {
namespace {

using base::RecordWriter;
using namespace std::string_literals;

const std::string kUrl = "https://example.com/a";
const std::string kModified = "2026-01-10T12:00:00Z";
const Instant kModifiedAt{1'768'046'400, 0};
const Instant kGenerated{1'768'435'200, 0};
// The first 16 bytes of the URL's SHA-256.
const std::string kUrlHash = []() {
  const base::Digest digest = base::sha256(kUrl);
  return std::string(reinterpret_cast<const char*>(digest.data()), 16);
}();

std::string json() {
  test::PageText page;
  page.url = kUrl;
  page.modified = kModified;
  return page.str();
}

base::Digest state() {
  format::StateDigest state;
  state.add(kUrl, kModified);
  return *format::StateDigest::parse(state.to_string());
}

void write_store(const std::filesystem::path& folder, std::uint64_t format = 2) {
  auto opened = database::Database::open(folder / "pages", database::Tables::main_and_data);
  ASSERT_TRUE(opened) << opened.error().message;
  database::Database::Batch batch(*opened);
  // Format, next section, next run, first and last change, commits.
  batch.put("M", RecordWriter().number(format).number(2).number(2).number(1).number(1).number(1).bytes());
  RecordWriter section;
  section.number(1).number(0).time(kGenerated).optional_time(kGenerated);
  section.number(1).number(json().size()).digest(state()).number(1).digest(state()).time(kGenerated);
  section.number(1).number(0).number(1).digest(base::Digest{});
  batch.put("Shttps://example.com\0blog"s, section.bytes());
  batch.put("U\0\0\0\1"s + kUrlHash, RecordWriter()
                                         .text(kUrl)
                                         .text(kModified)
                                         .time(kModifiedAt)
                                         .time(kGenerated)
                                         .number(1)
                                         .number(1)
                                         .number(json().size())
                                         .bytes());
  RecordWriter data;
  data.text(kUrl).text(kModified).time(kGenerated).text(json());
  data.time(kGenerated);
  batch.put("\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1"s, data.bytes(), database::Table::data);
  batch.put("F\0\0\0\0\0\0\0\1"s,
            RecordWriter().number(0).text(kSite).text("blog").text(kUrl).text("").text(kModified).bytes());
  batch.put("Nhttps://example.com\0robots"s, "note");
  ASSERT_TRUE(opened->write(batch, database::Durability::synced));
}

void expect_complete(const PageStore& store) {
  expect_clean(store);
  const auto section = store.section(kSite, "blog");
  ASSERT_TRUE(section && *section);
  EXPECT_EQ((*section)->generated, kGenerated);
  EXPECT_EQ((*section)->snapshot, kGenerated);
  EXPECT_EQ((*section)->pages, 1U);
  EXPECT_EQ((*section)->proven, true);
  const auto page = store.get(kUrl);
  ASSERT_TRUE(page && *page);
  EXPECT_EQ((*page)->json, json());
  EXPECT_EQ((*page)->as_of, kGenerated);
  const auto changes = changes_of(store);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes.front().url, kUrl);
  EXPECT_EQ(store.note(kSite, "robots").value(), "note");
}

TEST(LocalStoreFormat, IsUnchanged) {
  const test::TempDir dir;
  write_store(dir / "store");
  expect_complete(*must_open(dir / "store", StoreAccess::read));
  const auto store = must_open(dir / "store");
  expect_complete(*store);
  EXPECT_EQ(apply(*store, {"delta", 100, 0, {{"b", 50}}, {}, {}})->outcome, ApplyOutcome::applied);
  expect_clean(*store);
}

TEST(LocalStoreFormat, AnOlderOneIsRefused) {
  const test::TempDir dir;
  write_store(dir / "store", 1);
  for (const StoreAccess access : {StoreAccess::read, StoreAccess::write}) {
    const auto store = open_store((dir / "store").string(), access);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, base::Errc::invalid_data);
    EXPECT_NE(store.error().message.find("written by an older one"), std::string::npos)
        << store.error().message;
  }
}

}  // namespace
}  // namespace sheaf::store
