// From the bytes of a page to a page of a collection.
#include "sheaf/extract/extract.h"

#include "extract/block_dump.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/model/robots_directives.h"
#include "support/repeat.h"

#include <gtest/gtest.h>
#include <iconv.h>

#include <sheaf/time.h>

#include <cerrno>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::extract {
namespace {

using namespace std::string_view_literals;
using test::repeat;

constexpr std::string_view kRussian =
    "Музей был открыт в 1887 году, и это один из старейших в области, съёмка запрещена.";
constexpr std::string_view kUkrainian =
    "Музей був відкритий у 1887 році, і це один із найстаріших її об'єктів, є їдальня.";
constexpr std::string_view kPolish =
    "Muzeum zostało otwarte w 1887 roku, zażółć gęślą jaźń, i jest jednym z najstarszych.";
constexpr std::string_view kGreek =
    "Το μουσείο άνοιξε το 1887 και είναι ένα από τα παλαιότερα της περιοχής, όλα ελεύθερα.";
constexpr std::string_view kHebrew =
    "המוזיאון נפתח בשנת 1887, והוא אחד הוותיקים באזור כולו, הכניסה לילדים חופשית.";
constexpr std::string_view kArabic =
    "افتتح المتحف في عام 1887، وهو من أقدم المتاحف في هذه المنطقة التي يزورها الناس.";
constexpr std::string_view kThai = "พิพิธภัณฑ์แห่งนี้เปิดในปี 1887, และเป็นหนึ่งในพิพิธภัณฑ์ที่เก่าแก่ที่สุดในภูมิภาค";
constexpr std::string_view kJapanese =
    "この博物館は1887年に開館し、地域で最も古いものの一つです。子供は無料で入場できます。庭園もあります。";
constexpr std::string_view kChinese =
    "该博物馆于1887年开放，是该地区最古老的博物馆之一，儿童免费参观。花园也对公众开放，欢迎大家前来参观游览"
    "。";
constexpr std::string_view kTaiwanese =
    "該博物館於1887年開放，是該地區最古老的博物館之一，兒童免費參觀。花園也對公眾開放，歡迎大家前來參觀遊覽"
    "。";
constexpr std::string_view kKorean =
    "이 박물관은 1887년에 문을 열었으며, 지역에서 가장 오래된 곳입니다. 어린이는 무료로 입장할 수 있습니다.";
constexpr std::string_view kFrench =
    "Le musée a été ouvert en 1887, c'est le plus ancien de la région, où l'on paie 4 euros, ça vaut l'œil.";
constexpr std::string_view kGerman =
    "Das Museum wurde 1887 eröffnet, es ist das älteste der Gegend, für Kinder übrigens frei, Straße "
    "gesperrt.";
constexpr std::string_view kTurkish =
    "Müze 1887 yılında açıldı, bölgedeki en eski müzelerden biri, çocuklar için ücretsiz, İstanbul'dan "
    "ulaşım var.";
constexpr std::string_view kLithuanian =
    "Muziejus buvo atidarytas 1887 metais, ąžuolų šlamėjimas, ir yra vienas seniausių, vaikams už dyką "
    "įėjimas.";

constexpr std::string_view kUrl = "https://e.org/dir/some-page.html";

ExtractOptions at_url(std::string_view url = kUrl) {
  ExtractOptions options;
  options.url = url;
  return options;
}

/// An extracted page; everything lives as long as this.
class Extracted {
 public:
  explicit Extracted(std::string bytes, const ExtractOptions& options = at_url()) : bytes_(std::move(bytes)) {
    extraction_ = &extractor_.extract(bytes_, options);
  }
  const Extraction* operator->() const { return extraction_; }
  [[nodiscard]] const Page& page() const { return extraction_->page; }
  [[nodiscard]] std::string dump() const { return dump_blocks(page().content); }

 private:
  std::string bytes_;
  Extractor extractor_;
  const Extraction* extraction_ = nullptr;
};

std::string line_of(Extractor& extractor, std::string_view bytes, const ExtractOptions& options) {
  std::string line;
  format::encode_page(extractor.extract(bytes, options).page, line);
  return line;
}

/// A page with one paragraph of content, a menu and a footer.
std::string page_with(std::string_view head, std::string_view paragraph) {
  return "<!doctype html><html><head>" + std::string(head) +
         "<title>T</title></head><body><nav><ul><li><a href=/a>One</a><li><a "
         "href=/b>Two</a></ul></nav><article><h1>T</h1><p>" +
         std::string(paragraph) + "</p></article><footer><a href=/c>Three</a></footer></body></html>";
}

TEST(SheafOnlyExtract, AnOrdinaryPage) {
  const Extracted page(
      R"(<!doctype html><html lang="en-GB"><head><title>Old lighthouse opens again | The Post</title>
<meta name="description" content="The tower on the pier is open."><meta name="author" content="Jane Miller">
<meta property="article:published_time" content="2024-05-12T08:00:00Z"><meta property="og:site_name" content="The Post">
<link rel="canonical" href="/news/lighthouse"></head><body><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>Old lighthouse opens again</h1>
<p>The lighthouse on the northern pier, closed since a storm in 2014, will welcome visitors again from Saturday, as the council said.</p>
<p><img src="tower.jpg" alt="The tower">Work on the tower was slow, said the engineer, because every stone had to be numbered and put back.</p></article>
<footer><a href="/privacy">Privacy policy</a></footer></body></html>)");
  EXPECT_EQ(page.page().url, kUrl);
  EXPECT_EQ(page.page().title, "Old lighthouse opens again");
  EXPECT_EQ(page.page().description, "The tower on the pier is open.");
  EXPECT_EQ(page.page().author, "Jane Miller");
  EXPECT_EQ(page.page().published, "2024-05-12T08:00:00Z");
  EXPECT_EQ(page.page().modified, "2024-05-12T08:00:00Z");
  EXPECT_EQ(page.page().language, "en-GB");
  EXPECT_EQ(page.page().canonical, "https://e.org/news/lighthouse");
  EXPECT_EQ(page.dump(),
            "h1 Old lighthouse opens again\n"
            "text The lighthouse on the northern pier, closed since a storm in 2014, will welcome visitors "
            "again from Saturday, "
            "as the council said.\n"
            "image https://e.org/dir/tower.jpg The tower\n"
            "text Work on the tower was slow, said the engineer, because every stone had to be numbered and "
            "put back.\n");
  EXPECT_EQ(page->limits, html::LimitsHit{});
  EXPECT_FALSE(page->malformed_bytes);
}

/// A page whose content has this class, with its headline among the links above it.
std::string page_below_headline(std::string_view generator, std::string_view before) {
  return "<!doctype html><html><head><title>Configuring the server - Manual</title><meta name=generator "
         "content='" +
         std::string(generator) +
         "'></head><body><div class=banner><ul><li><a href=/>Home</a></li><li><a href=/guide>Guide</a></li>"
         "<li><a href=/api>API</a></li></ul>" +
         std::string(before) +
         "<h1>Configuring the server</h1><ul><li><a href=/en>English</a></li>"
         "<li><a href=/de>Deutsch</a></li></ul></div><main>"
         "<p>The server reads its configuration from one file when it starts, and again when it is told to. "
         "Every line of it sets one option, and unknown options are an error.</p><h2>Where it is</h2>"
         "<p>By default it is looked for in the folder that the server was started in, and then in the one "
         "that was given when it was built.</p><pre>server --config server.conf</pre></main></body></html>";
}

TEST(SheafOnlyExtractHeadline, IsTheFirstHeadingOfAManual) {
  const Extracted page(page_below_headline("mkdocs-1.4", ""));
  EXPECT_EQ(page.page().title, "Configuring the server");
  EXPECT_TRUE(page.dump().starts_with("h1 Configuring the server\ntext The server reads")) << page.dump();
}

TEST(SheafOnlyExtractHeadline, OfOtherPagesIsTheirTitleAlone) {
  const Extracted page(page_below_headline("Some CMS", ""));
  EXPECT_EQ(page.page().title, "Configuring the server");
  EXPECT_TRUE(page.dump().starts_with("text The server reads")) << page.dump();
}

TEST(SheafOnlyExtractHeadline, IsDroppedAfterContent) {
  const std::string_view lead =
      "<main><p>This chapter is for those who run the server for others: it says where each option is "
      "written down, what it means, and what happens when it is wrong. It was written for version 3.</p>"
      "<p>Those who only want to try it need none of this, since every option has a value that is right for "
      "one machine. They read the first chapter, and come back when they have more of them.</p></main>";
  const Extracted page(page_below_headline("mkdocs-1.4", lead));
  EXPECT_TRUE(page.dump().starts_with("text This chapter is for those")) << page.dump();
  EXPECT_EQ(page.dump().find("h1 "), std::string::npos) << page.dump();
}

std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random() & 0xFFU);
  return bytes;
}

TEST(SheafOnlyExtractRequired, FieldsAreThereWhateverTheBytes) {
  constexpr std::string_view kGif =
      "GIF89a\x01\0\x01\0\x80\0\0\xFF\xFF\xFF\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02"
      "D\x01\0;"sv;
  const std::string inputs[] = {"",
                                std::string(1, '\0'),
                                std::string(1000, '\0'),
                                "\xFF\xFE",
                                "\xEF\xBB\xBF",
                                "<",
                                "<!--",
                                "<title>",
                                "<html></html>",
                                "\x1F\x8B\x08",
                                std::string(kGif),
                                "{\"a\":1}",
                                "Not found",
                                noise(20'000),
                                "<p>",
                                "</p></p></p>"};
  const Instant fallback{1'700'000'000, 0};
  for (const std::string& input : inputs) {
    ExtractOptions options = at_url();
    options.fallback_modified = fallback;
    const Extracted page(input, options);
    EXPECT_EQ(page.page().url, kUrl) << input;
    EXPECT_FALSE(page.page().title.empty()) << input;
    EXPECT_FALSE(page.page().description.empty()) << input;
    EXPECT_FALSE(page.page().language.empty()) << input;
    EXPECT_EQ(page.page().modified, "2023-11-14T22:13:20Z") << input;
    EXPECT_LE(page.page().content.size(), 1000U) << input;
  }
}

TEST(SheafOnlyExtractRequired, AnErrorPageOfOneLineKeepsItsLine) {
  const Extracted page("404 page not found\n");
  EXPECT_EQ(page.dump(), "text 404 page not found\n");
  EXPECT_EQ(page.page().title, "some page");
  EXPECT_EQ(page.page().description, "404 page not found");
  EXPECT_EQ(page.page().language, "und");
}

TEST(SheafOnlyExtractRequired, WithoutAUrlThePagesOwnIsUsed) {
  EXPECT_EQ(Extracted("<p>x", at_url({})).page().url, "");
  EXPECT_EQ(Extracted("<p>x", at_url("not an address")).page().url, "");
  EXPECT_EQ(Extracted("<link rel=canonical href=https://e.org/own><p>x", at_url({})).page().url,
            "https://e.org/own");
  EXPECT_EQ(Extracted("<link rel=canonical href=https://e.org/own><p>x").page().url, kUrl);
}

TEST(SheafOnlyExtractModified, ThePagesDateComesBeforeTheFallback) {
  ExtractOptions options = at_url();
  EXPECT_EQ(Extracted("<p>x", options).page().modified, "");
  options.fallback_modified = Instant{1'700'000'000, 0};
  EXPECT_EQ(Extracted("<p>x", options).page().modified, "2023-11-14T22:13:20Z");
  EXPECT_EQ(Extracted("<p>x", options).page().modified_at, Instant(1'700'000'000, 0));
  EXPECT_EQ(Extracted("<p>x", options).page().published, std::nullopt);
  constexpr std::string_view kPublished =
      "<meta property=article:published_time content=2020-01-02T03:04:05Z>";
  constexpr std::string_view kModified = "<meta property=article:modified_time content=2021-01-02T03:04:05Z>";
  EXPECT_EQ(Extracted(std::string(kPublished), options).page().modified, "2020-01-02T03:04:05Z");
  const Extracted both(std::string(kPublished) + std::string(kModified), options);
  EXPECT_EQ(both.page().modified, "2021-01-02T03:04:05Z");
  EXPECT_EQ(both.page().published, "2020-01-02T03:04:05Z");
}

TEST(SheafOnlyExtractUrls, AreResolvedAgainstTheBase) {
  const auto image_of = [](std::string_view head, std::string_view url) {
    const std::string dump = Extracted(page_with(head, std::string(kGerman) + "<img src=i.png alt=x></p><p>" +
                                                           std::string(kFrench)),
                                       at_url(url))
                                 .dump();
    const std::size_t at = dump.find("image ");
    return at == std::string::npos ? "none" : dump.substr(at + 6, dump.find(" x", at) - at - 6);
  };
  EXPECT_EQ(image_of("", kUrl), "https://e.org/dir/i.png");
  EXPECT_EQ(image_of("<base href=/other/>", kUrl), "https://e.org/other/i.png");
  EXPECT_EQ(image_of("<base href=https://f.org/>", kUrl), "https://f.org/i.png");
  EXPECT_EQ(image_of("", {}), "none");
}

TEST(SheafOnlyExtractUrls, HaveNoBackslashBecauseReadersRejectIt) {
  const Extracted page(page_with("<link rel=canonical href='/a?b=\\c'>", "Some words of a page, and more."),
                       at_url("https://e.org/d?e=\\f"));
  EXPECT_EQ(page.page().url, "https://e.org/d?e=%5Cf");
  EXPECT_EQ(page.page().canonical, "https://e.org/a?b=%5Cc");
}

TEST(SheafOnlyExtractUrls, LinksOfTheContentOnRequest) {
  const std::string html = page_with("", std::string(kGerman) + " <a href=x>Anfahrt</a>");
  ExtractOptions options = at_url();
  EXPECT_EQ(Extracted(html, options).dump().find("link "), std::string::npos);
  options.links = LinkBlocks::all;
  const std::string dump = Extracted(html, options).dump();
  EXPECT_NE(dump.find("link https://e.org/dir/x Anfahrt\n"), std::string::npos) << dump;
  EXPECT_EQ(dump.find("Three"), std::string::npos);
}

// Only those that a collection may have: follow is the default, and no draft has max-snippet.
TEST(SheafOnlyExtractRobots, OfThePageAndOfTheHeader) {
  ExtractOptions options = at_url();
  options.robots_header = "NoArchive";
  const Extracted page("<meta name=robots content='noindex, follow, max-snippet:5'><p>x", options);
  ASSERT_TRUE(page.page().robots.has_value());
  const auto& robots = *page.page().robots;
  EXPECT_EQ(std::vector<std::string_view>(robots.begin(), robots.end()).size(), 2U);
  EXPECT_EQ(Extracted("<p>x").page().robots, std::nullopt);
}

TEST(SheafOnlyExtractRobots, NoindexIsNeverLost) {
  for (const std::string_view words :
       {"none", "NONE, max-snippet:5", "x noindex", "noindex\fx", "max-snippet: noindex", "noindex;x"}) {
    const Extracted page("<meta name=robots content='" + std::string(words) + "'><p>x", at_url());
    EXPECT_TRUE(model::is_noindex(page.page())) << words;
  }
}

/// `text`, which is UTF-8, in an encoding by its name in iconv.
std::string encoded(std::string_view text, const char* encoding) {
  const iconv_t converter = iconv_open(encoding, "UTF-8");
  if (converter == iconv_t(-1)) {  // NOLINT(performance-no-int-to-ptr)
    ADD_FAILURE() << "iconv does not know " << encoding;
    return {};
  }
  std::string input(text);
  std::string output(text.size() * 4 + 16, '\0');
  char* in = input.data();
  char* out = output.data();
  std::size_t in_left = input.size();
  std::size_t out_left = output.size();
  const bool done = iconv(converter, &in, &in_left, &out, &out_left) == 0 &&
                    iconv(converter, nullptr, nullptr, &out, &out_left) == 0;
  EXPECT_TRUE(done) << encoding << " lacks a character at byte " << text.size() - in_left;
  iconv_close(converter);
  output.resize(output.size() - out_left);
  return output;
}

struct EncodedText {
  std::string_view label;  // as a page would write it
  const char* iconv_name;
  encoding::Encoding encoding;
  std::string_view text;
};

constexpr EncodedText kEncodings[] = {
    {"ibm866", "CP866", encoding::Encoding::ibm866, kRussian},
    {"iso-8859-2", "ISO-8859-2", encoding::Encoding::iso_8859_2, kPolish},
    {"iso-8859-3", "ISO-8859-3", encoding::Encoding::iso_8859_3,
     "La muzeo malfermiĝis en 1887, ĝi estas unu el la plej malnovaj, ĉiuj infanoj eniras senpage, ŝatinde, "
     "aŭ ne."},
    {"iso-8859-4", "ISO-8859-4", encoding::Encoding::iso_8859_4,
     "Muzejs tika atvērts 1887. gadā, un tas ir viens no vecākajiem, bērni nemaksā, dārzs ir atvērts, šķūnis "
     "arī, ņemot vērā."},
    {"iso-8859-5", "ISO-8859-5", encoding::Encoding::iso_8859_5, kRussian},
    {"iso-8859-6", "ISO-8859-6", encoding::Encoding::iso_8859_6, kArabic},
    {"iso-8859-7", "ISO-8859-7", encoding::Encoding::iso_8859_7, kGreek},
    {"iso-8859-8", "ISO-8859-8", encoding::Encoding::iso_8859_8, kHebrew},
    {"iso-8859-8-i", "ISO-8859-8", encoding::Encoding::iso_8859_8_i, kHebrew},
    {"iso-8859-10", "ISO-8859-10", encoding::Encoding::iso_8859_10, kLithuanian},
    {"iso-8859-13", "ISO-8859-13", encoding::Encoding::iso_8859_13, kLithuanian},
    {"iso-8859-14", "ISO-8859-14", encoding::Encoding::iso_8859_14,
     "Agorwyd yr amgueddfa ym 1887, mae'n un o'r hynaf, ac mae'r ŵyl yn y tŷ bob blwyddyn, gyda dŵr a môr "
     "gerllaw."},
    {"iso-8859-15", "ISO-8859-15", encoding::Encoding::iso_8859_15,
     "Le musée a été ouvert en 1887, c'est le plus ancien, où l'on paie 4 €, ça vaut l'œil, très sûr."},
    {"iso-8859-16", "ISO-8859-16", encoding::Encoding::iso_8859_16,
     "Muzeul a fost deschis în 1887, și este unul din cele mai vechi, însă grădina ține până la țărm, "
     "într-un loc frumos."},
    {"koi8-r", "KOI8-R", encoding::Encoding::koi8_r, kRussian},
    {"koi8-u", "KOI8-U", encoding::Encoding::koi8_u, kUkrainian},
    {"macintosh", "MACINTOSH", encoding::Encoding::macintosh, kFrench},
    {"windows-874", "CP874", encoding::Encoding::windows_874, kThai},
    {"tis-620", "TIS-620", encoding::Encoding::windows_874, kThai},
    {"windows-1250", "CP1250", encoding::Encoding::windows_1250, kPolish},
    {"windows-1251", "CP1251", encoding::Encoding::windows_1251, kUkrainian},
    {"windows-1252", "CP1252", encoding::Encoding::windows_1252, kFrench},
    {"iso-8859-1", "ISO-8859-1", encoding::Encoding::windows_1252, kGerman},
    {"windows-1253", "CP1253", encoding::Encoding::windows_1253, kGreek},
    {"windows-1254", "CP1254", encoding::Encoding::windows_1254, kTurkish},
    {"iso-8859-9", "ISO-8859-9", encoding::Encoding::windows_1254, kTurkish},
    {"windows-1255", "CP1255", encoding::Encoding::windows_1255, kHebrew},
    {"windows-1256", "CP1256", encoding::Encoding::windows_1256, kArabic},
    {"windows-1257", "CP1257", encoding::Encoding::windows_1257, kLithuanian},
    {"windows-1258", "CP1258", encoding::Encoding::windows_1258,
     "Viện bảo tàng được mở năm 1887, đó là môt trong nhưng nơi lâu đơi nhât, vươn cây ơ phía sau, tre em "
     "vào không tôn tiên."},
    {"x-mac-cyrillic", "MAC-CYRILLIC", encoding::Encoding::x_mac_cyrillic, kRussian},
    {"gb2312", "GBK", encoding::Encoding::gbk, kChinese},
    {"gb18030", "GB18030", encoding::Encoding::gb18030, kChinese},
    {"big5", "BIG5", encoding::Encoding::big5, kTaiwanese},
    {"euc-jp", "EUC-JP", encoding::Encoding::euc_jp, kJapanese},
    {"iso-2022-jp", "ISO-2022-JP", encoding::Encoding::iso_2022_jp, kJapanese},
    {"shift_jis", "SHIFT_JIS", encoding::Encoding::shift_jis, kJapanese},
    {"euc-kr", "EUC-KR", encoding::Encoding::euc_kr, kKorean},
};

TEST(SheafOnlyExtractEncodings, DeclaredByMeta) {
  for (const EncodedText& each : kEncodings) {
    const std::string meta = "<meta charset=" + std::string(each.label) + ">";
    const Extracted page(encoded(page_with(meta, each.text), each.iconv_name));
    EXPECT_NE(page.dump().find("text " + std::string(each.text) + "\n"), std::string::npos) << each.label;
    EXPECT_EQ(page->encoding, each.encoding) << each.label;
    EXPECT_EQ(page->encoding_source, encoding::EncodingSource::meta) << each.label;
    EXPECT_FALSE(page->malformed_bytes) << each.label;
  }
}

TEST(SheafOnlyExtractEncodings, DeclaredByTheOldMeta) {
  for (const EncodedText& each : kEncodings) {
    const std::string meta =
        "<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=" + std::string(each.label) + "\">";
    const Extracted page(encoded(page_with(meta, each.text), each.iconv_name));
    EXPECT_NE(page.dump().find("text " + std::string(each.text) + "\n"), std::string::npos) << each.label;
    EXPECT_EQ(page->encoding, each.encoding) << each.label;
  }
}

TEST(SheafOnlyExtractEncodings, DeclaredByTheContentType) {
  for (const EncodedText& each : kEncodings) {
    const std::string content_type = "text/html; charset=" + std::string(each.label);
    ExtractOptions options = at_url();
    options.content_type = content_type;
    const Extracted page(encoded(page_with("", each.text), each.iconv_name), options);
    EXPECT_NE(page.dump().find("text " + std::string(each.text) + "\n"), std::string::npos) << each.label;
    EXPECT_EQ(page->encoding_source, encoding::EncodingSource::transport) << each.label;
  }
}

TEST(SheafOnlyExtractEncodings, TheContentTypeIsBelievedBeforeTheMeta) {
  ExtractOptions options = at_url();
  options.content_type = "text/html;charset=\"KOI8-R\"; x=y";
  const Extracted page(encoded(page_with("<meta charset=windows-1251>", kRussian), "KOI8-R"), options);
  EXPECT_EQ(page.dump(), "h1 T\ntext " + std::string(kRussian) + "\n");
  options.content_type = "text/html; charset=no-such-thing";
  const Extracted other(encoded(page_with("<meta charset=windows-1251>", kRussian), "CP1251"), options);
  EXPECT_EQ(other.dump(), "h1 T\ntext " + std::string(kRussian) + "\n");
}

TEST(SheafOnlyExtractEncodings, Utf16ByItsMarkOrTheContentType) {
  for (const auto& [name, mark] : {std::pair("UTF-16LE", std::string_view("\xFF\xFE")),
                                   std::pair("UTF-16BE", std::string_view("\xFE\xFF"))}) {
    const std::string bytes = encoded(page_with("", kRussian), name);
    const Extracted marked(std::string(mark) + bytes);
    EXPECT_EQ(marked.dump(), "h1 T\ntext " + std::string(kRussian) + "\n") << name;
    EXPECT_EQ(marked->encoding_source, encoding::EncodingSource::bom);
    const std::string content_type = "text/html; charset=" + std::string(name);
    ExtractOptions options = at_url();
    options.content_type = content_type;
    EXPECT_EQ(Extracted(bytes, options).dump(), marked.dump()) << name;
  }
}

TEST(SheafOnlyExtractEncodings, TheMarkOfUtf8IsBelievedBeforeAll) {
  ExtractOptions options = at_url();
  options.content_type = "text/html; charset=windows-1251";
  const Extracted page("\xEF\xBB\xBF" + page_with("<meta charset=koi8-r>", kRussian), options);
  EXPECT_EQ(page.dump(), "h1 T\ntext " + std::string(kRussian) + "\n");
  EXPECT_EQ(page->encoding_source, encoding::EncodingSource::bom);
}

TEST(SheafOnlyExtractEncodings, Utf8ThatIsDeclaredAsSomethingElse) {
  for (const std::string_view label : {"windows-1252", "iso-8859-1", "windows-1251", "iso-8859-15"}) {
    const Extracted page(page_with("<meta charset=" + std::string(label) + ">", kGerman));
    EXPECT_EQ(page.dump(), "h1 T\ntext " + std::string(kGerman) + "\n") << label;
    EXPECT_EQ(page->encoding, encoding::Encoding::utf_8) << label;
  }
}

TEST(SheafOnlyExtractEncodings, SomethingElseThatIsDeclaredAsUtf8) {
  const Extracted page(encoded(page_with("<meta charset=utf-8>", kGerman), "CP1252"));
  // As browsers read it: the letters that are not UTF-8 are lost, and the page says so. The rest is there.
  EXPECT_TRUE(page->malformed_bytes);
  EXPECT_NE(page.dump().find("Das Museum wurde 1887 er\uFFFD"
                             "ffnet, es ist das \uFFFDlteste der Gegend"),
            std::string::npos);
}

TEST(SheafOnlyExtractEncodings, NothingDeclared) {
  EXPECT_EQ(Extracted(page_with("", kRussian)).dump(), "h1 T\ntext " + std::string(kRussian) + "\n");
  const Extracted guessed(encoded(page_with("", repeat(kRussian, 5)), "CP1251"));
  EXPECT_EQ(guessed.dump(), "h1 T\ntext " + repeat(kRussian, 5) + "\n");
  EXPECT_EQ(guessed->encoding_source, encoding::EncodingSource::detector);
}

std::vector<std::string> various_pages() {
  std::vector<std::string> pages = {
      "",
      "<p>Hello",
      noise(5'000),
      page_with("<meta name=author content='Jane Miller'><meta name=robots content=noindex>", kGerman),
      page_with("<base href=https://f.org/><link rel=canonical href=/c>", kFrench),
      "<noscript>a<table><tr><th>b<th>c<tr><td>d<td>e</table><ul><li>f<pre>g",
      "\xEF\xBB\xBF" + page_with("", kThai),
      repeat("<div class=docutils><code>x</code>", 600),
      "<html lang=fr><title>" + repeat("x ", 1000)};
  for (const EncodedText& each : kEncodings)
    pages.push_back(
        encoded(page_with("<meta charset=" + std::string(each.label) + ">", each.text), each.iconv_name));
  return pages;
}

TEST(SheafOnlyExtractMemory, AnExtractorThatWasUsedGivesWhatAFreshOneGives) {
  const std::vector<std::string> pages = various_pages();
  Extractor used;
  for (int round = 0; round < 2; ++round)
    for (const std::string& html : pages) {
      Extractor fresh;
      EXPECT_EQ(line_of(used, html, at_url()), line_of(fresh, html, at_url())) << html.substr(0, 200);
    }
}

TEST(SheafOnlyExtractMemory, AnExtractorCanBeMoved) {
  Extractor first;
  const std::string html = page_with("", kGerman);
  const std::string line = line_of(first, html, at_url());
  Extractor second = std::move(first);
  EXPECT_EQ(line_of(second, html, at_url()), line);
}

}  // namespace
}  // namespace sheaf::extract
