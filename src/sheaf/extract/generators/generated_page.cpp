#include "sheaf/extract/generators/generated_page.h"

#include "sheaf/base/ascii.h"
#include "sheaf/extract/generators/element_tests.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sheaf::extract {
namespace {

// Number of elements to look at; the head and the beginning of the body have fewer.
constexpr std::size_t kLooked = 256;

/// Removes the part before the next "|" from the front of the list and returns it.
std::string_view take_part(std::string_view& list) {
  const std::size_t end = std::min(list.find('|'), list.size());
  const std::string_view part = text::trim_space(list.substr(0, end));
  list.remove_prefix(std::min(list.size(), end + 1));
  return part;
}

// The lists of tests that a row has.
enum List : std::size_t { kContent, kChrome, kTitle, kSure, kLead };

/// Joins the levels of a list to one list, and appends the level of each test to `level_of`.
std::string join_levels(std::string_view levels, std::vector<std::size_t>& level_of) {
  std::string list;
  for (std::size_t level = 0; !levels.empty(); ++level) {
    std::string_view part = take_part(levels);
    list.append(part).append(" ");
    while (!text::take_word(part).empty()) level_of.push_back(level);
  }
  return list;
}

/// A row of the table, its selectors ready for use.
struct Compiled {
  explicit Compiled(const Generator& row)
      : generator(&row),
        tests({join_levels(row.content, level_of), row.chrome, row.title.empty() ? "h1" : row.title, row.sure,
               join_levels(row.lead, lead_level_of)}) {}

  const Generator* generator;
  std::vector<std::size_t> level_of;       // level of each test of `content`
  std::vector<std::size_t> lead_level_of;  // level of each test of `lead`: 0 lead, 1 body, 2 after the body
  ElementTests tests;
};

/// The marks of all generators in one list, so that each element is looked up once.
struct Marks {
  Marks() : tests({}) {
    std::string list;
    for (const Generator& row : known_generators()) {
      rows.emplace_back(row);
      std::string_view marks = row.marks;
      for (std::string_view mark = text::take_word(marks); !mark.empty(); mark = text::take_word(marks)) {
        list.append(mark).append(" ");
        row_of.push_back(rows.size() - 1);
      }
    }
    tests = ElementTests({list});
  }

  std::vector<Compiled> rows;
  ElementTests tests;
  std::vector<std::size_t> row_of;  // row of each test
};

const Marks& marks() {
  static const Marks kMarks;
  return kMarks;
}

constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

/// The row of the generator that a meta element names, or kUnknown.
std::size_t row_by_meta(std::string_view value) {
  constexpr std::size_t kMaxLength = 64;
  const std::string lower = base::lower_text(text::trim_space(value).substr(0, kMaxLength));
  const auto rows = known_generators();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string_view names = rows[i].meta;
    while (!names.empty())
      if (lower.starts_with(take_part(names))) return i;
  }
  return kUnknown;
}

std::size_t row_of(const html::Document& document) {
  std::size_t row = kUnknown;
  std::size_t looked = 0;
  for (const html::NodeId node : html::Descendants(document, document.root())) {
    if (!document.is_element(node)) continue;
    if (++looked > kLooked) break;
    std::size_t found = kUnknown;
    if (document.name(node) == html::Name::meta) {
      if (document.attribute(node, html::Name::name) == "generator")
        found = row_by_meta(document.attribute(node, html::Name::content).value_or(""));
    } else if (document.has_attributes(node, 1)) {
      ElementTests::Passed passed;
      if (marks().tests.look_up(document, node, passed)) found = marks().row_of[passed[0]];
    }
    row = std::min(row, found);  // in the table, generators that build on others come first
  }
  return row;
}

/// Everything that one walk over a page finds; later steps choose what counts.
struct Found {
  struct Content {
    html::NodeId node;
    std::size_t test;
  };
  std::vector<Content> content;
  std::vector<html::NodeId> chrome;
  std::vector<html::NodeId> titles;
  struct Sure {
    html::NodeId node;
    bool is_lead;  // a lead, which counts only in the article of the body
  };
  std::vector<Sure> sure;
  html::NodeId body = html::kNoNode;  // the first body
};

Found look_at_all(const html::Document& document, const Compiled& row) {
  const ElementTests& tests = row.tests;
  Found found;
  ElementTests::Passed passed;
  for (const html::NodeId node : html::Descendants(document, document.root())) {
    if (!document.is_element(node) || !tests.look_up(document, node, passed)) continue;
    if (passed[kContent] != ElementTests::kNone) found.content.push_back({node, passed[kContent]});
    if (passed[kChrome] != ElementTests::kNone) found.chrome.push_back(node);
    if (passed[kTitle] != ElementTests::kNone) found.titles.push_back(node);
    const bool is_sure = passed[kSure] != ElementTests::kNone;
    const bool leads = passed[kLead] != ElementTests::kNone;
    const std::size_t level = leads ? row.lead_level_of[passed[kLead]] : 0;
    const bool before_body = found.body == html::kNoNode;
    if (level == 2 && !before_body) found.chrome.push_back(node);
    if (level == 1 && before_body) found.body = node;
    const bool is_lead = leads && level == 0 && before_body;
    if (is_sure || is_lead) found.sure.push_back({node, !is_sure});
  }
  return found;
}

/// A set of elements that tells whether other nodes are inside one of them.
class Marked {
 public:
  explicit Marked(const html::Document& document) : document_(document), marks_(document.size(), 0) {}
  void add(html::NodeId node) { marks_[node] = 1; }
  [[nodiscard]] bool has(html::NodeId node) const { return marks_[node] != 0; }
  /// Whether a node is inside one of the elements.
  [[nodiscard]] bool holds(html::NodeId node) const {
    constexpr std::size_t kLevels = 64;  // templates are not nested deeper; bounds the work on hostile pages
    std::size_t level = 0;
    for (const html::NodeId above : html::Ancestors(document_, node)) {
      if (has(above)) return true;
      if (++level == kLevels) break;
    }
    return false;
  }

 private:
  const html::Document& document_;
  std::vector<std::uint8_t> marks_;  // of nodes
};

/// Chooses the elements of the first level whose first test some element passes; of nested elements only the
/// outermost.
void choose_content(const Compiled& row, const Found& found, Marked& content, GeneratedPage& page) {
  std::size_t level = kUnknown;
  for (const auto& [node, test] : found.content) {
    const bool is_first = test == 0 || row.level_of[test - 1] != row.level_of[test];
    if (is_first) level = std::min(level, row.level_of[test]);
  }
  for (const auto& [node, test] : found.content) {
    if (row.level_of[test] != level || content.holds(node)) continue;
    content.add(node);
    page.content.push_back(node);
  }
}

/// Chooses the chrome inside the content, or all chrome if there is no content; of nested elements only the
/// outermost.
void choose_chrome(const html::Document& document, const Found& found, const Marked& content,
                   GeneratedPage& page) {
  if (found.chrome.empty()) return;
  Marked chosen(document);
  for (const html::NodeId node : found.chrome) {
    if ((!page.content.empty() && !content.holds(node)) || chosen.holds(node)) continue;
    chosen.add(node);
    page.chrome.push_back(node);
  }
}

void choose_title(const Compiled& row, const Found& found, const Marked& content, GeneratedPage& page) {
  const bool is_named = !row.generator->title.empty();
  for (const html::NodeId node : found.titles) {
    if (!is_named && !content.has(node) && !content.holds(node)) continue;
    page.title = node;
    return;
  }
}

/// The `article` or `main` around the body, which must also contain the leads.
html::NodeId article_around(const html::Document& document, html::NodeId body) {
  if (body == html::kNoNode) return html::kNoNode;
  for (const html::NodeId above : html::Ancestors(document, body)) {
    const html::Name name = document.name(above);
    if (name == html::Name::article || name == html::Name::main) return above;
  }
  return html::kNoNode;
}

void choose_sure(const html::Document& document, const Found& found, GeneratedPage& page) {
  if (!page.content.empty() || found.sure.empty()) return;
  Marked article(document);
  if (const html::NodeId around = article_around(document, found.body); around != html::kNoNode)
    article.add(around);
  for (const auto& [node, is_lead] : found.sure)
    if (!is_lead || article.holds(node)) page.sure.push_back(node);
}

}  // namespace

GeneratedPage find_generated(const html::Document& document) {
  GeneratedPage page;
  const std::size_t index = row_of(document);
  if (index == kUnknown) return page;
  const Compiled& row = marks().rows[index];
  page.generator = row.generator;
  const Found found = look_at_all(document, row);
  Marked content(document);
  choose_content(row, found, content, page);
  choose_chrome(document, found, content, page);
  choose_title(row, found, content, page);
  choose_sure(document, found, page);
  return page;
}

}  // namespace sheaf::extract
