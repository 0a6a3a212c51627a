#include "sheaf/format/lines/large_line_turn.h"
#include "sheaf/grep/search_worker_internal.h"

#include <expected>

namespace sheaf::grep {
namespace {

LinePattern compiled(const PatternOptions& options) { return *LinePattern::compile(options); }

}  // namespace

SearchWorker::SearchWorker(const SearchOptions& options, const format::Limits& limits)
    : filter_(options.filter),
      raw_({}, text::LetterCase::exact),
      matcher_(compiled(options.pattern), options.blocks, options.detail),
      decoder_(limits, format::Detail::everything) {
  const LinePattern pattern = compiled(options.pattern);
  raw_ = RawFilter(pattern.required(), pattern.letters());
}

/// For a store, the index has been filtered by time and URL before, but files have no index.
bool SearchWorker::is_selected(const Page& page) const {
  if (filter_.since && page.modified_at < *filter_.since) return false;
  if (filter_.until && page.modified_at >= *filter_.until) return false;
  return exporting::matches_url(filter_, page.url) &&
         exporting::matches_language(page.language, filter_.language);
}

std::expected<std::optional<PageMatches>, std::string> SearchWorker::search(std::string_view json) {
  std::optional<format::LargeLineTurn> turn;
  if (json.size() > format::kLargeLineBytes) turn.emplace();
  const auto outcome = decoder_.decode({json, 1, 0}, [](const format::Finding&) {});
  if (!outcome) return std::unexpected(outcome.error().message);
  if (*outcome != format::PageDecoder::Outcome::page || !is_selected(decoder_.page())) return std::nullopt;
  PageMatches matches;
  if (!matcher_.match(decoder_.page(), matches)) return std::nullopt;
  return matches;
}

}  // namespace sheaf::grep
