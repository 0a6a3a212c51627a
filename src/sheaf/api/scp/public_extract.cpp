#include "sheaf/extract/extract.h"
#include "sheaf/html/selector.h"
#include "sheaf/model/robots_directives.h"
#include <sheaf/extract.h>

#include <utility>

namespace sheaf {

class PageExtractor::Impl {
 public:
  using Extract = const extract::Extraction& (extract::Extractor::*)(std::string_view,
                                                                     const extract::ExtractOptions&);

  const ExtractedPage& run(Extract extract, std::string_view bytes, const ExtractionOptions& options) {
    extract::ExtractOptions inner;
    inner.url = options.url;
    inner.content_type = options.content_type;
    inner.robots_header = options.robots_header;
    inner.file_name = options.file_name;
    inner.fallback_modified = options.fallback_modified;
    if (options.now) inner.now = *options.now;
    inner.content = content ? &*content : nullptr;
    inner.leave_out = leave_out ? &*leave_out : nullptr;
    const extract::Extraction& extraction = (extractor.*extract)(bytes, inner);
    result_.page = extraction.page;
    result_.noindex = model::is_noindex(extraction.page);
    result_.truncated = extraction.limits.input_bytes || extraction.limits.nodes;
    result_.draft = !extraction.verdict.is_public();
    result_.permalink = extraction.permalink;
    result_.problems = extraction.problems;
    return result_;
  }

  extract::Extractor extractor;
  std::optional<html::Selector> content;
  std::optional<html::Selector> leave_out;

 private:
  ExtractedPage result_;
};

namespace {

Result<void> compile_selector(std::string_view text, std::optional<html::Selector>& selector) {
  selector.reset();
  if (text.empty()) return {};
  SHEAF_TRY_ASSIGN(selector, html::Selector::compile(text));
  return {};
}

}  // namespace

PageExtractor::PageExtractor() : impl_(std::make_unique<Impl>()) {}
PageExtractor::~PageExtractor() = default;
PageExtractor::PageExtractor(PageExtractor&&) noexcept = default;
PageExtractor& PageExtractor::operator=(PageExtractor&&) noexcept = default;

Result<void> PageExtractor::select(std::string_view selector) {
  return compile_selector(selector, impl_->content);
}

Result<void> PageExtractor::leave_out(std::string_view selector) {
  return compile_selector(selector, impl_->leave_out);
}

const ExtractedPage& PageExtractor::extract_html(std::string_view bytes, const ExtractionOptions& options) {
  return impl_->run(&extract::Extractor::extract, bytes, options);
}

const ExtractedPage& PageExtractor::extract_markdown(std::string_view bytes,
                                                     const ExtractionOptions& options) {
  return impl_->run(&extract::Extractor::extract_markdown, bytes, options);
}

std::vector<std::string> PageExtractor::links() const { return impl_->extractor.links(); }

}  // namespace sheaf
