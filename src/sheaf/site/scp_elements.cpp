#include "sheaf/site/scp_elements.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/url.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace sheaf::site {
namespace {

constexpr std::string_view kScpNamespaceStem = "scp-protocol.org/schemas/sitemap/";

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

/// Percent-encodes bytes that are not UTF-8, so that the server receives what it wrote.
std::string encode_stray_bytes(std::string_view text, bool& any) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = base::take_code_point(text);
    const std::string_view taken = before.substr(0, before.size() - text.size());
    if (c != base::kReplacementCharacter || taken == kReplacement) {
      out += taken;
      continue;
    }
    any = true;
    for (const char byte : taken) {
      out += '%';
      out += kDigits[static_cast<unsigned char>(byte) >> 4];
      out += kDigits[static_cast<unsigned char>(byte) & 15U];
    }
  }
  return out;
}

}  // namespace

bool is_key_element(const XmlName& name) noexcept {
  return name.local == "key" && name.uri == kSheafNamespace;
}

NamespaceVerdict judge_namespace(const XmlName& name) noexcept {
  if (name.uri == kScpNamespace || is_key_element(name)) return NamespaceVerdict::scp;
  if (name.uri.empty()) return name.prefix == "scp" ? NamespaceVerdict::nearly_scp : NamespaceVerdict::other;
  std::string_view rest = name.uri;
  if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  }
  if (rest.starts_with("www.")) rest.remove_prefix(4);
  if (!rest.starts_with(kScpNamespaceStem)) return NamespaceVerdict::other;
  rest.remove_prefix(kScpNamespaceStem.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  return rest == "1.0" ? NamespaceVerdict::nearly_scp : NamespaceVerdict::unknown_scp;
}

bool is_scp_element(const XmlName& name) noexcept {
  if (is_key_element(name)) return true;
  constexpr std::array<std::string_view, 5> kElements = {"version", "compression", "section", "collection",
                                                         "delta"};
  if (std::ranges::find(kElements, name.local) == kElements.end()) return false;
  const NamespaceVerdict verdict = judge_namespace(name);
  return verdict == NamespaceVerdict::scp || verdict == NamespaceVerdict::nearly_scp;
}

std::optional<std::string_view> LocReader::read(std::string_view text, std::uint64_t line,
                                                SitemapCode invalid) {
  bool stray_bytes = false;
  if (!is_ascii(text)) {
    repaired_ = encode_stray_bytes(text, stray_bytes);
    if (stray_bytes) {
      report_.add(SitemapCode::not_utf8, line,
                  fmt::format("the URL {} has bytes that are not UTF-8; they were percent-encoded",
                              quote(repaired_)));
      text = repaired_;
    }
  }
  if (base::is_http_url(text)) return text;
  const auto url = base::Url::parse(text, base_);
  if (!url) {
    report_.add(invalid, line,
                fmt::format("{} is not an absolute http or https URL; the entry was skipped", quote(text)));
    return std::nullopt;
  }
  report_.add(SitemapCode::repaired_url, line,
              fmt::format("{} was read as {}", quote(text), quote(url->href())));
  repaired_ = url->href();
  return repaired_;
}

namespace {

/// The name of an element for messages.
std::string label(std::string_view name) { return (name == "key" ? "sheaf:" : "scp:") + std::string(name); }

}  // namespace

struct ScpElements::Element {
  std::string_view name;
  std::span<const XmlAttribute> attributes;
  std::uint64_t line;
};

void ScpElements::invalid(const Element& element, std::string_view name, std::string_view value,
                          std::string_view what) {
  report_.add(SitemapCode::invalid_attribute, element.line,
              fmt::format("{} of {} is {}, {}", name, label(element.name), quote(value), what));
}

std::optional<std::string_view> ScpElements::find(const Element& element, std::string_view name) {
  for (const XmlAttribute& attribute : element.attributes) {
    if (attribute.name.local != name) continue;
    if (!attribute.name.prefix.empty() && judge_namespace(attribute.name) == NamespaceVerdict::other)
      continue;
    const std::string_view value = base::trim_xml_space(attribute.value);
    if (value.size() <= limits_.text_bytes) return value;
    invalid(element, name, value, "which is too long; it was skipped");
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string_view> ScpElements::need(const Element& element, std::string_view name) {
  const auto value = find(element, name);
  if (!value)
    report_.add(SitemapCode::missing_attribute, element.line,
                fmt::format("{} has no {}", label(element.name), name));
  return value;
}

std::optional<Instant> ScpElements::need_time(const Element& element, std::string_view name) {
  const auto value = need(element, name);
  if (!value) return std::nullopt;
  const auto time = parse_time(*value);
  if (!time) {
    invalid(element, name, *value, "which is not a time; it was skipped");
    return std::nullopt;
  }
  if (time->offset == Offset::missing)
    invalid(element, name, *value, "which has no offset from UTC; read as UTC");
  return time->instant;
}

std::optional<std::uint64_t> ScpElements::need_number(const Element& element, std::string_view name) {
  const auto value = need(element, name);
  if (!value) return std::nullopt;
  const std::string_view digits = value->starts_with('+') ? value->substr(1) : *value;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size()) return number;
  invalid(element, name, *value, "which is not a whole number of at least 0; it was skipped");
  return std::nullopt;
}

std::optional<AdvertisedSection> ScpElements::read_section(std::span<const XmlAttribute> attributes,
                                                           std::uint64_t line) {
  const Element element{"section", attributes, line};
  const std::string_view name = find(element, "name").value_or("");
  if (!model::is_valid_identifier(name)) {
    report_.add(
        SitemapCode::invalid_section, line,
        fmt::format(
            "scp:section has the name {}, where letters, digits, - and _ were expected; it was skipped",
            quote(name)));
    return std::nullopt;
  }
  AdvertisedSection section;
  section.name = name;
  section.line = line;
  if (const auto freq = need(element, "updateFreq")) {
    section.update_freq = parse_update_freq(base::lower_text(*freq));
    if (!section.update_freq)
      invalid(element, "updateFreq", *freq, "not hourly, daily, weekly or monthly; it was skipped");
  }
  if (const auto pages = need(element, "pages")) {
    section.pages = parse_page_count(*pages);
    if (!section.pages) invalid(element, "pages", *pages, "which is not a number; it was skipped");
  }
  return section;
}

model::CollectionType ScpElements::type_of(const Element& element) {
  using model::CollectionType;
  if (element.name == "delta") return CollectionType::delta;
  const auto type = need(element, "type");
  if (!type || *type == "snapshot") return CollectionType::snapshot;
  if (*type == "delta") return CollectionType::delta;
  invalid(element, "type", *type, "not snapshot; read as a snapshot");
  return CollectionType::snapshot;
}

std::optional<AdvertisedCollection> ScpElements::read_collection(std::string_view name,
                                                                 std::span<const XmlAttribute> attributes,
                                                                 std::uint64_t line) {
  const Element element{name, attributes, line};
  const std::string_view section = find(element, "section").value_or("");
  if (!model::is_valid_identifier(section)) {
    report_.add(
        SitemapCode::invalid_collection, line,
        fmt::format("scp:{} has the section {}, where letters, digits, - and _ were expected; it was skipped",
                    name, quote(section)));
    return std::nullopt;
  }
  const auto url = locs_.read(find(element, "url").value_or(""), line, SitemapCode::invalid_collection);
  if (!url) return std::nullopt;
  AdvertisedCollection collection;
  collection.url = *url;
  collection.section = section;
  collection.line = line;
  collection.type = type_of(element);
  collection.generated = need_time(element, "generated");
  collection.expires = need_time(element, "expires");
  collection.pages = need_number(element, "pages");
  collection.size = need_number(element, "size");
  if (collection.type == model::CollectionType::delta) {
    collection.since = need_time(element, "since");
    collection.period = need(element, "period").value_or("");
  }
  if (const auto checksum = find(element, "checksum")) {
    if (model::is_prefixed_digest(*checksum, "sha256:")) {
      collection.checksum = *checksum;
    } else {
      invalid(element, "checksum", *checksum, "not sha256: and 64 hex digits; it was skipped");
    }
  }
  return collection;
}

std::optional<AdvertisedKey> ScpElements::read_key(std::span<const XmlAttribute> attributes,
                                                   std::uint64_t line) {
  const Element element{"key", attributes, line};
  const auto public_key = need(element, "publicKey");
  if (!public_key || public_key->empty()) return std::nullopt;
  AdvertisedKey key;
  key.public_key = *public_key;
  if (const auto text = find(element, "url")) {
    if (const auto url = locs_.read(*text, line, SitemapCode::invalid_attribute)) key.url = *url;
  }
  if (find(element, "statements")) key.statements = need_number(element, "statements").value_or(0);
  return key;
}

namespace {

base::Error refuse(std::string message) { return {base::Errc::invalid_argument, std::move(message)}; }

/// The schema's \d+\.\d+
bool is_version(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return false;
  return std::ranges::all_of(text.substr(0, dot), base::is_digit) &&
         std::ranges::all_of(text.substr(dot + 1), base::is_digit);
}

bool is_codec(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Builds one element. Remembers the first missing value as the error.
class ElementWriter {
 public:
  ElementWriter(std::string_view prefix, std::string_view name, std::string_view section)
      : name_(name), section_(section), text_(fmt::format("<{}:{}", prefix, name)) {}

  ElementWriter& text(std::string_view attribute, std::string_view value) {
    text_ += fmt::format(" {}=\"{}\"", attribute, escape_xml(value));
    return *this;
  }
  ElementWriter& time(std::string_view attribute, const std::optional<Instant>& value) {
    return value ? text(attribute, format_time(*value)) : missing(attribute);
  }
  ElementWriter& number(std::string_view attribute, const std::optional<std::uint64_t>& value) {
    return value ? text(attribute, std::to_string(*value)) : missing(attribute);
  }
  ElementWriter& missing(std::string_view attribute) {
    if (!error_)
      error_ = refuse(fmt::format("scp:{} of section {} needs {}", name_, quote(section_), attribute));
    return *this;
  }
  base::Result<std::string> finish() {
    if (error_) return std::unexpected(*error_);
    return text_ + "/>";
  }

 private:
  std::string_view name_;
  std::string_view section_;
  std::string text_;
  std::optional<base::Error> error_;
};

base::Result<void> check_name(std::string_view name) {
  if (model::is_valid_identifier(name)) return {};
  return std::unexpected(refuse(
      fmt::format("the section name {} has other characters than letters, digits, - and _", quote(name))));
}

base::Result<std::string> write_section(const AdvertisedSection& section, std::string_view prefix) {
  SHEAF_TRY(check_name(section.name));
  ElementWriter element(prefix, "section", section.name);
  element.text("name", section.name);
  section.update_freq ? element.text("updateFreq", to_string(*section.update_freq))
                      : element.missing("updateFreq");
  section.pages ? element.text("pages", to_string(*section.pages)) : element.missing("pages");
  return element.finish();
}

base::Result<std::string> write_key(const AdvertisedKey& key) {
  if (!base::is_http_url(key.url))
    return std::unexpected(
        refuse(fmt::format("a key list's URL must be absolute, http or https, but is {}", quote(key.url))));
  return ElementWriter("sheaf", "key", "")
      .text("xmlns:sheaf", kSheafNamespace)
      .text("publicKey", key.public_key)
      .text("url", key.url)
      .number("statements", key.statements)
      .finish();
}

base::Result<std::string> write_collection(const AdvertisedCollection& collection, std::string_view prefix) {
  SHEAF_TRY(check_name(collection.section));
  if (!base::is_http_url(collection.url))
    return std::unexpected(refuse(
        fmt::format("a collection's URL must be absolute, http or https, but is {}", quote(collection.url))));
  const bool is_delta = collection.type == model::CollectionType::delta;
  ElementWriter element(prefix, is_delta ? "delta" : "collection", collection.section);
  element.text("section", collection.section);
  if (!is_delta) element.text("type", "snapshot");
  if (is_delta)
    collection.period.empty() ? element.missing("period") : element.text("period", collection.period);
  element.text("url", collection.url)
      .time("generated", collection.generated)
      .time("expires", collection.expires)
      .number("pages", collection.pages)
      .number("size", collection.size);
  if (is_delta) element.time("since", collection.since);
  return element.finish();
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char32_t c = base::take_code_point(text);
    const bool impossible = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF;
    if (impossible) {
      out += "&#xFFFD;";
    } else if (c < 0x20 || c > 0x7E) {
      out += fmt::format("&#x{:X};", static_cast<std::uint32_t>(c));
    } else if (c == '&' || c == '<' || c == '>' || c == '"') {
      out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;";
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

base::Result<std::vector<std::string>> write_elements(const Advertised& advertised, std::string_view prefix) {
  std::vector<std::string> elements;
  if (advertised.version) {
    if (!is_version(*advertised.version))
      return std::unexpected(
          refuse(fmt::format("the version {} is not like 0.1", quote(*advertised.version))));
    elements.push_back(fmt::format("<{0}:version>{1}</{0}:version>", prefix, *advertised.version));
  }
  for (const std::string& codec : advertised.compression)
    if (!is_codec(codec))
      return std::unexpected(refuse(fmt::format("{} is not the name of a codec", quote(codec))));
  if (!advertised.compression.empty())
    elements.push_back(fmt::format("<{0}:compression>{1}</{0}:compression>", prefix,
                                   fmt::join(advertised.compression, ",")));
  if (advertised.key) {
    SHEAF_TRY_ASSIGN(elements.emplace_back(), write_key(*advertised.key));
  }
  for (const AdvertisedSection& section : advertised.sections) {
    SHEAF_TRY_ASSIGN(elements.emplace_back(), write_section(section, prefix));
  }
  for (const AdvertisedCollection& collection : advertised.collections) {
    SHEAF_TRY_ASSIGN(elements.emplace_back(), write_collection(collection, prefix));
  }
  return elements;
}

}  // namespace sheaf::site
