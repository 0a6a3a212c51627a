#include "sheaf/search/page_terms.h"

#include "sheaf/base/percent_encoding.h"
#include "sheaf/base/url.h"
#include "sheaf/search/page_texts.h"

#include <algorithm>
#include <array>

namespace sheaf::search {
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
