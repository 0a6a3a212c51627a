#include "sheaf/grep/page_search.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/base/url.h"
#include "sheaf/format/codecs/plain_stream.h"
#include "sheaf/format/lines/line.h"
#include "sheaf/format/lines/stages.h"
#include "sheaf/format/pages/head_decoder.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/grep/line_matcher.h"
#include "sheaf/store/page_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::grep {
namespace {

// Code that is shared by searching a store and searching a file.

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

  const ExportFilter& filter_;
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

LinePattern compiled(const PatternOptions& options) { return *LinePattern::compile(options); }

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

using base::Errc;
using base::fail;
using base::Result;
using store::StoredPage;
using RangePipeline = base::OrderedPipeline<std::unique_ptr<store::PageRange>, PartResult>;

/// Pages in a store may be larger than a reader's limits.
format::Limits store_limits() {
  format::Limits limits;
  limits.page_bytes = UINT64_MAX;
  limits.blocks = UINT32_MAX;
  limits.values = UINT32_MAX;
  return limits;
}

/// Sites with several sections, which may have the same pages.
Result<std::set<std::string>> sites_with_sections(const store::PageStore& store, const ExportFilter& filter) {
  std::set<std::string> sites;
  if (!filter.section.empty()) return sites;
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(filter.site));
  for (std::size_t i = 1; i < sections.size(); ++i)
    if (sections[i].site == sections[i - 1].site) sites.insert(sections[i].site);
  return sites;
}

/// Searches ranges of a store on one thread.
class RangeWorker {
 public:
  RangeWorker(const store::PageStore& store, const SearchOptions& options,
              const std::set<std::string>& several)
      : store_(store), several_(several), worker_(options, store_limits()) {}

  PartResult search(const store::PageRange& range) {
    PartResult result;
    result.status = range.read([&](const StoredPage& page) { return add(page, result); },
                               [&](const std::string& sentence) { result.damage.push_back(sentence); });
    return result;
  }

 private:
  Result<void> add(const StoredPage& stored, PartResult& result) {
    ++result.pages;
    result.bytes += stored.json.size();
    if (!worker_.raw_filter().passes(stored.json)) return {};
    padded_.assign(stored.json);
    padded_.append(format::kLinePadding, '\0');
    auto found = worker_.search(std::string_view(padded_).substr(0, stored.json.size()));
    if (!found) {
      result.damage.push_back(fmt::format("the page {} of section {} of {} is not a valid page: {}",
                                          stored.url, stored.section, stored.site, found.error()));
      return {};
    }
    if (!*found) return {};
    SHEAF_TRY_ASSIGN(const bool newest, is_newest(stored));
    if (!newest) return {};
    (*found)->site = stored.site;
    (*found)->section = stored.section;
    result.matches.push_back(std::move(**found));
    return {};
  }

  Result<bool> is_newest(const StoredPage& stored) {
    if (!several_.contains(stored.site)) return true;
    SHEAF_TRY_ASSIGN(const auto newest, store_.find(stored.url, stored.site));
    return !newest || newest->section == stored.section;
  }

  const store::PageStore& store_;
  const std::set<std::string>& several_;
  SearchWorker worker_;
  std::string padded_;
};

store::PageFilter index_filter(const ExportFilter& wanted) {
  store::PageFilter filter;
  filter.site = wanted.site;
  filter.section = wanted.section;
  filter.modified_since = wanted.since;
  filter.modified_before = wanted.until;
  filter.url = wanted.url;
  return filter;
}

}  // namespace

Result<void> search_store(const store::PageStore& store, const SearchOptions& options, const MatchUse& use) {
  SHEAF_TRY(LinePattern::compile(options.pattern));
  SHEAF_TRY_ASSIGN(const auto several, sites_with_sections(store, options.filter));
  // The index is read on the producing thread, pages on others.
  std::mutex mutex;
  std::vector<std::string> index_damage;
  store::PageFilter filter = index_filter(options.filter);
  filter.on_damage = [&](const std::string& sentence) {
    const std::lock_guard lock(mutex);
    index_damage.push_back(sentence);
  };
  const auto ranges = store.page_ranges(filter, options.threads);
  const auto produce = [&](RangePipeline& pipeline) -> Result<void> {
    while (true) {
      SHEAF_TRY_ASSIGN(auto range, ranges->next());
      if (!range || !pipeline.push(std::move(range))) return {};
    }
  };
  const auto make_worker = [&] {
    return [worker = std::make_shared<RangeWorker>(store, options, several)](
               std::unique_ptr<store::PageRange> range) { return worker->search(*range); };
  };
  const auto searched =
      search_in_parts<std::unique_ptr<store::PageRange>>(options, use, produce, make_worker);
  if (options.on_damage)
    for (const std::string& sentence : index_damage) options.on_damage(sentence);
  return searched;
}

namespace {

/// Bytes of lines that a thread searches at a time: enough to make passing them between threads cheap, and
/// few enough for the thread's cache.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
constexpr std::string_view kBom = "\xef\xbb\xbf";

/// Whole lines of a file, followed by format::kLinePadding bytes.
struct LineBatch {
  std::string memory;
  std::size_t size = 0;
  std::uint64_t first_line = 1;
  std::string section;

  [[nodiscard]] std::string_view lines() const { return std::string_view(memory).substr(0, size); }
};

std::uint64_t count_line_feeds(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

/// Cuts a decompressed file into batches of whole lines.
class BatchReader {
 public:
  BatchReader(std::unique_ptr<base::ByteSource> source, const format::Limits& limits)
      : name_(source->name()), stream_(std::move(source), limits), limits_(limits) {}

  /// The next batch; nullopt at the end.
  Result<std::optional<LineBatch>> next() {
    while (!ended_) {
      SHEAF_TRY(fill());
      LineBatch batch = cut();
      if (batch.size == 0) continue;
      if (!has_begun_) SHEAF_TRY(begin(batch));
      batch.section = section_;
      if (batch.size > 0) return batch;
    }
    return std::nullopt;
  }

  /// Returns sentences about lines that were too long.
  std::vector<std::string> take_damage() { return std::exchange(damage_, {}); }

 private:
  /// Reads until the buffer has a whole batch. The buffer only grows further if a line is longer than a
  /// batch.
  Result<void> fill() {
    const std::size_t room = std::max(kBatchBytes, 2 * buffer_.size());
    const std::size_t before = buffer_.size();
    buffer_.resize(room);
    const auto read = stream_.fill({buffer_.data() + before, room - before});
    if (!read) {
      const bool is_input = read.error().code == format::Code::read_failed;
      return fail(is_input ? Errc::io : Errc::invalid_data,
                  fmt::format("{}: {}", name_, read.error().message));
    }
    ended_ = *read < room - before;
    buffer_.resize(before + *read);
    return {};
  }

  /// Takes the complete lines; the rest stays in the buffer. A line over the limit is dropped piece by piece.
  LineBatch cut() {
    const std::size_t last = buffer_.rfind('\n');
    std::size_t end = last == std::string::npos ? 0 : last + 1;
    if (ended_) end = buffer_.size();
    LineBatch batch;
    batch.first_line = line_;
    if (end == 0) {
      if (buffer_.size() > limits_.page_bytes) drop_start_of_line();
      return batch;
    }
    std::string rest = buffer_.substr(end);
    buffer_.resize(end);
    batch.memory = std::exchange(buffer_, std::move(rest));
    if (std::exchange(is_dropping_, false)) drop_end_of_line(batch.memory);
    batch.size = batch.memory.size();
    line_ += count_line_feeds(batch.memory);
    batch.memory.append(format::kLinePadding, '\0');
    return batch;
  }

  void drop_start_of_line() {
    if (!std::exchange(is_dropping_, true))
      damage_.push_back(fmt::format("{}: line {} is over the limit of {} and was not searched", name_, line_,
                                    base::counted(limits_.page_bytes, "byte", "bytes")));
    buffer_.clear();
  }

  /// Keeps the line feed, so that line numbers stay right.
  static void drop_end_of_line(std::string& lines) {
    const std::size_t feed = lines.find('\n');
    lines.erase(0, feed == std::string::npos ? lines.size() : feed);
  }

  /// Removes the metadata line, which is the first line that is not blank. JSON Lines may not have one.
  Result<void> begin(LineBatch& batch) {
    const std::string_view lines = batch.lines();
    std::size_t begin = lines.starts_with(kBom) ? kBom.size() : 0;
    while (begin < lines.size()) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      const std::string_view line = lines.substr(begin, end - begin);
      if (base::trim_xml_space(line).empty()) {
        begin = end + 1;
        continue;
      }
      has_begun_ = true;
      const auto head =
          format::decode_head({line, batch.first_line, 0}, limits_, [](const format::Finding&) {});
      if (!head) return fail(Errc::invalid_data, fmt::format("{}: {}", name_, head.error().message));
      if (*head) {
        section_ = (*head)->head.section;
        begin = end;
      }
      break;
    }
    // Overwrites everything before the first page with blanks, so that positions and line numbers stay the
    // same.
    std::replace_if(
        batch.memory.begin(), batch.memory.begin() + static_cast<std::ptrdiff_t>(std::min(begin, batch.size)),
        [](char c) { return c != '\n'; }, ' ');
    return {};
  }

  std::string name_;
  format::PlainStream stream_;
  format::Limits limits_;
  std::string buffer_;  ///< decompressed bytes that were not returned yet
  std::string section_;
  std::uint64_t line_ = 1;  ///< number of the first line in the buffer
  bool is_dropping_ = false;
  bool has_begun_ = false;
  bool ended_ = false;
  std::vector<std::string> damage_;
};

/// Searches batches on one thread.
class BatchWorker {
 public:
  BatchWorker(const SearchOptions& options, std::string name)
      : filter_(options.filter), name_(std::move(name)), worker_(options, options.limits) {}

  PartResult search(const LineBatch& batch) {
    PartResult result;
    result.bytes = batch.size;
    if (!filter_.section.empty() && filter_.section != batch.section) return result;
    const std::string_view lines = batch.lines();
    RawFilter::Scan scan(worker_.raw_filter(), lines);
    for (std::size_t at = scan.next(0); at < lines.size();) {
      const std::size_t before = at == 0 ? std::string_view::npos : lines.rfind('\n', at - 1);
      const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      add(batch, begin, end, result);
      at = scan.next(end + 1);
    }
    return result;
  }

 private:
  void add(const LineBatch& batch, std::size_t begin, std::size_t end, PartResult& result) {
    const std::string_view line = batch.lines().substr(begin, end - begin);
    if (base::trim_xml_space(line).empty()) return;
    auto found = worker_.search(line);
    if (!found) {
      const std::uint64_t number = batch.first_line + count_line_feeds(batch.lines().substr(0, begin));
      result.damage.push_back(
          fmt::format("{}: line {} is not a valid page: {}", name_, number, found.error()));
      return;
    }
    if (!*found || !is_of_site((*found)->url)) return;
    (*found)->section = batch.section;
    result.matches.push_back(std::move(**found));
  }

  [[nodiscard]] bool is_of_site(const std::string& url) const {
    if (filter_.site.empty()) return true;
    const auto parsed = base::Url::parse(url);
    return parsed && parsed->origin() == filter_.site;
  }

  const ExportFilter& filter_;
  std::string name_;
  SearchWorker worker_;
};

}  // namespace

Result<void> search_collection(std::unique_ptr<base::ByteSource> source, const SearchOptions& options,
                               const MatchUse& use) {
  SHEAF_TRY(LinePattern::compile(options.pattern));
  const std::string name = source->name();
  BatchReader reader(std::move(source), options.limits);
  const auto produce = [&](base::OrderedPipeline<LineBatch, PartResult>& pipeline) -> Result<void> {
    while (true) {
      SHEAF_TRY_ASSIGN(auto batch, reader.next());
      if (!batch || !pipeline.push(std::move(*batch))) return {};
    }
  };
  const auto make_worker = [&] {
    return [worker = std::make_shared<BatchWorker>(options, name)](const LineBatch& batch) {
      return worker->search(batch);
    };
  };
  const auto searched = search_in_parts<LineBatch>(options, use, produce, make_worker);
  if (options.on_damage)
    for (const std::string& sentence : reader.take_damage()) options.on_damage(sentence);
  return searched;
}

}  // namespace sheaf::grep
