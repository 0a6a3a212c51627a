#include "sheaf/publish/merge_plan.h"

#include <algorithm>
#include <map>
#include <optional>

namespace sheaf::publish {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::int64_t kMaxChain = 366 * kDaySeconds;

bool is_delta(const PublishedFile& file) {
  return file.name.type == model::CollectionType::delta && file.since && *file.since < file.name.generated;
}

/// The deltas of single runs: `since` by `generated`.
std::map<Instant, Instant> deltas_of_runs(const CatalogSection& published) {
  std::map<Instant, Instant> runs;
  for (const PublishedFile& file : published.files)
    if (is_delta(file) && !file.name.since) runs.emplace(file.name.generated, *file.since);
  return runs;
}

/// The `since` of the longest delta that ends at `end`.
std::optional<Instant> longest_begin(const CatalogSection& published, Instant end) {
  std::optional<Instant> begin;
  for (const PublishedFile& file : published.files)
    if (is_delta(file) && file.name.generated == end && (!begin || *file.since < *begin)) begin = file.since;
  return begin;
}

}  // namespace

std::vector<DeltaSpan> plan_merges(const CatalogSection& published, std::span<const std::uint32_t> merge_days,
                                   Instant generated) {
  std::vector<DeltaSpan> spans;
  const std::map<Instant, Instant> runs = deltas_of_runs(published);
  for (const std::uint32_t days : merge_days) {
    const auto window_of = [&](Instant time) { return time.seconds / (days * kDaySeconds); };
    const std::int64_t window = window_of(published.generated);
    if (window_of(generated) <= window) continue;
    DeltaSpan span{published.generated, published.generated};
    std::size_t count = 0;
    for (auto run = runs.find(span.since); run != runs.end() && window_of(run->first) == window;
         run = runs.find(span.since)) {
      span.since = run->second;
      ++count;
    }
    if (count > 1 && std::ranges::find(spans, span) == spans.end()) spans.push_back(span);
  }
  return spans;
}

std::vector<PublishedFile> find_chain(const CatalogSection& published, const DeltaSpan& span,
                                      format::Codec codec) {
  std::vector<PublishedFile> chain;
  Instant reached = span.since;
  while (reached < span.generated) {
    const PublishedFile* longest = nullptr;
    for (const PublishedFile& file : published.files) {
      if (!is_delta(file) || file.name.codec != codec || *file.since != reached) continue;
      if (file.name.generated > span.generated) continue;
      if (longest == nullptr || file.name.generated > longest->name.generated) longest = &file;
    }
    if (longest == nullptr) return {};
    chain.push_back(*longest);
    reached = longest->name.generated;
  }
  return chain;
}

std::uint64_t bytes_of_snapshot(const CatalogSection& published) {
  std::uint64_t bytes = 0;
  for (const PublishedFile& file : published.files)
    if (file.name.type == model::CollectionType::snapshot && file.name.generated == published.snapshot)
      bytes += file.bytes;
  return bytes;
}

std::vector<CollectionName> choose_chain(const CatalogSection& published, Instant now) {
  std::vector<CollectionName> chain;
  std::uint64_t left = bytes_of_snapshot(published);
  Instant end = published.generated;
  while (end.seconds + kMaxChain > now.seconds) {
    const auto begin = longest_begin(published, end);
    if (!begin) break;
    std::uint64_t bytes = 0;
    std::vector<CollectionName> codecs;
    for (const PublishedFile& file : published.files)
      if (is_delta(file) && file.name.generated == end && *file.since == *begin) {
        bytes += file.bytes;
        codecs.push_back(file.name);
      }
    if (bytes > left) break;
    left -= bytes;
    chain.insert(chain.end(), codecs.begin(), codecs.end());
    end = *begin;
  }
  return chain;
}

}  // namespace sheaf::publish
