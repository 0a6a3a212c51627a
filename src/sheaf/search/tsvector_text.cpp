#include "sheaf/search/tsvector_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

// PostgreSQL's limits are a megabyte for all lexemes and 2,046 bytes for one.
constexpr std::size_t kMaxLexemeBytes = 900'000;
constexpr std::size_t kMaxLexemeLength = 1'024;
constexpr std::size_t kBytesBesideLexeme = 12;
constexpr std::uint32_t kMaxPositions = 4;

std::string lexeme_text(std::string_view lexeme) {
  std::string text = "'";
  for (const char c : lexeme) {
    if (c == '\'' || c == '\\') text += c;
    text += c;
  }
  return text + "'";
}

/// A for words in the title; B to D for others, depending on how often and how prominently they occur.
char weight_of(std::uint32_t count, bool in_title) {
  if (in_title) return 'A';
  return count >= 6 ? 'B' : count >= 3 ? 'C' : 'D';
}

void add_lexeme(std::string& out, std::string_view lexeme, std::uint32_t count, char weight) {
  if (!out.empty()) out += ' ';
  out += lexeme_text(lexeme);
  std::uint32_t positions = 1;
  while (positions < kMaxPositions && (count >> positions) > 0) ++positions;
  for (std::uint32_t position = 1; position <= positions; ++position) {
    out += position == 1 ? ':' : ',';
    out += std::to_string(position);
    if (weight != 'D') out += weight;
  }
}

std::string joined(const std::vector<std::string>& parts, std::string_view by) {
  if (parts.size() == 1) return parts.front();
  std::string text = "(";
  for (const std::string& part : parts) {
    if (text.size() > 1) text += by;
    text += part;
  }
  return text + ")";
}

std::string word_tsquery(const WordForms& forms, std::string_view prefix) {
  std::vector<std::string> any;
  for (const std::string& term : forms.terms) any.push_back(lexeme_text(std::string(prefix) + term));
  if (!forms.prefix.empty()) any.push_back(lexeme_text(std::string(prefix) + forms.prefix) + ":*");
  return joined(any, " | ");
}

// The recursion is bounded: a plan is at most four levels deep for any query.
std::string node_tsquery(const MatchNode& node) {
  const std::string_view prefix = node.in_title ? kTitlePrefix : std::string_view();
  std::vector<std::string> parts;
  for (const MatchNode& child : node.children) parts.push_back(node_tsquery(child));
  if (node.kind == MatchNode::Kind::any) return joined(parts, " | ");
  if (node.kind == MatchNode::Kind::filter) return lexeme_text(node.words[0].terms[0]);
  for (const WordForms& word : node.words) parts.push_back(word_tsquery(word, prefix));
  return joined(parts, " & ");
}

bool contains_phrase(const MatchNode& node) {
  return node.kind == MatchNode::Kind::phrase || std::ranges::any_of(node.children, contains_phrase);
}

void add_ranked(const MatchNode& node, std::vector<std::string>& out) {
  if (node.kind == MatchNode::Kind::filter) return;
  for (const WordForms& word : node.words) {
    out.push_back(word_tsquery(word, node.in_title ? kTitlePrefix : std::string_view()));
    // A match in the title counts twice.
    if (!node.in_title && word.prefix.empty()) out.push_back(word_tsquery(word, kTitlePrefix));
  }
  for (const MatchNode& child : node.children) add_ranked(child, out);
}

}  // namespace

std::string tsvector_text(const PageTerms& terms, std::span<const std::string> filters) {
  std::string out;
  std::size_t bytes = 0;
  const auto has_room = [&](std::string_view lexeme) {
    if (lexeme.empty() || lexeme.size() > kMaxLexemeLength) return false;
    bytes += lexeme.size() + kBytesBesideLexeme;
    return bytes < kMaxLexemeBytes;
  };
  for (const std::string& filter : filters)
    if (has_room(filter)) add_lexeme(out, filter, 1, 'D');
  for (const TermCount& entry : terms.title.entries())
    if (const std::string lexeme = std::string(kTitlePrefix).append(entry.term); has_room(lexeme))
      add_lexeme(out, lexeme, entry.count, 'A');
  for (const TermCount& entry : terms.pairs.entries())
    if (const std::string lexeme = std::string(kPairPrefix).append(entry.term); has_room(lexeme))
      add_lexeme(out, lexeme, entry.count, 'A');
  std::vector<std::pair<std::uint32_t, std::string_view>> body;
  for (const TermCount& entry : terms.body.entries()) body.emplace_back(entry.count, entry.term);
  std::ranges::sort(body, [](const auto& a, const auto& b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  for (const auto& [count, term] : body) {
    if (!has_room(term)) continue;
    add_lexeme(out, term, count, weight_of(count, terms.title.contains(term)));
  }
  return out;
}

std::string match_tsquery(const MatchPlan& plan) {
  std::vector<std::string> all;
  for (const MatchNode& node : plan.required) all.push_back(node_tsquery(node));
  for (const MatchNode& node : plan.excluded)
    if (!contains_phrase(node)) all.push_back("!" + node_tsquery(node));
  return joined(all, " & ");
}

std::string rank_tsquery(const MatchPlan& plan) {
  std::vector<std::string> any;
  for (const MatchNode& node : plan.required) add_ranked(node, any);
  for (const std::string& pair : plan.pairs) any.push_back(lexeme_text(std::string(kPairPrefix) + pair));
  return any.empty() ? std::string() : joined(any, " | ");
}

std::string term_tsquery(std::string_view term) { return lexeme_text(term); }

std::string forms_tsquery(const WordForms& forms) { return word_tsquery(forms, {}); }

}  // namespace sheaf::search
