#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/limits.h"
#include "sheaf/grep/line_matcher.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

// `sheaf grep`: pages of a store or a collection that have lines which match a pattern.
//
// Three steps, each on what the one before let through: the JSON text must contain a text that every match
// has (raw_filter.h), then the page is decoded and must pass the filter, then the engine searches its lines.
// Several threads decompress and search parts of the input; matches come in the order of the pages.
namespace sheaf::grep {

struct SearchOptions {
  PatternOptions pattern;
  SearchedBlocks blocks = SearchedBlocks::all;
  MatchDetail detail = MatchDetail::lines;
  exporting::Filter filter;
  unsigned threads = 1;
  format::Limits limits;  ///< of a collection; a store has been checked before
  /// Called with a sentence for each page that cannot be read; the others are searched.
  std::function<void(const std::string& sentence)> on_damage = {};
  /// Bytes of JSON and pages so far; the pages of a collection are not counted.
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress = {};
};

/// Gets the pages that match, on the thread that searches. False ends the search.
using MatchUse = std::function<base::Result<bool>(const PageMatches& matches)>;

/// If several sections of a site have a page, only the newest is searched, unless the filter names a section.
/// Errors: invalid_argument for a pattern that is not one, or a failure of the store.
base::Result<void> search_store(const store::PageStore& store, const SearchOptions& options,
                                const MatchUse& use);

/// Searches a collection, or JSON Lines of pages without a metadata line, compressed or not. The checksum is
/// not verified. Errors: invalid_data if it cannot be decompressed or exceeds a limit.
base::Result<void> search_collection(std::unique_ptr<base::ByteSource> source, const SearchOptions& options,
                                     const MatchUse& use);

}  // namespace sheaf::grep
