#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <sheaf/sheaf_c.h>
#include <sheaf/store.h>

#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace sheaf {
namespace {

constexpr std::string_view kCollection =
    R"({"collection":{"id":"n-1","section":"notes","type":"snapshot","generated":"2026-01-15T00:00:00Z","version":"0.1"}}
{"url":"https://a.example/1","title":"One","description":"","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"Words"}]}
{"url":"https://a.example/2","title":"Two","description":"","author":"A","modified":"2026-01-02T00:00:00Z","language":"en","content":[]}
)";

std::string text(sheaf_text part) {
  return part.data == nullptr ? "(absent)" : std::string(part.data, part.size);
}
sheaf_text text(std::string_view part) { return {part.data(), part.size()}; }

std::string write_collection(const test::TempDir& dir, std::string_view more = {}) {
  const std::string path = (dir / "notes.scp").string();
  std::ofstream(path) << kCollection << more;
  return path;
}

std::string take(sheaf_string* string) {
  const std::string result = string == nullptr ? "(null)" : text(sheaf_string_text(string));
  sheaf_string_free(string);
  return result;
}

TEST(CInterface, ReadsACollectionInBatches) {
  EXPECT_EQ(sheaf_c_api_version(), SHEAF_C_API_VERSION);
  const test::TempDir dir;
  sheaf_error* error = nullptr;
  sheaf_cursor* cursor = sheaf_read(write_collection(dir).c_str(), 2, &error);
  ASSERT_NE(cursor, nullptr);
  EXPECT_NE(take(sheaf_read_head(cursor, &error)).find(R"("section":"notes")"), std::string::npos);
  sheaf_batch* batch = sheaf_next(cursor, &error);
  ASSERT_NE(batch, nullptr);
  ASSERT_EQ(sheaf_batch_count(batch), 2U);
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_URL)), "https://a.example/1");
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_CONTENT_TEXT)), "Words");
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_AUTHOR)), "(absent)");
  EXPECT_EQ(text(sheaf_batch_field(batch, 1, SHEAF_AUTHOR)), "A");
  EXPECT_EQ(text(sheaf_batch_field(batch, 2, SHEAF_URL)), "(absent)");
  EXPECT_NE(take(sheaf_markdown(sheaf_batch_field(batch, 0, SHEAF_JSON), &error)).find("Words"),
            std::string::npos);
  sheaf_batch_free(batch);
  EXPECT_EQ(sheaf_next(cursor, &error), nullptr);
  EXPECT_EQ(error, nullptr);
  sheaf_cursor_free(cursor);
}

TEST(CInterface, ReadsOnlyTheFieldsThatAreAskedFor) {
  const test::TempDir dir;
  sheaf_error* error = nullptr;
  const std::uint32_t fields = 1U << SHEAF_TITLE | 1U << SHEAF_CONTENT_TEXT;
  sheaf_cursor* cursor = sheaf_read_fields(write_collection(dir).c_str(), 1, fields, &error);
  ASSERT_NE(cursor, nullptr);
  sheaf_batch* batch = sheaf_next(cursor, &error);
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_TITLE)), "One");
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_CONTENT_TEXT)), "Words");
  for (const sheaf_field field : {SHEAF_URL, SHEAF_MODIFIED, SHEAF_JSON})
    EXPECT_EQ(text(sheaf_batch_field(batch, 0, field)), "(absent)");
  EXPECT_EQ(text(sheaf_batch_data(batch)), "OneWordsTwo");
  const sheaf_batch_view contents = sheaf_batch_contents(batch);
  EXPECT_EQ(contents.count, 2U);
  EXPECT_EQ(text(contents.data), "OneWordsTwo");
  EXPECT_EQ(contents.table, sheaf_batch_table(batch));
  sheaf_batch_free(batch);
  sheaf_cursor_free(cursor);
}

TEST(CInterface, ErrorsHaveCodeAndPlace) {
  const test::TempDir dir;
  sheaf_error* error = nullptr;
  EXPECT_EQ(sheaf_read((dir / "nothing").c_str(), 1, &error), nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "not-found");
  sheaf_error_free(error);
  EXPECT_EQ(sheaf_read((dir / "nothing").c_str(), 1, nullptr), nullptr);
  sheaf_cursor* cursor = sheaf_read(write_collection(dir, "{\n").c_str(), 1, &error);
  ASSERT_NE(cursor, nullptr);
  while (sheaf_batch* batch = sheaf_next(cursor, &error)) sheaf_batch_free(batch);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "invalid-json");
  EXPECT_EQ(sheaf_error_line(error), 4U);
  EXPECT_GT(sheaf_error_offset(error), 0U);
  EXPECT_NE(std::string_view(sheaf_error_message(error)), "");
  sheaf_error_free(error);
  sheaf_cursor_free(cursor);
}

/// All URLs and texts of a cursor, which is freed; ends with the code and line of the error.
std::string read_everything(sheaf_cursor* cursor) {
  std::string all;
  sheaf_error* error = nullptr;
  while (sheaf_batch* batch = sheaf_next(cursor, &error)) {
    EXPECT_GT(sheaf_batch_count(batch), 0U);
    for (std::size_t i = 0; i < sheaf_batch_count(batch); ++i)
      all += text(sheaf_batch_field(batch, i, SHEAF_URL)) +
             text(sheaf_batch_field(batch, i, SHEAF_CONTENT_TEXT));
    sheaf_batch_free(batch);
  }
  if (error != nullptr) {
    all += sheaf_error_code(error) + std::to_string(sheaf_error_line(error));
    sheaf_error_free(error);
    EXPECT_EQ(sheaf_next(cursor, &error), nullptr);
    EXPECT_NE(error, nullptr) << "an error is final";
    sheaf_error_free(error);
  }
  sheaf_cursor_free(cursor);
  return all;
}

/// Pages of several megabytes, one of them large, and some that are skipped.
std::string many_pages() {
  std::string pages;
  for (int i = 0; i < 4000; ++i)
    pages +=
        R"({"url":")" + std::string(i % 50 == 0 ? "ftp" : "https") + "://a.example/many/" +
        std::to_string(i) +
        R"(","title":"T","description":"","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":")" +
        std::string(i == 2000 ? std::size_t{3} << 20U : 1 + static_cast<std::size_t>(i) % 3000, 'x') +
        "\"}]}\n";
  return pages;
}

TEST(CInterface, ThreadsReadWhatOneDoes) {
  const test::TempDir dir;
  for (const std::string& end : {std::string(), std::string("{\n"), many_pages() + "[]\n" + many_pages()}) {
    const std::string path = write_collection(dir, many_pages() + end);
    const std::string expected = read_everything(sheaf_read(path.c_str(), 1, nullptr));
    EXPECT_GT(expected.size(), std::size_t{4} << 20U);
    for (const unsigned threads : {2U, 3U, 100U})
      EXPECT_TRUE(read_everything(sheaf_read(path.c_str(), threads, nullptr)) == expected) << threads;
  }
}

TEST(CInterface, ABatchOutlivesItsCursor) {
  const test::TempDir dir;
  const std::string path = write_collection(dir, many_pages());
  for (const unsigned threads : {1U, 3U}) {
    sheaf_cursor* cursor = sheaf_read(path.c_str(), threads, nullptr);
    sheaf_batch* first = sheaf_next(cursor, nullptr);
    sheaf_batch* second = sheaf_next(cursor, nullptr);
    sheaf_cursor_free(cursor);  // in the middle: its threads end
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(text(sheaf_batch_field(first, 0, SHEAF_URL)), "https://a.example/1");
    sheaf_batch_free(first);
    EXPECT_TRUE(text(sheaf_batch_field(second, 0, SHEAF_URL)).starts_with("https://a.example/many/"));
    sheaf_batch_free(second);
  }
}

TEST(CInterface, WritesAndValidates) {
  const test::TempDir dir;
  const std::string path = (dir / "out.scp.zst").string();
  sheaf_error* error = nullptr;
  sheaf_writer* writer = sheaf_writer_create(path.c_str(), "notes", nullptr, "2026-01-15T00:00:00Z", &error);
  ASSERT_NE(writer, nullptr);
  EXPECT_EQ(sheaf_writer_add(writer, text("{}"), &error), 0);
  ASSERT_NE(error, nullptr);
  sheaf_error_free(error);
  const std::size_t start = kCollection.find('\n') + 1;
  EXPECT_EQ(sheaf_writer_add(writer, text(kCollection.substr(start, kCollection.find('\n', start) - start)),
                             &error),
            1);
  EXPECT_NE(take(sheaf_writer_finish(writer, &error)).find(R"("pages":1)"), std::string::npos);
  sheaf_writer_free(writer);
  EXPECT_TRUE(
      take(sheaf_validate(path.c_str(), 1, &error)).starts_with(R"({"valid":true,"strict":true,"pages":1)"));
  EXPECT_EQ(sheaf_writer_create(path.c_str(), "notes", nullptr, "yesterday", nullptr), nullptr);
}

TEST(CInterface, ExtractsPages) {
  sheaf_error* error = nullptr;
  sheaf_extractor* extractor = sheaf_extractor_create(&error);
  ASSERT_NE(extractor, nullptr);
  sheaf_batch* batch =
      sheaf_extract(extractor, text("<title>T</title><p>Some words of a page.</p>"),
                    text("https://a.example/x"), {nullptr, 0}, text("2026-01-01T00:00:00Z"), &error);
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_TITLE)), "T");
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_MODIFIED)), "2026-01-01T00:00:00Z");
  EXPECT_NE(take(sheaf_markdown(sheaf_batch_field(batch, 0, SHEAF_JSON), &error)).find("Some words"),
            std::string::npos);
  const std::string json = text(sheaf_batch_field(batch, 0, SHEAF_JSON));
  sheaf_batch_free(batch);
  constexpr std::string_view kHtml = "<title>T</title><p>Some words of a page.</p>";
  constexpr std::string_view kUrl = "https://a.example/x";
  constexpr std::string_view kTime = "2026-01-01T00:00:00Z";
  batch = sheaf_extract_parts(extractor, kHtml.data(), kHtml.size(), kUrl.data(), kUrl.size(), nullptr, 0,
                              kTime.data(), kTime.size(), &error);
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_JSON)), json);
  sheaf_extractor_free(extractor);  // a batch outlives it
  EXPECT_EQ(text(sheaf_batch_field(batch, 0, SHEAF_TITLE)), "T");
  sheaf_batch_free(batch);
}

TEST(CInterface, AStoreThatIsNotThere) {
  const test::TempDir dir;
  sheaf_error* error = nullptr;
  EXPECT_EQ(sheaf_store_open((dir / "nothing").c_str(), 0, &error), nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "not-found");
  sheaf_error_free(error);
  sheaf_store* store = sheaf_store_open((dir / "new").c_str(), 1, &error);
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(take(sheaf_store_sections(store, &error)), "[]");
  sheaf_cursor* pages = sheaf_store_pages(store, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}, &error);
  ASSERT_NE(pages, nullptr);
  EXPECT_EQ(sheaf_next(pages, &error), nullptr);
  EXPECT_EQ(error, nullptr);
  sheaf_cursor_free(pages);
  // A cursor that is not read ends its thread.
  sheaf_cursor_free(sheaf_store_changes(store, 0, &error));
  sheaf_batch* none = sheaf_store_get(store, text("https://a.example/1"), &error);
  ASSERT_NE(none, nullptr);
  EXPECT_EQ(sheaf_batch_count(none), 0U);
  sheaf_batch_free(none);
  sheaf_store_free(store);
}

/// A store with the collection of these tests.
sheaf_store* filled_store(const test::TempDir& dir) {
  auto store = Store::open(dir / "copy", StoreAccess::write);
  EXPECT_TRUE(store && store->apply("https://a.example", "notes", write_collection(dir)));
  store = fail(Errc::io, "closed");
  return sheaf_store_open((dir / "copy").c_str(), 0, nullptr);
}

TEST(CInterface, SearchesAStore) {
  const test::TempDir dir;
  sheaf_store* store = filled_store(dir);
  ASSERT_NE(store, nullptr);
  sheaf_error* error = nullptr;
  sheaf_search_request request{};
  request.query = text("words");
  EXPECT_EQ(sheaf_store_search(store, &request, &error), nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "invalid-argument") << "without its size";
  sheaf_error_free(error);
  request.size = sizeof(request);
  EXPECT_EQ(sheaf_store_search(store, &request, &error), nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "not-found");
  sheaf_error_free(error);
  EXPECT_EQ(take(sheaf_store_update_index(store, 0, &error)),
            R"({"indexed":2,"removed":0,"unreadable":0,"pages":2,"everyPage":true})");
  const std::string found = take(sheaf_store_search(store, &request, &error));
  EXPECT_TRUE(found.starts_with(R"({"total":1,"estimated":false,"results":[{"title":"One",)")) << found;
  request.since = text("2026-01-02T00:00:00Z");
  request.size = offsetof(sheaf_search_request, since);
  EXPECT_EQ(take(sheaf_store_search(store, &request, &error)), found)
      << "of a caller that knows fewer fields";
  request.size = sizeof(request);
  EXPECT_TRUE(take(sheaf_store_search(store, &request, &error)).starts_with(R"({"total":0,)"));
  request.since = text("yesterday");
  EXPECT_EQ(sheaf_store_search(store, &request, &error), nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "invalid-argument");
  sheaf_error_free(error);
  sheaf_store_free(store);
}

TEST(CInterface, AStoreStaysOpenForItsCursors) {
  const test::TempDir dir;
  sheaf_store* store = filled_store(dir);
  ASSERT_NE(store, nullptr);
  sheaf_error* error = nullptr;
  sheaf_cursor* pages = sheaf_store_pages(store, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}, &error);
  EXPECT_EQ(sheaf_store_refresh(store, &error), 0);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(sheaf_error_code(error), "in-use");
  sheaf_error_free(error);
  sheaf_cursor_free(sheaf_store_changes(store, 0, &error));
  sheaf_store_free(store);
  EXPECT_EQ(read_everything(pages), "https://a.example/1Wordshttps://a.example/2");

  store = sheaf_store_open((dir / "copy").c_str(), 0, &error);
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(sheaf_store_refresh(store, &error), 1);
  sheaf_store_free(store);
}

TEST(CInterface, AWriterNamesThePageAndEndsOnce) {
  const test::TempDir dir;
  sheaf_error* error = nullptr;
  sheaf_writer* writer =
      sheaf_writer_create((dir / "out.scp").c_str(), "notes", nullptr, "2026-01-15T00:00:00Z", &error);
  ASSERT_NE(writer, nullptr);
  const auto message_of_adding = [&](std::string_view json) {
    EXPECT_EQ(sheaf_writer_add(writer, text(json), &error), 0);
    std::string message = sheaf_error_message(error);
    sheaf_error_free(error);
    return message;
  };
  EXPECT_EQ(message_of_adding("{}"), "page 1: the page has no url");
  EXPECT_TRUE(
      message_of_adding(
          R"({"url":"no","title":"T","description":"","modified":"2026-01-01T00:00:00Z","language":"en","content":[]})")
          .starts_with("page 2: readers would skip the page: "));
  EXPECT_NE(take(sheaf_writer_finish(writer, &error)).find(R"("pages":0)"), std::string::npos);
  EXPECT_EQ(sheaf_writer_finish(writer, &error), nullptr);
  EXPECT_STREQ(sheaf_error_message(error), "the collection is already complete");
  sheaf_error_free(error);
  EXPECT_EQ(message_of_adding("{}"), "the collection is already complete");
  sheaf_writer_free(writer);
}

TEST(CInterface, TheHeadOfACollectionIsWhole) {
  const test::TempDir dir;
  const std::string path = (dir / "head.scp").string();
  std::ofstream(path)
      << R"({"collection":{"id":"n-1","section":"notes","type":"delta","generated":"2026-01-15T00:00:00Z","since":"2026-01-14T00:00:00Z","version":"0.1","removed":["https://a.example/3"],"mood":{"a":[1]}}})"
      << "\n";
  sheaf_cursor* cursor = sheaf_read(path.c_str(), 1, nullptr);
  ASSERT_NE(cursor, nullptr);
  EXPECT_EQ(
      take(sheaf_read_head(cursor, nullptr)),
      R"({"id":"n-1","section":"notes","type":"delta","generated":"2026-01-15T00:00:00Z","version":"0.1","since":"2026-01-14T00:00:00Z","state":null,"checksum":null,"removed":["https://a.example/3"],"extra":{"mood":{"a":[1]}}})");
  sheaf_cursor_free(cursor);
}

TEST(CInterface, AnArrowStreamCanBeReleasedUnread) {
  const test::TempDir dir;
  sheaf_error* error = nullptr;
  sheaf_cursor* cursor = sheaf_read(write_collection(dir).c_str(), 1, &error);
  ASSERT_NE(cursor, nullptr);
  std::array<void*, 5> stream{};
  ASSERT_EQ(sheaf_cursor_arrow(cursor, stream.data(), &error), 1);
  reinterpret_cast<void (*)(void*)>(stream[3])(stream.data());
  EXPECT_EQ(stream[3], nullptr);
}

}  // namespace
}  // namespace sheaf
