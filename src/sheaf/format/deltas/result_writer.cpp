#include "sheaf/format/deltas/result_writer.h"

#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/format/pages/page_repair.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::format {

using base::Result;

Result<ResultWriter> ResultWriter::create(model::CollectionHead head, std::vector<WriterTarget> targets,
                                          const std::filesystem::path& folder, const DeltaOptions& options) {
  repair_head(head);
  WriterOptions how{options.limits, folder, options.threads};
  how.strict = true;
  SHEAF_TRY_ASSIGN(auto writer, CollectionWriter::create(std::move(head), std::move(targets), how));
  return ResultWriter(std::move(writer), options);
}

Result<std::string_view> ResultWriter::add(const Page& page) {
  arena_.clear();
  repairs_.clear();
  page_ = page;
  repair_page(page_, StructuredBlocks::keep, arena_, repairs_);
  if (page_.modified != page.modified)
    repairs_.push_back(
        fmt::format("modified {} has no offset from UTC; written as {}", page.modified, page_.modified));
  const bool is_left_out = page_.content.empty();
  if (is_left_out) repairs_ = {"the page has no content; it was left out"};
  if (is_left_out || page_.modified != page.modified) {
    changed_state_ = true;
    difference_.add(page.url, page.modified);
    if (!is_left_out) difference_.subtract(page.url, page_.modified);
  }
  if (options_->repaired)
    for (const std::string& repair : repairs_) options_->repaired(page.url, repair);
  without_content_ += is_left_out ? 1 : 0;
  if (is_left_out) return std::string_view();
  SHEAF_TRY(writer_.add(page_));
  return page_.modified;
}

StateDigest ResultWriter::given_state() const {
  StateDigest state;
  state.add(writer_.state().sum());
  state.add(difference_.sum());
  return state;
}

Result<WriteSummary> ResultWriter::finish() {
  if (changed_state_ && head().type == model::CollectionType::delta) head().state.reset();
  return writer_.finish();
}

void append_repaired(const Page& page, Arena& memory, std::string& out) {
  memory.clear();
  Page repaired = page;
  std::vector<std::string> repairs;
  repair_page(repaired, StructuredBlocks::keep, memory, repairs);
  encode_page(repaired, out);
}

}  // namespace sheaf::format
