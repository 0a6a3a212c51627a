#pragma once

#include "sheaf/text/padded_text.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// An interned element or attribute name. Names with rules in the standard and the most common attributes are
/// constants; others get values from kKnownNames on, in order of their appearance in a document (NameTable).
/// Names are lower case, as in the tokenizer's output; `camel_*` are the mixed-case names that SVG and MathML
/// content is adjusted to. Elements come first, so that tables over elements stay short.
enum class Name : std::uint16_t {
  // clang-format off
  none,
  a, abbr, acronym, address, annotation_xml, applet, area, article, aside, audio, b, base, basefont, bdi,
  bdo, bgsound, big, blockquote, body, br, button, canvas, caption, center, cite, code, col, colgroup,
  data, datalist, dd, del, desc, details, dfn, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption,
  figure, font, footer, form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i,
  iframe, image, img, input, ins, isindex, kbd, keygen, label, legend, li, link, listing, main, malignmark,
  map, mark, marquee, math, menu, menuitem, meta, meter, mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed,
  noframes, noscript, object, ol, optgroup, option, output, p, param, picture, plaintext, portal, pre,
  progress, q, rb, rp, rt, rtc, ruby, s, samp, script, search, section, select, selectedcontent, slot,
  small, source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template_,
  textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, var, video, wbr, xmp, altglyph,
  altglyphdef, altglyphitem, animatecolor, animatemotion, animatetransform, clippath, feblend,
  fecolormatrix, fecomponenttransfer, fecomposite, feconvolvematrix, fediffuselighting, fedisplacementmap,
  fedistantlight, fedropshadow, feflood, fefunca, fefuncb, fefuncg, fefuncr, fegaussianblur, feimage,
  femerge, femergenode, femorphology, feoffset, fepointlight, fespecularlighting, fespotlight, fetile,
  feturbulence, foreignobject, glyphref, lineargradient, radialgradient, textpath, camel_alt_glyph,
  camel_alt_glyph_def, camel_alt_glyph_item, camel_animate_color, camel_animate_motion,
  camel_animate_transform, camel_clip_path, camel_fe_blend, camel_fe_color_matrix,
  camel_fe_component_transfer, camel_fe_composite, camel_fe_convolve_matrix, camel_fe_diffuse_lighting,
  camel_fe_displacement_map, camel_fe_distant_light, camel_fe_drop_shadow, camel_fe_flood, camel_fe_func_a,
  camel_fe_func_b, camel_fe_func_g, camel_fe_func_r, camel_fe_gaussian_blur, camel_fe_image,
  camel_fe_merge, camel_fe_merge_node, camel_fe_morphology, camel_fe_offset, camel_fe_point_light,
  camel_fe_specular_lighting, camel_fe_spot_light, camel_fe_tile, camel_fe_turbulence,
  camel_foreign_object, camel_glyph_ref, camel_linear_gradient, camel_radial_gradient, camel_text_path,
  attributename, attributetype, basefrequency, baseprofile, calcmode, clippathunits, diffuseconstant,
  edgemode, filterunits, gradienttransform, gradientunits, kernelmatrix, kernelunitlength, keypoints,
  keysplines, keytimes, lengthadjust, limitingconeangle, markerheight, markerunits, markerwidth,
  maskcontentunits, maskunits, numoctaves, pathlength, patterncontentunits, patterntransform, patternunits,
  pointsatx, pointsaty, pointsatz, preservealpha, preserveaspectratio, primitiveunits, refx, refy,
  repeatcount, repeatdur, requiredextensions, requiredfeatures, specularconstant, specularexponent,
  spreadmethod, startoffset, stddeviation, stitchtiles, surfacescale, systemlanguage, tablevalues, targetx,
  targety, textlength, viewbox, viewtarget, xchannelselector, ychannelselector, zoomandpan,
  camel_attribute_name, camel_attribute_type, camel_base_frequency, camel_base_profile, camel_calc_mode,
  camel_clip_path_units, camel_diffuse_constant, camel_edge_mode, camel_filter_units,
  camel_gradient_transform, camel_gradient_units, camel_kernel_matrix, camel_kernel_unit_length,
  camel_key_points, camel_key_splines, camel_key_times, camel_length_adjust, camel_limiting_cone_angle,
  camel_marker_height, camel_marker_units, camel_marker_width, camel_mask_content_units, camel_mask_units,
  camel_num_octaves, camel_path_length, camel_pattern_content_units, camel_pattern_transform,
  camel_pattern_units, camel_points_at_x, camel_points_at_y, camel_points_at_z, camel_preserve_alpha,
  camel_preserve_aspect_ratio, camel_primitive_units, camel_ref_x, camel_ref_y, camel_repeat_count,
  camel_repeat_dur, camel_required_extensions, camel_required_features, camel_specular_constant,
  camel_specular_exponent, camel_spread_method, camel_start_offset, camel_std_deviation,
  camel_stitch_tiles, camel_surface_scale, camel_system_language, camel_table_values, camel_target_x,
  camel_target_y, camel_text_length, camel_view_box, camel_view_target, camel_x_channel_selector,
  camel_y_channel_selector, camel_zoom_and_pan, xlink_actuate, xlink_arcrole, xlink_href, xlink_role,
  xlink_show, xlink_title, xlink_type, xml_lang, xml_space, xmlns, xmlns_xlink, definitionurl,
  camel_definition_url, id, class_, href, src, alt, name, type, value, rel, content, charset, http_equiv,
  lang, width, height, property, itemprop, itemtype, itemscope, itemid, itemref, datetime, hidden, role,
  color, face, size, encoding, action, method, target, media, srcset, sizes, loading, colspan, rowspan,
  scope, align, valign, border, cellpadding, cellspacing, bgcolor, tabindex, aria_label, aria_hidden,
  aria_labelledby, data_src, data_srcset, selected, multiple, disabled, checked, for_, placeholder, async,
  defer, integrity, crossorigin, start, reversed, download, hreflang, poster, controls, fill, stroke, d,
  // clang-format on
};

/// The last element name. The names after it are attribute names and adjusted names.
inline constexpr Name kLastKnownElement = Name::xmp;

struct KnownName {
  Name name;
  std::string_view text;
};

/// Every known name in the order of the enumeration, without `none`.
inline constexpr KnownName kKnownNameList[] = {
    // clang-format off
    {Name::a, "a"}, {Name::abbr, "abbr"}, {Name::acronym, "acronym"}, {Name::address, "address"},
    {Name::annotation_xml, "annotation-xml"}, {Name::applet, "applet"}, {Name::area, "area"},
    {Name::article, "article"}, {Name::aside, "aside"}, {Name::audio, "audio"}, {Name::b, "b"},
    {Name::base, "base"}, {Name::basefont, "basefont"}, {Name::bdi, "bdi"}, {Name::bdo, "bdo"},
    {Name::bgsound, "bgsound"}, {Name::big, "big"}, {Name::blockquote, "blockquote"}, {Name::body, "body"},
    {Name::br, "br"}, {Name::button, "button"}, {Name::canvas, "canvas"}, {Name::caption, "caption"},
    {Name::center, "center"}, {Name::cite, "cite"}, {Name::code, "code"}, {Name::col, "col"},
    {Name::colgroup, "colgroup"}, {Name::data, "data"}, {Name::datalist, "datalist"}, {Name::dd, "dd"},
    {Name::del, "del"}, {Name::desc, "desc"}, {Name::details, "details"}, {Name::dfn, "dfn"},
    {Name::dialog, "dialog"}, {Name::dir, "dir"}, {Name::div, "div"}, {Name::dl, "dl"}, {Name::dt, "dt"},
    {Name::em, "em"}, {Name::embed, "embed"}, {Name::fieldset, "fieldset"},
    {Name::figcaption, "figcaption"}, {Name::figure, "figure"}, {Name::font, "font"},
    {Name::footer, "footer"}, {Name::form, "form"}, {Name::frame, "frame"}, {Name::frameset, "frameset"},
    {Name::h1, "h1"}, {Name::h2, "h2"}, {Name::h3, "h3"}, {Name::h4, "h4"}, {Name::h5, "h5"},
    {Name::h6, "h6"}, {Name::head, "head"}, {Name::header, "header"}, {Name::hgroup, "hgroup"},
    {Name::hr, "hr"}, {Name::html, "html"}, {Name::i, "i"}, {Name::iframe, "iframe"},
    {Name::image, "image"}, {Name::img, "img"}, {Name::input, "input"}, {Name::ins, "ins"},
    {Name::isindex, "isindex"}, {Name::kbd, "kbd"}, {Name::keygen, "keygen"}, {Name::label, "label"},
    {Name::legend, "legend"}, {Name::li, "li"}, {Name::link, "link"}, {Name::listing, "listing"},
    {Name::main, "main"}, {Name::malignmark, "malignmark"}, {Name::map, "map"}, {Name::mark, "mark"},
    {Name::marquee, "marquee"}, {Name::math, "math"}, {Name::menu, "menu"}, {Name::menuitem, "menuitem"},
    {Name::meta, "meta"}, {Name::meter, "meter"}, {Name::mglyph, "mglyph"}, {Name::mi, "mi"},
    {Name::mn, "mn"}, {Name::mo, "mo"}, {Name::ms, "ms"}, {Name::mtext, "mtext"}, {Name::nav, "nav"},
    {Name::nobr, "nobr"}, {Name::noembed, "noembed"}, {Name::noframes, "noframes"},
    {Name::noscript, "noscript"}, {Name::object, "object"}, {Name::ol, "ol"}, {Name::optgroup, "optgroup"},
    {Name::option, "option"}, {Name::output, "output"}, {Name::p, "p"}, {Name::param, "param"},
    {Name::picture, "picture"}, {Name::plaintext, "plaintext"}, {Name::portal, "portal"},
    {Name::pre, "pre"}, {Name::progress, "progress"}, {Name::q, "q"}, {Name::rb, "rb"}, {Name::rp, "rp"},
    {Name::rt, "rt"}, {Name::rtc, "rtc"}, {Name::ruby, "ruby"}, {Name::s, "s"}, {Name::samp, "samp"},
    {Name::script, "script"}, {Name::search, "search"}, {Name::section, "section"},
    {Name::select, "select"}, {Name::selectedcontent, "selectedcontent"}, {Name::slot, "slot"},
    {Name::small, "small"}, {Name::source, "source"}, {Name::span, "span"}, {Name::strike, "strike"},
    {Name::strong, "strong"}, {Name::style, "style"}, {Name::sub, "sub"}, {Name::summary, "summary"},
    {Name::sup, "sup"}, {Name::svg, "svg"}, {Name::table, "table"}, {Name::tbody, "tbody"},
    {Name::td, "td"}, {Name::template_, "template"}, {Name::textarea, "textarea"}, {Name::tfoot, "tfoot"},
    {Name::th, "th"}, {Name::thead, "thead"}, {Name::time, "time"}, {Name::title, "title"},
    {Name::tr, "tr"}, {Name::track, "track"}, {Name::tt, "tt"}, {Name::u, "u"}, {Name::ul, "ul"},
    {Name::var, "var"}, {Name::video, "video"}, {Name::wbr, "wbr"}, {Name::xmp, "xmp"},
    {Name::altglyph, "altglyph"}, {Name::altglyphdef, "altglyphdef"}, {Name::altglyphitem, "altglyphitem"},
    {Name::animatecolor, "animatecolor"}, {Name::animatemotion, "animatemotion"},
    {Name::animatetransform, "animatetransform"}, {Name::clippath, "clippath"}, {Name::feblend, "feblend"},
    {Name::fecolormatrix, "fecolormatrix"}, {Name::fecomponenttransfer, "fecomponenttransfer"},
    {Name::fecomposite, "fecomposite"}, {Name::feconvolvematrix, "feconvolvematrix"},
    {Name::fediffuselighting, "fediffuselighting"}, {Name::fedisplacementmap, "fedisplacementmap"},
    {Name::fedistantlight, "fedistantlight"}, {Name::fedropshadow, "fedropshadow"},
    {Name::feflood, "feflood"}, {Name::fefunca, "fefunca"}, {Name::fefuncb, "fefuncb"},
    {Name::fefuncg, "fefuncg"}, {Name::fefuncr, "fefuncr"}, {Name::fegaussianblur, "fegaussianblur"},
    {Name::feimage, "feimage"}, {Name::femerge, "femerge"}, {Name::femergenode, "femergenode"},
    {Name::femorphology, "femorphology"}, {Name::feoffset, "feoffset"},
    {Name::fepointlight, "fepointlight"}, {Name::fespecularlighting, "fespecularlighting"},
    {Name::fespotlight, "fespotlight"}, {Name::fetile, "fetile"}, {Name::feturbulence, "feturbulence"},
    {Name::foreignobject, "foreignobject"}, {Name::glyphref, "glyphref"},
    {Name::lineargradient, "lineargradient"}, {Name::radialgradient, "radialgradient"},
    {Name::textpath, "textpath"}, {Name::camel_alt_glyph, "altGlyph"},
    {Name::camel_alt_glyph_def, "altGlyphDef"}, {Name::camel_alt_glyph_item, "altGlyphItem"},
    {Name::camel_animate_color, "animateColor"}, {Name::camel_animate_motion, "animateMotion"},
    {Name::camel_animate_transform, "animateTransform"}, {Name::camel_clip_path, "clipPath"},
    {Name::camel_fe_blend, "feBlend"}, {Name::camel_fe_color_matrix, "feColorMatrix"},
    {Name::camel_fe_component_transfer, "feComponentTransfer"}, {Name::camel_fe_composite, "feComposite"},
    {Name::camel_fe_convolve_matrix, "feConvolveMatrix"},
    {Name::camel_fe_diffuse_lighting, "feDiffuseLighting"},
    {Name::camel_fe_displacement_map, "feDisplacementMap"},
    {Name::camel_fe_distant_light, "feDistantLight"}, {Name::camel_fe_drop_shadow, "feDropShadow"},
    {Name::camel_fe_flood, "feFlood"}, {Name::camel_fe_func_a, "feFuncA"},
    {Name::camel_fe_func_b, "feFuncB"}, {Name::camel_fe_func_g, "feFuncG"},
    {Name::camel_fe_func_r, "feFuncR"}, {Name::camel_fe_gaussian_blur, "feGaussianBlur"},
    {Name::camel_fe_image, "feImage"}, {Name::camel_fe_merge, "feMerge"},
    {Name::camel_fe_merge_node, "feMergeNode"}, {Name::camel_fe_morphology, "feMorphology"},
    {Name::camel_fe_offset, "feOffset"}, {Name::camel_fe_point_light, "fePointLight"},
    {Name::camel_fe_specular_lighting, "feSpecularLighting"}, {Name::camel_fe_spot_light, "feSpotLight"},
    {Name::camel_fe_tile, "feTile"}, {Name::camel_fe_turbulence, "feTurbulence"},
    {Name::camel_foreign_object, "foreignObject"}, {Name::camel_glyph_ref, "glyphRef"},
    {Name::camel_linear_gradient, "linearGradient"}, {Name::camel_radial_gradient, "radialGradient"},
    {Name::camel_text_path, "textPath"}, {Name::attributename, "attributename"},
    {Name::attributetype, "attributetype"}, {Name::basefrequency, "basefrequency"},
    {Name::baseprofile, "baseprofile"}, {Name::calcmode, "calcmode"},
    {Name::clippathunits, "clippathunits"}, {Name::diffuseconstant, "diffuseconstant"},
    {Name::edgemode, "edgemode"}, {Name::filterunits, "filterunits"},
    {Name::gradienttransform, "gradienttransform"}, {Name::gradientunits, "gradientunits"},
    {Name::kernelmatrix, "kernelmatrix"}, {Name::kernelunitlength, "kernelunitlength"},
    {Name::keypoints, "keypoints"}, {Name::keysplines, "keysplines"}, {Name::keytimes, "keytimes"},
    {Name::lengthadjust, "lengthadjust"}, {Name::limitingconeangle, "limitingconeangle"},
    {Name::markerheight, "markerheight"}, {Name::markerunits, "markerunits"},
    {Name::markerwidth, "markerwidth"}, {Name::maskcontentunits, "maskcontentunits"},
    {Name::maskunits, "maskunits"}, {Name::numoctaves, "numoctaves"}, {Name::pathlength, "pathlength"},
    {Name::patterncontentunits, "patterncontentunits"}, {Name::patterntransform, "patterntransform"},
    {Name::patternunits, "patternunits"}, {Name::pointsatx, "pointsatx"}, {Name::pointsaty, "pointsaty"},
    {Name::pointsatz, "pointsatz"}, {Name::preservealpha, "preservealpha"},
    {Name::preserveaspectratio, "preserveaspectratio"}, {Name::primitiveunits, "primitiveunits"},
    {Name::refx, "refx"}, {Name::refy, "refy"}, {Name::repeatcount, "repeatcount"},
    {Name::repeatdur, "repeatdur"}, {Name::requiredextensions, "requiredextensions"},
    {Name::requiredfeatures, "requiredfeatures"}, {Name::specularconstant, "specularconstant"},
    {Name::specularexponent, "specularexponent"}, {Name::spreadmethod, "spreadmethod"},
    {Name::startoffset, "startoffset"}, {Name::stddeviation, "stddeviation"},
    {Name::stitchtiles, "stitchtiles"}, {Name::surfacescale, "surfacescale"},
    {Name::systemlanguage, "systemlanguage"}, {Name::tablevalues, "tablevalues"},
    {Name::targetx, "targetx"}, {Name::targety, "targety"}, {Name::textlength, "textlength"},
    {Name::viewbox, "viewbox"}, {Name::viewtarget, "viewtarget"},
    {Name::xchannelselector, "xchannelselector"}, {Name::ychannelselector, "ychannelselector"},
    {Name::zoomandpan, "zoomandpan"}, {Name::camel_attribute_name, "attributeName"},
    {Name::camel_attribute_type, "attributeType"}, {Name::camel_base_frequency, "baseFrequency"},
    {Name::camel_base_profile, "baseProfile"}, {Name::camel_calc_mode, "calcMode"},
    {Name::camel_clip_path_units, "clipPathUnits"}, {Name::camel_diffuse_constant, "diffuseConstant"},
    {Name::camel_edge_mode, "edgeMode"}, {Name::camel_filter_units, "filterUnits"},
    {Name::camel_gradient_transform, "gradientTransform"}, {Name::camel_gradient_units, "gradientUnits"},
    {Name::camel_kernel_matrix, "kernelMatrix"}, {Name::camel_kernel_unit_length, "kernelUnitLength"},
    {Name::camel_key_points, "keyPoints"}, {Name::camel_key_splines, "keySplines"},
    {Name::camel_key_times, "keyTimes"}, {Name::camel_length_adjust, "lengthAdjust"},
    {Name::camel_limiting_cone_angle, "limitingConeAngle"}, {Name::camel_marker_height, "markerHeight"},
    {Name::camel_marker_units, "markerUnits"}, {Name::camel_marker_width, "markerWidth"},
    {Name::camel_mask_content_units, "maskContentUnits"}, {Name::camel_mask_units, "maskUnits"},
    {Name::camel_num_octaves, "numOctaves"}, {Name::camel_path_length, "pathLength"},
    {Name::camel_pattern_content_units, "patternContentUnits"},
    {Name::camel_pattern_transform, "patternTransform"}, {Name::camel_pattern_units, "patternUnits"},
    {Name::camel_points_at_x, "pointsAtX"}, {Name::camel_points_at_y, "pointsAtY"},
    {Name::camel_points_at_z, "pointsAtZ"}, {Name::camel_preserve_alpha, "preserveAlpha"},
    {Name::camel_preserve_aspect_ratio, "preserveAspectRatio"},
    {Name::camel_primitive_units, "primitiveUnits"}, {Name::camel_ref_x, "refX"},
    {Name::camel_ref_y, "refY"}, {Name::camel_repeat_count, "repeatCount"},
    {Name::camel_repeat_dur, "repeatDur"}, {Name::camel_required_extensions, "requiredExtensions"},
    {Name::camel_required_features, "requiredFeatures"},
    {Name::camel_specular_constant, "specularConstant"},
    {Name::camel_specular_exponent, "specularExponent"}, {Name::camel_spread_method, "spreadMethod"},
    {Name::camel_start_offset, "startOffset"}, {Name::camel_std_deviation, "stdDeviation"},
    {Name::camel_stitch_tiles, "stitchTiles"}, {Name::camel_surface_scale, "surfaceScale"},
    {Name::camel_system_language, "systemLanguage"}, {Name::camel_table_values, "tableValues"},
    {Name::camel_target_x, "targetX"}, {Name::camel_target_y, "targetY"},
    {Name::camel_text_length, "textLength"}, {Name::camel_view_box, "viewBox"},
    {Name::camel_view_target, "viewTarget"}, {Name::camel_x_channel_selector, "xChannelSelector"},
    {Name::camel_y_channel_selector, "yChannelSelector"}, {Name::camel_zoom_and_pan, "zoomAndPan"},
    {Name::xlink_actuate, "xlink:actuate"}, {Name::xlink_arcrole, "xlink:arcrole"},
    {Name::xlink_href, "xlink:href"}, {Name::xlink_role, "xlink:role"}, {Name::xlink_show, "xlink:show"},
    {Name::xlink_title, "xlink:title"}, {Name::xlink_type, "xlink:type"}, {Name::xml_lang, "xml:lang"},
    {Name::xml_space, "xml:space"}, {Name::xmlns, "xmlns"}, {Name::xmlns_xlink, "xmlns:xlink"},
    {Name::definitionurl, "definitionurl"}, {Name::camel_definition_url, "definitionURL"},
    {Name::id, "id"}, {Name::class_, "class"}, {Name::href, "href"}, {Name::src, "src"},
    {Name::alt, "alt"}, {Name::name, "name"}, {Name::type, "type"}, {Name::value, "value"},
    {Name::rel, "rel"}, {Name::content, "content"}, {Name::charset, "charset"},
    {Name::http_equiv, "http-equiv"}, {Name::lang, "lang"}, {Name::width, "width"},
    {Name::height, "height"}, {Name::property, "property"}, {Name::itemprop, "itemprop"},
    {Name::itemtype, "itemtype"}, {Name::itemscope, "itemscope"}, {Name::itemid, "itemid"},
    {Name::itemref, "itemref"}, {Name::datetime, "datetime"}, {Name::hidden, "hidden"},
    {Name::role, "role"}, {Name::color, "color"}, {Name::face, "face"}, {Name::size, "size"},
    {Name::encoding, "encoding"}, {Name::action, "action"}, {Name::method, "method"},
    {Name::target, "target"}, {Name::media, "media"}, {Name::srcset, "srcset"}, {Name::sizes, "sizes"},
    {Name::loading, "loading"}, {Name::colspan, "colspan"}, {Name::rowspan, "rowspan"},
    {Name::scope, "scope"}, {Name::align, "align"}, {Name::valign, "valign"}, {Name::border, "border"},
    {Name::cellpadding, "cellpadding"}, {Name::cellspacing, "cellspacing"}, {Name::bgcolor, "bgcolor"},
    {Name::tabindex, "tabindex"}, {Name::aria_label, "aria-label"}, {Name::aria_hidden, "aria-hidden"},
    {Name::aria_labelledby, "aria-labelledby"}, {Name::data_src, "data-src"},
    {Name::data_srcset, "data-srcset"}, {Name::selected, "selected"}, {Name::multiple, "multiple"},
    {Name::disabled, "disabled"}, {Name::checked, "checked"}, {Name::for_, "for"},
    {Name::placeholder, "placeholder"}, {Name::async, "async"}, {Name::defer, "defer"},
    {Name::integrity, "integrity"}, {Name::crossorigin, "crossorigin"}, {Name::start, "start"},
    {Name::reversed, "reversed"}, {Name::download, "download"}, {Name::hreflang, "hreflang"},
    {Name::poster, "poster"}, {Name::controls, "controls"}, {Name::fill, "fill"}, {Name::stroke, "stroke"},
    {Name::d, "d"},
    // clang-format on
};

inline constexpr std::size_t kKnownNames = std::size(kKnownNameList) + 1;

constexpr bool known_names_are_in_order() {
  for (std::size_t i = 0; i < std::size(kKnownNameList); ++i)
    if (static_cast<std::size_t>(kKnownNameList[i].name) != i + 1) return false;
  return true;
}
static_assert(known_names_are_in_order());

constexpr std::size_t index_of(Name name) { return static_cast<std::size_t>(name); }

/// Maps names to texts and back, for one document. Known names are always present. clear() removes all other
/// names and keeps the memory. A lookup usually takes one multiplication and one comparison of eight bytes.
class NameTable {
 public:
  NameTable();

  /// Returns the name for a text, which must be in its final case. Adds the name if it is new. Returns
  /// Name::none if the table is full.
  Name intern(text::PaddedText text) {
    const bool fits = text.can_read(text.data(), 8) && text.size() < kMasks.size();
    return intern_by_key(
        text, fits ? load(text.data()) & kMasks[text.size()] : first_bytes(text.data(), text.size()));
  }
  /// Returns the name for a text; Name::none if it is not in the table.
  [[nodiscard]] Name find(std::string_view text) const;

  [[nodiscard]] std::string_view text(Name name) const {
    const Entry& entry = entries_[index_of(name)];
    return {chars_.data() + entry.offset, entry.size};
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Bytes used by the names of this document, without known names.
  [[nodiscard]] std::size_t memory() const;
  void clear();

  /// A mark per name, to find duplicate attributes without a search: a name was seen in the current tag if
  /// its `serial` is that of the tag. See Tokenizer::read_attribute().
  struct Mark {
    std::uint32_t serial = 0;
    std::uint32_t value = 0;
  };
  Mark& mark(Name name) { return entries_[index_of(name)].mark; }
  std::uint32_t next_serial() { return ++serial_; }

 private:
  struct Entry {
    std::uint64_t key = 0;  // the first eight bytes, zero-filled; the whole name if it is short
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    Mark mark;
  };
  static constexpr std::array<std::uint64_t, 9> kMasks = {0,
                                                          0xFF,
                                                          0xFFFF,
                                                          0xFFFFFF,
                                                          0xFFFFFFFF,
                                                          0xFFFFFFFFFF,
                                                          0xFFFFFFFFFFFF,
                                                          0xFFFFFFFFFFFFFF,
                                                          0xFFFFFFFFFFFFFFFF};

  static std::uint64_t load(const char* p) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return bytes;
  }
  static std::uint64_t first_bytes(const char* p, std::size_t size);

  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> shift_);
  }
  [[nodiscard]] std::uint64_t hash(std::string_view text, std::uint64_t key) const;
  [[nodiscard]] bool is(const Entry& entry, std::string_view text, std::uint64_t key) const {
    return entry.key == key && entry.size == text.size() &&
           (text.size() <= 8 || std::memcmp(chars_.data() + entry.offset, text.data(), text.size()) == 0);
  }
  Name intern_by_key(std::string_view text, std::uint64_t key) {
    std::size_t slot = slot_of(text.size() <= 8 ? key * multiplier_ : hash(text, key));
    for (;; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint16_t index = slots_[slot];
      if (index == 0) return add(text, key, slot);
      if (is(entries_[index], text, key)) return static_cast<Name>(index);
    }
  }
  Name add(std::string_view text, std::uint64_t key, std::size_t slot);
  void rebuild(unsigned bits);

  std::vector<Entry> entries_;        // indexed by Name
  std::vector<std::uint16_t> slots_;  // hash table with open addressing; 0 is a free slot
  std::string chars_;
  std::uint64_t multiplier_;
  unsigned shift_ = 0;
  std::uint32_t serial_ = 0;
  std::size_t known_chars_ = 0;
};

}  // namespace sheaf::html
