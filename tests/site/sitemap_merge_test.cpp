#include "sheaf/site/sitemap_merge.h"

#include "support/repeat.h"

#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

#include <memory>
#include <string>
#include <vector>

namespace sheaf::site {
namespace {

Instant at(std::string_view text) { return parse_time(text).value().instant; }

AdvertisedCollection snapshot(std::string section, std::string url) {
  AdvertisedCollection collection;
  collection.section = std::move(section);
  collection.url = std::move(url);
  collection.generated = at("2026-01-15T00:00:00Z");
  collection.expires = at("2026-01-16T00:00:00Z");
  collection.pages = 5247;
  collection.size = 52'000'000;
  return collection;
}

Advertised example() {
  Advertised advertised;
  advertised.version = "0.1";
  advertised.compression = {"zstd", "gzip"};
  advertised.sections = {{"blog", UpdateFreq::daily, PageCount{5247, false}, 0},
                         {"all", UpdateFreq::weekly, PageCount{12'000, true}, 0}};
  AdvertisedCollection delta = snapshot("blog", "https://example.com/scp/blog-delta.scp.zst?a=1&b=\"2\"");
  delta.type = model::CollectionType::delta;
  delta.period = "2026-01-15";
  delta.since = at("2026-01-14T00:00:00Z");
  advertised.collections = {snapshot("blog", "https://example.com/scp/blog-snapshot.scp.zst"), delta};
  return advertised;
}

/// Every SCP element of a document against the schema of the drafts.
class Schema {
 public:
  Schema() {
    const std::string path = std::string(SHEAF_SOURCE_DIR) + "/tests/data/schema/sitemap-extension.xsd";
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(path.c_str());
    schema_ = xmlSchemaParse(parser);
    xmlSchemaFreeParserCtxt(parser);
  }
  ~Schema() { xmlSchemaFree(schema_); }
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  /// How many elements passed; -1 if one did not, or the document is not well-formed.
  int count_valid(const std::string& bytes) const {
    xmlDocPtr document = xmlReadMemory(bytes.data(), static_cast<int>(bytes.size()), "sitemap.xml", nullptr,
                                       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_HUGE);
    if (document == nullptr || schema_ == nullptr) return -1;
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema_);
    int count = 0;
    for (xmlNodePtr node = xmlDocGetRootElement(document)->children; node != nullptr && count >= 0;
         node = node->next) {
      if (node->ns == nullptr || reinterpret_cast<const char*>(node->ns->href) != kScpNamespace) continue;
      count = xmlSchemaValidateOneElement(context, node) == 0 ? count + 1 : -1;
    }
    xmlSchemaFreeValidCtxt(context);
    xmlFreeDoc(document);
    return count;
  }

 private:
  xmlSchemaPtr schema_ = nullptr;
};

/// URLs and children of a sitemap as the reader has them.
struct Entries final : SitemapSink {
  Reading on_url(const SitemapUrl& entry) override {
    locs.emplace_back(entry.loc);
    return Reading::go_on;
  }
  Reading on_child(const ChildSitemap& entry) override {
    locs.emplace_back(entry.loc);
    return Reading::go_on;
  }
  std::vector<std::string> locs;
};

std::vector<std::string> locs_of(const std::string& bytes) {
  Entries entries;
  const auto source = base::buffer_source(bytes);
  EXPECT_TRUE(read_sitemap(*source, {}, entries));
  return entries.locs;
}

Advertised advertised_of(const std::string& bytes) {
  const auto source = base::buffer_source(bytes);
  Advertised advertised = read_advertised(*source).value().advertised;
  for (AdvertisedSection& section : advertised.sections) section.line = 0;
  for (AdvertisedCollection& collection : advertised.collections) collection.line = 0;
  return advertised;
}

const std::string kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const std::string kNs = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

struct Shape {
  const char* name;
  std::string bytes;
};

/// Sitemaps as programs write them, with nothing of SCP.
std::vector<Shape> shapes() {
  const std::string plain = kHead + "<urlset " + kNs +
                            ">\n  <url>\n    <loc>https://example.com/</loc>\n"
                            "    <lastmod>2026-01-15</lastmod>\n  </url>\n</urlset>\n";
  const std::string yoast =
      kHead +
      "<?xml-stylesheet type=\"text/xsl\" href=\"//example.com/main-sitemap.xsl\"?>\n"
      "<urlset xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" "
      "xsi:schemaLocation=\"http://www.sitemaps.org/schemas/sitemap/0.9 "
      "http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd\" " +
      kNs +
      ">\n"
      "\t<url>\n\t\t<loc>https://example.com/a/</loc>\n\t\t<lastmod>2026-01-15T10:00:00+00:00</lastmod>\n"
      "\t\t<image:image>\n\t\t\t<image:loc>https://example.com/a.png</image:loc>\n\t\t</image:image>\n\t</"
      "url>\n"
      "</urlset>\n<!-- XML Sitemap generated by Yoast SEO -->";
  const std::string hreflang =
      kHead + "<urlset\n    " + kNs +
      "\n    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"\n>\n<url>\n"
      "<loc>https://example.com/de/?a=1&amp;b=2</loc>\n"
      "<xhtml:link rel=\"alternate\" hreflang='de' href=\"https://example.com/de/>\"/>\n</url>\n</urlset>";
  std::string many = kHead + "<urlset " + kNs + ">\n";
  for (int i = 0; i < 5000; ++i)
    many += "  <url><loc>https://example.com/" + std::to_string(i) + "</loc></url>\n";
  many += "</urlset>\n";
  return {
      {"plain", plain},
      {"Yoast", yoast},
      {"hreflang, attributes on lines of their own", hreflang},
      {"CR LF", replace_all(plain, "\n", "\r\n")},
      {"byte-order mark", "\xef\xbb\xbf" + plain},
      {"one line", kHead.substr(0, kHead.size() - 1) + "<urlset " + kNs +
                       "><url><loc>https://example.com/</loc></url></urlset>"},
      {"no declaration", "<urlset " + kNs + ">\n <url><loc>https://example.com/</loc></url>\n</urlset>"},
      {"single quotes", replace_all(plain, "\"", "'")},
      {"missing namespace", replace_all(plain, " " + kNs, "")},
      {"other prefix",
       kHead + "<sm:urlset xmlns:sm=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n  <sm:url>\n    "
               "<sm:loc>https://example.com/</sm:loc>\n  </sm:url>\n</sm:urlset>\n"},
      {"comments everywhere",
       kHead + "<!-- <urlset> --><urlset " + kNs +
           "><!-- > <scp:section/> -->\n  <!-- a -->\n  <url>"
           "<!-- b --><loc>https://example.com/</loc></url><!-- c -->\n</urlset><!-- d -->\n"},
      {"CDATA", kHead + "<urlset " + kNs +
                    ">\n  <url><loc><![CDATA[https://example.com/?<url>&x]]></loc></url>\n</urlset>"},
      {"news", kHead + "<urlset " + kNs +
                   " xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n   <url>\n"
                   "      <loc>https://example.com/n</loc>\n      <news:news><news:title>Caf\xc3\xa9 &amp; "
                   "Bar &#8211; "
                   "\xe2\x82\xac</news:title></news:news>\n   </url>\n</urlset>\n"},
      {"Latin-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<urlset " + kNs +
                      ">\n\t<!-- Gr\xfc\xdf\x65 -->\n\t<url><loc>"
                      "https://example.com/\xe9</loc></url>\n</urlset>\n"},
      {"empty, open", kHead + "<urlset " + kNs + "></urlset>\n"},
      {"empty, on two lines", kHead + "<urlset " + kNs + ">\n</urlset>\n"},
      {"scp means something else",
       replace_all(plain, kNs, kNs + " xmlns:scp=\"http://example.com/secure-copy\"")},
      {"undeclared prefix", replace_all(plain, "  </url>", "    <image:image/>\n  </url>")},
      {"blank lines and odd indentation",
       kHead + "\n\n<urlset  " + kNs +
           "  >\n\n\n      <url>\n<loc>https://example.com/</loc>"
           "</url>\n  \n <url><loc>https://example.com/2</loc></url>   </urlset  >  \n\n"},
      {"instructions inside", kHead + "<urlset " + kNs +
                                  ">\n  <?php echo \"<scp:section>\" ?>\n  <url><loc>https://example.com/"
                                  "</loc></url>\n</urlset>"},
      {"5,000 entries", many},
  };
}

TEST(SitemapMerge, EveryShapeKeepsEveryOtherByte) {
  const Schema schema;
  const Advertised advertised = example();
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    const auto merged = merge_advertised(shape.bytes, advertised);
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_TRUE(merged->changed);
    EXPECT_EQ(schema.count_valid(merged->bytes), 6);
    EXPECT_EQ(advertised_of(merged->bytes), advertised);
    EXPECT_EQ(locs_of(merged->bytes), locs_of(shape.bytes));
    const auto again = merge_advertised(merged->bytes, advertised);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->bytes, merged->bytes);
    EXPECT_FALSE(again->changed);
    const auto removed = merge_advertised(merged->bytes, {});
    ASSERT_TRUE(removed);
    EXPECT_EQ(removed->bytes, shape.bytes);
    // Other elements in between leave nothing behind.
    Advertised other = advertised;
    other.sections.pop_back();
    const auto changed = merge_advertised(merged->bytes, other);
    ASSERT_TRUE(changed);
    EXPECT_EQ(merge_advertised(changed->bytes, advertised)->bytes, merged->bytes);
  }
}

TEST(SitemapMerge, LooksLikeTheFile) {
  Advertised small;
  small.version = "0.1";
  small.compression = {"zstd"};
  const auto merged = merge_advertised(
      kHead + "<urlset " + kNs + ">\r\n\t<url><loc>https://example.com/</loc></url>\r\n</urlset>\r\n", small);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->bytes,
            kHead + "<urlset " + kNs +
                " xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">\r\n"
                "\t<scp:version>0.1</scp:version>\r\n\t<scp:compression>zstd</scp:compression>\r\n"
                "\t<url><loc>https://example.com/</loc></url>\r\n</urlset>\r\n");
  EXPECT_EQ(merged->entries, 1U);
}

TEST(SitemapMerge, OldElementsAreReplacedUnderAnyPrefix) {
  Advertised small;
  small.version = "0.1";
  const std::string file = kHead + "<urlset " + kNs +
                           " xmlns:x=\"https://scp-protocol.org/schemas/sitemap/1.0\">\n"
                           "  <url><loc>https://example.com/1</loc></url>\n"
                           "  <!-- ours -->\n"
                           "  <x:version>0.0</x:version>\n\n"
                           "  <x:section name=\"a\" updateFreq=\"daily\" pages=\"1\">text <b/></x:section>\n"
                           "  <section xmlns=\"https://scp-protocol.org/schemas/sitemap/1.0\" name=\"b\"/>\n"
                           "  <url><x:delta/><loc>https://example.com/2</loc></url>\n"
                           "</urlset>\n";
  const auto merged = merge_advertised(file, small);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->bytes, kHead + "<urlset " + kNs +
                               " xmlns:x=\"https://scp-protocol.org/schemas/sitemap/1.0\">\n"
                               "  <url><loc>https://example.com/1</loc></url>\n"
                               "  <!-- ours -->\n"
                               "  <x:version>0.1</x:version>\n\n"
                               "  <url><loc>https://example.com/2</loc></url>\n"
                               "</urlset>\n");
}

TEST(SitemapMerge, NamespaceOnceAndRight) {
  Advertised small;
  small.version = "0.1";
  const std::string right = "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"";
  const std::string wrong = "xmlns:scp=\"http://scp-protocol.org/schemas/sitemap/1.0\"";
  const std::string body =
      ">\n  <scp:version>0.1</scp:version>\n  <url><loc>https://example.com/</loc></url>\n</urlset>";
  for (const std::string& file :
       {"<urlset " + wrong + " " + kNs + body, "<urlset " + kNs + " " + wrong + body}) {
    const auto merged = merge_advertised(file, small);
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->bytes, "<urlset " + kNs + " " + right + body);
  }
  // Never declared: declaring it for ours makes the old ones ours, so they go.
  EXPECT_EQ(merge_advertised("<urlset " + kNs + body, small)->bytes, "<urlset " + kNs + " " + right + body);
  // Where it is used besides, it stays declared.
  const std::string used = "<urlset " + kNs + " " + right + "><url scp:note=\"x\"/></urlset>";
  EXPECT_EQ(merge_advertised(used, {})->bytes, used);
  // Another namespace has the prefix.
  const auto second = merge_advertised("<urlset xmlns:scp=\"a\" xmlns:scp1=\"b\"/>", small);
  EXPECT_EQ(second->bytes,
            "<urlset xmlns:scp=\"a\" xmlns:scp1=\"b\" xmlns:scp2=\"https://scp-protocol.org/schemas/sitemap/"
            "1.0\"><scp2:version>0.1</scp2:version></urlset>");
  // A first element in our own namespace does not make its entries ours.
  const auto inside = merge_advertised(
      "<urlset xmlns=\"https://scp-protocol.org/schemas/sitemap/1.0\"><url><loc>https://"
      "example.com/</loc></url><version>0.0</version></urlset>",
      {});
  EXPECT_EQ(inside->bytes,
            "<urlset xmlns=\"https://scp-protocol.org/schemas/sitemap/1.0\"><url><loc>https://"
            "example.com/</loc></url></urlset>");
}

TEST(SitemapMerge, AnEmptyFirstElementIsOpened) {
  Advertised small;
  small.version = "0.1";
  const auto merged = merge_advertised(kHead + "<urlset " + kNs + " />\n", small);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->bytes, kHead + "<urlset " + kNs +
                               " xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\" >\n"
                               "  <scp:version>0.1</scp:version>\n</urlset>\n");
  EXPECT_EQ(merge_advertised(merged->bytes, small)->bytes, merged->bytes);
}

TEST(SitemapMerge, NewFile) {
  const Schema schema;
  const auto bytes = write_sitemap(example());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(schema.count_valid(*bytes), 6);
  EXPECT_EQ(advertised_of(*bytes), example());
  EXPECT_TRUE(
      bytes->starts_with(kHead + "<urlset " + kNs +
                         " xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">\n"
                         "  <scp:version>0.1</scp:version>\n  <scp:compression>zstd,gzip</scp:compression>\n"
                         "  <scp:section name=\"blog\" updateFreq=\"daily\" pages=\"5247\"/>\n"))
      << *bytes;
  EXPECT_TRUE(bytes->ends_with("/>\n</urlset>\n"));
  EXPECT_EQ(merge_advertised(*bytes, example())->bytes, *bytes);
}

void expect_refused(const std::string& file, const std::string& part) {
  const auto merged = merge_advertised(file, example());
  ASSERT_FALSE(merged) << file;
  EXPECT_NE(merged.error().message.find(part), std::string::npos) << merged.error().message;
  EXPECT_FALSE(kind_of_sitemap(file));
}

TEST(SitemapMerge, WhatCannotBeChangedIsRefused) {
  using namespace std::string_literals;
  expect_refused("", "empty");
  expect_refused("\xef\xbb\xbf\n", "empty");
  expect_refused("\xff\xfe<\0u\0"s, "UTF-16");
  expect_refused("<\0u\0"s, "UTF-16");
  expect_refused("\x1f\x8b\x08", "gzip");
  expect_refused("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><urlset/>", "Shift_JIS");
  expect_refused("<?xml version=\"1.0\" encoding='UTF-16'?><urlset/>", "UTF-16");
  expect_refused("<?xml version=\"1.0\" encoding='ISO-8859-0'?><urlset/>", "ISO-8859-0");
  expect_refused("<?xml version=\"1.0\" encoding='US-ASCII'?><urlset>\xe9</urlset>", "US-ASCII");
  expect_refused("<urlset>\n<url></urlset>", "line 2");
  expect_refused("<urlset>\n<url>", "not well-formed");
  expect_refused("<urlset><url><loc>https://example.com/?a&b</loc></url></urlset>", "not well-formed");
  expect_refused("<urlset>\xe9</urlset>", "not well-formed");
  expect_refused("<urlset/><urlset/>", "not well-formed");
  expect_refused("<!DOCTYPE urlset>\n<urlset/>", "document type");
  expect_refused("<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset>&a;</urlset>", "document type");
  expect_refused("<html><body/></html>", "\"html\"");
  expect_refused("Not found", "not well-formed");
}

TEST(SitemapMerge, ElementsTheSchemaWouldRefuse) {
  const std::string file = "<urlset/>";
  const auto refused = [&](const Advertised& advertised, const std::string& part) {
    const auto merged = merge_advertised(file, advertised);
    ASSERT_FALSE(merged) << part;
    EXPECT_NE(merged.error().message.find(part), std::string::npos) << merged.error().message;
    EXPECT_EQ(merged.error().code, base::Errc::invalid_argument);
  };
  Advertised bad = example();
  bad.version = "one";
  refused(bad, "\"one\"");
  bad = example();
  bad.compression = {"zstd", "GZIP"};
  refused(bad, "\"GZIP\"");
  bad = example();
  bad.sections[0].name = "a b";
  refused(bad, "\"a b\"");
  bad = example();
  bad.sections[1].update_freq.reset();
  refused(bad, "scp:section of section \"all\" needs updateFreq");
  bad = example();
  bad.sections[1].pages.reset();
  refused(bad, "needs pages");
  bad = example();
  bad.collections[0].url = "/relative";
  refused(bad, "/relative");
  bad = example();
  bad.collections[0].section = "";
  refused(bad, "section name");
  bad = example();
  bad.collections[0].generated.reset();
  refused(bad, "scp:collection of section \"blog\" needs generated");
  bad = example();
  bad.collections[0].size.reset();
  refused(bad, "needs size");
  bad = example();
  bad.collections[1].since.reset();
  refused(bad, "scp:delta of section \"blog\" needs since");
  bad = example();
  bad.collections[1].period.clear();
  refused(bad, "needs period");
}

TEST(SitemapMerge, PeriodsOfAnyCharacters) {
  const Schema schema;
  Advertised advertised = example();
  advertised.collections[1].period = "<\"January\" & \xc3\xa9\xf0\x9f\x98\x80 'x'>\t";
  const auto bytes = write_sitemap(advertised);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(schema.count_valid(*bytes), 6);
  // White space around values is not kept by the reader.
  advertised.collections[1].period.pop_back();
  EXPECT_EQ(advertised_of(*bytes), advertised);
}

TEST(SitemapMerge, LimitsAreReported) {
  const std::string many = "<urlset>" + test::repeat("<url/>", 50'001) + "</urlset>";
  const auto merged = merge_advertised(many, example());
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->entries, 50'001U);
  ASSERT_EQ(merged->findings.size(), 1U);
  EXPECT_EQ(merged->findings[0].code, SitemapCode::over_sitemap_limit);
  EXPECT_NE(merged->findings[0].message.find("50001 entries"), std::string::npos);
  const std::string large = "<urlset><!--" + std::string(kSitemapBytes, 'x') + "--></urlset>";
  EXPECT_EQ(merge_advertised(large, example())->findings.size(), 1U);
}

TEST(SitemapIndex, TakesAFileOfItsOwn) {
  const std::string index = kHead + "<sitemapindex " + kNs +
                            ">\n  <sitemap>\n    <loc>https://example.com/a.xml.gz</loc>\n"
                            "    <lastmod>2026-01-15</lastmod>\n  </sitemap>\n</sitemapindex>\n";
  EXPECT_EQ(kind_of_sitemap(index), SitemapKind::index);
  const auto refused = merge_advertised(index, example());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("index"), std::string::npos);
  const auto added = add_child_sitemap(index, "https://example.com/scp/sitemap.xml?a=1&b=2");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(
      added->bytes,
      kHead + "<sitemapindex " + kNs +
          ">\n  <sitemap>\n    <loc>https://example.com/a.xml.gz</loc>\n"
          "    <lastmod>2026-01-15</lastmod>\n  </sitemap>\n  <sitemap>\n    "
          "<loc>https://example.com/scp/sitemap.xml?a=1&amp;b=2</loc>\n  </sitemap>\n</sitemapindex>\n");
  EXPECT_EQ(added->entries, 2U);
  EXPECT_TRUE(added->changed);
  const auto again = add_child_sitemap(added->bytes, "https://EXAMPLE.com:443/scp/sitemap.xml?a=1&b=2");
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->changed);
  EXPECT_EQ(again->bytes, added->bytes);
}

TEST(SitemapIndex, EntriesLookLikeTheFirst) {
  const std::string loc = "https://example.com/s.xml";
  const auto one_line = add_child_sitemap(
      "<sitemapindex><sitemap><loc>https://example.com/a</loc></sitemap></sitemapindex>", loc);
  EXPECT_EQ(
      one_line->bytes,
      "<sitemapindex><sitemap><loc>https://example.com/a</loc></sitemap><sitemap><loc>https://example.com/"
      "s.xml</loc></sitemap></sitemapindex>");
  const auto prefixed = add_child_sitemap(
      "<s:sitemapindex xmlns:s=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\r\n\t<s:sitemap>"
      "<s:loc>https://example.com/a</s:loc></s:sitemap>\r\n</s:sitemapindex>",
      loc);
  EXPECT_EQ(locs_of(prefixed->bytes), (std::vector<std::string>{"https://example.com/a", loc}));
  EXPECT_NE(
      prefixed->bytes.find("\r\n\t<s:sitemap><s:loc>https://example.com/s.xml</s:loc></s:sitemap>\r\n</s:"),
      std::string::npos);
  for (const std::string empty :
       {"<sitemapindex/>", "<sitemapindex></sitemapindex>", "<sitemapindex>\n</sitemapindex>\n",
        "<?xml version=\"1.0\"?>\n<sitemapindex />"}) {
    const auto added = add_child_sitemap(empty, loc);
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_EQ(locs_of(added->bytes), std::vector<std::string>{loc});
    EXPECT_EQ(add_child_sitemap(added->bytes, loc)->bytes, added->bytes);
  }
}

TEST(SitemapIndex, WhatCannotBe) {
  EXPECT_FALSE(add_child_sitemap("<urlset/>", "https://example.com/s.xml"));
  EXPECT_FALSE(add_child_sitemap("<sitemapindex/>", "/s.xml"));
  EXPECT_FALSE(add_child_sitemap("<sitemapindex>", "https://example.com/s.xml"));
}

}  // namespace
}  // namespace sheaf::site
