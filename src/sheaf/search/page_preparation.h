#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/index_writer.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::search {

/// A page to be indexed, as the store has it.
struct PageToIndex {
  IndexRecord record;
  std::string json;
};

struct ReadyPage {
  base::Result<std::unique_ptr<PreparedPage>> page;
  std::string damage;  ///< why the page cannot be read; empty if it can
};

/// Decodes and prepares pages. Not thread-safe.
class PagePreparation {
 public:
  explicit PagePreparation(const IndexWriter& writer) : preparer_(writer.make_preparer()) {}

  ReadyPage operator()(const PageToIndex& page);

 private:
  format::StoredPageDecoder decoder_{format::Detail::texts};
  std::unique_ptr<PagePreparer> preparer_;
};

/// Prepares pages on other threads, while the caller reads more pages and writes those that are ready.
class PreparationPipeline {
 public:
  /// The writer must outlive it.
  explicit PreparationPipeline(const IndexWriter& writer);

  /// Adds a page. Returns pages that are ready, in the order in which they were added: often none.
  std::vector<ReadyPage> push(PageToIndex page);
  /// Returns some of the remaining pages; none if all have been returned.
  std::vector<ReadyPage> finish();

 private:
  using Pages = std::vector<PageToIndex>;

  void send();

  Pages waiting_;  ///< passed on in groups, because waking a thread for each page would cost too much
  std::size_t waiting_bytes_ = 0;
  std::size_t under_way_ = 0;
  std::size_t most_under_way_;
  base::OrderedPipeline<Pages, std::vector<ReadyPage>> pipeline_;
};

}  // namespace sheaf::search
