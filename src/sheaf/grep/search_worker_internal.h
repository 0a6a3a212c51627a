#pragma once

#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/grep/page_search.h"
#include "sheaf/grep/raw_filter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// Code that is shared by searching a store and searching a file.
namespace sheaf::grep {

/// What a thread found in a part of the input.
struct PartResult {
  std::vector<PageMatches> matches;
  std::vector<std::string> damage;
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  base::Result<void> status;
};

/// Searches pages on one thread.
class SearchWorker {
 public:
  /// The pattern must be valid.
  explicit SearchWorker(const SearchOptions& options, const format::Limits& limits);

  [[nodiscard]] const RawFilter& raw_filter() const { return raw_; }
  /// Searches a page whose JSON passed the raw filter and is followed by format::kLinePadding readable bytes.
  /// Returns nullopt if the page does not match, or a message that says why it is invalid.
  std::expected<std::optional<PageMatches>, std::string> search(std::string_view json);

 private:
  [[nodiscard]] bool is_selected(const Page& page) const;

  const exporting::Filter& filter_;
  RawFilter raw_;
  LineMatcher matcher_;
  format::PageDecoder decoder_;
};

/// Passes the results of a pipeline to `use`, in order, until it returns false.
template <class Input>
base::Result<void> hand_over(base::OrderedPipeline<Input, PartResult>& pipeline, const SearchOptions& options,
                             const MatchUse& use) {
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  while (auto part = pipeline.next()) {
    if (options.on_damage)
      for (const std::string& sentence : part->damage) options.on_damage(sentence);
    for (const PageMatches& matches : part->matches) {
      SHEAF_TRY_ASSIGN(const bool more, use(matches));
      if (!more) return {};
    }
    SHEAF_TRY(part->status);
    bytes += part->bytes;
    pages += part->pages;
    if (options.progress) options.progress(bytes, pages);
  }
  return {};
}

/// Runs `produce(pipeline)`, which pushes the inputs, on a separate thread, and the workers that
/// `make_worker` returns on the threads of the pipeline. An error of either ends the search.
template <class Input, class Produce, class MakeWorker>
base::Result<void> search_in_parts(const SearchOptions& options, const MatchUse& use, const Produce& produce,
                                   const MakeWorker& make_worker) {
  base::OrderedPipeline<Input, PartResult> pipeline(options.threads, make_worker);
  base::Result<void> produced;
  base::Result<void> handed_over;
  {
    const std::jthread producer([&] {
      produced = produce(pipeline);
      pipeline.close();
    });
    handed_over = hand_over(pipeline, options, use);
    pipeline.stop();
  }
  SHEAF_TRY(handed_over);
  return produced;
}

}  // namespace sheaf::grep
