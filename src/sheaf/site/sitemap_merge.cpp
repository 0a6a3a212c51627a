#include "sheaf/site/sitemap_merge.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/site/scp_elements.h"
#include "sheaf/site/site_text.h"
#include "sheaf/site/sitemap_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sheaf::site {
namespace {

constexpr std::string_view kDefaultIndent = "  ";

/// Replaces parts of a text. They must not overlap. Insertions at one position keep their order.
class Splice {
 public:
  explicit Splice(std::string_view text) : text_(text) {}

  void replace(ByteSpan span, std::string with) { edits_.push_back({span, edits_.size(), std::move(with)}); }
  void insert(std::size_t at, std::string what) { replace({at, at}, std::move(what)); }

  std::string apply() {
    std::ranges::sort(edits_, {}, [](const Edit& edit) { return std::pair(edit.span.begin, edit.number); });
    std::string out;
    std::size_t done = 0;
    for (const Edit& edit : edits_) {
      out += text_.substr(done, edit.span.begin - done);
      out += edit.with;
      done = edit.span.end;
    }
    out += text_.substr(done);
    return out;
  }

 private:
  struct Edit {
    ByteSpan span;
    std::size_t number;
    std::string with;
  };
  std::string_view text_;
  std::vector<Edit> edits_;
};

/// The line break and indentation right before `at`; empty if there is something else.
std::string_view line_start_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && base::is_blank(text[begin - 1])) --begin;
  if (begin == 0 || text[begin - 1] != '\n') return {};
  --begin;
  if (begin > 0 && text[begin - 1] == '\r') --begin;
  return text.substr(begin, at - begin);
}

std::string_view line_break_of(std::string_view text) {
  const std::size_t at = text.find('\n');
  if (at == std::string_view::npos) return {};
  return at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

/// The separator before each child of the root: a line break and indentation, or nothing if the file is on
/// one line.
std::string separator_of(std::string_view text, const SitemapLayout& layout) {
  if (layout.first_child) return std::string(line_start_before(text, layout.first_child->span.begin));
  if (layout.first_scp_child) return std::string(line_start_before(text, layout.first_scp_child->span.begin));
  if (layout.root_is_empty) {
    const std::string_view line_break = line_break_of(text);
    return line_break.empty() ? std::string() : std::string(line_break) + std::string(kDefaultIndent);
  }
  const std::string_view before_close = line_start_before(text, layout.root_close);
  return before_close.empty() ? std::string() : std::string(before_close) + std::string(kDefaultIndent);
}

/// The namespace prefix that an attribute declares, if any ("" for the default namespace).
std::optional<std::string_view> bound_prefix(const TagAttribute& attribute) {
  const std::string_view name = attribute.name;
  if (name == "xmlns") return "";
  if (name.starts_with("xmlns:")) return name.substr(6);
  return std::nullopt;
}

/// How the namespace is declared on the root element, and how it should be.
struct Declaration {
  std::string prefix;
  bool exists = false;
  std::vector<ByteSpan> misspelt;  ///< attributes that declare a misspelt kScpNamespace
};

Declaration read_declaration(const SitemapLayout& layout) {
  Declaration declaration;
  std::vector<std::string_view> taken;
  for (const TagAttribute& attribute : layout.root_attributes) {
    const auto prefix = bound_prefix(attribute);
    if (!prefix || prefix->empty()) continue;
    const NamespaceVerdict verdict = judge_namespace({{}, {}, base::trim_xml_space(attribute.value)});
    if (verdict == NamespaceVerdict::scp && attribute.value == kScpNamespace && !declaration.exists) {
      declaration.exists = true;
      declaration.prefix = *prefix;
    } else if (verdict == NamespaceVerdict::nearly_scp) {
      declaration.misspelt.push_back(attribute.span);
    } else {
      taken.push_back(*prefix);
    }
  }
  if (declaration.exists) return declaration;
  declaration.prefix = "scp";
  for (int number = 1; std::ranges::find(taken, declaration.prefix) != taken.end(); ++number)
    declaration.prefix = "scp" + std::to_string(number);
  return declaration;
}

/// Where to add an attribute: after the last one, or after the name.
std::size_t end_of_attributes(const SitemapLayout& layout) {
  return layout.root_attributes.empty() ? layout.root_tag.begin + 1 + layout.root_name.size()
                                        : layout.root_attributes.back().span.end;
}

void splice_declaration(const SitemapLayout& layout, const Declaration& declaration, bool wanted,
                        Splice& splice) {
  for (const ByteSpan& span : declaration.misspelt) splice.replace(span, "");
  if (wanted && !declaration.exists)
    splice.insert(end_of_attributes(layout),
                  fmt::format(" xmlns:{}=\"{}\"", declaration.prefix, kScpNamespace));
  if (wanted || !declaration.exists || layout.scp_attributes) return;
  for (const TagAttribute& attribute : layout.root_attributes)
    if (attribute.name == "xmlns:" + declaration.prefix) splice.replace(attribute.span, "");
}

std::string join_with(const std::vector<std::string>& elements, const std::string& separator) {
  std::string block;
  for (const std::string& element : elements) block += separator + element;
  return block;
}

void splice_elements(std::string_view text, const SitemapLayout& layout,
                     const std::vector<std::string>& elements, Splice& splice) {
  std::string block = join_with(elements, separator_of(text, layout));
  const std::size_t first_place =
      layout.first_scp_child ? layout.first_scp_child->span.begin : layout.root_tag.end;
  bool placed = false;
  for (const ByteSpan& span : layout.scp_elements) {
    const bool here = layout.first_scp_child && span.begin == first_place;
    placed = placed || here;
    const std::size_t lead = line_start_before(text, span.begin).size();
    splice.replace({span.begin - lead, span.end}, here ? block : std::string());
  }
  if (placed || elements.empty()) return;
  if (!layout.root_is_empty) {
    splice.insert(layout.root_tag.end, block);
    return;
  }
  const ByteSpan slash{layout.root_tag.end - 2, layout.root_tag.end};
  splice.replace(slash, fmt::format(">{}{}</{}>", block, line_break_of(text), layout.root_name));
}

std::vector<SitemapFinding> check_limits(std::uint64_t entries, std::size_t bytes) {
  std::vector<SitemapFinding> findings;
  if (entries > kSitemapUrls)
    findings.push_back(
        {SitemapCode::over_sitemap_limit, 0,
         fmt::format("the sitemap has {} entries, sitemaps.org allows {}; split it", entries, kSitemapUrls)});
  if (bytes > kSitemapBytes)
    findings.push_back(
        {SitemapCode::over_sitemap_limit, 0,
         fmt::format("the sitemap has {} bytes, sitemaps.org allows {}; split it", bytes, kSitemapBytes)});
  return findings;
}

/// Reads the result back before returning it, so that we do not break a sitemap.
base::Result<MergedSitemap> check_written(std::string_view existing, std::string bytes,
                                          std::size_t elements) {
  SHEAF_TRY_ASSIGN(const SitemapLayout layout, read_layout(bytes));
  if (layout.scp_elements.size() != elements)
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("the SCP elements do not fit into this sitemap: {} were written, {} would be read",
                    elements, layout.scp_elements.size()));
  MergedSitemap merged;
  merged.changed = bytes != existing;
  merged.entries = layout.entries;
  merged.findings = check_limits(layout.entries, bytes.size());
  merged.bytes = std::move(bytes);
  return merged;
}

bool is_same_url(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto left = base::Url::parse(a);
  const auto right = base::Url::parse(b);
  return left && right && *left == *right;
}

/// A `sitemap` entry formatted like the first one in the file.
std::string make_entry(std::string_view text, const SitemapLayout& layout, const std::string& separator,
                       std::string_view loc) {
  const std::size_t colon = layout.root_name.find(':');
  const std::string prefix = colon == std::string::npos ? "" : layout.root_name.substr(0, colon + 1);
  std::string before_loc = separator.empty() ? "" : separator + std::string(kDefaultIndent);
  std::string before_end = separator;
  if (layout.first_entry && layout.first_entry->loc_begin != 0) {
    const ChildElement& first = *layout.first_entry;
    const std::string_view lead = text.substr(first.content_begin, first.loc_begin - first.content_begin);
    if (base::trim_xml_space(lead).empty()) before_loc = lead;
    before_end = line_start_before(text, text.rfind('<', first.span.end - 1));
  }
  return fmt::format("{0}<{1}sitemap>{2}<{1}loc>{3}</{1}loc>{4}</{1}sitemap>", separator, prefix, before_loc,
                     escape_xml(loc), before_end);
}

}  // namespace

base::Result<SitemapKind> kind_of_sitemap(std::string_view existing) {
  SHEAF_TRY_ASSIGN(const SitemapLayout layout, read_layout(existing));
  return layout.kind;
}

base::Result<MergedSitemap> merge_advertised(std::string_view existing, const Advertised& advertised) {
  SHEAF_TRY_ASSIGN(const SitemapLayout layout, read_layout(existing));
  if (layout.kind == SitemapKind::index && !advertised.empty())
    return base::fail(
        base::Errc::invalid_argument,
        "this is a sitemap index, which has no place for SCP elements; write them to a sitemap of "
        "their own and list that in the index");
  const Declaration declaration = read_declaration(layout);
  SHEAF_TRY_ASSIGN(const std::vector<std::string> elements, write_elements(advertised, declaration.prefix));
  Splice splice(existing);
  splice_declaration(layout, declaration, !elements.empty(), splice);
  splice_elements(existing, layout, elements, splice);
  return check_written(existing, splice.apply(), elements.size());
}

base::Result<std::string> write_sitemap(const Advertised& advertised) {
  const std::string empty = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{}\">\n</urlset>\n", kSitemapNamespace);
  SHEAF_TRY_ASSIGN(MergedSitemap merged, merge_advertised(empty, advertised));
  return std::move(merged.bytes);
}

base::Result<MergedSitemap> add_child_sitemap(std::string_view index, std::string_view loc) {
  SHEAF_TRY_ASSIGN(const SitemapLayout layout, read_layout(index));
  if (layout.kind != SitemapKind::index)
    return base::fail(base::Errc::invalid_argument,
                      "this is a sitemap, not a sitemap index: it cannot list other sitemaps");
  if (!base::is_http_url(loc))
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("a sitemap's URL must be absolute, http or https, but is {}", quote(loc)));
  const bool listed =
      std::ranges::any_of(layout.child_locs, [&](std::string_view child) { return is_same_url(child, loc); });
  Splice splice(index);
  const std::string separator = separator_of(index, layout);
  const std::string entry = make_entry(index, layout, separator, loc);
  if (!listed && layout.root_is_empty) {
    splice.replace({layout.root_tag.end - 2, layout.root_tag.end},
                   fmt::format(">{}{}</{}>", entry, line_break_of(index), layout.root_name));
  } else if (!listed) {
    splice.insert(layout.last_entry ? layout.last_entry->span.end : layout.root_tag.end, entry);
  }
  return check_written(index, splice.apply(), layout.scp_elements.size());
}

}  // namespace sheaf::site
