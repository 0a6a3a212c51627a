// Formulas between dollar signs. They are not part of CommonMark, which would read some of their characters
// as emphasis.
#include "sheaf/base/ascii.h"
#include "sheaf/markdown/markdown_dialects.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace sheaf::markdown {
namespace {

constexpr std::size_t kMaxFormulaLength = 2048;  // bytes; a longer text is prose between two prices

struct Formula {
  std::string_view tex;
  std::size_t end = 0;  // position after the formula
  bool display = false;
};

/// Whether a text looks like TeX. The text between two prices in a line does not.
bool looks_like_tex(std::string_view tex) {
  if (tex.size() == 1) return base::is_alphanumeric(tex.front()) && !base::is_digit(tex.front());
  return tex.find_first_of("\\^_={}+<>") != std::string_view::npos;
}

/// The formula that begins with the dollar sign at `at`, if there is one. By pandoc's rule, there must be no
/// white space just inside the dollar signs, and no digit after the closing one.
std::optional<Formula> formula_at(std::string_view text, std::size_t at) {
  const bool display = text.substr(at).starts_with("$$");
  const std::string_view sign = display ? "$$" : "$";
  const std::size_t begin = at + sign.size();
  const std::size_t close =
      text.substr(0, std::min(text.size(), begin + kMaxFormulaLength)).find(sign, begin);
  if (close == std::string_view::npos || close == begin) return std::nullopt;
  const std::string_view inside = text.substr(begin, close - begin);
  const std::string_view tex = text::trim_space(inside);
  if (tex.empty() || inside.find("\n\n") != std::string_view::npos || !looks_like_tex(tex))
    return std::nullopt;
  const std::size_t end = close + sign.size();
  if (!display && (tex.size() != inside.size() || inside.find('\n') != std::string_view::npos ||
                   (end < text.size() && base::is_digit(text[end]))))
    return std::nullopt;
  return Formula{tex, end, display};
}

/// Appends a formula as HTML that Markdown does not change: characters that could be markup become
/// references.
void append_formula(std::string& out, const Formula& formula) {
  out += formula.display ? "<span class=\"math\">&#92;&#91;" : "<span class=\"math\">&#92;&#40;";
  for (const char c : formula.tex) {
    const bool is_plain = base::is_alphanumeric(c) || c == ' ' || static_cast<unsigned char>(c) >= 0x80;
    if (is_plain) {
      out += c;
    } else if (text::is_space(c)) {
      out += ' ';
    } else {
      out.append("&#").append(std::to_string(static_cast<int>(c))).append(";");
    }
  }
  out += formula.display ? "&#92;&#93;</span>" : "&#92;&#41;</span>";
}

/// Finds the ends of code spans. It looks for all runs of backticks once: searching the rest of the text for
/// each run that has no partner would take more than linear time.
class CodeSpans {
 public:
  explicit CodeSpans(std::string_view text) {
    for (std::size_t at = text.find('`'); at < text.size(); at = text.find('`', at)) {
      const std::size_t begin = at;
      while (at < text.size() && text[at] == '`') ++at;
      runs_[at - begin].push_back(begin);
    }
  }

  /// The end of the code span that begins with the run of `ticks` backticks at `at`. If no other run of this
  /// length follows, the end of the run.
  [[nodiscard]] std::size_t end_of(std::size_t at, std::size_t ticks) const {
    const auto same = runs_.find(ticks);
    if (same == runs_.end()) return at + ticks;
    const auto close = std::ranges::upper_bound(same->second, at);
    return (close == same->second.end() ? at : *close) + ticks;
  }

 private:
  std::map<std::size_t, std::vector<std::size_t>> runs_;  // where they begin, by length
};

std::size_t count_ticks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of('`', at), text.size()) - at;
}

}  // namespace

std::string convert_formulas(std::string_view markdown) {
  std::string out;
  out.reserve(markdown.size());
  const CodeSpans code(markdown);
  std::size_t at = 0;
  while (at < markdown.size()) {
    const char c = markdown[at];
    std::size_t end = at + 1;
    if (c == '\\' && end < markdown.size()) ++end;
    if (c == '`') end = code.end_of(at, count_ticks(markdown, at));
    if (c == '$') {
      if (const auto formula = formula_at(markdown, at)) {
        append_formula(out, *formula);
        at = formula->end;
        continue;
      }
    }
    out += markdown.substr(at, end - at);
    at = end;
  }
  return out;
}

}  // namespace sheaf::markdown
