#include "sheaf/format/collections/validator.h"

#include "sheaf/base/url_set.h"
#include "sheaf/format/collections/state_digest.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf {

bool ValidationReport::is_strictly_valid() const {
  return is_valid() && std::ranges::all_of(counts, [](std::uint64_t count) { return count == 0; });
}

}  // namespace sheaf

namespace sheaf::format {
namespace {

constexpr std::uint64_t kProgressEvery = 256;  // pages

class Validation {
 public:
  explicit Validation(const ValidateOptions& options) : options_(options) {}

  ValidationReport run(std::unique_ptr<base::ByteSource> source) {
    report_.file = source->name();
    const ReaderOptions reader_options{options_.limits, Detail::checks, options_.threads, options_.head};
    auto reader = CollectionReader::open(std::move(source), reader_options,
                                         [this](const Finding& finding) { note(finding); });
    if (reader) {
      read_pages(*reader);
    } else {
      report_.fatal = std::move(reader.error());
    }
    return std::move(report_);
  }

 private:
  void read_pages(CollectionReader& reader) {
    if (reader.has_head()) report_.head = reader.head();
    const bool states_pages =
        report_.head && report_.head->state && report_.head->type == model::CollectionType::snapshot;
    base::UrlSet urls;
    while (true) {
      const auto more = reader.next();
      if (!more) report_.fatal = more.error();
      if (!more || !*more) break;
      if (states_pages) state_.add(reader.page().url, reader.page().modified);
      if (!urls.insert(reader.page().url))
        note({Code::duplicate_url, reader.line_number(), reader.line_offset(), std::string(reader.page().url),
              "the URL occurs twice in this file; the page with the newest modified counts"});
      if (options_.progress && urls.size() % kProgressEvery == 0)
        options_.progress(reader.statistics().compressed_bytes, urls.size());
    }
    report_.pages = urls.size();
    report_.checksum = reader.checksum();
    report_.statistics = reader.statistics();
    if (states_pages && !report_.fatal) check_state();
  }

  /// A snapshot has every page of its section, so its pages must match the stated digest. With a duplicate
  /// URL the older page does not count; which one is older is not known here, so the digest is not checked.
  void check_state() {
    if (report_.counts[static_cast<std::size_t>(Code::duplicate_url)] > 0) return;
    if (state_.matches(*report_.head->state)) return;
    const std::uint64_t skipped = report_.statistics.skipped;
    note({Code::state_mismatch,
          0,
          0,
          {},
          fmt::format("the metadata line has the state {}, but the state of the pages is {}{}",
                      *report_.head->state, state_.to_string(),
                      skipped == 0 ? "" : fmt::format("; {} skipped pages are not in it", skipped))});
  }

  void note(const Finding& finding) {
    const std::uint64_t count = ++report_.counts[static_cast<std::size_t>(finding.code)];
    if (count <= options_.findings_per_code) report_.findings.push_back(finding);
  }

  const ValidateOptions& options_;
  ValidationReport report_;
  StateDigest state_;  ///< of the pages read so far
};

}  // namespace

ValidationReport validate(std::unique_ptr<base::ByteSource> source, const ValidateOptions& options) {
  return Validation(options).run(std::move(source));
}

}  // namespace sheaf::format
