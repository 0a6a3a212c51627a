#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/extract/extract.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/sources/source.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Whether publish learns a template for a source: if it is HTML of a folder, a database or WARC files. A
/// live site has its own template (site_source), Markdown and JSON have none, and the output of a command or
/// standard input can be read only once. If the user's selector says what is content, no template is needed.
bool has_template(const SourceConfig& source);

/// The templates of the sources of a run. How they are learned, and why they stay the same:
/// crawl/site_template.h. Not thread-safe.
class TemplateKeeper {
 public:
  TemplateKeeper(Catalog& catalog, bool relearn) : catalog_(catalog), relearn_(relearn) {}

  /// The template of the `index`th source of a section; null if it has none. If a template has to be learned,
  /// the source is read once more, but only those of its files that are in the sample. `is_snapshot`: every
  /// page is read in this run, so the template may be learned again.
  base::Result<std::shared_ptr<const crawl::SiteTemplate>> choose(const std::string& section,
                                                                  std::size_t index, Source& source,
                                                                  bool is_snapshot);

  /// Stages the learned templates for the next run.
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
