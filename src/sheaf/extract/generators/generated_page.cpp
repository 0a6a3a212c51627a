#include "sheaf/extract/generators/generated_page.h"

#include "sheaf/base/ascii.h"
#include "sheaf/extract/generators/element_tests.h"
#include "sheaf/html/query.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace sheaf::extract {
namespace {

// Elements, of which a page's head and the beginning of its body have fewer.
constexpr std::size_t kLooked = 256;

/// Takes the part before the next "|" off the front.
std::string_view take_part(std::string_view& list) {
  const std::size_t end = std::min(list.find('|'), list.size());
  const std::string_view part = text::trim_space(list.substr(0, end));
  list.remove_prefix(std::min(list.size(), end + 1));
  return part;
}

/// A row of the table, its selectors ready for use.
struct Compiled {
  explicit Compiled(const Generator& row)
      : generator(&row),
        content(all_levels(row.content)),
        chrome(row.chrome),
        title(row.title.empty() ? "h1" : row.title) {}

  std::string all_levels(std::string_view levels) {
    std::string list;
    for (std::size_t level = 0; !levels.empty(); ++level) {
      std::string_view part = take_part(levels);
      list.append(part).append(" ");
      while (!text::take_word(part).empty()) level_of.push_back(level);
    }
    return list;
  }

  const Generator* generator;
  std::vector<std::size_t> level_of;  // of each test of the content
  ElementTests content;
  ElementTests chrome;
  ElementTests title;
};

/// The marks of all generators in one list, so that an element is looked at once.
struct Marks {
  Marks() : tests("") {
    std::string list;
    for (const Generator& row : known_generators()) {
      rows.emplace_back(row);
      std::string_view marks = row.marks;
      for (std::string_view mark = text::take_word(marks); !mark.empty(); mark = text::take_word(marks)) {
        list.append(mark).append(" ");
        row_of.push_back(rows.size() - 1);
      }
    }
    tests = ElementTests(list);
  }

  std::vector<Compiled> rows;
  ElementTests tests;
  std::vector<std::size_t> row_of;  // of each test
};

const Marks& marks() {
  static const Marks kMarks;
  return kMarks;
}

constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

/// The row whose generator a meta element names.
std::size_t row_by_meta(std::string_view value) {
  constexpr std::size_t kLongest = 64;
  const std::string lower = base::lower_text(text::trim_space(value).substr(0, kLongest));
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
      const std::size_t test = marks().tests.first_passed(document, node);
      if (test != ElementTests::kNone) found = marks().row_of[test];
    }
    row = std::min(row, found);  // those that build on others come first
  }
  return row;
}

bool is_inside(const html::Document& document, html::NodeId node, html::NodeId outer) {
  constexpr std::size_t kLevels = 64;  // templates are not deeper; it only saves work
  if (outer == html::kNoNode) return false;
  std::size_t level = 0;
  for (const html::NodeId above : html::Ancestors(document, node)) {
    if (above == outer) return true;
    if (++level == kLevels) break;
  }
  return false;
}

/// The elements of the first level that counts; of those inside one another the outermost.
void find_content(const html::Document& document, const Compiled& row, GeneratedPage& page) {
  if (row.content.empty()) return;
  struct Found {
    html::NodeId node;
    std::size_t test;
  };
  std::vector<Found> found;
  std::size_t level = kUnknown;
  for (const html::NodeId node : html::Descendants(document, document.root())) {
    if (!document.is_element(node)) continue;
    const std::size_t test = row.content.first_passed(document, node);
    if (test == ElementTests::kNone) continue;
    found.push_back({node, test});
    const bool is_first = test == 0 || row.level_of[test - 1] != row.level_of[test];
    if (is_first) level = std::min(level, row.level_of[test]);
  }
  html::NodeId outer = html::kNoNode;  // the last that was taken
  for (const Found& candidate : found) {
    if (row.level_of[candidate.test] != level) continue;
    if (is_inside(document, candidate.node, outer)) continue;
    outer = candidate.node;
    page.content.push_back(outer);
  }
}

/// Elements that are chrome, in document order, none inside another.
void collect_chrome(const html::Document& document, html::NodeId root, const ElementTests& chrome,
                    std::vector<html::NodeId>& out) {
  html::NodeId node = html::next_in_order(document, root, root);
  while (node != html::kNoNode) {
    const bool found =
        document.is_element(node) && chrome.first_passed(document, node) != ElementTests::kNone;
    if (found) out.push_back(node);
    node = found ? html::next_after(document, node, root) : html::next_in_order(document, node, root);
  }
}

void find_chrome(const html::Document& document, const Compiled& row, GeneratedPage& page) {
  if (page.content.empty()) return collect_chrome(document, document.root(), row.chrome, page.chrome);
  for (const html::NodeId root : page.content) collect_chrome(document, root, row.chrome, page.chrome);
}

html::NodeId first_inside(const html::Document& document, html::NodeId root, const ElementTests& tests) {
  if (document.is_element(root) && tests.first_passed(document, root) != ElementTests::kNone) return root;
  for (const html::NodeId node : html::Descendants(document, root))
    if (document.is_element(node) && tests.first_passed(document, node) != ElementTests::kNone) return node;
  return html::kNoNode;
}

void find_title(const html::Document& document, const Compiled& row, GeneratedPage& page) {
  if (!row.generator->title.empty()) {
    page.title = first_inside(document, document.root(), row.title);
    return;
  }
  for (std::size_t i = 0; i < page.content.size() && page.title == html::kNoNode; ++i)
    page.title = first_inside(document, page.content[i], row.title);
}

}  // namespace

GeneratedPage find_generated(const html::Document& document) {
  GeneratedPage page;
  const std::size_t index = row_of(document);
  if (index == kUnknown) return page;
  const Compiled& row = marks().rows[index];
  page.generator = row.generator;
  find_content(document, row, page);
  find_chrome(document, row, page);
  find_title(document, row, page);
  return page;
}

}  // namespace sheaf::extract
