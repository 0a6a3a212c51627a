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

// `sheaf grep`: finds lines that match a pattern, in the pages of a store or a collection.
//
// A search has three steps, and each step only sees the pages that passed the step before. First, the JSON
// text must contain a text that every match requires (RawFilter). Then the page is decoded and must pass
// the filter. Then the regex engine searches its lines. Several threads decompress and search parts of the
// input; matches are reported in the order of the pages.
namespace sheaf::grep {

struct SearchOptions {
  PatternOptions pattern;
  SearchedBlocks blocks = SearchedBlocks::all;
  MatchDetail detail = MatchDetail::lines;
  ExportFilter filter;
  unsigned threads = 1;
  format::Limits limits;  ///< for collections; pages of a store were checked before
  /// Called with a sentence for each page that cannot be read; the others are searched.
  std::function<void(const std::string& sentence)> on_damage = {};
  /// Bytes of JSON and pages so far; the pages of a collection are not counted.
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress = {};
};

/// Gets the pages that match, on the thread that called the search. Returns false to end the search.
using MatchUse = std::function<base::Result<bool>(const PageMatches& matches)>;

/// If several sections of a site have a page, only the newest is searched, unless the filter names a section.
/// Fails with Errc::invalid_argument if the pattern is invalid, or with the error of the store.
base::Result<void> search_store(const store::PageStore& store, const SearchOptions& options,
                                const MatchUse& use);

/// Searches a collection, or JSON Lines of pages without a metadata line, compressed or not. The checksum is
/// not verified. Fails with Errc::invalid_data if it cannot be decompressed or exceeds a limit.
base::Result<void> search_collection(std::unique_ptr<base::ByteSource> source, const SearchOptions& options,
                                     const MatchUse& use);

}  // namespace sheaf::grep
