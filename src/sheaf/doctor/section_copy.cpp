#include "sheaf/doctor/section_copy.h"

#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/model/plain_text.h"

#include <iterator>

namespace sheaf::doctor {

std::uint64_t sample_rank(std::string_view url) {
  constexpr base::HashKey kSampleKey{0x7368656166,
                                     0x646f63746f72};  // fixed, so that every run samples the same pages
  return base::keyed_hash(kSampleKey, url);
}

bool SectionCopy::apply(std::unique_ptr<base::ByteSource> file, const format::Limits& limits) {
  format::ReaderOptions options;
  options.limits = limits;
  auto reader = format::CollectionReader::open(std::move(file), options);
  if (!reader) return false;
  const model::CollectionHead& head = reader->head();
  const bool is_snapshot = head.type == model::CollectionType::snapshot;
  if (is_snapshot) {
    pages_.clear();
    sample_.clear();
    digest_ = format::StateDigest();
  }
  for (const std::string& url : head.removed) remove(url);
  while (true) {
    const auto more = reader->next();
    if (!more) return false;
    if (!*more) return true;
    if (pages_.size() >= kMaxPages) return false;
    put(reader->page(), head.generated_at, is_snapshot);
  }
}

void SectionCopy::put(const Page& page, Instant generated, bool is_snapshot) {
  const std::string url(page.url);
  const std::string modified(page.modified);
  const Instant at = format::bounded_modified(page.modified_at, generated);
  if (const auto known = pages_.find(url); known != pages_.end()) {
    const bool same_file = known->second.as_of == generated;
    const bool wins = is_snapshot || same_file ? format::wins_within_collection(at, known->second.at)
                                               : format::replaces(at, known->second.at);
    if (!wins) return;
    digest_.subtract(url, known->second.modified);
  }
  digest_.add(url, modified);
  pages_[url] = {modified, at, generated};
  keep_sample(page);
}

void SectionCopy::remove(std::string_view url) {
  const auto known = pages_.find(std::string(url));
  if (known == pages_.end()) return;
  digest_.subtract(url, known->second.modified);
  pages_.erase(known);
  sample_.erase(sample_rank(url));
}

void SectionCopy::keep_sample(const Page& page) {
  const std::uint64_t rank = sample_rank(page.url);
  if (sample_.size() >= samples_ && !sample_.contains(rank) &&
      (sample_.empty() || rank > std::prev(sample_.end())->first))
    return;
  SampledPage sampled{std::string(page.url), std::string(page.title)};
  sampled.text += '\n';
  model::append_page_text(sampled.text, page);
  sample_[rank] = std::move(sampled);
  if (sample_.size() > samples_) sample_.erase(std::prev(sample_.end()));
}

}  // namespace sheaf::doctor
