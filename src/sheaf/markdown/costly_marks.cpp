#include "sheaf/markdown/costly_marks.h"

#include "sheaf/base/ascii.h"
#include "sheaf/markdown/markdown_lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sheaf::markdown {
namespace {

// Maximum number of delimiters that cmark-gfm visits for the links of one block: a few milliseconds.
constexpr std::uint64_t kSteps = 1'000'000;
constexpr std::uint64_t kMailBytes = 10'000'000;  // maximum number of bytes copied for the mail addresses
constexpr std::uint64_t kMailAlways = 100;        // number of mail addresses that are always allowed
constexpr std::string_view kHideable = "*_~@";    // '*' is hidden as \x01, '_' as \x02, and so on

/// Whether a line is a list item, "- entry", which ends any paragraph before it.
bool begins_list_item(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  if (at > 3 || std::string_view("-+*").find(line[at]) == std::string_view::npos) return false;
  return line.substr(at + 1).starts_with(' ') && !base::trim_xml_space(line.substr(at + 1)).empty();
}

/// The first lines of a text, up to a point where a paragraph certainly ends. They may contain more than one
/// block.
std::string_view first_paragraph_lines(std::string_view text) {
  std::size_t end = first_line(text).size();
  while (end < text.size()) {
    const std::string_view line = first_line(text.substr(end));
    if (base::trim_xml_space(line).empty() || begins_list_item(line)) break;
    end += line.size();
  }
  return text.substr(0, end);
}

bool is_space_at(std::string_view text, std::size_t at) {
  return at >= text.size() || std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos;
}

/// Whether a run of tildes is a code fence: "~~~" at the start of a line.
bool is_fence(std::string_view text, std::size_t begin, std::size_t end) {
  if (text[begin] != '~' || end - begin < 3) return false;
  std::size_t line = begin;
  while (line > 0 && begin - line < 3 && text[line - 1] == ' ') --line;
  return line == 0 || text[line - 1] == '\n';
}

/// Calls use(begin, end) for each mark that may be part of emphasis or of a mail address. A mark is a run of
/// the same character of kHideable. A run between spaces cannot be part of either, so bullets and thematic
/// breaks are skipped.
template <class Use>
void each_mark(std::string_view text, Use use) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    if (kHideable.find(text[i]) == std::string_view::npos) continue;
    const std::size_t end = std::min(text.find_first_not_of(text[i], i), text.size());
    const bool alone = (i == 0 || is_space_at(text, i - 1)) && is_space_at(text, end);
    if (!alone && !is_fence(text, i, end)) use(i, end);
    i = end - 1;
  }
}

std::uint64_t count_of(std::string_view text, char c) {
  return static_cast<std::uint64_t>(std::ranges::count(text, c));
}

/// Whether a text has so few marks that no block can exceed the limits. True for nearly every text.
bool is_cheap(std::string_view text) {
  const std::uint64_t delimiters = count_of(text, '*') + count_of(text, '_') + count_of(text, '~');
  return delimiters * count_of(text, ']') <= kSteps && count_of(text, '@') <= kMailAlways;
}

struct MarkCounts {
  std::size_t delimiters = 0;
  std::size_t mail_addresses = 0;
};

MarkCounts count_marks(std::string_view text) {
  MarkCounts counts;
  each_mark(text, [&](std::size_t begin, std::size_t) {
    ++(text[begin] == '@' ? counts.mail_addresses : counts.delimiters);
  });
  return counts;
}

/// The maximum numbers of marks in these lines; marks beyond them are hidden.
MarkCounts bounds_of(std::string_view lines) {
  return {kSteps / std::max<std::uint64_t>(count_of(lines, ']'), 1),
          std::max(kMailAlways, kMailBytes / std::max<std::uint64_t>(lines.size(), 1))};
}

void hide_marks(std::string_view lines, const MarkCounts& most, std::size_t at, std::string& hidden) {
  MarkCounts met;
  each_mark(lines, [&](std::size_t begin, std::size_t end) {
    const bool is_mail = lines[begin] == '@';
    const bool stays =
        is_mail ? ++met.mail_addresses <= most.mail_addresses : ++met.delimiters <= most.delimiters;
    if (stays) return;
    const auto stand_in = static_cast<char>(kHideable.find(lines[begin]) + 1);
    std::fill(hidden.begin() + static_cast<std::ptrdiff_t>(at + begin),
              hidden.begin() + static_cast<std::ptrdiff_t>(at + end), stand_in);
  });
}

}  // namespace

bool hide_costly_marks(std::string_view markdown, std::string& hidden) {
  if (is_cheap(markdown)) return false;
  bool any = false;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::string_view lines = first_paragraph_lines(markdown.substr(at));
    const MarkCounts most = bounds_of(lines);
    const MarkCounts counts = count_marks(lines);
    if (counts.delimiters > most.delimiters || counts.mail_addresses > most.mail_addresses) {
      if (!any) hidden = markdown;
      any = true;
      hide_marks(lines, most, at, hidden);
    }
    at += lines.size();
  }
  return any;
}

void restore_hidden_marks(std::string& html) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < html.size(); ++i) {
    // cmark-gfm percent-encodes characters in URLs, so there a hidden mark is "%01".
    const bool in_address = html[i] == '%' && i + 2 < html.size() && html[i + 1] == '0';
    const auto number = static_cast<std::size_t>(in_address ? html[i + 2] - '0' : html[i]);
    const bool is_hidden = number >= 1 && number <= kHideable.size();
    html[written++] = is_hidden ? kHideable[number - 1] : html[i];
    if (is_hidden && in_address) i += 2;
  }
  html.resize(written);
}

}  // namespace sheaf::markdown
