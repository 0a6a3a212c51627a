#include "sheaf/publish/delta_merger.h"

#include "sheaf/format/deltas/collection_delta.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_of(const std::vector<PublishedFile>& files) {
  std::uint64_t bytes = 0;
  for (const PublishedFile& file : files) bytes += file.bytes;
  return bytes;
}

/// The size of what clients would fetch without the merged delta, in all codecs together.
std::uint64_t bytes_replaced(const CatalogSection& published, const SectionOptions& options,
                             const DeltaSpan& span) {
  std::uint64_t bytes = 0;
  for (const format::Codec codec : options.codecs) bytes += bytes_of(find_chain(published, span, codec));
  return bytes;
}

base::Result<format::MergeSummary> write_merged(const std::vector<PublishedFile>& inputs,
                                                const SectionOptions& options, const DeltaSpan& span) {
  std::vector<format::SourceOpener> openers;
  for (const PublishedFile& file : inputs) {
    const std::string path = (options.folder / to_string(file.name)).string();
    SHEAF_TRY_ASSIGN(auto opener, format::reopenable_source(path, options.folder, options.limits));
    openers.push_back(std::move(opener));
  }
  std::vector<format::WriterTarget> targets;
  for (const CollectionName& name : merged_names(options, span))
    targets.push_back({options.folder / to_string(name), name.codec, {}});
  format::DeltaOptions how;
  how.limits = options.limits;
  how.threads = options.threads;
  const format::SourceOpener first = openers.front();
  openers.erase(openers.begin());
  return format::merge_collections(first, openers, std::move(targets), how);
}

}  // namespace

std::vector<CollectionName> merged_names(const SectionOptions& options, const DeltaSpan& span) {
  std::vector<CollectionName> names;
  for (const format::Codec codec : options.codecs)
    names.push_back({options.name, model::CollectionType::delta, span.generated, codec, span.since});
  return names;
}

base::Result<std::vector<PublishedFile>> merge_deltas(const CatalogSection& published,
                                                      const SectionOptions& options, const DeltaSpan& span) {
  const std::vector<PublishedFile> inputs = find_chain(published, span, options.codecs.front());
  std::vector<PublishedFile> merged;
  if (inputs.size() < 2) return merged;
  SHEAF_TRY_ASSIGN(const format::MergeSummary summary, write_merged(inputs, options, span));
  for (const format::WrittenFile& file : summary.written.files) {
    PublishedFile one;
    one.name = {options.name, model::CollectionType::delta, span.generated, file.codec, span.since};
    one.bytes = file.bytes;
    one.pages = summary.written.pages;
    one.since = span.since;
    one.checksum = summary.written.head.checksum.value_or("");
    merged.push_back(std::move(one));
  }
  const std::uint64_t bytes = bytes_of(merged);
  if (bytes < bytes_replaced(published, options, span) && bytes < bytes_of_snapshot(published)) return merged;
  for (const PublishedFile& file : merged) {
    std::error_code ignored;  // the next run deletes it if this one does not complete
    fs::remove(options.folder / to_string(file.name), ignored);
  }
  return std::vector<PublishedFile>();
}

}  // namespace sheaf::publish
