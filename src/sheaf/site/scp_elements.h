#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/sitemap_report.h"
#include "sheaf/site/xml_stream.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

enum class NamespaceVerdict : std::uint8_t {
  scp,          ///< kScpNamespace, or our extension
  nearly_scp,   ///< a misspelt kScpNamespace: http for https, a trailing slash, or an undeclared prefix
  unknown_scp,  ///< an unknown version of kScpNamespace
  other,
};

NamespaceVerdict judge_namespace(const XmlName& name) noexcept;

/// Whether this is our extension: the element `key` of kSheafNamespace.
bool is_key_element(const XmlName& name) noexcept;

/// Whether this is one of the elements that the drafts define (version, compression, section, collection,
/// delta) or our extension.
bool is_scp_element(const XmlName& name) noexcept;

/// Makes URLs absolute and reports repairs. Returned views are valid until the next call.
class LocReader {
 public:
  LocReader(SitemapReport& report, const base::Url* base) : report_(report), base_(base) {}

  /// Returns `text` as an absolute http(s) URL. If it cannot be one, reports `invalid` and returns nullopt.
  std::optional<std::string_view> read(std::string_view text, std::uint64_t line,
                                       SitemapCode invalid = SitemapCode::invalid_url);

 private:
  SitemapReport& report_;
  const base::Url* base_;
  std::string repaired_;
};

/// Parses the attributes of SCP elements and reports problems. The functions return nullopt if the element is
/// unusable.
class ScpElements {
 public:
  ScpElements(const SitemapLimits& limits, SitemapReport& report, LocReader& locs)
      : limits_(limits), report_(report), locs_(locs) {}

  std::optional<AdvertisedSection> read_section(std::span<const XmlAttribute> attributes, std::uint64_t line);
  /// `element` is "collection" or "delta".
  std::optional<AdvertisedCollection> read_collection(std::string_view element,
                                                      std::span<const XmlAttribute> attributes,
                                                      std::uint64_t line);
  std::optional<AdvertisedKey> read_key(std::span<const XmlAttribute> attributes, std::uint64_t line);

 private:
  struct Element;
  std::optional<std::string_view> find(const Element& element, std::string_view name);
  std::optional<std::string_view> need(const Element& element, std::string_view name);
  std::optional<Instant> need_time(const Element& element, std::string_view name);
  std::optional<std::uint64_t> need_number(const Element& element, std::string_view name);
  model::CollectionType type_of(const Element& element);
  void invalid(const Element& element, std::string_view name, std::string_view value, std::string_view what);

  const SitemapLimits& limits_;
  SitemapReport& report_;
  LocReader& locs_;
};

/// The SCP elements of a sitemap as ASCII XML, one string each: version, compression, key, sections,
/// then collections, in the given order. Fails if an element would violate the drafts' schema: a missing
/// value, or invalid characters.
base::Result<std::vector<std::string>> write_elements(const Advertised& advertised, std::string_view prefix);

/// Escapes text for XML, in attributes and elsewhere. Non-ASCII characters become references. Characters that
/// XML does not allow become U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace sheaf::site
