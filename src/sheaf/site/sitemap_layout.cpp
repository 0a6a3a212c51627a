#include "sheaf/site/sitemap_layout.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/decoder.h"
#include "sheaf/site/libxml2_internal.h"
#include "sheaf/site/scp_elements.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <array>
#include <limits>

namespace sheaf::site {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

base::Error refuse(std::string message) { return {base::Errc::invalid_data, std::move(message)}; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && base::is_xml_space(text[at])) ++at;
  return at;
}

/// The attributes of a well-formed start tag.
std::vector<TagAttribute> read_attributes(std::string_view bytes, ByteSpan tag) {
  std::vector<TagAttribute> attributes;
  const std::string_view text = bytes.substr(0, tag.end);
  std::size_t at = std::min(text.find_first_of(" \t\r\n/>", tag.begin + 1), text.size());
  while (true) {
    const std::size_t begin = at;
    at = skip_space(text, at);
    const std::size_t equals = text.find('=', at);
    if (at >= text.size() || text[at] == '>' || text[at] == '/' || equals == std::string_view::npos)
      return attributes;
    const std::size_t quote_at = skip_space(text, equals + 1);
    if (quote_at >= text.size()) return attributes;
    const std::size_t close = text.find(text[quote_at], quote_at + 1);
    if (close == std::string_view::npos) return attributes;
    attributes.push_back({{begin, close + 1},
                          std::string(base::trim_xml_space(text.substr(at, equals - at))),
                          std::string(text.substr(quote_at + 1, close - quote_at - 1))});
    at = close + 1;
  }
}

/// The encoding named in the XML declaration; empty if there is none.
std::string_view declared_encoding(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  const std::string_view declaration = text.substr(0, text.find("?>"));
  const std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  const std::size_t open = declaration.find_first_of("\"'", at);
  if (open == std::string_view::npos) return {};
  const std::size_t close = declaration.find(declaration[open], open + 1);
  return close == std::string_view::npos ? std::string_view()
                                         : declaration.substr(open + 1, close - open - 1);
}

enum class Bytes : std::uint8_t { utf8, one_each, unsuitable };

/// The kind of an encoding. Single-byte encodings that contain ASCII are as good as UTF-8 here.
Bytes judge_encoding(std::string_view name) {
  if (name.empty() || same_letters(name, "utf-8") || same_letters(name, "utf8")) return Bytes::utf8;
  constexpr std::array<std::string_view, 10> kStems = {"iso-8859-", "iso8859-", "windows-125", "cp125",
                                                       "latin1",    "us-ascii", "ascii",       "koi8-",
                                                       "latin-1",   "iso_8859-"};
  const bool known = std::ranges::any_of(
      kStems, [&](std::string_view stem) { return same_letters(name.substr(0, stem.size()), stem); });
  return known ? Bytes::one_each : Bytes::unsuitable;
}

/// Whether XML is well-formed in its declared encoding.
bool is_well_formed(std::string_view text) {
  prepare_libxml2();
  xmlSAXHandler sax{};
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = [](void*, const xmlChar*, const xmlChar*, const xmlChar*, int, const xmlChar**, int,
                          int, const xmlChar**) {};
  const auto silence = [](void*, xmlErrorPtr) {};
  sax.serror = silence;
  const ScopedErrorHandler errors(nullptr, silence);
  const XmlContext context(xmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size())));
  if (!context) throw std::bad_alloc();
  *context->sax = sax;
  xmlCtxtUseOptions(context.get(), XML_PARSE_NONET | XML_PARSE_HUGE);
  xmlParseDocument(context.get());
  return context->wellFormed != 0;
}

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view bytes) : bytes_(bytes) {}

  base::Result<SitemapLayout> read();

 private:
  static LayoutReader& self(void* user) { return *static_cast<LayoutReader*>(user); }
  static void start_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri,
                            int namespaces, const xmlChar** namespace_list, int attributes, int defaulted,
                            const xmlChar** attribute_list);
  static void end_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri);
  static void text(void* user, const xmlChar* text, int size);
  static void doctype(void* user, const xmlChar* name, const xmlChar* external, const xmlChar* system);
  static void error(void* user, xmlErrorPtr error);

  base::Result<std::string> bytes_to_parse();
  void parse(const std::string& text);
  void take_start(const XmlName& name, bool has_scp_attributes);
  void take_root(const XmlName& name, ByteSpan tag);
  void take_end();
  void take_child_end();
  void fail(std::string message);
  [[nodiscard]] std::size_t position() const;
  [[nodiscard]] std::uint64_t line() const;

  std::string_view bytes_;
  std::size_t offset_ = 0;  ///< where the parsed text begins: after a byte-order mark
  xmlParserCtxtPtr context_ = nullptr;
  SitemapLayout layout_;
  std::optional<base::Error> failure_;
  std::size_t depth_ = 0;
  std::size_t scp_depth_ = 0;  ///< depth of the open SCP element; 0 for none
  std::size_t scp_begin_ = 0;
  ChildElement child_;
  bool in_loc_ = false;
  std::string loc_;
};

void LayoutReader::fail(std::string message) {
  if (failure_) return;
  failure_ = refuse(std::move(message));
  xmlStopParser(context_);
}

std::uint64_t LayoutReader::line() const {
  const int in_parser = context_->input == nullptr ? 1 : context_->input->line;
  return static_cast<std::uint64_t>(std::max(in_parser, 1));
}

std::size_t LayoutReader::position() const {
  return offset_ + static_cast<std::size_t>(std::max(xmlByteConsumed(context_), 0L));
}

void LayoutReader::error(void* user, xmlErrorPtr error) {
  LayoutReader& reader = self(user);
  // XML with an undeclared prefix is still well-formed, so it can be spliced.
  if (error->level != XML_ERR_FATAL || reader.failure_ || reader.context_ == nullptr) return;
  reader.failure_ = refuse(fmt::format("the sitemap is not well-formed XML: line {}: {}; correct it first",
                                       reader.line(), one_line(error->message)));
}

void LayoutReader::doctype(void* user, const xmlChar* /*name*/, const xmlChar* /*external*/,
                           const xmlChar* /*system*/) {
  LayoutReader& reader = self(user);
  reader.fail(
      fmt::format("line {}: the sitemap has a document type, which may change what its elements mean; "
                  "remove the DOCTYPE first",
                  reader.line()));
}

void LayoutReader::text(void* user, const xmlChar* text, int size) {
  LayoutReader& reader = self(user);
  if (reader.in_loc_) reader.loc_.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}

void LayoutReader::start_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri,
                                 int /*namespaces*/, const xmlChar** /*namespace_list*/, int attributes,
                                 int /*defaulted*/, const xmlChar** attribute_list) {
  LayoutReader& reader = self(user);
  if (reader.failure_) return;
  bool has_scp_attributes = false;
  for (int i = 0; i < attributes; ++i) {
    const xmlChar** entry = attribute_list + static_cast<std::ptrdiff_t>(i) * 5;
    has_scp_attributes = has_scp_attributes || view(entry[2]) == kScpNamespace;
  }
  reader.take_start({view(local), view(prefix), view(uri)}, has_scp_attributes);
}

void LayoutReader::end_element(void* user, const xmlChar* /*local*/, const xmlChar* /*prefix*/,
                               const xmlChar* /*uri*/) {
  LayoutReader& reader = self(user);
  if (!reader.failure_) reader.take_end();
}

void LayoutReader::take_start(const XmlName& name, bool has_scp_attributes) {
  ++depth_;
  // The parser is at the tag's > or />, and a tag contains no <.
  const std::size_t close = bytes_.find('>', position());
  const std::size_t begin = bytes_.rfind('<', position());
  if (begin == std::string_view::npos || close == std::string_view::npos) {
    fail(fmt::format("line {}: the position of the tag {} cannot be determined", line(), quote(name.local)));
    return;
  }
  if (depth_ == 1) {
    take_root(name, {begin, close + 1});
    return;
  }
  const bool is_scp = is_scp_element(name);
  if (is_scp && scp_depth_ == 0) {
    scp_depth_ = depth_;
    scp_begin_ = begin;
  }
  layout_.scp_attributes = layout_.scp_attributes || (has_scp_attributes && scp_depth_ == 0);
  constexpr std::size_t kChild = 2;
  constexpr std::size_t kField = 3;
  if (depth_ == kChild) {
    child_ = {{begin, 0}, is_scp, !is_scp && (name.local == "url" || name.local == "sitemap"), close + 1, 0};
  } else if (depth_ == kField && child_.is_entry && name.local == "loc" && child_.loc_begin == 0) {
    child_.loc_begin = begin;
    in_loc_ = layout_.kind == SitemapKind::index;
    loc_.clear();
  }
}

void LayoutReader::take_root(const XmlName& name, ByteSpan tag) {
  layout_.root_tag = tag;
  layout_.root_name =
      name.prefix.empty() ? std::string(name.local) : fmt::format("{}:{}", name.prefix, name.local);
  layout_.root_is_empty = bytes_[tag.end - 2] == '/';
  layout_.root_attributes = read_attributes(bytes_, tag);
  if (name.local == "urlset") {
    layout_.kind = SitemapKind::urlset;
  } else if (name.local == "sitemapindex") {
    layout_.kind = SitemapKind::index;
  } else {
    fail(fmt::format(
        "line {}: the first element is {}, where urlset or sitemapindex was expected; is this the "
        "sitemap?",
        line(), quote(name.local)));
  }
}

void LayoutReader::take_end() {
  const std::size_t end = position();
  if (depth_ == 1) {
    layout_.root_close = layout_.root_is_empty ? layout_.root_tag.end : bytes_.rfind('<', end - 1);
  } else if (depth_ == 2) {
    child_.span.end = end;
    take_child_end();
  }
  in_loc_ = false;
  if (scp_depth_ == depth_) {
    layout_.scp_elements.push_back({scp_begin_, end});
    scp_depth_ = 0;
  }
  --depth_;
}

void LayoutReader::take_child_end() {
  if (child_.is_scp) {
    if (!layout_.first_scp_child) layout_.first_scp_child = child_;
    return;
  }
  if (!layout_.first_child) layout_.first_child = child_;
  if (!child_.is_entry) return;
  ++layout_.entries;
  if (!layout_.first_entry) layout_.first_entry = child_;
  layout_.last_entry = child_;
  if (layout_.kind == SitemapKind::index && child_.loc_begin != 0)
    layout_.child_locs.emplace_back(base::trim_xml_space(loc_));
}

base::Result<std::string> LayoutReader::bytes_to_parse() {
  using namespace std::string_view_literals;
  if (base::is_gzip(bytes_))
    return std::unexpected(refuse("the sitemap is compressed with gzip; unpack it, or name the plain file"));
  if (bytes_.starts_with("\xff\xfe"sv) || bytes_.starts_with("\xfe\xff"sv) || bytes_.starts_with("<\0"sv) ||
      bytes_.starts_with("\0"sv))
    return std::unexpected(refuse("the sitemap is not UTF-8 but UTF-16 or UTF-32; save it as UTF-8 first"));
  if (bytes_.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return std::unexpected(refuse("the sitemap is larger than 2 GiB"));
  if (bytes_.starts_with(kUtf8Mark)) offset_ = kUtf8Mark.size();
  std::string text(bytes_.substr(offset_));
  const std::string_view encoding = declared_encoding(text);
  const Bytes kind = judge_encoding(encoding);
  if (kind == Bytes::unsuitable)
    return std::unexpected(
        refuse(fmt::format("the sitemap is in the encoding {}; save it as UTF-8 first", quote(encoding))));
  if (kind == Bytes::utf8) return text;
  if (!is_well_formed(text))
    return std::unexpected(
        refuse(fmt::format("the sitemap is not well-formed XML in the encoding {} that it declares; "
                           "correct it first",
                           quote(encoding))));
  // The actual characters do not matter from here on. One character per byte preserves all offsets.
  std::ranges::replace_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }, 'x');
  return text;
}

void LayoutReader::parse(const std::string& text) {
  prepare_libxml2();
  xmlSAXHandler sax{};
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = start_element;
  sax.endElementNs = end_element;
  sax.characters = LayoutReader::text;
  sax.ignorableWhitespace = LayoutReader::text;
  sax.cdataBlock = LayoutReader::text;
  sax.internalSubset = doctype;
  sax.serror = error;
  const ScopedErrorHandler errors(this, error);
  const XmlContext context(xmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size())));
  if (!context) throw std::bad_alloc();
  context_ = context.get();
  *context_->sax = sax;
  context_->userData = this;
  // The declared encoding is ignored, so that offsets in the parser's input are offsets in the file.
  xmlCtxtUseOptions(context_, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE);
  xmlParseDocument(context_);
  if (context_->wellFormed == 0 && !failure_) failure_ = refuse("the sitemap is not well-formed XML");
  context_ = nullptr;
}

base::Result<SitemapLayout> LayoutReader::read() {
  SHEAF_TRY_ASSIGN(const std::string text, bytes_to_parse());
  if (base::trim_xml_space(text).empty())
    return std::unexpected(refuse("the sitemap is empty; remove it to have a new one written"));
  parse(text);
  if (failure_) return std::unexpected(*failure_);
  const auto is_element = [&](ByteSpan span) {
    return span.begin < span.end && span.end <= bytes_.size() && bytes_[span.begin] == '<' &&
           bytes_[span.end - 1] == '>';
  };
  const bool sound = is_element(layout_.root_tag) && layout_.root_close >= layout_.root_tag.end &&
                     std::ranges::all_of(layout_.scp_elements, is_element);
  if (!sound) return std::unexpected(refuse("the positions of the sitemap's elements cannot be determined"));
  return std::move(layout_);
}

}  // namespace

base::Result<SitemapLayout> read_layout(std::string_view bytes) { return LayoutReader(bytes).read(); }

}  // namespace sheaf::site
