#include "sheaf/format/deltas/collection_pass.h"

#include "sheaf/base/counted_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::format {

using base::Errc;
using base::fail;
using base::Result;

base::Error to_error(const std::string& name, const Finding& finding) {
  if (finding.code == Code::read_failed) return {Errc::io, finding.message};
  const std::string line = finding.line > 0 ? fmt::format(" line {}:", finding.line) : std::string();
  return {Errc::invalid_data,
          fmt::format("{}:{} {} ({})", name, line, finding.message, to_string(finding.code))};
}

ReaderOptions CollectionPass::reader_options(Detail detail) const {
  return {options_.limits, detail, options_.threads, HeadRule::required};
}

Result<CollectionReader> CollectionPass::open_reader(const SourceOpener& open, const ReaderOptions& how,
                                                     const FindingSink& sink, std::string& name) {
  SHEAF_TRY_ASSIGN(auto source, open());
  name = source->name();
  auto reader = CollectionReader::open(std::move(source), how, sink);
  if (!reader) return std::unexpected(to_error(name, reader.error()));
  return std::move(*reader);
}

Result<IndexedInput> CollectionPass::open_head(const SourceOpener& open) {
  IndexedInput input{open, {}, {}, 0, 0, {}};
  // More threads would read ahead in vain.
  const ReaderOptions one_thread{options_.limits, Detail::checks, 1, HeadRule::required};
  SHEAF_TRY_ASSIGN(const auto reader, open_reader(open, one_thread, {}, input.name));
  input.head = reader.head();
  return input;
}

PageRecord::UrlKey CollectionPass::key_of(std::string_view url) {
  sha_.update(url);
  const base::Digest digest = sha_.finish();
  PageRecord::UrlKey key;
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

PageRecord CollectionPass::make_record(std::string_view url, std::uint32_t input) {
  PageRecord record;
  record.url = key_of(url);
  record.input = input;
  return record;
}

void CollectionPass::report_progress(const CollectionReader& reader) {
  if (options_.progress && ++pages_ % 256 == 0)
    options_.progress(bytes_before_ + reader.statistics().compressed_bytes, pages_);
}

Result<void> CollectionPass::index(IndexedInput& input, std::uint32_t number, Fingerprints fingerprints,
                                   base::ExternalSort<PageRecord>& index) {
  // `removed` has a meaning only in deltas.
  if (input.head.type == model::CollectionType::delta)
    for (const std::string& url : input.head.removed) SHEAF_TRY(index.add(make_record(url, number)));
  const Detail detail = fingerprints == Fingerprints::yes ? Detail::everything : Detail::checks;
  SHEAF_TRY_ASSIGN(auto reader,
                   open_reader(input.open, reader_options(detail), options_.findings, input.name));
  while (true) {
    const auto more = reader.next();
    if (!more) return std::unexpected(to_error(input.name, more.error()));
    if (!*more) break;
    const Page& page = reader.page();
    PageRecord record = make_record(page.url, number);
    const Instant modified = bounded_modified(page.modified_at, input.head.generated_at);
    record.seconds = modified.seconds;
    record.nanoseconds = modified.nanoseconds;
    record.sequence = ++input.pages;
    if (fingerprints == Fingerprints::yes) {
      encoded_.clear();
      append_repaired(page, memory_, encoded_);
      record.fingerprint = base::keyed_hash(key_, encoded_);
    }
    SHEAF_TRY(index.add(record));
    report_progress(reader);
  }
  input.digest = reader.digest();
  input.bytes = reader.statistics().compressed_bytes;
  bytes_before_ += input.bytes;
  return {};
}

Result<void> CollectionPass::replay(const IndexedInput& input, const Visit& visit) {
  std::string name;
  SHEAF_TRY_ASSIGN(auto reader, open_reader(input.open, reader_options(Detail::everything), {}, name));
  std::uint64_t sequence = 0;
  while (true) {
    const auto more = reader.next();
    if (!more) return std::unexpected(to_error(name, more.error()));
    if (!*more) break;
    SHEAF_TRY(visit(reader.page(), ++sequence));
    report_progress(reader);
  }
  bytes_before_ += reader.statistics().compressed_bytes;
  if (sequence != input.pages || reader.digest() != input.digest || reader.head() != input.head)
    return fail(Errc::io, name + " changed while it was worked on; run the command again");
  return {};
}

Result<std::optional<Selected::Role>> SelectionCursor::role_of(std::uint32_t input, std::uint64_t sequence) {
  if (!std::exchange(started_, true)) {
    SHEAF_TRY_ASSIGN(next_, selection_.next());
  }
  if (!next_ || next_->input != input || next_->sequence != sequence) return std::nullopt;
  const Selected::Role role = next_->role;
  SHEAF_TRY_ASSIGN(next_, selection_.next());
  return role;
}

DeltaWork::DeltaWork(std::vector<WriterTarget> targets, const DeltaOptions& options)
    : targets_(std::move(targets)),
      options_(options),
      folder_(working_folder(options.temporary_folder, targets_)),
      pass_(options),
      index_(options.sort_memory, folder_),
      selection_(options.sort_memory, folder_) {}

Result<void> DeltaWork::check_shrink(std::uint64_t before, std::uint64_t removed) const {
  if (options_.shrink == Shrink::allow || !is_suspicious_shrink(before, removed)) return {};
  return fail(Errc::refused,
              fmt::format("{} of {} would be removed, more than half: to confirm this, use --allow-shrink",
                          base::human_count(removed), base::counted(before, "page", "pages")));
}

Result<ResultWriter> DeltaWork::create_writer(model::CollectionHead head) {
  return ResultWriter::create(std::move(head), targets_, folder_, options_);
}

}  // namespace sheaf::format
