#include "sheaf/search/page_terms.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/url.h"

#include <algorithm>
#include <array>
#include <variant>

namespace sheaf::search {
namespace {

class TextWalk {
 public:
  explicit TextWalk(const std::function<bool(const PageText&)>& use) : use_(use) {}

  bool text(std::string_view text, TextRole role = TextRole::body, int level = 0) {
    if (text.empty()) return true;
    const std::string_view part = base::cut_utf8(text, left_);
    left_ -= part.size();
    if (!part.empty() && !use_({part, role, level})) return false;
    return part.size() == text.size();
  }
  bool text(const OptionalText& optional) { return !optional || text(*optional); }

  bool block(const TextBlock& block) { return text(block.text); }
  bool block(const HeadingBlock& block) { return text(block.text, TextRole::heading, block.level); }
  bool block(const LinkBlock& block) { return text(block.text); }
  bool block(const ImageBlock& block) { return text(block.alt); }
  bool block(const CodeBlock& block) { return text(block.code, TextRole::code); }
  bool block(const QuoteBlock& block) { return text(block.text) && text(block.citation); }
  bool block(const VideoBlock& block) { return media(*block.media); }
  bool block(const AudioBlock& block) { return media(*block.media); }
  bool block(const StructuredBlock& /*block*/) { return true; }
  bool block(const UnknownBlock& /*block*/) { return true; }
  bool block(const ListBlock& block) {
    for (const Text& item : block.items)
      if (!text(item)) return false;
    return true;
  }
  bool block(const TableBlock& block) {
    for (const auto& row : block.rows)
      for (const Text& cell : row)
        if (!text(cell)) return false;
    return true;
  }

 private:
  bool media(const Media& media) {
    if (!text(media.name) || !text(media.summary) || !text(media.attributed_to)) return false;
    if (!media.chapters) return true;
    for (const Chapter& chapter : *media.chapters)
      if (!text(chapter.title)) return false;
    return true;
  }

  const std::function<bool(const PageText&)>& use_;
  std::size_t left_ = kMaxPageText;
};

}  // namespace

void each_page_text(const Page& page, const std::function<bool(const PageText&)>& use) {
  TextWalk walk(use);
  if (!walk.text(page.title, TextRole::title)) return;
  if (!walk.text(page.description, TextRole::description)) return;
  for (const Block& block : page.content)
    if (!std::visit([&](const auto& kind) { return walk.block(kind); }, block.kind)) return;
}

namespace {

// How often a word counts in each role. Chosen by the known-item benchmark (bench/search_bench.py).
constexpr std::uint32_t kTitleWeight = 6;
constexpr std::uint32_t kDescriptionWeight = 2;
constexpr std::array<std::uint32_t, 7> kHeadingWeight{3, 6, 5, 4, 3, 3, 3};

std::uint32_t weight_of(const PageText& text) {
  switch (text.role) {
    case TextRole::title: return kTitleWeight;
    case TextRole::description: return kDescriptionWeight;
    case TextRole::heading: return kHeadingWeight[static_cast<std::size_t>(std::clamp(text.level, 0, 6))];
    case TextRole::body:
    case TextRole::code: break;
  }
  return 1;
}

}  // namespace

const PageTerms& PageTermMaker::operator()(const Page& page) {
  terms_.body.clear();
  terms_.title.clear();
  terms_.pairs.clear();
  terms_.bytes = 0;
  TermStemmer& stemmer = stemmers_.of(page.language);
  each_page_text(page, [&](const PageText& text) {
    terms_.bytes += text.text.size();
    const std::uint32_t weight = weight_of(text);
    const bool has_pairs = text.role == TextRole::title || text.role == TextRole::heading;
    pairs_.end();
    splitter_.each(text.text, [&](const SearchWord& word) {
      const std::string_view term = stemmer.term_of(word);
      terms_.body.add(term, weight);
      if (text.role == TextRole::title) terms_.title.add(term, 1);
      if (has_pairs) pairs_.add(word, [&](std::string_view pair) { terms_.pairs.add(pair, 1); });
    });
    return true;
  });
  add_path(page, stemmer);
  terms_.new_words = stemmer.take_new_words();
  return terms_;
}

/// The words of a URL often tell what a page is about when its title does not.
void PageTermMaker::add_path(const Page& page, TermStemmer& stemmer) {
  const auto url = base::Url::parse(page.url);
  if (!url) return;
  const std::string path = base::percent_decode(url->path().substr(0, 1024));
  splitter_.each(path, [&](const SearchWord& word) { terms_.body.add(stemmer.term_of(word), 1); });
}

}  // namespace sheaf::search
