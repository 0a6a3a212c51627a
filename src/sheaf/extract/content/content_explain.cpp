#include "sheaf/extract/content/content_explain.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/text/text_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::size_t kNameBytes = 48;
constexpr std::size_t kTextBytes = 60;

struct HintName {
  Hint hint;
  std::string_view name;
};
constexpr HintName kHintNames[] = {
    {kHintContent, "content"},
    {kHintComment, "comments"},
    {kHintShare, "sharing"},
    {kHintRelated, "related"},
    {kHintNavigation, "navigation"},
    {kHintFooter, "footer"},
    {kHintHeader, "header"},
    {kHintSidebar, "sidebar"},
    {kHintAdvert, "advertising"},
    {kHintNotice, "notice"},
    {kHintByline, "byline"},
    {kHintTags, "tags"},
    {kHintCaption, "caption"},
    {kHintHidden, "hidden"},
    {kHintForm, "form"},
    {kHintGallery, "gallery"},
    {kHintLead, "lead"},
    {kHintTitle, "title"},
    {kHintAbout, "about the author"},
    {kHintMore, "more"},
};

/// "div#main.post".
std::string element_name(const html::Document& document, html::NodeId node) {
  if (!document.is_element(node)) return "page";
  std::string name(document.name_text(node));
  if (const auto id = document.attribute(node, html::Name::id); id && !id->empty())
    name.append("#").append(text::trim_space(*id));
  if (const auto classes = document.attribute(node, html::Name::class_)) {
    std::string_view rest = *classes;
    for (std::string_view word = text::take_word(rest); !word.empty(); word = text::take_word(rest))
      name.append(".").append(word);
  }
  return std::string(base::cut_utf8(name, kNameBytes));
}

/// What a dropped box was recognised as.
std::string recognised(BoxKind kind) {
  return kind == BoxKind::none ? "" : fmt::format("; recognised as: {}", to_string(kind));
}

std::string called(std::uint32_t hints) {
  std::string names;
  for (const HintName& hint : kHintNames)
    if ((hints & hint.hint) != 0) names.append(names.empty() ? "" : ", ").append(hint.name);
  return names.empty() ? "" : fmt::format("; hints: {}", names);
}

class Explanation {
 public:
  Explanation(const html::Document& document, const ContentSelector& selector)
      : document_(document), selector_(selector) {}

  std::string text() {
    const PageOutline& outline = selector_.outline();
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < outline.runs().size(); ++i) kept += selector_.run_kept(i) ? 1 : 0;
    out_ = fmt::format("{} of {} content; treated as {}\n", kept,
                       base::counted(outline.runs().size(), "text is", "texts are"),
                       outline.is_manual() ? "a page of a manual" : "an article or similar");
    std::uint32_t run = 0;
    for (std::uint32_t i = 0; i < outline.regions().size(); ++i) {
      add_runs(run, outline.regions()[i].first_run);
      add_region(i);
    }
    add_runs(run, static_cast<std::uint32_t>(outline.runs().size()));
    for (const html::NodeId node : outline.hidden())
      out_ += fmt::format("- {}: hidden from visitors\n", element_name(document_, node));
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string indent(std::uint32_t region) const {
    std::size_t borders = 0;
    for (const auto regions = selector_.outline().regions(); region != 0; region = regions[region].parent)
      borders += selector_.region_kept(region) != selector_.region_kept(regions[region].parent) ? 1 : 0;
    return std::string(2 * borders, ' ');
  }

  void add_region(std::uint32_t index) {
    const auto regions = selector_.outline().regions();
    const Region& region = regions[index];
    if (region.first_run == region.runs_end) return;
    if (index != 0 && selector_.region_kept(index) == selector_.region_kept(region.parent)) return;
    const TextSums sums = selector_.outline().sums(region);
    float score = 0;
    for (std::uint32_t run = region.first_run; run < region.runs_end; ++run) score += selector_.score(run);
    out_ += fmt::format("{}{} {}: {}, {}, {} % in links, mean score {:+.1f}{}{}\n", indent(index),
                        selector_.region_kept(index) ? '+' : '-', element_name(document_, region.node),
                        base::counted(region.runs_end - region.first_run, "text", "texts"),
                        base::counted(sums.chars, "character", "characters"),
                        sums.chars == 0 ? 0 : std::uint64_t{sums.link_chars} * 100 / sums.chars,
                        score / static_cast<float>(region.runs_end - region.first_run),
                        called(region.hints | region.class_hints), recognised(selector_.flows().box(index)));
  }

  /// Adds the runs whose answer differs from the answer of their region.
  void add_runs(std::uint32_t& run, std::uint32_t end) {
    for (; run < end; ++run) {
      const TextRun& text = selector_.outline().runs()[run];
      if (selector_.run_kept(run) == selector_.region_kept(text.region)) continue;
      out_ += fmt::format(
          "{}  {} \"{}\": score {:+.1f}\n", indent(text.region), selector_.run_kept(run) ? '+' : '-',
          base::cut_utf8(text::trim_space(document_.text(text.first)), kTextBytes), selector_.score(run));
    }
  }

  const html::Document& document_;
  const ContentSelector& selector_;
  std::string out_;
};

}  // namespace

std::string explain_content(const html::Document& document, const ContentSelector& selector) {
  return Explanation(document, selector).text();
}

}  // namespace sheaf::extract
