// The input up to the first NUL is a query, what follows the text of a page.
#include "fuzz_support.h"
#include "sheaf/search/page_matcher.h"
#include "sheaf/search/prepared_search.h"
#include "sheaf/search/search_query.h"
#include "sheaf/search/search_words.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sheaf;
using fuzz::require;

void check_words(std::string_view text) {
  std::size_t at = 0;
  search::WordSplitter().each(text, [&](const search::SearchWord& word) {
    require(word.from < word.to && word.to <= text.size());
    require(!word.text.empty() && word.text.size() <= 2 * search::kMaxWordLength + 8);
    if (word.kind != search::WordKind::identifier) {
      require(word.from >= at || word.kind == search::WordKind::last);
      at = word.from;
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  const std::string_view query = input.substr(0, input.find('\0'));
  const std::string_view text = input.substr(std::min(query.size() + 1, input.size()));
  check_words(query);
  check_words(text);
  (void)search::decode_search_cursor(query);
  const auto parsed = search::parse_query(query);
  if (!parsed) {
    require(!parsed.error().message.empty());
    return 0;
  }
  require(parsed->clauses.size() <= search::kMaxQueryTerms);
  static const std::vector<std::string> kLanguages{"en", "de", "ru"};
  search::StemmerSet stemmers;
  const search::MatchPlan plan = search::make_match_plan(*parsed, kLanguages, stemmers);
  const Block blocks[] = {{HeadingBlock{2, "Heading"}, {}}, {TextBlock{text}, {}}};
  Page page;
  page.language = "en";
  page.title = query;
  page.content = std::span<const Block>(blocks);
  (void)search::PageMatcher()(plan, page);
  std::size_t shown = 0;
  for (const SnippetPart& part : search::SnippetMaker()(plan, page).parts) shown += part.text.size();
  require(shown <= search::kSnippetBytes + 16);
  return 0;
}
