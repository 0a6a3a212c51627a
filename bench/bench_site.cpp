// Reads a sitemap with our reader and with libxml2's alone, one core, on the same bytes, and a long one
// streamed:
//
//   bench_site [--rounds N] [--urls N] [--json FILE]
//
// Checked first: every address is handed over, and the plain reader sees as many elements.
#include "race.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/site/sitemap.h"

#include <fmt/format.h>
#include <libxml/parser.h>
#include <libxml/xmlreader.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace sheaf::bench {
namespace {

constexpr std::string_view kHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "
    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
constexpr std::string_view kTail = "</urlset>\n";

/// The entries of an ordinary shop, one text each.
std::string entry(std::uint64_t number) {
  return fmt::format(
      "  <url>\n    "
      "<loc>https://www.example.com/products/category-{}/some-product-name-{}?ref=map&amp;v=2</loc>\n"
      "    <lastmod>2026-01-{:02}T10:{:02}:00+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n  "
      "</url>\n",
      number % 97, number * 7919, number % 28 + 1, number % 60);
}

std::string make_sitemap(std::uint64_t urls) {
  std::string text(kHead);
  for (std::uint64_t i = 0; i < urls; ++i) text += entry(i);
  text += kTail;
  return text;
}

/// A sitemap of any length, made of one block of entries again and again, so that making it costs nothing.
class EndlessSitemap final : public base::ByteSource {
 public:
  explicit EndlessSitemap(std::uint64_t urls) : blocks_left_(urls / kBlock) {
    for (std::uint64_t i = 0; i < kBlock; ++i) block_ += entry(i);
  }
  static constexpr std::uint64_t kBlock = 1000;

  base::Result<std::size_t> read(std::span<char> out) override {
    if (at_ == piece_.size()) next_piece();
    const std::size_t count = std::min(out.size(), piece_.size() - at_);
    std::memcpy(out.data(), piece_.data() + at_, count);
    at_ += count;
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return std::nullopt; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  void next_piece() {
    at_ = 0;
    if (piece_.empty()) {
      piece_ = kHead;
    } else if (blocks_left_ > 0) {
      --blocks_left_;
      piece_ = block_;
    } else if (piece_ != kTail) {
      piece_ = kTail;
    } else {
      at_ = piece_.size();
    }
  }

  std::uint64_t blocks_left_;
  std::string block_;
  std::string_view piece_;
  std::size_t at_ = 0;
  std::string name_ = "endless";
};

struct Counter final : site::SitemapSink {
  site::Reading on_url(const site::SitemapUrl& entry) override {
    ++urls;
    bytes += entry.loc.size();
    return site::Reading::go_on;
  }
  std::uint64_t urls = 0;
  std::uint64_t bytes = 0;
};

std::uint64_t read_ours(base::ByteSource& source) {
  Counter counter;
  const auto summary = site::read_sitemap(source, {}, counter);
  require(summary && summary->complete, "the sitemap is read to its end");
  return counter.urls;
}

/// What a program does with libxml2's reader that wants the text of every `loc`.
std::uint64_t read_plain(const std::string& text) {
  xmlTextReaderPtr reader = xmlReaderForMemory(text.data(), static_cast<int>(text.size()), nullptr, nullptr,
                                               XML_PARSE_NONET | XML_PARSE_HUGE);
  std::uint64_t urls = 0;
  std::uint64_t bytes = 0;
  bool in_loc = false;
  while (xmlTextReaderRead(reader) == 1) {
    const int type = xmlTextReaderNodeType(reader);
    if (type == XML_READER_TYPE_ELEMENT) {
      in_loc = std::strcmp(reinterpret_cast<const char*>(xmlTextReaderConstLocalName(reader)), "loc") == 0;
      urls += in_loc ? 1 : 0;
    } else if (type == XML_READER_TYPE_TEXT && in_loc) {
      bytes += std::strlen(reinterpret_cast<const char*>(xmlTextReaderConstValue(reader)));
    }
  }
  xmlFreeTextReader(reader);
  return bytes == 0 ? 0 : urls;
}

/// libxml2's parser without handlers: the lower bound for any reader built on it.
void parse_silently(const std::string& text) {
  xmlSAXHandler sax{};
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = [](void*, const xmlChar*, const xmlChar*, const xmlChar*, int, const xmlChar**, int,
                          int, const xmlChar**) {};
  sax.endElementNs = [](void*, const xmlChar*, const xmlChar*, const xmlChar*) {};
  sax.characters = [](void*, const xmlChar*, int) {};
  require(xmlSAXUserParseMemory(&sax, nullptr, text.data(), static_cast<int>(text.size())) == 0,
          "libxml2 parses it");
}

/// Memory of this program alone: getrusage() reports at least the memory of the parent process.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmHWM:") {
  }
  double kibibytes = 0;
  require(static_cast<bool>(status >> kibibytes), "the system tells the peak of memory");
  return kibibytes * 1024;
}

int run(unsigned rounds, std::uint64_t urls, const std::string& json) {
  Report report("sitemaps");
  // First, while the peak is still that of nothing.
  const double before = peak_memory();
  EndlessSitemap endless(urls);
  std::uint64_t streamed = 0;
  const double seconds = seconds_of([&] { streamed = read_ours(endless); });
  require(streamed == urls / EndlessSitemap::kBlock * EndlessSitemap::kBlock, "every address is handed over");
  report.note(fmt::format("sitemap of {} addresses, streamed", streamed), seconds, kSeconds);
  report.at_most(fmt::format("sitemap of {} addresses: memory", streamed), 8.0 * 1024 * 1024,
                 peak_memory() - before, kBytes);

  constexpr std::uint64_t kInMemory = 400'000;
  const std::string text = make_sitemap(kInMemory);
  const auto ours = [&] { return read_ours(*base::buffer_source(text)); };
  require(ours() == kInMemory && read_plain(text) == kInMemory, "both readers see every address");
  const auto laps = race("sitemap",
                         {{"sheaf", [&] { ours(); }},
                          {"libxml2 reader", [&] { read_plain(text); }},
                          {"libxml2 parser, no listener", [&] { parse_silently(text); }}},
                         rounds, static_cast<double>(text.size()));
  report.at_least("sitemap : libxml2 reader", 1.0, laps[1].processor / laps[0].processor);
  report.at_least("sitemap : libxml2 parser alone", 0.5, laps[2].processor / laps[0].processor);
  report.print();
  report.append_json(json);
  return 0;
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  unsigned rounds = 5;
  std::uint64_t urls = 2'600'000;
  std::string json;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--json") json = argv[i + 1];
    if (std::string_view(argv[i]) == "--rounds") rounds = static_cast<unsigned>(std::atoi(argv[i + 1]));
    if (std::string_view(argv[i]) == "--urls") urls = static_cast<std::uint64_t>(std::atoll(argv[i + 1]));
  }
  return sheaf::bench::run(rounds, urls, json);
}
