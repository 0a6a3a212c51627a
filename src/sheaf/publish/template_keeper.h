#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/template_learning.h"
#include "sheaf/extract/extract.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/sources/source.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Whether a source's pages have a template that publish learns: HTML of a folder, a database or WARC files.
/// A live site brings its own (site_source), Markdown and JSON have none, and a command or standard input is
/// read once. Where the user's selector says what is content, no template is needed.
bool has_template(const SourceConfig& source);

/// The templates of the sources of a run. How they are learned, and why they stay as they are:
/// crawl/template_learning.h. One thread at a time.
class TemplateKeeper {
 public:
  TemplateKeeper(Catalog& catalog, bool relearn) : catalog_(catalog), relearn_(relearn) {}

  /// The template of a source, the `index`th of its section; null if it has none. Where one has to be learned
  /// the source is read once, though of its files only those of the sample. `is_snapshot`: every page is read
  /// in this run, so that it may be learned again.
  base::Result<std::shared_ptr<const crawl::SiteTemplate>> choose(const std::string& section,
                                                                  std::size_t index, Source& source,
                                                                  bool is_snapshot);

  /// Keeps what was learned for the next run.
  base::Result<void> stage();

 private:
  struct Learned {
    std::string section;
    std::size_t index = 0;
    crawl::LearnedTemplate learned;
  };
  base::Result<crawl::TemplateSample> sample(Source& source);
  void add_texts(const SourceItem& item, crawl::TemplateSample& sample);

  Catalog& catalog_;
  bool relearn_;
  extract::Extractor extractor_;
  std::vector<Learned> learned_;
};

}  // namespace sheaf::publish
