#include "sheaf/site/sitemap_reader.h"

#include "sheaf/base/ascii.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace sheaf::site {
namespace {

std::string describe_root(const XmlName& name) {
  if (name.local == "html" || name.local == "HTML") return "this is an HTML page, not a sitemap";
  if (name.local == "rss" || name.local == "feed" || name.local == "RDF")
    return "this is a feed, not a sitemap";
  return fmt::format("the first element is {}, where urlset or sitemapindex was expected", quote(name.local));
}

std::optional<double> parse_priority(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1))
    return std::nullopt;
  return value;
}

}  // namespace

void SitemapReader::Entry::open(EntryKind new_kind, std::uint64_t at_line) {
  kind = new_kind;
  line = at_line;
  has_loc = false;
  loc.clear();
  lastmod.clear();
  changefreq.clear();
  priority.clear();
}

bool SitemapReader::on_problem(const SitemapFinding& finding) {
  report_.add(finding);
  return true;
}

bool SitemapReader::on_start(const XmlName& name, std::span<const XmlAttribute> attributes,
                             std::uint64_t line) {
  ++depth_;
  end_field();  // an element inside a text field: the field was not closed
  if (!has_root_) return read_root(name, line);
  // Fast path: large sitemaps consist mostly of these.
  if (is_of_sitemap(name) && !is_scp_element(name)) return start_sitemap_element(name, line);
  const NamespaceVerdict verdict = judge_namespace(name);
  return verdict == NamespaceVerdict::other ? true : start_scp(name, verdict, attributes, line);
}

bool SitemapReader::read_root(const XmlName& name, std::uint64_t line) {
  has_root_ = true;
  root_uri_ = name.uri;
  root_prefix_ = name.prefix;
  if (name.local == "urlset") {
    summary_.kind = SitemapKind::urlset;
  } else if (name.local == "sitemapindex") {
    summary_.kind = SitemapKind::index;
  } else {
    report_.add(SitemapCode::not_a_sitemap, line, describe_root(name));
    return false;
  }
  if (name.uri != kSitemapNamespace)
    report_.add(SitemapCode::wrong_namespace, line,
                name.uri.empty()
                    ? fmt::format("the namespace {} is not declared; read as if it were", kSitemapNamespace)
                    : fmt::format("the namespace is {}, not {}; read as if it were", quote(name.uri),
                                  kSitemapNamespace));
  return true;
}

bool SitemapReader::is_of_sitemap(const XmlName& name) const {
  if (name.uri.empty()) return name.prefix.empty() || name.prefix == root_prefix_;
  return name.uri == root_uri_ || name.uri == kSitemapNamespace;
}

bool SitemapReader::start_sitemap_element(const XmlName& name, std::uint64_t line) {
  const std::string_view local = name.local;
  if (local == "url" || local == "sitemap") {
    const bool going = end_entry();
    entry_.open(local == "url" ? EntryKind::url : EntryKind::child, line);
    return going;
  }
  if (entry_.kind == EntryKind::none) return true;
  if (local == "loc") {
    begin_field(Field::loc, line);
  } else if (local == "lastmod") {
    begin_field(Field::lastmod, line);
  } else if (local == "changefreq") {
    begin_field(Field::changefreq, line);
  } else if (local == "priority") {
    begin_field(Field::priority, line);
  }
  return true;
}

bool SitemapReader::start_scp(const XmlName& name, NamespaceVerdict verdict,
                              std::span<const XmlAttribute> attributes, std::uint64_t line) {
  if (verdict == NamespaceVerdict::unknown_scp) {
    report_.add(SitemapCode::unknown_scp_namespace, line,
                fmt::format("{} is of the namespace {}; only {} is known, so it was skipped",
                            quote(name.local), quote(name.uri), kScpNamespace));
    return true;
  }
  if (verdict == NamespaceVerdict::nearly_scp && !name.uri.empty())
    report_.add(SitemapCode::wrong_namespace, line,
                fmt::format("the namespace of {} is {}, not {}; read as if it were", quote(name.local),
                            quote(name.uri), kScpNamespace));
  constexpr std::uint64_t kBelowRoot = 2;
  if (depth_ != kBelowRoot)
    report_.add(
        SitemapCode::misplaced_element, line,
        fmt::format("scp:{} stands inside another element, not below the first one", quote(name.local)));
  if (name.local == "version") {
    begin_field(Field::version, line);
  } else if (name.local == "compression") {
    begin_field(Field::compression, line);
  } else if (name.local == "section") {
    if (const auto section = scp_.read_section(attributes, line)) {
      if (!count_advertised(line)) return false;
      ++summary_.sections;
      sink_.on_section(*section);
    }
  } else if (name.local == "collection" || name.local == "delta") {
    if (const auto collection = scp_.read_collection(name.local, attributes, line)) {
      if (!count_advertised(line)) return false;
      ++summary_.collections;
      sink_.on_collection(*collection);
    }
  } else if (is_key_element(name)) {
    if (const auto key = scp_.read_key(attributes, line)) {
      if (!count_advertised(line)) return false;
      sink_.on_key(*key);
    }
  }
  return true;
}

bool SitemapReader::on_end(const XmlName& name) {
  if (depth_ > 0) --depth_;
  end_field();
  const bool ends_entry = (name.local == "url" || name.local == "sitemap") && is_of_sitemap(name);
  return ends_entry ? end_entry() : true;
}

void SitemapReader::on_text(std::string_view text, XmlText kind) {
  if (field_ == Field::none || text_too_long_) return;
  if (text_.empty()) text = base::trim_front<base::is_xml_space>(text);
  if (text_full_ || text_.size() + text.size() > limits_.text_bytes) {
    // Trailing white space of any length is not part of the text.
    text_too_long_ = !base::trim_xml_space(text).empty();
    text_full_ = true;
    return;
  }
  if (kind == XmlText::plain) {
    text_ += text;
    return;
  }
  // SitemapInput escapes ampersands in CDATA too. Besides, a URL with &amp; inside CDATA was escaped twice by
  // its author.
  constexpr std::string_view kEscaped = "&amp;";
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(kEscaped), text.size());
    text_ += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    text_ += '&';
    text.remove_prefix(kEscaped.size());
  }
}

void SitemapReader::begin_field(Field field, std::uint64_t line) {
  field_ = field;
  field_line_ = line;
  text_.clear();
  text_full_ = false;
  text_too_long_ = false;
}

void SitemapReader::end_field() {
  if (field_ == Field::none) return;
  const Field field = std::exchange(field_, Field::none);
  if (!text_too_long_) {
    store(field, base::trim_xml_space(text_));
    return;
  }
  report_.add(SitemapCode::text_too_long, field_line_,
              fmt::format("a text is longer than {} bytes; it was skipped", limits_.text_bytes));
  if (field == Field::loc) entry_.kind = EntryKind::none;
}

void SitemapReader::store(Field field, std::string_view text) {
  switch (field) {
    case Field::loc:
      if (entry_.has_loc) {
        report_.add(SitemapCode::misplaced_element, field_line_,
                    fmt::format("a second loc in one entry, {}, was skipped", quote(text)));
        return;
      }
      entry_.has_loc = true;
      entry_.loc = text;
      return;
    case Field::lastmod: entry_.lastmod = text; return;
    case Field::changefreq: entry_.changefreq = text; return;
    case Field::priority: entry_.priority = text; return;
    case Field::version: sink_.on_version(text); return;
    case Field::compression: hand_over_compression(text); return;
    case Field::none: return;
  }
}

void SitemapReader::hand_over_compression(std::string_view text) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view codec = base::trim_xml_space(text.substr(0, comma));
    if (!codec.empty()) sink_.on_compression(codec);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

bool SitemapReader::end_entry() {
  if (entry_.kind == EntryKind::none) return true;
  const bool going = [&] {
    if (!count_entry(entry_.line)) return false;
    if (entry_.loc.empty()) {
      report_.add(SitemapCode::missing_loc, entry_.line, "the entry has no loc; it was skipped");
      return true;
    }
    const auto loc = locs_.read(entry_.loc, entry_.line);
    return loc ? hand_over(*loc) : true;
  }();
  entry_.kind = EntryKind::none;
  return going;
}

bool SitemapReader::hand_over(std::string_view loc) {
  const auto lastmod_at = lastmod_time();
  if (entry_.kind == EntryKind::child) {
    ++summary_.children;
    return sink_.on_child({loc, entry_.lastmod, lastmod_at, entry_.line}) == Reading::go_on;
  }
  ++summary_.urls;
  return sink_.on_url({loc, entry_.lastmod, lastmod_at, entry_.changefreq, parse_priority(entry_.priority),
                       entry_.line}) == Reading::go_on;
}

bool SitemapReader::hand_over_url(std::string_view loc, std::uint64_t line) {
  entry_.open(EntryKind::url, line);
  entry_.loc = loc;
  return end_entry();
}

void SitemapReader::finish() {
  field_ = Field::none;  // it is truncated
  if (entry_.has_loc) end_entry();
}

std::optional<Instant> SitemapReader::lastmod_time() {
  if (entry_.lastmod.empty()) return std::nullopt;
  const auto time = parse_lastmod(entry_.lastmod);
  if (!time)
    report_.add(SitemapCode::invalid_lastmod, entry_.line,
                fmt::format("lastmod {} is not a date; it was ignored", quote(entry_.lastmod)));
  return time;
}

bool SitemapReader::count_entry(std::uint64_t line) {
  const std::uint64_t count = summary_.urls + summary_.children;
  if (count == kSitemapUrls)
    if (!report_.has(SitemapCode::over_sitemap_limit))
      report_.add(
          SitemapCode::over_sitemap_limit, line,
          fmt::format("over {} entries, more than sitemaps.org allows a file; read on", kSitemapUrls));
  if (count < limits_.urls) return true;
  report_.add(SitemapCode::too_many_entries, line,
              fmt::format("more entries than the limit of {}; the rest was not read", limits_.urls));
  return false;
}

bool SitemapReader::count_advertised(std::uint64_t line) {
  if (summary_.sections + summary_.collections < limits_.advertised) return true;
  report_.add(
      SitemapCode::too_many_entries, line,
      fmt::format("more SCP elements than the limit of {}; the rest was not read", limits_.advertised));
  return false;
}

}  // namespace sheaf::site
