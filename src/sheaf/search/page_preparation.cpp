#include "sheaf/search/page_preparation.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::search {
namespace {

// Pages are passed on in groups, because passing each page alone would cost a thread switch.
constexpr std::size_t kPagesAtOnce = 64;
constexpr std::size_t kBytesAtOnce = std::size_t{256} << 10U;
constexpr std::size_t kMaxUnderWay = 3;  // per worker; fewer than the pipeline holds

}  // namespace

ReadyPage PagePreparation::operator()(const PageToIndex& page) {
  const auto decoded = decoder_(page.json);
  std::string damage = decoded
                           ? std::string()
                           : fmt::format("the page {} cannot be read: {}", page.record.url, decoded.error());
  return {preparer_->prepare(page.record, decoded ? *decoded : nullptr), std::move(damage)};
}

PreparationPipeline::PreparationPipeline(const IndexWriter& writer)
    : most_under_way_(kMaxUnderWay * writer.preparers()), pipeline_(writer.preparers(), [&writer] {
        return [prepare = std::make_shared<PagePreparation>(writer)](const Pages& pages) {
          std::vector<ReadyPage> ready;
          for (const PageToIndex& page : pages) ready.push_back((*prepare)(page));
          return ready;
        };
      }) {}

void PreparationPipeline::send() {
  pipeline_.push(std::exchange(waiting_, {}));
  waiting_bytes_ = 0;
  ++under_way_;
}

std::vector<ReadyPage> PreparationPipeline::push(PageToIndex page) {
  waiting_bytes_ += page.json.size();
  waiting_.push_back(std::move(page));
  if (waiting_.size() < kPagesAtOnce && waiting_bytes_ < kBytesAtOnce) return {};
  send();
  return under_way_ < most_under_way_ ? std::vector<ReadyPage>() : finish();
}

std::vector<ReadyPage> PreparationPipeline::finish() {
  if (under_way_ < most_under_way_ && !waiting_.empty()) send();
  if (under_way_ == 0) return {};
  --under_way_;
  return pipeline_.next().value_or(std::vector<ReadyPage>());
}

}  // namespace sheaf::search
