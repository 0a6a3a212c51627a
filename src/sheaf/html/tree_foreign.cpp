// Rules for parsing tokens in foreign content: SVG and MathML.
#include "sheaf/html/tree_builder.h"
#include "sheaf/text/text_compare.h"

#include <array>
#include <utility>

namespace sheaf::html {
namespace {

using Adjustment = std::pair<Name, Name>;

// The mixed-case element and attribute names of SVG, with their lower-case forms.
constexpr Adjustment kSvgElements[] = {
    // clang-format off
    {Name::altglyph, Name::camel_alt_glyph}, {Name::altglyphdef, Name::camel_alt_glyph_def},
    {Name::altglyphitem, Name::camel_alt_glyph_item}, {Name::animatecolor, Name::camel_animate_color},
    {Name::animatemotion, Name::camel_animate_motion},
    {Name::animatetransform, Name::camel_animate_transform}, {Name::clippath, Name::camel_clip_path},
    {Name::feblend, Name::camel_fe_blend}, {Name::fecolormatrix, Name::camel_fe_color_matrix},
    {Name::fecomponenttransfer, Name::camel_fe_component_transfer},
    {Name::fecomposite, Name::camel_fe_composite},
    {Name::feconvolvematrix, Name::camel_fe_convolve_matrix},
    {Name::fediffuselighting, Name::camel_fe_diffuse_lighting},
    {Name::fedisplacementmap, Name::camel_fe_displacement_map},
    {Name::fedistantlight, Name::camel_fe_distant_light}, {Name::fedropshadow, Name::camel_fe_drop_shadow},
    {Name::feflood, Name::camel_fe_flood}, {Name::fefunca, Name::camel_fe_func_a},
    {Name::fefuncb, Name::camel_fe_func_b}, {Name::fefuncg, Name::camel_fe_func_g},
    {Name::fefuncr, Name::camel_fe_func_r}, {Name::fegaussianblur, Name::camel_fe_gaussian_blur},
    {Name::feimage, Name::camel_fe_image}, {Name::femerge, Name::camel_fe_merge},
    {Name::femergenode, Name::camel_fe_merge_node}, {Name::femorphology, Name::camel_fe_morphology},
    {Name::feoffset, Name::camel_fe_offset}, {Name::fepointlight, Name::camel_fe_point_light},
    {Name::fespecularlighting, Name::camel_fe_specular_lighting},
    {Name::fespotlight, Name::camel_fe_spot_light}, {Name::fetile, Name::camel_fe_tile},
    {Name::feturbulence, Name::camel_fe_turbulence}, {Name::foreignobject, Name::camel_foreign_object},
    {Name::glyphref, Name::camel_glyph_ref}, {Name::lineargradient, Name::camel_linear_gradient},
    {Name::radialgradient, Name::camel_radial_gradient}, {Name::textpath, Name::camel_text_path},
    // clang-format on
};
constexpr Adjustment kSvgAttributes[] = {
    // clang-format off
    {Name::attributename, Name::camel_attribute_name}, {Name::attributetype, Name::camel_attribute_type},
    {Name::basefrequency, Name::camel_base_frequency}, {Name::baseprofile, Name::camel_base_profile},
    {Name::calcmode, Name::camel_calc_mode}, {Name::clippathunits, Name::camel_clip_path_units},
    {Name::diffuseconstant, Name::camel_diffuse_constant}, {Name::edgemode, Name::camel_edge_mode},
    {Name::filterunits, Name::camel_filter_units}, {Name::glyphref, Name::camel_glyph_ref},
    {Name::gradienttransform, Name::camel_gradient_transform},
    {Name::gradientunits, Name::camel_gradient_units}, {Name::kernelmatrix, Name::camel_kernel_matrix},
    {Name::kernelunitlength, Name::camel_kernel_unit_length}, {Name::keypoints, Name::camel_key_points},
    {Name::keysplines, Name::camel_key_splines}, {Name::keytimes, Name::camel_key_times},
    {Name::lengthadjust, Name::camel_length_adjust},
    {Name::limitingconeangle, Name::camel_limiting_cone_angle},
    {Name::markerheight, Name::camel_marker_height}, {Name::markerunits, Name::camel_marker_units},
    {Name::markerwidth, Name::camel_marker_width},
    {Name::maskcontentunits, Name::camel_mask_content_units}, {Name::maskunits, Name::camel_mask_units},
    {Name::numoctaves, Name::camel_num_octaves}, {Name::pathlength, Name::camel_path_length},
    {Name::patterncontentunits, Name::camel_pattern_content_units},
    {Name::patterntransform, Name::camel_pattern_transform},
    {Name::patternunits, Name::camel_pattern_units}, {Name::pointsatx, Name::camel_points_at_x},
    {Name::pointsaty, Name::camel_points_at_y}, {Name::pointsatz, Name::camel_points_at_z},
    {Name::preservealpha, Name::camel_preserve_alpha},
    {Name::preserveaspectratio, Name::camel_preserve_aspect_ratio},
    {Name::primitiveunits, Name::camel_primitive_units}, {Name::refx, Name::camel_ref_x},
    {Name::refy, Name::camel_ref_y}, {Name::repeatcount, Name::camel_repeat_count},
    {Name::repeatdur, Name::camel_repeat_dur}, {Name::requiredextensions, Name::camel_required_extensions},
    {Name::requiredfeatures, Name::camel_required_features},
    {Name::specularconstant, Name::camel_specular_constant},
    {Name::specularexponent, Name::camel_specular_exponent},
    {Name::spreadmethod, Name::camel_spread_method}, {Name::startoffset, Name::camel_start_offset},
    {Name::stddeviation, Name::camel_std_deviation}, {Name::stitchtiles, Name::camel_stitch_tiles},
    {Name::surfacescale, Name::camel_surface_scale}, {Name::systemlanguage, Name::camel_system_language},
    {Name::tablevalues, Name::camel_table_values}, {Name::targetx, Name::camel_target_x},
    {Name::targety, Name::camel_target_y}, {Name::textlength, Name::camel_text_length},
    {Name::viewbox, Name::camel_view_box}, {Name::viewtarget, Name::camel_view_target},
    {Name::xchannelselector, Name::camel_x_channel_selector},
    {Name::ychannelselector, Name::camel_y_channel_selector}, {Name::zoomandpan, Name::camel_zoom_and_pan},
    // clang-format on
};

using Adjustments = std::array<Name, kKnownNames>;

template <std::size_t N>
constexpr Adjustments make_adjustments(const Adjustment (&list)[N]) {
  Adjustments table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<Name>(i);
  for (const Adjustment& adjustment : list) table[index_of(adjustment.first)] = adjustment.second;
  return table;
}
constexpr Adjustments kElementTable = make_adjustments(kSvgElements);
constexpr Adjustments kAttributeTable = make_adjustments(kSvgAttributes);

Name adjusted(const Adjustments& table, Name name) {
  return index_of(name) < table.size() ? table[index_of(name)] : name;
}

AttributeNamespace attribute_namespace(Name name) {
  switch (name) {
    case Name::xlink_actuate:
    case Name::xlink_arcrole:
    case Name::xlink_href:
    case Name::xlink_role:
    case Name::xlink_show:
    case Name::xlink_title:
    case Name::xlink_type: return AttributeNamespace::xlink;
    case Name::xml_lang:
    case Name::xml_space: return AttributeNamespace::xml;
    case Name::xmlns:
    case Name::xmlns_xlink: return AttributeNamespace::xmlns;
    default: return AttributeNamespace::none;
  }
}

}  // namespace

std::uint16_t TreeBuilder::foreign_flags(Name name, Namespace ns, std::uint32_t attribute_begin,
                                         std::uint32_t attribute_count) const {
  if (ns == Namespace::svg) {
    const bool point = name == Name::camel_foreign_object || name == Name::desc || name == Name::title;
    return point ? kSpecial | kListItemStop | kAllScopes | kHtmlPoint : 0;
  }
  switch (name) {
    case Name::mi:
    case Name::mo:
    case Name::mn:
    case Name::ms:
    case Name::mtext: return kSpecial | kListItemStop | kAllScopes | kMathTextPoint;
    case Name::annotation_xml: {
      std::uint16_t flags = kSpecial | kListItemStop | kAllScopes;
      for (std::uint32_t i = 0; i < attribute_count; ++i) {
        const Attribute& attribute = document_.attributes_[attribute_begin + i];
        if (attribute.name != Name::encoding) continue;
        const std::string_view value = document_.value(attribute);
        if (text::equal_text(value, "text/html", text::TextCase::ignore) ||
            text::equal_text(value, "application/xhtml+xml", text::TextCase::ignore))
          flags |= kHtmlPoint;
      }
      return flags;
    }
    default: return 0;
  }
}

Namespace TreeBuilder::adjusted_namespace() const {
  if (open_.size() == 1 && is_fragment()) return options_.fragment->ns;
  return document_.ns(open_.top().node);
}

// Whether the rules of the current insertion mode apply to a token although the current node is not an HTML
// element.
bool TreeBuilder::is_html_content(const Token& token) const {
  const OpenElement& top = open_.top();
  switch (token.kind) {
    case TokenKind::end_of_file: return true;
    case TokenKind::text:
    case TokenKind::null: return top.has(kMathTextPoint | kHtmlPoint);
    case TokenKind::start_tag:
      if (top.has(kHtmlPoint)) return true;
      if (top.has(kMathTextPoint)) return token.name != Name::mglyph && token.name != Name::malignmark;
      return token.name == Name::svg && is_annotation_xml();
    default: return false;
  }
}

bool TreeBuilder::is_annotation_xml() const {
  if (adjusted_namespace() != Namespace::mathml) return false;
  if (open_.size() == 1 && is_fragment()) return options_.fragment->name == "annotation-xml";
  return document_.name(open_.top().node) == Name::annotation_xml;
}

TreeBuilder::Outcome TreeBuilder::in_foreign(Token& token) {
  switch (token.kind) {
    case TokenKind::null: insert_text("\xEF\xBF\xBD", token.offset); break;
    case TokenKind::text:
      insert_text(token.text, token.offset);
      if (frameset_ok_ && !drop_space(token)) frameset_ok_ = false;
      break;
    case TokenKind::comment: insert_comment(token); break;
    case TokenKind::start_tag: return foreign_start(token);
    case TokenKind::end_tag: return foreign_end(token);
    default: break;
  }
  return Outcome::done;
}

// Start tags that do not occur in SVG or MathML. They mean that a foreign element was not closed and that
// HTML continues.
constexpr auto kBreaksOut = [] {
  std::array<bool, index_of(kLastKnownElement) + 1> breaks_out{};
  for (const Name name :
       {Name::b,      Name::big,    Name::blockquote, Name::body,    Name::br,    Name::center, Name::code,
        Name::dd,     Name::div,    Name::dl,         Name::dt,      Name::em,    Name::embed,  Name::h1,
        Name::h2,     Name::h3,     Name::h4,         Name::h5,      Name::h6,    Name::head,   Name::hr,
        Name::i,      Name::img,    Name::li,         Name::listing, Name::menu,  Name::meta,   Name::nobr,
        Name::ol,     Name::p,      Name::pre,        Name::ruby,    Name::s,     Name::small,  Name::span,
        Name::strong, Name::strike, Name::sub,        Name::sup,     Name::table, Name::tt,     Name::u,
        Name::ul,     Name::var})
    breaks_out[index_of(name)] = true;
  return breaks_out;
}();

bool TreeBuilder::breaks_out(const Token& token) const {
  if (token.name != Name::font) return token.name <= kLastKnownElement && kBreaksOut[index_of(token.name)];
  for (std::uint32_t i = 0; i < token.attribute_count; ++i) {
    const Name name = document_.attributes_[token.attribute_begin + i].name;
    if (name == Name::color || name == Name::face || name == Name::size) return true;
  }
  return false;
}

// Closes the open foreign elements and processes the token in the current insertion mode.
TreeBuilder::Outcome TreeBuilder::leave_foreign(Token& token) {
  while (open_.size() > 1 && !open_.top().has(kHtmlElement | kMathTextPoint | kHtmlPoint)) pop();
  return in_mode(token);
}

TreeBuilder::Outcome TreeBuilder::foreign_start(Token& token) {
  if (breaks_out(token)) return leave_foreign(token);
  const Namespace ns = adjusted_namespace();
  if (ns == Namespace::svg) token.name = adjusted(kElementTable, token.name);
  adjust_attributes(token, ns);
  insert_foreign(token, ns);
  return Outcome::done;
}

void TreeBuilder::adjust_attributes(const Token& token, Namespace ns) {
  for (std::uint32_t i = 0; i < token.attribute_count; ++i) {
    Attribute& attribute = document_.attributes_[token.attribute_begin + i];
    if (ns == Namespace::svg) {
      attribute.name = adjusted(kAttributeTable, attribute.name);
    } else if (attribute.name == Name::definitionurl) {
      attribute.name = Name::camel_definition_url;
    }
    attribute.ns = attribute_namespace(attribute.name);
  }
}

void TreeBuilder::insert_foreign(Token& token, Namespace ns) {
  tokenizer_.keep_attributes();
  const NodeId node = make_element(token.name, ns, token.attribute_begin, token.attribute_count);
  if (token.self_closing) {
    attach(place(), node);
    return;
  }
  attach_deeper(node);
  push(node, Name::none, foreign_flags(token.name, ns, token.attribute_begin, token.attribute_count));
}

TreeBuilder::Outcome TreeBuilder::foreign_end(Token& token) {
  if (token.name == Name::br || token.name == Name::p) return leave_foreign(token);
  const std::string_view name = document_.names_.text(token.name);
  for (std::size_t i = open_.size(); i-- > 1;) {
    ++result_.steps;
    const NodeId node = open_[i].node;
    if (text::equal_text(document_.name_text(node), name, text::TextCase::ignore)) {
      pop_until_node(node);
      return Outcome::done;
    }
    if (i == 1 || open_[i - 1].is_html()) return in_mode(token);
  }
  return Outcome::done;
}

}  // namespace sheaf::html
