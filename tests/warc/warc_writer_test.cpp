#include "sheaf/warc/warc_writer.h"

#include "sheaf/warc/warc_reader.h"
#include "sheaf/warc/warc_record.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <set>

namespace sheaf::warc {
namespace {

TEST(WarcWriter, WhatIsWrittenIsRead) {
  for (const RecordCoding coding : {RecordCoding::plain, RecordCoding::gzip}) {
    std::string bytes;
    ASSERT_TRUE(append_warcinfo(bytes, "sheaf/1", {1'700'000'000, 0}, coding));
    const std::string id = new_record_id();
    ASSERT_TRUE(append_record(bytes,
                              {.type = RecordType::conversion,
                               .url = "https://a.example/x\r\ny",
                               .date = {1'700'000'000, 0},
                               .id = id,
                               .content_type = "text/plain",
                               .more = {{"WARC-Truncated", ""}}},
                              "a\r\n\r\nWARC/1.0\r\n\r\nb", coding));
    const auto source = base::buffer_source(bytes);
    WarcReader reader(*source, [](const WarcFault& fault) { ADD_FAILURE() << fault.message; });
    const auto info = reader.next();
    ASSERT_TRUE(info && *info);
    EXPECT_EQ((*info)->type, RecordType::warcinfo);
    const auto head = reader.next();
    ASSERT_TRUE(head && *head);
    EXPECT_EQ((*head)->type, RecordType::conversion);
    EXPECT_EQ((*head)->url, "https://a.example/x  y");
    EXPECT_EQ((*head)->date, (Instant{1'700'000'000, 0}));
    EXPECT_EQ((*head)->id, id);
    EXPECT_EQ((*head)->truncated, "");
    EXPECT_EQ(reader.block()->bytes, "a\r\n\r\nWARC/1.0\r\n\r\nb");
    EXPECT_EQ(*reader.next(), nullptr);
  }
}

TEST(WarcWriter, IdsAreUuids) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = new_record_id();
    EXPECT_EQ(id.size(), std::string("<urn:uuid:00000000-0000-4000-8000-000000000000>").size());
    EXPECT_EQ(id[24], '4') << id;
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(WarcFolder, RotatesAndNamesFiles) {
  const test::TempDir dir;
  const auto folder = WarcFolder::open(dir.path() / "new" / "archive", "sheaf/1", 2'000);
  ASSERT_TRUE(folder);
  http::fetch::Exchange exchange{.url = "https://a.example/",
                                 .began = {1'700'000'000, 0},
                                 .address = "192.0.2.1",
                                 .request_head = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
                                 .response_head = "HTTP/1.1 200 OK\r\ntransfer-Encoding: chunked\r\n\r\n",
                                 .body = "page"};
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*folder)->record(exchange));
  std::size_t open_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "new" / "archive"))
    open_files += entry.path().extension() == ".open" ? 1 : 0;
  EXPECT_LE(open_files, 1U);
  ASSERT_TRUE((*folder)->finish());
  std::size_t files = 0;
  std::size_t responses = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "new" / "archive")) {
    ++files;
    EXPECT_TRUE(entry.path().string().ends_with(".warc.gz")) << entry.path();
    EXPECT_LT(entry.file_size(), 4'000U);
    const auto source = base::open_source(entry.path().string());
    ASSERT_TRUE(source);
    WarcReader reader(**source, [](const WarcFault& fault) { ADD_FAILURE() << fault.message; });
    while (const RecordHead* head = *reader.next()) {
      if (head->type != RecordType::response) continue;
      ++responses;
      const auto response = parse_response(*head, reader.block()->bytes);
      ASSERT_TRUE(response);
      EXPECT_EQ(response->head.header("x-crawl-transfer-encoding"), "chunked");
      EXPECT_EQ(response->head.header("transfer-encoding"), "");
      EXPECT_EQ(response->body, "page");
    }
  }
  EXPECT_GE(files, 2U);
  EXPECT_EQ(responses, 5U);
}

TEST(WarcFolder, FolderThatCannotBeMade) {
  const test::TempDir dir;
  (void)dir.write("file", "x");
  EXPECT_FALSE(WarcFolder::open(dir.path() / "file" / "archive", "sheaf/1"));
}

}  // namespace
}  // namespace sheaf::warc
