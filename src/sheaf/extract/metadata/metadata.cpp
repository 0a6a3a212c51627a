#include "sheaf/extract/metadata/metadata.h"

#include "sheaf/extract/metadata/json_ld.h"
#include "sheaf/extract/metadata/metadata_internal.h"
#include "sheaf/extract/metadata/metadata_sources.h"
#include "sheaf/extract/outline/declared_page.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <span>

namespace sheaf::extract {
namespace {

constexpr std::size_t kDescriptionBytes = std::size_t{8} * 1024;  // a longer text is the article itself
constexpr std::size_t kSiteNameBytes = 256;

OptionalText read_description(const MetadataContext& context) {
  if (const auto text = best_meta(context, MetaField::description, kDescriptionBytes)) return text;
  if (context.facts.description) return context.facts.description;
  for (const Candidate& item : context.sources.item(ItemField::description))
    if (const auto text = item_value(context, item.node, kDescriptionBytes)) return text;
  return std::nullopt;
}

OptionalText read_site_name(const MetadataContext& context) {
  if (const auto name = best_meta(context, MetaField::site_name, kSiteNameBytes)) return name;
  return context.facts.site_name;
}

/// The type (itemtype or typeof) of the item that a property belongs to, without its vocabulary; empty if
/// there is none.
std::string_view scope_type(const html::Document& document, html::NodeId node) {
  for (const html::NodeId above : html::Ancestors(document, node)) {
    if (!document.is_element(above)) continue;
    const auto itemtype = document.attribute(above, html::Name::itemtype);
    const auto type = itemtype ? itemtype : document.attribute(above, "typeof");
    if (!type) continue;
    const std::size_t cut = type->find_last_of("/:#");
    return cut == std::string_view::npos ? *type : type->substr(cut + 1);
  }
  return {};
}

/// Whether a type is one of items on a page that never stand for the page itself.
bool is_part_type(std::string_view type) {
  constexpr std::string_view kPartTypes[] = {
      "Comment", "UserComments", "Review",          "Person",      "Organization",          "ImageObject",
      "Rating",  "Offer",        "Answer",          "ListItem",    "BreadcrumbList",        "WPSideBar",
      "Brand",   "WPFooter",     "AggregateRating", "MediaObject", "SiteNavigationElement", "WPHeader"};
  return std::ranges::find(kPartTypes, text::trim_space(type)) != std::end(kPartTypes);
}

}  // namespace

OptionalText best_meta(const MetadataContext& context, MetaField field, std::size_t most) {
  OptionalText best;
  int best_rank = kMetaRanks;
  for (const MetaValue& meta : context.sources.meta(field)) {
    if (meta.rank >= best_rank || meta.value.size() > 8 * most) continue;
    const std::string_view text =
        html::clean_text(meta.value, html::Markup::references_and_tags, context.arena);
    if (text.empty() || text.size() > most) continue;
    best = text;
    best_rank = meta.rank;
  }
  return best;
}

OptionalText item_value(const MetadataContext& context, html::NodeId node, std::size_t most) {
  const html::Document& document = context.document;
  if (is_part_type(scope_type(document, node))) return std::nullopt;
  for (const html::Name name : {html::Name::content, html::Name::datetime}) {
    const auto value = document.attribute(node, name);
    if (!value || value->size() > 8 * most) continue;
    const std::string_view text = html::clean_text(*value, html::Markup::references_and_tags, context.arena);
    if (!text.empty() && text.size() <= most) return text;
  }
  return html::element_text(document, node, most, context.arena);
}

namespace {

/// The node before `node` in document order; kNoNode at the start.
html::NodeId previous_in_order(const html::Document& document, html::NodeId node) {
  html::NodeId before = document.previous(node);
  if (before == html::kNoNode) return document.parent(node);
  // The content of a template is not part of the page, and parsing has bounded the depth.
  while (document.last_child(before) != html::kNoNode && document.name(before) != html::Name::template_)
    before = document.last_child(before);
  return before;
}

std::vector<NearText> texts_near_headline(const MetadataContext& context) {
  constexpr std::size_t kCloselyAfter = 60;
  constexpr std::size_t kBefore = 80;
  constexpr std::size_t kAfter = 250;
  std::vector<NearText> texts;
  if (!context.headline) return texts;
  const html::Document& document = context.document;
  const html::NodeId root = document.root();
  std::array<html::NodeId, kBefore + kAfter> nodes;  // texts
  std::size_t count = 0;
  // Stored branch-free: which nodes are texts is unpredictable.
  const auto add = [&](html::NodeId node) {
    nodes[count] = node;
    count += document.kind(node) == html::NodeKind::text ? 1 : 0;
  };
  const auto next = [&document, root](html::NodeId node) {
    return html::next_in_order(document, node, root);
  };
  html::NodeId after = next(context.headline->node);
  std::size_t steps = 0;
  for (; steps < kCloselyAfter && after != html::kNoNode; ++steps, after = next(after)) add(after);
  html::NodeId before = previous_in_order(document, context.headline->node);
  for (std::size_t i = 0; i < kBefore && before != html::kNoNode && before != root;
       ++i, before = previous_in_order(document, before))
    add(before);
  for (; steps < kAfter && after != html::kNoNode; ++steps, after = next(after)) add(after);

  texts.reserve(count);
  for (const html::NodeId node : std::span(nodes).first(count)) {
    const std::string_view text = document.text(node);
    const std::string_view trimmed = text::scan::trim(document.padded(text));
    const html::Name parent = document.name(document.parent(node));
    if (!trimmed.empty() && parent != html::Name::script && parent != html::Name::style)
      texts.push_back({node, trimmed});
  }
  return texts;
}

}  // namespace

Metadata read_metadata(const html::Document& document, const PageOutline& outline,
                       const MetadataOptions& options, Arena& arena) {
  const MetadataSources sources = collect_sources(document, outline);
  const JsonLdFacts facts = read_json_ld(sources.json_ld, options.url, arena);
  MetadataContext context{document, outline, options,      sources,      facts,
                          arena,    {},      std::nullopt, std::nullopt, {}};
  context.declared = read_declared_titles(context);
  context.banner = find_banner(context);
  context.headline = choose_headline(context);
  context.near_headline = texts_near_headline(context);
  Metadata result;
  result.site_name = read_site_name(context);
  result.title = read_title(context);
  result.description = read_description(context);
  result.author = read_author(context);
  result.language = read_language(context);
  const PageDates dates = read_dates(context, result.language.value_or(""));
  result.published = dates.published;
  result.modified = dates.modified;
  result.canonical = read_canonical(context);
  result.robots = read_robots(context);
  result.schema = facts.schema;
  result.kinds = facts.kinds;
  for (const MetaValue& meta : sources.meta(MetaField::page_type))
    result.kinds |= open_graph_kind(text::trim_space(meta.value));
  result.declared_text = facts.declared_text;
  result.declared_parts = facts.parts;
  result.media = facts.media;
  if (context.headline) result.headline = context.headline->node;
  return result;
}

}  // namespace sheaf::extract
