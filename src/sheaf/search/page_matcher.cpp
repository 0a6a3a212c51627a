#include "sheaf/search/page_matcher.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/search/page_terms.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace sheaf::search {
namespace {

bool has_any(const TermCounts& counts, const WordForms& forms) {
  const auto is_there = [&](const std::string& term) { return counts.contains(term); };
  if (std::ranges::any_of(forms.terms, is_there)) return true;
  return !forms.prefix.empty() && std::ranges::any_of(counts.entries(), [&](const TermCount& entry) {
    return entry.term.starts_with(forms.prefix);
  });
}

}  // namespace

bool is_form(const WordForms& forms, std::string_view term) {
  return std::ranges::find(forms.terms, term) != forms.terms.end() ||
         (!forms.prefix.empty() && term.starts_with(forms.prefix));
}

bool PageMatcher::operator()(const MatchPlan& plan, const Page& page) {
  terms_ = nullptr;
  const auto matches = [&](const MatchNode& node) { return holds(node, page); };
  const auto is_phrase = [](const MatchNode& node) { return node.kind == MatchNode::Kind::phrase; };
  // The index has found the words, so most pages that fail lack a phrase. Checking a phrase needs no terms.
  return std::ranges::all_of(plan.required | std::views::filter(is_phrase), matches) &&
         std::ranges::all_of(plan.required | std::views::filter(std::not_fn(is_phrase)), matches) &&
         std::ranges::none_of(plan.excluded, matches);
}

const PageTerms& PageMatcher::terms_of(const Page& page) {
  if (terms_ == nullptr) terms_ = &make_terms_(page);
  return *terms_;
}

// The recursion is bounded: a plan is at most four levels deep for any query.
bool PageMatcher::holds(const MatchNode& node, const Page& page) {
  const auto matches = [&](const MatchNode& child) { return holds(child, page); };
  switch (node.kind) {
    case MatchNode::Kind::all: return std::ranges::all_of(node.children, matches);
    case MatchNode::Kind::any: return std::ranges::any_of(node.children, matches);
    case MatchNode::Kind::word:
      return has_any(node.in_title ? terms_of(page).title : terms_of(page).body, node.words[0]);
    case MatchNode::Kind::phrase: return phrase_holds(node, page);
    case MatchNode::Kind::filter: break;
  }
  return true;
}

bool PageMatcher::phrase_holds(const MatchNode& node, const Page& page) {
  bool found = false;
  each_page_text(page, [&](const PageText& text) {
    if (node.in_title && text.role != TextRole::title) return false;
    found = has_phrase(text.text, page.language, node.words);
    return !found;
  });
  return found;
}

/// Advances all runs that match so far by each word of the text, so that no word is read twice.
bool PageMatcher::has_phrase(std::string_view text, std::string_view language,
                             std::span<const WordForms> words) {
  TermStemmer& stemmer = stemmers_.of(language);
  partial_.clear();
  bool found = false;
  splitter_.each(text, [&](const SearchWord& word) {
    if (found || word.kind == WordKind::identifier || word.kind == WordKind::last) return;
    const std::string_view term = stemmer.term_of(word);
    partial_.push_back(0);
    std::erase_if(partial_, [&](const std::size_t& run) { return !is_form(words[run], term); });
    for (std::size_t& run : partial_) found = ++run == words.size() || found;
  });
  return found;
}

namespace {

// A page with a million words must not take a second, so further matches are ignored.
constexpr std::size_t kMaxMatches = 10'000;
constexpr std::size_t kMaxHeadingLength = 200;
constexpr std::size_t kContextBytes = kSnippetBytes / 4;  // before the first match
constexpr double kPhraseBonus = 4;
constexpr double kHeadingShare = 0.5;

/// Replaces runs of white space by one space, because a snippet is one line.
std::string as_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (!base::is_space_or_control(c))
      line += c;
    else if (line.empty() || line.back() != ' ')
      line += ' ';
  }
  return line;
}

/// Moves a cut to a word boundary, if there is one nearby, and never into a character.
std::size_t word_begin(std::string_view text, std::size_t at) {
  constexpr std::size_t kNear = 24;
  for (std::size_t i = at; i > 0 && at - i < kNear; --i)
    if (base::is_space_or_control(text[i - 1])) return i;
  return base::cut_utf8(text, at).size();
}

/// The headings above the current text.
class HeadingPath {
 public:
  struct Entry {
    int level = 1;
    std::string_view text;
    double score = 0;
  };

  void add(Entry entry) {
    while (!entries_.empty() && entries_.back().level >= entry.level) entries_.pop_back();
    entries_.push_back(entry);
  }
  [[nodiscard]] double score() const {
    double sum = 0;
    for (const Entry& entry : entries_) sum += entry.score;
    return sum;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Entry& entry : entries_)
      texts.push_back(as_line(base::cut_utf8(entry.text, kMaxHeadingLength)));
    return texts;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace

void SnippetMaker::collect_words(const MatchNode& node) {
  if (node.kind == MatchNode::Kind::filter) return;
  if (node.kind == MatchNode::Kind::phrase) phrases_.push_back(&node);
  for (const WordForms& word : node.words) words_.push_back(&word);
  for (const MatchNode& child : node.children) collect_words(child);
}

void SnippetMaker::find_matches(std::string_view text, std::string_view language) {
  TermStemmer& stemmer = stemmers_.of(language);
  matches_.clear();
  splitter_.each(text, [&](const SearchWord& word) {
    if (matches_.size() >= kMaxMatches || word.kind == WordKind::last) return;
    const std::string_view term = stemmer.term_of(word);
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (is_form(*words_[i], term)) {
        matches_.push_back({word.from, word.to, i});
        return;
      }
  });
}

double SnippetMaker::score(std::string_view text, std::string_view language) {
  find_matches(text, language);
  std::vector<bool> seen(words_.size());
  double sum = 0;
  for (const Match& match : matches_)
    if (!seen[match.word]) {
      seen[match.word] = true;
      sum += 1;
    }
  if (sum > 1)
    for (const MatchNode* phrase : phrases_)
      if (matcher_.has_phrase(text, language, phrase->words)) sum += kPhraseBonus;
  return sum;
}

Snippet SnippetMaker::operator()(const MatchPlan& plan, const Page& page) {
  words_.clear();
  phrases_.clear();
  for (const MatchNode& node : plan.required) collect_words(node);
  Snippet snippet;
  HeadingPath path;
  std::string_view best_text;
  double best = -1;
  each_page_text(page, [&](const PageText& text) {
    if (text.role == TextRole::title) return true;
    if (text.role == TextRole::heading) {
      path.add({text.level, text.text, kHeadingShare * score(text.text, page.language)});
      return true;
    }
    // If both have the same words, the content is preferred to the page's description of itself.
    const double found =
        score(text.text, page.language) + path.score() - (text.role == TextRole::description ? 0.25 : 0);
    if (found > best) {
      best = found;
      best_text = text.text;
      snippet.headings = path.texts();
    }
    return true;
  });
  find_matches(best_text, page.language);
  snippet.parts = cut(best_text);
  return snippet;
}

/// Cuts out the part of the text with most words of the query, and some text before it.
std::vector<SnippetPart> SnippetMaker::cut(std::string_view text) {
  std::size_t first = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < matches_.size(); ++i) {
    std::vector<bool> seen(words_.size());
    std::size_t words = 0;
    for (std::size_t k = i; k < matches_.size() && matches_[k].to <= matches_[i].from + kSnippetBytes; ++k)
      if (!seen[matches_[k].word]) {
        seen[matches_[k].word] = true;
        ++words;
      }
    if (words > most) {
      most = words;
      first = i;
    }
    if (most == words_.size()) break;
  }
  std::size_t begin = 0;
  if (!matches_.empty() && matches_[first].to > kSnippetBytes)
    begin = word_begin(text, matches_[first].from > kContextBytes ? matches_[first].from - kContextBytes : 0);
  std::size_t end = text.size();
  if (end - begin > kSnippetBytes) end = std::max(word_begin(text, begin + kSnippetBytes), begin);
  std::vector<SnippetPart> parts;
  const auto add = [&](std::string_view piece, bool matches) {
    if (!piece.empty()) parts.push_back({as_line(piece), matches});
  };
  if (begin > 0) parts.push_back({"... ", false});
  std::size_t at = begin;
  for (const Match& match : matches_) {
    if (match.from < at) continue;
    if (match.to > end) break;
    add(text.substr(at, match.from - at), false);
    add(text.substr(match.from, match.to - match.from), true);
    at = match.to;
  }
  add(text.substr(at, end - at), false);
  if (end < text.size()) parts.push_back({" ...", false});
  return parts;
}

}  // namespace sheaf::search
