#include "sheaf/extract/blocks/math_symbols.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace sheaf::extract {
namespace {

using SignCommand = std::pair<char32_t, std::string_view>;

// clang-format off
constexpr auto kSigns = std::to_array<SignCommand>({
    {0x00A0, R"(\ )"}, {0x00AC, R"(\neg)"}, {0x00B1, R"(\pm)"}, {0x00B7, R"(\cdot)"},
    {0x00D7, R"(\times)"}, {0x00F7, R"(\div)"}, {0x0131, R"(\imath)"}, {0x0393, R"(\Gamma)"},
    {0x0394, R"(\Delta)"}, {0x0398, R"(\Theta)"}, {0x039B, R"(\Lambda)"}, {0x039E, R"(\Xi)"},
    {0x03A0, R"(\Pi)"}, {0x03A3, R"(\Sigma)"}, {0x03A5, R"(\Upsilon)"}, {0x03A6, R"(\Phi)"},
    {0x03A8, R"(\Psi)"}, {0x03A9, R"(\Omega)"}, {0x03B1, R"(\alpha)"}, {0x03B2, R"(\beta)"},
    {0x03B3, R"(\gamma)"}, {0x03B4, R"(\delta)"}, {0x03B5, R"(\varepsilon)"}, {0x03B6, R"(\zeta)"},
    {0x03B7, R"(\eta)"}, {0x03B8, R"(\theta)"}, {0x03B9, R"(\iota)"}, {0x03BA, R"(\kappa)"},
    {0x03BB, R"(\lambda)"}, {0x03BC, R"(\mu)"}, {0x03BD, R"(\nu)"}, {0x03BE, R"(\xi)"},
    {0x03BF, R"(o)"}, {0x03C0, R"(\pi)"}, {0x03C1, R"(\rho)"}, {0x03C2, R"(\varsigma)"},
    {0x03C3, R"(\sigma)"}, {0x03C4, R"(\tau)"}, {0x03C5, R"(\upsilon)"}, {0x03C6, R"(\varphi)"},
    {0x03C7, R"(\chi)"}, {0x03C8, R"(\psi)"}, {0x03C9, R"(\omega)"}, {0x03D1, R"(\vartheta)"},
    {0x03D5, R"(\phi)"}, {0x03D6, R"(\varpi)"}, {0x03F0, R"(\varkappa)"}, {0x03F1, R"(\varrho)"},
    {0x03F5, R"(\epsilon)"}, {0x2003, R"(\quad)"}, {0x2005, R"(\:)"}, {0x2009, R"(\,)"},
    {0x200A, R"()"}, {0x200B, R"()"}, {0x2016, R"(\|)"}, {0x2020, R"(\dagger)"},
    {0x2021, R"(\ddagger)"}, {0x2026, R"(\ldots)"}, {0x2032, R"(')"}, {0x2033, R"('')"},
    {0x2061, R"()"}, {0x2062, R"()"}, {0x2063, R"()"}, {0x2064, R"()"},
    {0x2102, R"(\mathbb{C})"}, {0x210B, R"(\mathcal{H})"}, {0x210C, R"(\mathfrak{H})"}, {0x210D, R"(\mathbb{H})"},
    {0x210E, R"(h)"}, {0x210F, R"(\hbar)"}, {0x2110, R"(\mathcal{I})"}, {0x2111, R"(\Im)"},
    {0x2112, R"(\mathcal{L})"}, {0x2113, R"(\ell)"}, {0x2115, R"(\mathbb{N})"}, {0x2118, R"(\wp)"},
    {0x2119, R"(\mathbb{P})"}, {0x211A, R"(\mathbb{Q})"}, {0x211B, R"(\mathcal{R})"}, {0x211C, R"(\Re)"},
    {0x211D, R"(\mathbb{R})"}, {0x2124, R"(\mathbb{Z})"}, {0x2128, R"(\mathfrak{Z})"}, {0x212C, R"(\mathcal{B})"},
    {0x212D, R"(\mathfrak{C})"}, {0x2130, R"(\mathcal{E})"}, {0x2131, R"(\mathcal{F})"}, {0x2133, R"(\mathcal{M})"},
    {0x2135, R"(\aleph)"}, {0x2190, R"(\leftarrow)"}, {0x2191, R"(\uparrow)"}, {0x2192, R"(\to)"},
    {0x2193, R"(\downarrow)"}, {0x2194, R"(\leftrightarrow)"}, {0x21A6, R"(\mapsto)"}, {0x21AA, R"(\hookrightarrow)"},
    {0x21BE, R"(\upharpoonright)"}, {0x21C0, R"(\rightharpoonup)"}, {0x21CC, R"(\rightleftharpoons)"}, {0x21D0, R"(\Leftarrow)"},
    {0x21D2, R"(\Rightarrow)"}, {0x21D4, R"(\Leftrightarrow)"}, {0x2200, R"(\forall)"}, {0x2202, R"(\partial)"},
    {0x2203, R"(\exists)"}, {0x2204, R"(\nexists)"}, {0x2205, R"(\emptyset)"}, {0x2207, R"(\nabla)"},
    {0x2208, R"(\in)"}, {0x2209, R"(\notin)"}, {0x220B, R"(\ni)"}, {0x220F, R"(\prod)"},
    {0x2210, R"(\coprod)"}, {0x2211, R"(\sum)"}, {0x2212, R"(-)"}, {0x2213, R"(\mp)"},
    {0x2216, R"(\setminus)"}, {0x2217, R"(*)"}, {0x2218, R"(\circ)"}, {0x2219, R"(\bullet)"},
    {0x221A, R"(\sqrt)"}, {0x221D, R"(\propto)"}, {0x221E, R"(\infty)"}, {0x2220, R"(\angle)"},
    {0x2223, R"(\mid)"}, {0x2224, R"(\nmid)"}, {0x2225, R"(\parallel)"}, {0x2227, R"(\wedge)"},
    {0x2228, R"(\vee)"}, {0x2229, R"(\cap)"}, {0x222A, R"(\cup)"}, {0x222B, R"(\int)"},
    {0x222C, R"(\iint)"}, {0x222D, R"(\iiint)"}, {0x222E, R"(\oint)"}, {0x2234, R"(\therefore)"},
    {0x2235, R"(\because)"}, {0x223C, R"(\sim)"}, {0x2243, R"(\simeq)"}, {0x2245, R"(\cong)"},
    {0x2248, R"(\approx)"}, {0x224D, R"(\asymp)"}, {0x2250, R"(\doteq)"}, {0x2254, R"(:=)"},
    {0x225C, R"(\triangleq)"}, {0x2260, R"(\neq)"}, {0x2261, R"(\equiv)"}, {0x2264, R"(\leq)"},
    {0x2265, R"(\geq)"}, {0x226A, R"(\ll)"}, {0x226B, R"(\gg)"}, {0x227A, R"(\prec)"},
    {0x227B, R"(\succ)"}, {0x2282, R"(\subset)"}, {0x2283, R"(\supset)"}, {0x2286, R"(\subseteq)"},
    {0x2287, R"(\supseteq)"}, {0x228A, R"(\subsetneq)"}, {0x2295, R"(\oplus)"}, {0x2296, R"(\ominus)"},
    {0x2297, R"(\otimes)"}, {0x2299, R"(\odot)"}, {0x22A2, R"(\vdash)"}, {0x22A4, R"(\top)"},
    {0x22A5, R"(\perp)"}, {0x22A8, R"(\models)"}, {0x22C0, R"(\bigwedge)"}, {0x22C1, R"(\bigvee)"},
    {0x22C2, R"(\bigcap)"}, {0x22C3, R"(\bigcup)"}, {0x22C4, R"(\diamond)"}, {0x22C5, R"(\cdot)"},
    {0x22C6, R"(\star)"}, {0x22C8, R"(\bowtie)"}, {0x22EE, R"(\vdots)"}, {0x22EF, R"(\cdots)"},
    {0x22F1, R"(\ddots)"}, {0x2308, R"(\lceil)"}, {0x2309, R"(\rceil)"}, {0x230A, R"(\lfloor)"},
    {0x230B, R"(\rfloor)"}, {0x2329, R"(\langle)"}, {0x232A, R"(\rangle)"}, {0x23DE, R"(\overbrace)"},
    {0x23DF, R"(\underbrace)"}, {0x25A1, R"(\square)"}, {0x25B3, R"(\triangle)"}, {0x25CB, R"(\bigcirc)"},
    {0x25FB, R"(\square)"}, {0x27E8, R"(\langle)"}, {0x27E9, R"(\rangle)"}, {0x27F5, R"(\longleftarrow)"},
    {0x27F6, R"(\longrightarrow)"}, {0x27F9, R"(\Longrightarrow)"}, {0x27FA, R"(\iff)"}, {0x27FC, R"(\longmapsto)"},
    {0x2A01, R"(\bigoplus)"}, {0x2A02, R"(\bigotimes)"}, {0x2A7D, R"(\leqslant)"}, {0x2A7E, R"(\geqslant)"},
    {0x2AAF, R"(\preceq)"}, {0x2AB0, R"(\succeq)"}, {0xFEFF, R"()"}});
constexpr auto kFunctions = std::to_array<std::string_view>({
    "\\Pr", "\\arccos", "\\arcsin", "\\arctan", "\\arg", "\\cos", "\\cosh", "\\cot", "\\csc", "\\deg", "\\det", "\\dim",
    "\\exp", "\\gcd", "\\hom", "\\inf", "\\ker", "\\lg", "\\lim", "\\liminf", "\\limsup", "\\ln", "\\log", "\\max",
    "\\min", "\\sec", "\\sin", "\\sinh", "\\sup", "\\tan", "\\tanh"});
// clang-format on
static_assert(std::ranges::is_sorted(kSigns, {}, &SignCommand::first));

// The styles of the mathematical alphabets, in the order of their code points.
constexpr auto kStyles = std::to_array<std::string_view>(
    {"\\mathbf", "", "\\boldsymbol", "\\mathcal", "\\mathcal", "\\mathfrak", "\\mathbb", "\\mathfrak",
     "\\mathsf", "\\mathsf", "\\mathsf", "\\mathsf", "\\mathtt"});
constexpr auto kGreekStyles =
    std::to_array<std::string_view>({"\\boldsymbol", "", "\\boldsymbol", "\\boldsymbol", "\\boldsymbol"});
constexpr auto kDigitStyles =
    std::to_array<std::string_view>({"\\mathbf", "\\mathbb", "\\mathsf", "\\mathsf", "\\mathtt"});

void append_command(std::string& out, std::string_view tex) {
  if (tex.empty()) return;
  // A command ends where its letters end.
  std::size_t letters = 0;
  while (letters < out.size() && base::is_letter(out[out.size() - 1 - letters])) ++letters;
  const bool ends_command = letters > 0 && letters < out.size() && out[out.size() - 1 - letters] == '\\';
  if (ends_command && base::is_letter(tex.front())) out += ' ';
  out += tex;
}

/// The character that a mathematical letter is a style of, and the style; the character itself if it is none.
std::pair<char32_t, std::string_view> plain_letter(char32_t c) {
  constexpr auto kVariants =
      std::to_array<char32_t>({0x2202, 0x03F5, 0x03D1, 0x03F0, 0x03D5, 0x03F1, 0x03D6});
  if (c >= 0x1D400 && c < 0x1D6A4) {
    const std::size_t at = c - 0x1D400;
    const auto letter = static_cast<char32_t>(at % 52);
    return {letter < 26 ? U'A' + letter : U'a' + letter - 26, kStyles[at / 52]};
  }
  if (c >= 0x1D6A8 && c < 0x1D7CA) {
    const std::size_t at = c - 0x1D6A8;
    const auto letter = static_cast<char32_t>(at % 58);
    const std::string_view style = kGreekStyles[at / 58];
    if (letter < 25) return {0x391 + letter, style};
    if (letter == 25) return {0x2207, style};
    return {letter < 51 ? 0x3B1 + letter - 26 : kVariants[letter - 51], style};
  }
  if (c >= 0x1D7CE && c < 0x1D800) {
    const std::size_t at = c - 0x1D7CE;
    return {U'0' + static_cast<char32_t>(at % 10), kDigitStyles[at / 10]};
  }
  return {c, {}};
}

}  // namespace

void append_tex(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const char32_t written = base::take_code_point(text);
    const auto [c, style] = plain_letter(written);
    std::string plain;
    if (c == 0xE020 || c == 0x338) {  // the stroke of "not equal", before or after the sign
      if (text.starts_with('=')) text.remove_prefix(1);
      append_command(out, "\\neq");
      continue;
    }
    const auto found = std::ranges::lower_bound(kSigns, c, {}, &SignCommand::first);
    if (found != kSigns.end() && found->first == c) {
      plain = found->second;
    } else if (c == U'{' || c == U'}' || c == U'%' || c == U'#' || c == U'&' || c == U'_' || c == U'$') {
      plain = {'\\', static_cast<char>(c)};
    } else if (c != U' ' && c != U'\n') {
      base::append_utf8(plain, c);
    }
    append_command(out, style.empty() || plain.empty() ? plain : std::string(style) + "{" + plain + "}");
  }
}

void append_tex_argument(std::string& out, std::string_view tex) {
  if (tex.size() == 1) {
    out += tex;
  } else {
    out.append("{").append(tex).append("}");
  }
}

std::string_view tex_function(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kFunctions, [name](std::string_view command) { return command.substr(1) == name; });
  return found == kFunctions.end() ? std::string_view() : *found;
}

std::string_view tex_accent(std::string_view sign, bool above, bool wide) {
  if (sign.empty()) return {};
  const char32_t c = base::take_code_point(sign);
  switch (c) {
    case U'^':
    case 0x02C6:
    case 0x0302: return above ? (wide ? "\\widehat" : "\\hat") : "";
    case U'~':
    case 0x02DC:
    case 0x223C:
    case 0x0303: return above ? (wide ? "\\widetilde" : "\\tilde") : "";
    case U'_':
    case U'-':
    case 0x00AF:
    case 0x02C9:
    case 0x0304:
    case 0x0305:
    case 0x0332:
    case 0x203E:
    case 0x2015:
    case 0x2013:
    case 0x2212: return !above ? "\\underline" : wide ? "\\overline" : "\\bar";
    case 0x2192:
    case 0x20D7: return above ? (wide ? "\\overrightarrow" : "\\vec") : "";
    case 0x02D9:
    case 0x0307: return above ? "\\dot" : "";
    case 0x00A8:
    case 0x0308: return above ? "\\ddot" : "";
    case 0x02C7:
    case 0x030C: return above ? "\\check" : "";
    case 0x02D8:
    case 0x0306: return above ? "\\breve" : "";
    case 0x23DE: return above ? "\\overbrace" : "";
    case 0x23DF: return above ? "" : "\\underbrace";
    default: return {};
  }
}

}  // namespace sheaf::extract
