#pragma once

#include "sheaf/site/scp_elements.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/site/sitemap_report.h"
#include "sheaf/site/xml_stream.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::site {

/// Builds entries from XML events. It relies on names and namespaces, not on depth, so an unclosed tag costs
/// one entry and not the rest of the file.
class SitemapReader final : public XmlHandler {
 public:
  SitemapReader(const SitemapLimits& limits, SitemapSink& sink, SitemapSummary& summary,
                SitemapReport& report, const base::Url* base)
      : limits_(limits),
        sink_(sink),
        summary_(summary),
        report_(report),
        locs_(report, base),
        scp_(limits, report, locs_) {}

  bool on_start(const XmlName& name, std::span<const XmlAttribute> attributes, std::uint64_t line) override;
  bool on_end(const XmlName& name) override;
  void on_text(std::string_view text, XmlText kind) override;
  bool on_problem(const SitemapFinding& finding) override;

  /// Passes a URL from a line of a text sitemap to the sink. Returns false if the reading ends.
  bool hand_over_url(std::string_view loc, std::uint64_t line);
  /// Call this at the end. Emits the entry that was open when the file ended, if its URL is complete.
  void finish();

 private:
  enum class Field : std::uint8_t { none, loc, lastmod, changefreq, priority, version, compression };
  enum class EntryKind : std::uint8_t { none, url, child };
  struct Entry {
    EntryKind kind = EntryKind::none;
    std::uint64_t line = 0;
    bool has_loc = false;
    std::string loc, lastmod, changefreq, priority;

    void open(EntryKind new_kind, std::uint64_t at_line);
  };

  bool read_root(const XmlName& name, std::uint64_t line);
  bool start_scp(const XmlName& name, NamespaceVerdict verdict, std::span<const XmlAttribute> attributes,
                 std::uint64_t line);
  bool start_sitemap_element(const XmlName& name, std::uint64_t line);
  [[nodiscard]] bool is_of_sitemap(const XmlName& name) const;
  void begin_field(Field field, std::uint64_t line);
  void end_field();
  void store(Field field, std::string_view text);
  void hand_over_compression(std::string_view text);
  bool end_entry();
  bool hand_over(std::string_view loc);
  bool count_entry(std::uint64_t line);
  bool count_advertised(std::uint64_t line);
  std::optional<Instant> lastmod_time();

  const SitemapLimits& limits_;
  SitemapSink& sink_;
  SitemapSummary& summary_;
  SitemapReport& report_;
  LocReader locs_;
  ScpElements scp_;
  std::uint64_t depth_ = 0;
  bool has_root_ = false;
  std::string root_uri_;
  std::string root_prefix_;
  Entry entry_;
  Field field_ = Field::none;
  std::uint64_t field_line_ = 0;
  std::string text_;
  bool text_full_ = false;
  bool text_too_long_ = false;
};

}  // namespace sheaf::site
