#include "sheaf/site/sitemap.h"

#include "sheaf/base/ascii.h"
#include "sheaf/site/site_text.h"
#include "sheaf/site/sitemap_input.h"
#include "sheaf/site/sitemap_reader.h"
#include "sheaf/site/sitemap_report.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf {

std::string_view to_string(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::unknown: return "unknown";
    case SitemapKind::urlset: return "urlset";
    case SitemapKind::index: return "index";
    case SitemapKind::text: return "text";
  }
  return "";
}

}  // namespace sheaf

namespace sheaf::site {
namespace {

/// A text sitemap: one URL per line.
class TextReader {
 public:
  TextReader(const SitemapLimits& limits, SitemapReader& reader, SitemapReport& report, std::uint64_t line)
      : limits_(limits), reader_(reader), report_(report), line_(line) {}

  bool take(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t end = std::min(piece.find_first_of("\r\n"), piece.size());
      append(piece.substr(0, end));
      if (end == piece.size()) return true;
      if (!end_line()) return false;
      if (piece[end] == '\n') ++line_;
      piece.remove_prefix(end + 1);
    }
    return true;
  }

  bool end_line() {
    std::string_view loc = base::trim_xml_space(text_);
    if (loc.starts_with("\xef\xbb\xbf")) loc.remove_prefix(3);
    bool going = true;
    if (too_long_) {
      report_.add(SitemapCode::text_too_long, line_,
                  fmt::format("a line is longer than {} bytes; it was skipped", limits_.text_bytes));
    } else if (!loc.empty()) {
      going = reader_.hand_over_url(loc, line_);
    }
    text_.clear();
    too_long_ = false;
    return going;
  }

 private:
  void append(std::string_view text) {
    too_long_ = too_long_ || text_.size() + text.size() > limits_.text_bytes;
    if (!too_long_) text_ += text;
  }

  const SitemapLimits& limits_;
  SitemapReader& reader_;
  SitemapReport& report_;
  std::uint64_t line_;
  std::string text_;
  bool too_long_ = false;
};

/// Returns false if the sink ended the reading.
bool read_text(SitemapInput& input, TextReader& reader) {
  std::vector<char> buffer(std::size_t{16} * 1024);
  while (const std::size_t count = input.fill_raw(buffer))
    if (!reader.take({buffer.data(), count})) return false;
  return reader.end_line();
}

/// Passes everything to a sink, and records whether the sink ended the reading.
class StopDetector final : public SitemapSink {
 public:
  explicit StopDetector(SitemapSink& sink) : sink_(sink) {}

  Reading on_url(const SitemapUrl& entry) override { return note(sink_.on_url(entry)); }
  Reading on_child(const ChildSitemap& entry) override { return note(sink_.on_child(entry)); }
  void on_version(std::string_view version) override { sink_.on_version(version); }
  void on_compression(std::string_view codec) override { sink_.on_compression(codec); }
  void on_section(const AdvertisedSection& section) override { sink_.on_section(section); }
  void on_collection(const AdvertisedCollection& collection) override { sink_.on_collection(collection); }
  void on_key(const AdvertisedKey& key) override { sink_.on_key(key); }
  void on_finding(const SitemapFinding& finding) override { sink_.on_finding(finding); }

  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  Reading note(Reading reading) {
    stopped_ = stopped_ || reading == Reading::stop;
    return reading;
  }

  SitemapSink& sink_;
  bool stopped_ = false;
};

/// Reports why the reading ended. A problem with the bytes is reported instead of a problem with the XML,
/// because it explains why the XML seems truncated.
void report_end(const SitemapBytes& bytes, const XmlOutcome& outcome, SitemapReport& report) {
  if (bytes.plain_bytes() > kSitemapBytes)
    report.add(SitemapCode::over_sitemap_limit, 0,
               fmt::format("over {} bytes, more than sitemaps.org allows a file", kSitemapBytes));
  if (bytes.problem()) {
    report.add(bytes.problem()->code, outcome.line, bytes.problem()->message);
  } else if (outcome.end == XmlEnd::no_element) {
    report.add(
        SitemapCode::not_a_sitemap, outcome.line,
        outcome.reason.empty() ? "there is nothing in the file" : "this is not XML: " + outcome.reason);
  } else if (outcome.end == XmlEnd::cut_short) {
    report.add(SitemapCode::truncated, outcome.line,
               "the file ends in the middle, or cannot be followed any further; what came before was read");
  }
}

class AdvertisedCollector final : public SitemapSink {
 public:
  explicit AdvertisedCollector(AdvertisedSitemap& sitemap) : sitemap_(sitemap) {}

  void on_version(std::string_view version) override {
    if (!sitemap_.advertised.version) sitemap_.advertised.version = version;
  }
  void on_compression(std::string_view codec) override {
    constexpr std::size_t kCodecsMax = 16;  // there are two
    if (sitemap_.advertised.compression.size() < kCodecsMax)
      sitemap_.advertised.compression.emplace_back(codec);
  }
  void on_section(const AdvertisedSection& section) override {
    sitemap_.advertised.sections.push_back(section);
  }
  void on_collection(const AdvertisedCollection& collection) override {
    sitemap_.advertised.collections.push_back(collection);
  }
  void on_key(const AdvertisedKey& key) override {
    if (!sitemap_.advertised.key) sitemap_.advertised.key = key;
  }
  void on_finding(const SitemapFinding& finding) override { sitemap_.findings.push_back(finding); }

 private:
  AdvertisedSitemap& sitemap_;
};

}  // namespace

base::Result<SitemapSummary> read_sitemap(base::ByteSource& source, const SitemapLimits& limits,
                                          SitemapSink& sink, const base::Url* base) {
  SitemapSummary summary;
  StopDetector watch(sink);
  SitemapReport report(limits, watch, summary);
  SitemapBytes bytes(source, limits);
  SitemapInput input(bytes, report);
  SitemapReader reader(limits, watch, summary, report, base);
  SHEAF_TRY(input.start());
  XmlOutcome outcome;
  if (input.is_text()) {
    summary.kind = SitemapKind::text;
    TextReader text(limits, reader, report, input.first_line());
    read_text(input, text);
  } else if (!input.is_empty()) {
    outcome =
        parse_xml([&input](std::span<char> out) { return input.fill(out); }, reader, input.first_line());
    if (!watch.stopped()) reader.finish();
  } else {
    outcome.end = XmlEnd::no_element;
  }
  if (input.error()) return std::unexpected(*input.error());
  report_end(bytes, outcome, report);
  summary.plain_bytes = bytes.plain_bytes();
  summary.complete = !watch.stopped() && !report.has_stopped();
  return summary;
}

base::Result<AdvertisedSitemap> read_advertised(base::ByteSource& source, const SitemapLimits& limits,
                                                const base::Url* base) {
  AdvertisedSitemap sitemap;
  AdvertisedCollector gatherer(sitemap);
  SHEAF_TRY_ASSIGN(sitemap.summary, read_sitemap(source, limits, gatherer, base));
  return sitemap;
}

}  // namespace sheaf::site
