#include "sheaf/site/sitemap.h"

#include "support/repeat.h"
#include "support/sources.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace sheaf::site {
namespace {

using test::scripted;

/// Everything a sitemap gave, as text.
struct Gathered final : SitemapSink {
  Reading on_url(const SitemapUrl& entry) override {
    urls.emplace_back(entry.loc);
    lastmods.emplace_back(entry.lastmod_at ? format_time(*entry.lastmod_at) : "-");
    lines.push_back(entry.line);
    return urls.size() == stop_after ? Reading::stop : Reading::go_on;
  }
  Reading on_child(const ChildSitemap& entry) override {
    children.emplace_back(entry.loc);
    return Reading::go_on;
  }
  void on_version(std::string_view text) override { version = text; }
  void on_compression(std::string_view codec) override { compression.emplace_back(codec); }
  void on_section(const AdvertisedSection& section) override { sections.push_back(section); }
  void on_collection(const AdvertisedCollection& collection) override { collections.push_back(collection); }
  void on_finding(const SitemapFinding& finding) override {
    findings.push_back(std::string(to_string(finding.code)) + " " + std::to_string(finding.line));
    messages.push_back(finding.message);
  }

  std::vector<std::string> urls, lastmods, children, compression, findings, messages;
  std::vector<std::uint64_t> lines;
  std::vector<AdvertisedSection> sections;
  std::vector<AdvertisedCollection> collections;
  std::string version;
  std::size_t stop_after = 0;
  SitemapSummary summary;
};

using Strings = std::vector<std::string>;

Gathered read(std::string bytes, const SitemapLimits& limits = {}, std::string_view base = {},
              std::size_t piece = SIZE_MAX) {
  Gathered gathered;
  const auto source = scripted(std::move(bytes), {.piece = piece, .size = {}, .fail_after = {}});
  const auto address = base::Url::parse(base);
  const auto summary = read_sitemap(*source, limits, gathered, address ? &*address : nullptr);
  EXPECT_TRUE(summary.has_value());
  if (summary) gathered.summary = *summary;
  return gathered;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string urlset(const std::string& inner) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n" +
         inner + "</urlset>\n";
}

std::string entry(const std::string& loc) { return "<url><loc>" + loc + "</loc></url>\n"; }

// The example of draft 3, "Sites advertise SCP collections in sitemap.xml using an extended namespace".
constexpr const char* kDraft = R"(<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">
<!-- SCP Metadata -->
<scp:version>0.1</scp:version>
<scp:compression>zstd,gzip</scp:compression>
<!-- Available Sections -->
<scp:section name="all" updateFreq="daily" pages="~12000"/>
<scp:section name="products" updateFreq="hourly" pages="1000"/>
<!-- Snapshot Collections (full state) -->
<scp:collection section="blog" type="snapshot"
url="https://r2.example.com/collections/blog-snapshot-day15.scp.gz"
generated="2000-01-15T00:00:00Z" expires="2000-01-16T00:00:00Z"
pages="5247" size="52000000"/>
<!-- Delta Collections (incremental changes) -->
<scp:delta section="blog" period="day15"
url="https://r2.example.com/collections/blog-delta-day15.scp.gz"
generated="2000-01-15T23:00:00Z" expires="2000-01-17T00:00:00Z"
pages="47" size="480000"
since="2000-01-14T00:00:00Z"/>
</urlset>)";

TEST(SpecSitemap, DraftExample) {
  const Gathered got = read(kDraft);
  EXPECT_EQ(got.findings, Strings{});
  EXPECT_TRUE(got.summary.complete);
  EXPECT_EQ(got.summary.kind, SitemapKind::urlset);
  EXPECT_EQ(got.version, "0.1");
  EXPECT_EQ(got.compression, (Strings{"zstd", "gzip"}));
  ASSERT_EQ(got.sections.size(), 2U);
  EXPECT_EQ(got.sections[0], (AdvertisedSection{"all", UpdateFreq::daily, PageCount{12000, true}, 8}));
  EXPECT_EQ(got.sections[1], (AdvertisedSection{"products", UpdateFreq::hourly, PageCount{1000, false}, 9}));
  ASSERT_EQ(got.collections.size(), 2U);
  const AdvertisedCollection& snapshot = got.collections[0];
  EXPECT_EQ(snapshot.type, model::CollectionType::snapshot);
  EXPECT_EQ(snapshot.section, "blog");
  EXPECT_EQ(snapshot.url, "https://r2.example.com/collections/blog-snapshot-day15.scp.gz");
  EXPECT_EQ(format_time(snapshot.generated.value()), "2000-01-15T00:00:00Z");
  EXPECT_EQ(format_time(snapshot.expires.value()), "2000-01-16T00:00:00Z");
  EXPECT_EQ(snapshot.pages, 5247U);
  EXPECT_EQ(snapshot.size, 52000000U);
  const AdvertisedCollection& delta = got.collections[1];
  EXPECT_EQ(delta.type, model::CollectionType::delta);
  EXPECT_EQ(delta.period, "day15");
  EXPECT_EQ(format_time(delta.since.value()), "2000-01-14T00:00:00Z");
}

TEST(SpecSitemap, AnyPrefixAndNone) {
  const Gathered got = read(
      "<s:urlset xmlns:s=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:x=\"https://scp-protocol.org/schemas/sitemap/1.0\">"
      "<x:section name=\"a\" updateFreq=\"weekly\" pages=\"1\"/>"
      "<section xmlns=\"https://scp-protocol.org/schemas/sitemap/1.0\" name=\"b\" updateFreq=\"monthly\" "
      "pages=\"~2\"/>"
      "<s:url><s:loc>https://example.com/</s:loc><s:lastmod>2026-01-15</s:lastmod></s:url></s:urlset>");
  EXPECT_EQ(got.findings, Strings{});
  ASSERT_EQ(got.sections.size(), 2U);
  EXPECT_EQ(got.sections[1].update_freq, UpdateFreq::monthly);
  EXPECT_EQ(got.urls, Strings{"https://example.com/"});
  EXPECT_EQ(got.lastmods, Strings{"2026-01-15T00:00:00Z"});
}

TEST(Sitemap, EntriesWithEverything) {
  const Gathered got = read(urlset(
      "<url>\n<loc>\n  https://example.com/?a=1&amp;b=2\n</loc><lastmod>2026-01-15T10:00:00+02:00</lastmod>"
      "<changefreq>daily</changefreq><priority>0.8</priority></url>\n" +
      entry("<![CDATA[https://example.com/?c=1&d=2]]>") + entry("https://example.com/&#x41;&#66;")));
  EXPECT_EQ(got.urls, (Strings{"https://example.com/?a=1&b=2", "https://example.com/?c=1&d=2",
                               "https://example.com/AB"}));
  EXPECT_EQ(got.lastmods[0], "2026-01-15T08:00:00Z");
  EXPECT_EQ(got.lines, (std::vector<std::uint64_t>{3, 7, 8}));
}

TEST(Sitemap, OtherNamespacesAreNotEntries) {
  const Gathered got = read(
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" "
      "xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">"
      "<url><image:image><image:loc>https://example.com/i.png</image:loc></image:image>"
      "<loc>https://example.com/a</loc>"
      "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/a\"/></url></urlset>");
  EXPECT_EQ(got.findings, Strings{});
  EXPECT_EQ(got.urls, Strings{"https://example.com/a"});
}

TEST(Sitemap, Index) {
  const Gathered got = read(
      "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>"
      "<loc>https://example.com/a.xml.gz</loc><lastmod>2026</lastmod></sitemap>"
      "<sitemap><loc>https://example.com/b.xml</loc></sitemap></sitemapindex>");
  EXPECT_EQ(got.summary.kind, SitemapKind::index);
  EXPECT_EQ(got.children, (Strings{"https://example.com/a.xml.gz", "https://example.com/b.xml"}));
  EXPECT_EQ(got.summary.children, 2U);
  EXPECT_TRUE(got.summary.complete);
}

TEST(Sitemap, TextWithOneUrlPerLine) {
  const Gathered got =
      read("\xef\xbb\xbfhttps://example.com/a\r\n\r\nhttps://example.com/b\nnonsense\nhttps://example.com/c");
  EXPECT_EQ(got.summary.kind, SitemapKind::text);
  EXPECT_EQ(got.urls, (Strings{"https://example.com/a", "https://example.com/b", "https://example.com/c"}));
  EXPECT_EQ(got.findings, Strings{"invalid-url 4"});
  EXPECT_EQ(got.lines, (std::vector<std::uint64_t>{1, 3, 5}));
}

TEST(SitemapTolerance, MissingOrWrongNamespace) {
  const Gathered none = read("<urlset>" + entry("https://example.com/") + "</urlset>");
  EXPECT_EQ(none.urls, Strings{"https://example.com/"});
  EXPECT_EQ(none.findings, Strings{"wrong-namespace 1"});
  const Gathered old = read("<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\">" +
                            entry("https://example.com/") + "</urlset>");
  EXPECT_EQ(old.urls, Strings{"https://example.com/"});
  EXPECT_EQ(old.findings, Strings{"wrong-namespace 1"});
}

TEST(SitemapTolerance, UndeclaredPrefixes) {
  const Gathered got =
      read(urlset("<scp:section name=\"blog\" updateFreq=\"daily\" pages=\"1\"/>\n"
                  "<url><image:image><image:loc>https://example.com/i.png</image:loc></image:image>"
                  "<loc>https://example.com/?a&amp;b</loc></url>"));
  EXPECT_EQ(got.urls, Strings{"https://example.com/?a&b"});
  EXPECT_EQ(got.sections.size(), 1U);
  EXPECT_EQ(got.findings, (Strings{"undeclared-prefix 3", "undeclared-prefix 4", "undeclared-prefix 4"}));
}

TEST(SitemapTolerance, NearlyTheNamespace) {
  const Gathered got = read(
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:a=\"http://scp-protocol.org/schemas/sitemap/1.0/\" "
      "xmlns:b=\"https://scp-protocol.org/schemas/sitemap/2.0\">"
      "<a:version>0.1</a:version>\n<b:version>0.2</b:version></urlset>");
  EXPECT_EQ(got.version, "0.1");
  EXPECT_EQ(got.findings, (Strings{"wrong-namespace 1", "unknown-scp-namespace 2"}));
}

TEST(SitemapTolerance, GzipByItsFirstBytesOnceOrTwice) {
  const std::string plain = urlset(entry("https://example.com/"));
  for (const std::string& bytes :
       {gzip(plain), gzip(gzip(plain)), gzip(plain.substr(0, 60)) + gzip(plain.substr(60))}) {
    for (const std::size_t piece : {SIZE_MAX, std::size_t{1}}) {
      const Gathered got = read(bytes, {}, {}, piece);
      EXPECT_EQ(got.urls, Strings{"https://example.com/"});
      EXPECT_TRUE(got.summary.complete);
      EXPECT_EQ(got.summary.plain_bytes, plain.size());
    }
  }
}

TEST(SitemapTolerance, DamagedGzip) {
  std::string many;
  for (int i = 0; i < 2000; ++i) many += entry("https://example.com/" + std::to_string(i * 7919));
  const std::string whole = gzip(urlset(many));
  const Gathered cut = read(whole.substr(0, whole.size() / 2));
  EXPECT_GT(cut.urls.size(), 500U);
  EXPECT_LT(cut.urls.size(), 2000U);
  EXPECT_FALSE(cut.summary.complete);
  EXPECT_EQ(cut.summary.count(SitemapCode::decompress_failed), 1U);
  EXPECT_EQ(cut.summary.count(SitemapCode::truncated), 0U);
  const Gathered trailing = read(whole + "garbage");
  EXPECT_EQ(trailing.urls.size(), 2000U);
  EXPECT_EQ(trailing.summary.count(SitemapCode::decompress_failed), 1U);
}

TEST(SitemapTolerance, TruncatedAnywhereGivesWhatWasWhole) {
  const std::string whole =
      urlset(entry("https://example.com/one") + entry("https://example.com/two?a=1&amp;b=2") +
             "<url>\n<lastmod>2026-01-01</lastmod><loc>https://example.com/three</loc></url>\n");
  const Strings all = {"https://example.com/one", "https://example.com/two?a=1&b=2",
                       "https://example.com/three"};
  const std::size_t closing = whole.find("</urlset>");
  for (std::size_t size = 1; size < closing + 9; ++size) {
    const Gathered got = read(whole.substr(0, size));
    EXPECT_FALSE(got.summary.complete) << size;
    EXPECT_FALSE(got.findings.empty()) << size;
    ASSERT_LE(got.urls.size(), all.size()) << size;
    for (std::size_t i = 0; i < got.urls.size(); ++i) EXPECT_EQ(got.urls[i], all[i]) << size;
    // An address that was closed is never lost; one whose closing tag was cut may count as closed.
    std::size_t closed = 0;
    for (std::size_t at = 0; (at = whole.substr(0, size).find("</loc>", at)) != std::string::npos; ++at)
      ++closed;
    EXPECT_GE(got.urls.size(), closed) << size;
    EXPECT_LE(got.urls.size(), closed + 1) << size;
  }
  const Gathered cut = read(whole.substr(0, whole.size() - 12));
  EXPECT_EQ(cut.findings, Strings{"truncated 6"});
}

TEST(SitemapTolerance, BareAmpersands) {
  const std::string text =
      urlset(entry("https://example.com/?a=1&b=2&amp;c=3&#x26;d&&e&") +
             entry("https://example.com/&eacute;&nbsp;&") +
             "<scp:collection xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\" "
             "section=\"a\" type=\"snapshot\" url=\"https://example.com/?x=1&y=2\" "
             "generated=\"2026-01-15T00:00:00Z\" expires=\"2026-01-16T00:00:00Z\" pages=\"1\" "
             "size=\"2\"/>");
  for (const std::size_t piece : {SIZE_MAX, std::size_t{1}, std::size_t{7}}) {
    const Gathered got = read(text, {}, {}, piece);
    EXPECT_EQ(got.urls,
              (Strings{"https://example.com/?a=1&b=2&c=3&d&&e&", "https://example.com/&eacute;&nbsp;&"}));
    ASSERT_EQ(got.collections.size(), 1U);
    EXPECT_EQ(got.collections[0].url, "https://example.com/?x=1&y=2");
    EXPECT_EQ(got.findings,
              (Strings{"bare-ampersand 3", "bare-ampersand 3", "bare-ampersand 3", "bare-ampersand 3",
                       "bare-ampersand 4", "bare-ampersand 4", "bare-ampersand 4", "bare-ampersand 5"}));
  }
}

TEST(SitemapTolerance, IllFormedInTheMiddleLosesNothingElse) {
  const Gathered got = read(urlset(
      entry("https://example.com/1") + "<url><loc>https://example.com/2</url>\n" +
      entry("https://example.com/3?a&amp;b") + "<url></loc></url>" + entry("https://example.com/4?a&amp;b") +
      "<url <loc>\n" + entry("https://example.com/5?a&amp;b")));
  EXPECT_EQ(got.urls[0], "https://example.com/1");
  EXPECT_EQ(got.urls.back(), "https://example.com/5?a&b");
  EXPECT_NE(std::ranges::find(got.urls, "https://example.com/3?a&b"), got.urls.end());
  EXPECT_NE(std::ranges::find(got.urls, "https://example.com/4?a&b"), got.urls.end());
  EXPECT_GT(got.summary.count(SitemapCode::ill_formed), 0U);
  EXPECT_EQ(got.findings.front(), "ill-formed 4");
}

TEST(SitemapTolerance, LeadingSpaceAndByteOrderMark) {
  for (const std::string before : {"\n\n", "\xef\xbb\xbf\n\n", " \r\n\n"}) {
    const Gathered got = read(before + urlset(entry("https://example.com/\xc3\xa9")));
    EXPECT_EQ(got.urls, Strings{"https://example.com/\xc3\xa9"});
    EXPECT_EQ(got.findings, Strings{"leading-space 1"});
    EXPECT_EQ(got.lines, std::vector<std::uint64_t>{5});
  }
  EXPECT_EQ(read("\xef\xbb\xbf" + urlset(entry("https://example.com/"))).findings, Strings{});
}

TEST(SitemapTolerance, Encodings) {
  const std::string latin =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><urlset "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" +
      entry("https://example.com/\xe9?a&amp;b&c") + "</urlset>";
  EXPECT_EQ(read(latin).urls, Strings{"https://example.com/\xc3\xa9?a&b&c"});
  std::string wide = "\xff\xfe";
  for (const char c : std::string("<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<urlset>") +
                          entry("https://example.com/?a&amp;b") + "</urlset>") {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(read(wide).urls, Strings{"https://example.com/?a&b"});
  EXPECT_EQ(read(wide).summary.kind, SitemapKind::urlset);
}

TEST(SitemapTolerance, InvalidUtf8) {
  const Gathered got =
      read(urlset(entry("https://example.com/caf\xe9/x?a&amp;b") + entry("https://example.com/ok?a&amp;b")));
  EXPECT_EQ(got.urls, (Strings{"https://example.com/caf%E9/x?a&b", "https://example.com/ok?a&b"}));
  EXPECT_EQ(got.summary.count(SitemapCode::not_utf8), 1U);
}

TEST(SitemapTolerance, UrlsThatNeedRepair) {
  const std::string text = urlset(entry("/about us") + entry("https://example.com/a b") +
                                  entry("ftp://example.com/") + entry("") + "<url/>" + entry("EXAMPLE"));
  const Gathered with_base = read(text, {}, "https://example.com/maps/sitemap.xml");
  EXPECT_EQ(with_base.urls, (Strings{"https://example.com/about%20us", "https://example.com/a%20b",
                                     "https://example.com/maps/EXAMPLE"}));
  EXPECT_EQ(with_base.findings, (Strings{"repaired-url 3", "repaired-url 4", "invalid-url 5", "missing-loc 6",
                                         "missing-loc 7", "repaired-url 7"}));
  EXPECT_EQ(read(text).urls, Strings{"https://example.com/a%20b"});
}

TEST(SitemapTolerance, BadLastmod) {
  const Gathered got =
      read(urlset("<url><loc>https://example.com/</loc><lastmod>last week</lastmod></url>\n"));
  EXPECT_EQ(got.urls, Strings{"https://example.com/"});
  EXPECT_EQ(got.lastmods, Strings{"-"});
  EXPECT_EQ(got.findings, Strings{"invalid-lastmod 3"});
}

TEST(SitemapTolerance, ScpAttributes) {
  const Gathered got = read(
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">\n"
      "<scp:section name=\"../x\" updateFreq=\"daily\" pages=\"1\"/>\n"
      "<scp:section name=\"a\" updateFreq=\"yearly\" pages=\"many\"/>\n"
      "<scp:section name=\" b \" updateFreq=\"Daily\"/>\n"
      "<scp:collection section=\"a\" type=\"snapshot\"/>\n"
      "<scp:collection url=\"https://example.com/a.scp\"/>\n"
      "<scp:collection section=\"a\" type=\"delta\" url=\"https://example.com/a.scp\" "
      "generated=\"2026-01-15T00:00:00\" "
      "expires=\"soon\" pages=\"-1\" size=\"+7\" checksum=\"md5:1\"/>\n"
      "<url><scp:section name=\"c\" updateFreq=\"weekly\" pages=\"1\"/></url></urlset>");
  ASSERT_EQ(got.sections.size(), 3U);
  EXPECT_EQ(got.sections[0], (AdvertisedSection{"a", std::nullopt, std::nullopt, 3}));
  EXPECT_EQ(got.sections[1], (AdvertisedSection{"b", UpdateFreq::daily, std::nullopt, 4}));
  ASSERT_EQ(got.collections.size(), 1U);
  const AdvertisedCollection& collection = got.collections[0];
  EXPECT_EQ(collection.type, model::CollectionType::delta);
  EXPECT_EQ(format_time(collection.generated.value()), "2026-01-15T00:00:00Z");
  EXPECT_FALSE(collection.expires || collection.pages || collection.since || collection.checksum);
  EXPECT_EQ(collection.size, 7U);
  EXPECT_EQ(got.findings,
            (Strings{"invalid-section 2", "invalid-attribute 3", "invalid-attribute 3", "missing-attribute 4",
                     "invalid-collection 5", "invalid-collection 6", "invalid-attribute 7",
                     "invalid-attribute 7", "invalid-attribute 7", "missing-attribute 7",
                     "missing-attribute 7", "invalid-attribute 7", "misplaced-element 8", "missing-loc 8"}));
}

TEST(SitemapTolerance, OtherDocuments) {
  EXPECT_EQ(read("<!DOCTYPE html>\n<html><body>Not found</body></html>").findings,
            (Strings{"doctype 1", "not-a-sitemap 2"}));
  EXPECT_EQ(read("<rss version=\"2.0\"/>").findings, Strings{"not-a-sitemap 1"});
  EXPECT_EQ(read("").findings, Strings{"not-a-sitemap 0"});
  EXPECT_EQ(read("  \n ").findings.back().substr(0, 13), "not-a-sitemap");
  EXPECT_EQ(read("Not found").findings.back(), "not-a-sitemap 1");
  EXPECT_EQ(read("{\"a\":1}").findings.back(), "not-a-sitemap 1");
  EXPECT_EQ(read(std::string(100, '\0')).findings.back().substr(0, 13), "not-a-sitemap");
}

TEST(SitemapHostile, EntitiesAreRefused) {
  const Gathered bomb = read(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset [\n<!ENTITY a \"https://example.com/\">\n<!ENTITY b "
      "\"&a;&a;&a;\">\n]>\n"
      "<urlset>" +
      entry("&b;") + "</urlset>");
  EXPECT_EQ(bomb.urls, Strings{});
  EXPECT_EQ(bomb.findings.back(), "entity-declaration 3");
  const Gathered external = read("<!DOCTYPE urlset SYSTEM \"file:///etc/passwd\">\n<urlset>" +
                                 entry("https://example.com/") + "</urlset>");
  EXPECT_EQ(external.urls, Strings{"https://example.com/"});
  EXPECT_EQ(external.findings, (Strings{"doctype 1", "wrong-namespace 2"}));
  const Gathered file = read("<!DOCTYPE urlset [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><urlset>" +
                             entry("https://example.com/&x;") + "</urlset>");
  EXPECT_EQ(file.urls, Strings{});
  EXPECT_FALSE(file.summary.complete);
}

TEST(SitemapHostile, SizeAndRatio) {
  const std::string big =
      urlset(entry("https://example.com/" + std::string(3000, 'a')) + std::string(9'000'000, ' '));
  const Gathered bomb = read(gzip(big));
  EXPECT_EQ(bomb.summary.count(SitemapCode::ratio_exceeded), 1U);
  EXPECT_FALSE(bomb.summary.complete);
  const Gathered plain = read(big, {.plain_bytes = 100'000});
  EXPECT_EQ(plain.findings, Strings{"size-exceeded 4"});
  EXPECT_EQ(plain.urls.size(), 1U);
  EXPECT_TRUE(read(big).summary.complete);
}

TEST(SitemapHostile, CountsAreBounded) {
  const std::string text =
      urlset(test::repeat(entry("https://example.com/"), 20) +
             test::repeat("<scp:section name=\"a\" updateFreq=\"daily\" pages=\"1\"/>", 20));
  const Gathered urls = read(text, {.urls = 7});
  EXPECT_EQ(urls.urls.size(), 7U);
  EXPECT_EQ(urls.findings.back(), "too-many-entries 10");
  const Gathered sections = read(text, {.advertised = 5});
  EXPECT_EQ(sections.sections.size(), 5U);
  EXPECT_EQ(sections.summary.count(SitemapCode::too_many_entries), 1U);
  const Gathered texts =
      read(urlset(entry("https://example.com/" + std::string(200, 'x')) + entry("https://example.com/")),
           {.text_bytes = 100});
  EXPECT_EQ(texts.urls, Strings{"https://example.com/"});
  EXPECT_EQ(texts.findings, Strings{"text-too-long 3"});
  const Gathered padded =
      read(urlset(entry(std::string(10'000, ' ') + "https://example.com/" + std::string(10'000, '\n'))));
  EXPECT_EQ(padded.urls, Strings{"https://example.com/"});
}

TEST(SitemapHostile, FindingsAreCountedNotAllReported) {
  const Gathered got = read(urlset(test::repeat("<url/>", 5000)));
  EXPECT_EQ(got.findings.size(), 20U);
  EXPECT_EQ(got.summary.count(SitemapCode::missing_loc), 5000U);
  EXPECT_TRUE(got.summary.complete);
}

TEST(SitemapHostile, WhatIsBuiltToBeSlowIsRefused) {
  std::string attributes;
  for (int i = 0; i < 500'000; ++i) attributes += " a" + std::to_string(i) + "=''";
  const Gathered tag = read("<urlset" + attributes + "></urlset>");
  EXPECT_EQ(tag.findings, Strings{"too-complex 1"});
  std::string namespaces = "<urlset>";
  for (int i = 0; i < 1000; ++i) namespaces += "<a xmlns:x" + std::to_string(i) + "=\"u\">";
  EXPECT_EQ(read(namespaces).findings.back(), "too-complex 1");
  std::string names = "<urlset>";
  for (int i = 0; i < 100'000; ++i) names += "<u" + std::to_string(i) + "/>";
  EXPECT_EQ(read(names).findings.back(), "too-complex 1");
  std::string instructions = "<urlset>";
  for (int i = 0; i < 100'000; ++i) instructions += "<?u" + std::to_string(i) + "?>";
  EXPECT_EQ(read(instructions).findings.back(), "too-complex 1");
  const Gathered deep = read("<urlset>" + test::repeat("<a>", 100'000));
  EXPECT_EQ(deep.findings.back(), "too-complex 1");
  const Gathered broken = read("<urlset>" + test::repeat("</b>", 100'000));
  EXPECT_EQ(broken.findings.back(), "ill-formed-end 1");
}

TEST(Sitemap, LongCommentsPass) {
  const Gathered got =
      read(urlset("<!-- " + std::string(300'000, 'c') + " -->" + entry("https://example.com/")));
  EXPECT_EQ(got.urls, Strings{"https://example.com/"});
  EXPECT_EQ(got.findings, Strings{});
}

TEST(Sitemap, ASinkMayStop) {
  Gathered gathered;
  gathered.stop_after = 2;
  const auto source = scripted(urlset(test::repeat(entry("https://example.com/"), 5000)));
  const auto summary = read_sitemap(*source, {}, gathered);
  ASSERT_TRUE(summary);
  EXPECT_EQ(gathered.urls.size(), 2U);
  EXPECT_FALSE(summary->complete);
  EXPECT_EQ(gathered.findings, Strings{});
}

TEST(Sitemap, AFailingSourceIsAnError) {
  Gathered gathered;
  for (const std::size_t after : {std::size_t{0}, std::size_t{200}, std::size_t{100'000}}) {
    const auto source = scripted(urlset(test::repeat(entry("https://example.com/"), 5000)),
                                 {.piece = 4096, .size = {}, .fail_after = after});
    const auto summary = read_sitemap(*source, {}, gathered);
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().message, "cannot read scripted: Input/output error");
  }
}

TEST(Sitemap, MoreThanSitemapsOrgAllowsIsReadAndReported) {
  const Gathered got = read(urlset(test::repeat(entry("https://example.com/"), 50'001)));
  EXPECT_EQ(got.urls.size(), 50'001U);
  EXPECT_EQ(got.findings, Strings{"over-sitemap-limit 50003"});
  EXPECT_TRUE(got.summary.complete);
}

TEST(Sitemap, Advertised) {
  const auto source = base::buffer_source(kDraft);
  const auto sitemap = read_advertised(*source);
  ASSERT_TRUE(sitemap);
  EXPECT_EQ(sitemap->advertised.version, "0.1");
  EXPECT_EQ(sitemap->advertised.collections.size(), 2U);
  ASSERT_NE(sitemap->advertised.find_section("products"), nullptr);
  EXPECT_EQ(seconds_of(sitemap->advertised.find_section("products")->update_freq.value()), 3600);
  EXPECT_EQ(sitemap->advertised.find_section("none"), nullptr);
  EXPECT_TRUE(Advertised().empty());
  EXPECT_FALSE(sitemap->advertised.empty());
}

}  // namespace
}  // namespace sheaf::site
