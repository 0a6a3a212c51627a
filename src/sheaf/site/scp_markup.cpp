#include "sheaf/site/scp_markup.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/url.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sheaf::site {
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
