#include "sheaf/crawl/warc_pages.h"

#include "warc/warc_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace sheaf::crawl {
namespace {

std::string capture(std::string_view url, std::string_view date, std::string_view body) {
  const std::string block =
      fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"1\"\r\n\r\n{}", body);
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\nContent-Type: "
      "application/http\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, date, block.size(), block);
}

/// A capture whose head has more fields, such as a digest.
std::string capture_with(std::string_view more, std::string_view url, std::string_view date,
                         std::string_view body) {
  std::string text = capture(url, date, body);
  return text.insert(text.find("Content-Type: application/http"), more);
}

std::string revisit(std::string_view url, std::string_view date, std::string_view more,
                    std::string_view block = "") {
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n{}Content-Type: "
      "application/http\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, date, more, block.size(), block);
}

Instant time_of(std::string_view text) { return parse_time(text)->instant; }

/// Everything that comes out.
std::vector<ArchivedPage> take_all(WarcPages& pages) {
  EXPECT_TRUE(pages.sort());
  std::vector<ArchivedPage> found;
  while (true) {
    auto page = pages.next();
    EXPECT_TRUE(page);
    if (!page || !*page) return found;
    found.push_back(std::move(**page));
  }
}

void add(WarcPages& pages, std::string_view bytes) {
  const auto source = base::buffer_source(bytes);
  ASSERT_TRUE(pages.add(*source));
}

// Far more than the memory, in files that have the captures in any order.
TEST(WarcPages, TheNewestCaptureOfEachUrlSiteBySite) {
  WarcPages pages({.memory = 4096, .now = time_of("2026-12-01T00:00:00Z")});
  std::map<std::string, std::string> newest;
  for (int day = 28; day > 0; day -= 3)
    for (int number = 0; number < 40; ++number) {
      const int hour = (day * 7 + number * 11) % 24;
      const std::string url =
          fmt::format("https://{}.example/{}", number % 3 == 0 ? "pears" : "apples", number);
      const std::string date = fmt::format("2026-05-{:02}T{:02}:00:00Z", 1 + (day * number) % 28, hour);
      add(pages, capture(url, date, "<p>" + date));
      newest[url] = std::max(newest[url], date);
    }
  const auto found = take_all(pages);
  EXPECT_EQ(found.size(), newest.size());
  EXPECT_EQ(pages.counts().pages, pages.counts().repeated + newest.size());
  std::set<std::string> sites;
  std::string last;
  for (const ArchivedPage& page : found) {
    EXPECT_EQ(page.visit.body, "<p>" + newest.at(page.visit.request.url));
    EXPECT_EQ(page.date, time_of(newest.at(page.visit.request.url)));
    EXPECT_EQ(page.visit.validators.etag(), "\"1\"");
    if (page.site != last) {
      EXPECT_TRUE(sites.insert(page.site).second) << "the pages of a site come together";
    }
    last = page.site;
  }
  EXPECT_EQ(sites, (std::set<std::string>{"apples.example", "pears.example"}));
}

// The clock of the machine that wrote the archive may be a little ahead.
TEST(SheafOnlyWarcPages, DatesUpToADayAheadAreNow) {
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z")});
  add(pages, capture("https://a.example/1", "2026-06-01T23:00:00Z", "<p>x"));
  for (const ArchivedPage& page : take_all(pages)) EXPECT_EQ(page.date, time_of("2026-06-01T00:00:00Z"));
  EXPECT_EQ(pages.counts().faults, 0U);
}

TEST(SheafOnlyWarcPages, ACaptureWithoutAUsableDateIsTheOldest) {
  const std::string good = capture("https://a.example/1", "2026-05-01T00:00:00Z", "<p>good");
  for (const std::string_view date :
       {"", "yesterday", "2026-02-30T00:00:00Z", "20260501100000", "2099-01-01T00:00:00Z",
        "2026-06-02T00:00:01Z", "0000-01-01T00:00:00Z"}) {
    const std::string bad = capture("https://a.example/1", date, "<p>bad");
    for (const std::string& file : {good + bad, bad + good}) {
      std::vector<std::string> faults;
      WarcPages pages({.now = time_of("2026-06-01T00:00:00Z"),
                       .on_fault = [&](const std::string& sentence) { faults.push_back(sentence); }});
      add(pages, file);
      const auto found = take_all(pages);
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].visit.body, "<p>good") << date;
      EXPECT_EQ(pages.counts().faults, 1U);
      ASSERT_EQ(faults.size(), 1U) << date;
      const std::size_t offset = file == good + bad ? good.size() : 0;
      EXPECT_NE(faults[0].find(fmt::format("at byte {}: ", offset)), std::string::npos) << faults[0];
    }
    WarcPages alone({.now = time_of("2026-06-01T00:00:00Z")});
    add(alone, bad);
    const auto found = take_all(alone);
    ASSERT_EQ(found.size(), 1U) << date;
    EXPECT_EQ(found[0].date, kUndated);
  }
}

// A revisit that says nothing about its time is no evidence that the page was still the same.
TEST(SheafOnlyWarcPages, ARevisitWithoutAUsableDateChangesNothing) {
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z")});
  add(pages, capture("https://a.example/1", "2026-05-01T00:00:00Z", "<p>x") +
                 revisit("https://a.example/1", "soon", ""));
  const auto found = take_all(pages);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].date, time_of("2026-05-01T00:00:00Z"));
  EXPECT_EQ(pages.counts().faults, 1U);
}

// Page URLs are exported and published.
TEST(SheafOnlyWarcPages, PageUrlsHaveNoPassword) {
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z")});
  add(pages, capture("https://user:secret@a.example/1?q#f", "2026-05-01T00:00:00Z", "<p>old") +
                 capture("https://a.example/1?q", "2026-05-02T00:00:00Z", "<p>new") +
                 revisit("https://user@a.example/1?q", "2026-05-03T00:00:00Z", ""));
  const auto found = take_all(pages);
  ASSERT_EQ(found.size(), 1U) << "they are captures of one page";
  EXPECT_EQ(found[0].visit.request.url, "https://a.example/1?q");
  EXPECT_EQ(found[0].visit.final_url, "https://a.example/1?q");
  EXPECT_EQ(found[0].visit.body, "<p>new");
  EXPECT_EQ(found[0].date, time_of("2026-05-03T00:00:00Z"));
  EXPECT_EQ(pages.origin_of("a.example"), "https://a.example");
}

TEST(WarcPages, TheOriginWithMostPagesNamesTheSite) {
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z")});
  constexpr std::string_view kDate = "2026-05-01T00:00:00Z";
  add(pages, capture("http://a.example/", kDate, "<p>x") + capture("https://www.a.example/1", kDate, "<p>x") +
                 capture("https://www.a.example/2", kDate, "<p>x") +
                 capture("http://b.example/", kDate, "<p>x") + capture("https://b.example/", kDate, "<p>x"));
  EXPECT_EQ(pages.sites(), 2U);
  EXPECT_EQ(pages.origin_of("a.example"), "https://www.a.example");
  EXPECT_EQ(pages.origin_of("b.example"), "https://b.example") << "as many of each";
}

TEST(WarcPages, PagesOverTheLimitAndFilesWithoutRecords) {
  std::vector<std::string> faults;
  WarcPages pages({.page_bytes = 100,
                   .now = time_of("2026-06-01T00:00:00Z"),
                   .on_fault = [&](const std::string& sentence) { faults.push_back(sentence); }});
  add(pages, capture("https://a.example/1", "2026-05-01T00:00:00Z", "<p>" + std::string(200, 'x')) +
                 capture("https://a.example/2", "2026-05-01T00:00:00Z", "<p>x"));
  EXPECT_EQ(take_all(pages).size(), 1U);
  EXPECT_EQ(pages.counts().unreadable, 1U);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NE(faults.front().find("at byte 0: https://a.example/1: "), std::string::npos) << faults.front();
}

/// A capture with other headers: "200 OK\r\nName: value", and more fields of the record.
std::string capture_of(std::string_view url, std::string_view more, std::string_view headers,
                       std::string_view body = "<p>x") {
  const std::string block = fmt::format("HTTP/1.1 {}\r\n\r\n{}", headers, body);
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: 2026-05-01T00:00:00Z\r\n"
      "{}Content-Length: {}\r\n\r\n{}\r\n\r\n",
      url, more, block.size(), block);
}

TEST(SheafOnlyWarcPages, PagesThatAreCutAreReportedWithTheirPlace) {
  std::vector<std::string> faults;
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z"),
                   .on_fault = [&](const std::string& sentence) { faults.push_back(sentence); }});
  constexpr std::string_view kCut = "WARC-Truncated: length\r\n";
  const std::string harmless =
      capture_of("https://a.example/paper", kCut, "200 OK\r\nContent-Type: application/pdf") +
      capture_of("https://a.example/gone", kCut, "404 Not Found\r\nContent-Type: text/html");
  add(pages, harmless + capture_of("https://a.example/1", kCut, "200 OK\r\nContent-Type: text/html") +
                 capture_of("https://a.example/2", "",
                            "200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked", "9\r\n<p>x"));
  EXPECT_TRUE(take_all(pages).empty());
  EXPECT_EQ(pages.counts().other_type, 1U) << "a document of another type may be cut";
  EXPECT_EQ(pages.counts().other_status, 1U);
  EXPECT_EQ(pages.counts().unreadable, 2U);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_NE(faults[0].find(
                fmt::format("at byte {}: https://a.example/1: the record is truncated", harmless.size())),
            std::string::npos)
      << faults[0];
  EXPECT_NE(faults[1].find(": https://a.example/2: a response record has a body that is cut"),
            std::string::npos)
      << faults[1];
}

// A crawler that was killed leaves an empty file behind, and a pattern such as *.warc.gz matches it too.
TEST(SheafOnlyWarcPages, AFileWithoutARecordDoesNotCostTheOthers) {
  std::vector<std::string> faults;
  const auto on_fault = [&](const std::string& sentence) { faults.push_back(sentence); };
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z"), .on_fault = on_fault});
  // Nothing, an error page, and a zstd dictionary that is cut off.
  for (const std::string_view bad : {"", "<html>", "\x5d\x2a\x4d\x18"}) add(pages, bad);
  add(pages, capture("https://a.example/2", "2026-05-01T00:00:00Z", "<p>x"));
  EXPECT_EQ(take_all(pages).size(), 1U);
  EXPECT_EQ(pages.counts().faults, 4U) << "two of them are of the error page";
  EXPECT_EQ(faults.size(), 4U);
}

// With nothing to read, everything that was published would look as if it had been removed.
TEST(SheafOnlyWarcPages, FilesOfWhichNoneHasARecord) {
  WarcPages pages({});
  add(pages, "");
  add(pages, "nothing");
  const auto sorted = pages.sort();
  ASSERT_FALSE(sorted);
  EXPECT_EQ(sorted.error().code, base::Errc::invalid_data);
}

constexpr std::string_view kArchivedUrl = "https://a.example/1";
constexpr std::string_view kInMay = "2026-05-01T00:00:00Z";
constexpr std::string_view kInJune = "2026-06-01T00:00:00Z";
constexpr std::string_view kInJuly = "2026-07-01T00:00:00Z";

/// "date body" of the only page.
std::string only_page(WarcPages& pages) {
  const auto found = take_all(pages);
  if (found.size() != 1) return fmt::format("{} pages", found.size());
  return format_time(found[0].date) + " " + found[0].visit.body;
}

WarcPages pages_until_december() { return WarcPages({.now = time_of("2026-12-01T00:00:00Z")}); }

// May: A, June: B, July: A again. Without the revisit the page of June would be taken for the newest.
TEST(WarcPages, ARevisitIsTheRecordThatItRefersTo) {
  const std::string a = capture_with("WARC-Payload-Digest: sha1:AAA\r\nWARC-Record-ID: <urn:uuid:a>\r\n",
                                     kArchivedUrl, kInMay, "<p>A");
  const std::string b = capture_with("WARC-Payload-Digest: sha1:BBB\r\n", kArchivedUrl, kInJune, "<p>B");
  for (const std::string_view reference :
       {"WARC-Refers-To: <urn:uuid:a>\r\n", "WARC-Payload-Digest: sha1:AAA\r\n",
        "WARC-Refers-To-Date: 2026-05-01T00:00:00Z\r\nWARC-Refers-To-Target-URI: https://a.example/1\r\n"}) {
    const std::string again = revisit(kArchivedUrl, kInJuly, reference);
    for (const std::string& file : {a + b + again, again + b + a}) {
      WarcPages pages = pages_until_december();
      add(pages, file);
      EXPECT_EQ(only_page(pages), "2026-07-01T00:00:00Z <p>A") << reference;
      EXPECT_EQ(pages.counts().revisited, 1U);
      EXPECT_EQ(pages.counts().repeated, 1U);
      EXPECT_EQ(pages.counts().unresolved, 0U);
    }
  }
}

TEST(WarcPages, ARevisitThatNamesNothingIsTheCaptureBeforeIt) {
  WarcPages pages = pages_until_december();
  add(pages, capture(kArchivedUrl, kInMay, "<p>A") + capture(kArchivedUrl, kInJune, "<p>B") +
                 revisit(kArchivedUrl, kInJuly, "", "HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\n\r\n"));
  const auto found = take_all(pages);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].visit.body, "<p>B");
  EXPECT_EQ(found[0].date, time_of(kInJuly));
  EXPECT_EQ(found[0].visit.validators.etag(), "\"2\"");
}

TEST(WarcPages, RevisitsThatDoNotCount) {
  WarcPages pages = pages_until_december();
  add(pages, capture(kArchivedUrl, kInJune, "<p>B") +
                 revisit(kArchivedUrl, kInMay, "") +  // older than the capture
                 revisit(kArchivedUrl, kInJuly, "WARC-Payload-Digest: sha1:CCC\r\n") +
                 revisit(kArchivedUrl, kInJuly, "", "HTTP/1.1 404 Not Found\r\n\r\n") +
                 revisit("https://a.example/unknown", kInJuly, "WARC-Payload-Digest: sha1:AAA\r\n"));
  EXPECT_EQ(only_page(pages), "2026-06-01T00:00:00Z <p>B");
  EXPECT_EQ(pages.counts().revisited, 0U);
  EXPECT_EQ(pages.counts().other_status, 1U);
  EXPECT_EQ(pages.counts().unresolved, 1U) << "the page that is not there";
}

// What a URL had is known from another one, of another site too, and in any order of the records.
TEST(WarcPages, ARevisitOfAnotherUrlIsAPageOfItsOwn) {
  constexpr std::string_view kReference =
      "WARC-Refers-To-Target-URI: <https://a.example/1>\r\nWARC-Refers-To-Date: 2026-05-01T00:00:00Z\r\n";
  const std::string original = capture(kArchivedUrl, kInMay, "<p>A");
  const std::string copy =
      revisit("https://b.example/copy", kInJuly, kReference) +
      revisit("https://a.example/older", kInJune, "WARC-Refers-To-Target-URI: https://a.example/nowhere\r\n");
  for (const std::string& file : {original + copy, copy + original}) {
    WarcPages pages({.memory = 64, .now = time_of("2026-12-01T00:00:00Z")});
    add(pages, file);
    const auto found = take_all(pages);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].visit.request.url, kArchivedUrl);
    EXPECT_EQ(found[1].visit.request.url, "https://b.example/copy");
    EXPECT_EQ(found[1].site, "b.example");
    EXPECT_EQ(found[1].visit.body, "<p>A");
    EXPECT_EQ(found[1].date, time_of(kInJuly));
    EXPECT_EQ(pages.origin_of("b.example"), "https://b.example");
    EXPECT_EQ(pages.counts().unresolved, 1U);
  }
}

}  // namespace
}  // namespace sheaf::crawl
