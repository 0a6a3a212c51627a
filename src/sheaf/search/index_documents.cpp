#include "sheaf/search/index_documents_internal.h"
#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_terms.h"

#include <utility>

namespace sheaf::search {
namespace {

using base::Result;

class XapianPreparer final : public PagePreparer {
 public:
  explicit XapianPreparer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<PreparedPage>> prepare(const IndexRecord& record, const Page* page) override {
    try {
      auto prepared = std::make_unique<XapianPage>();
      prepared->key = page_term(record.site, record.url);
      Xapian::Document& document = prepared->document;
      document.set_data(encode(record));
      document.add_boolean_term(prepared->key);
      for (const std::string& term : site_terms(record.site)) document.add_boolean_term(term);
      for (const std::string& section : record.sections) document.add_boolean_term(section_term(section));
      if (page != nullptr) add_page(*prepared, *page);
      prepared->terms = document.termlist_count();
      return prepared;
    } catch (const Xapian::Error& error) {
      return std::unexpected(describe_failure(error, folder_));
    }
  }

 private:
  void add_page(XapianPage& prepared, const Page& page) {
    Xapian::Document& document = prepared.document;
    const PageTerms& terms = make_terms_(page);
    for (const TermCount& entry : terms.body.entries())
      document.add_term(std::string(entry.term), entry.count);
    for (const TermCount& entry : terms.title.entries())
      document.add_term(std::string(kTitlePrefix).append(entry.term), entry.count);
    for (const TermCount& entry : terms.pairs.entries())
      document.add_term(std::string(kPairPrefix).append(entry.term), entry.count);
    for (const std::string& term : language_terms(page.language)) document.add_boolean_term(term);
    document.add_value(kModifiedSlot,
                       Xapian::sortable_serialise(static_cast<double>(page.modified_at.seconds)));
    prepared.new_words = terms.new_words;
    prepared.text_bytes = terms.bytes;
  }

  std::filesystem::path folder_;
  PageTermMaker make_terms_;
};

}  // namespace

std::unique_ptr<PagePreparer> make_document_preparer(std::filesystem::path folder) {
  return std::make_unique<XapianPreparer>(std::move(folder));
}

}  // namespace sheaf::search
