#include "sheaf/store/copy_store.h"

#include "sheaf/base/external_sort.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/collection_offer.h"
#include "sheaf/store/section_writer.h"

#include <string>
#include <utility>

namespace sheaf::store {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kCopySortMemory = 16 * format::kMiB;
constexpr std::size_t kNotesBytes = format::kMiB;
constexpr std::uint64_t kPagesBetweenCopyReports = 256;

/// A page that was written to the target and is not in its index yet.
struct CopiedPage {
  UrlKey url{};
  std::uint64_t run = 0;
  std::uint64_t number = 0;
  std::uint64_t json_bytes = 0;
  std::uint64_t text_at = 0;
  std::uint32_t url_bytes = 0;
  std::uint32_t text_bytes = 0;
  std::int64_t learnt_seconds = 0;
  std::uint32_t learnt_nanoseconds = 0;

  friend bool operator<(const CopiedPage& a, const CopiedPage& b) { return a.url < b.url; }
};

class StoreCopy {
 public:
  StoreCopy(const PageStore& from, PageStore& to, const CopyOptions& options)
      : from_(from), to_(to), options_(options) {}

  Result<CopySummary> run() {
    SHEAF_TRY_ASSIGN(const auto sections, from_.sections());
    for (const SectionState& section : sections) total_ += section.pages;
    std::string site;
    for (const SectionState& section : sections) {
      SHEAF_TRY(copy_section(section));
      ++summary_.sections;
      if (section.site == site) continue;
      site = section.site;
      ++summary_.sites;
      SHEAF_TRY(copy_notes(site));
    }
    return summary_;
  }

 private:
  Result<void> copy_section(const SectionState& section) {
    SHEAF_TRY_ASSIGN(const auto record, from_.section_record(section.site, section.section));
    if (!record) return {};
    SHEAF_TRY(to_.drop_section(section.site, section.section, sheaf::now()));
    SHEAF_TRY_ASSIGN(const auto writer, to_.write_section(section.site, section.section));
    SHEAF_TRY(writer->read_section());
    base::ExternalSort<CopiedPage> pages(kCopySortMemory, {});
    TextSpool texts({});
    SHEAF_TRY(write_pages(section, *writer, pages, texts));
    SHEAF_TRY(writer->begin({}));
    SHEAF_TRY(pages.sort());
    while (true) {
      SHEAF_TRY_ASSIGN(const auto page, pages.next());
      if (!page) break;
      SHEAF_TRY(put_page(*page, *writer, texts));
    }
    SectionRecord& copy = writer->record();
    copy.origin = record->origin;
    copy.generated = record->generated;
    copy.snapshot = record->snapshot;
    copy.stated = record->stated;
    copy.changed_at = record->changed_at;
    copy.guard = record->guard;
    copy.foreign = record->foreign;
    return writer->commit(SectionWriter::Fate::kept, {});
  }

  Result<void> write_pages(const SectionState& section, SectionWriter& writer,
                           base::ExternalSort<CopiedPage>& pages, TextSpool& texts) {
    PageFilter filter;
    filter.site = section.site;
    filter.section = section.section;
    const auto copy_page = [&](const StoredPage& page) -> Result<bool> {
      if (options_.cancelled && options_.cancelled()) return fail(Errc::refused, "the copy was stopped");
      SHEAF_TRY_ASSIGN(const Place place,
                       writer.add({page.url, page.modified, page.as_of, page.json, page.fetched}));
      CopiedPage copied;
      copied.url = hash_(page.url);
      copied.run = place.run;
      copied.number = place.number;
      copied.json_bytes = page.json.size();
      SHEAF_TRY_ASSIGN(copied.text_at, texts.append(page.url, page.modified));
      copied.url_bytes = static_cast<std::uint32_t>(page.url.size());
      copied.text_bytes = static_cast<std::uint32_t>(page.url.size() + page.modified.size());
      copied.learnt_seconds = page.as_of.seconds;
      copied.learnt_nanoseconds = page.as_of.nanoseconds;
      SHEAF_TRY(pages.add(copied));
      summary_.bytes += page.json.size();
      if (++summary_.pages % kPagesBetweenCopyReports == 0 && options_.progress)
        options_.progress(summary_.pages, total_);
      return true;
    };
    SHEAF_TRY(from_.each_page(filter, copy_page));
    return writer.close();
  }

  static Result<void> put_page(const CopiedPage& page, SectionWriter& writer, TextSpool& texts) {
    SHEAF_TRY_ASSIGN(const std::string_view text, texts.read(page.text_at, page.text_bytes));
    PageEntry entry;
    entry.url = text.substr(0, page.url_bytes);
    entry.modified = text.substr(page.url_bytes);
    if (const auto modified = parse_time(entry.modified)) entry.modified_at = modified->instant;
    entry.as_of = {page.learnt_seconds, page.learnt_nanoseconds};
    entry.place = {page.run, page.number};
    entry.json_bytes = page.json_bytes;
    return writer.put(page.url, std::nullopt, entry, SectionWriter::Feed::report);
  }

  Result<void> copy_notes(const std::string& site) {
    SHEAF_TRY_ASSIGN(const auto writer, to_.write_section(site, ""));
    std::vector<SectionEdit::NoteChange> notes{{"", std::nullopt, true}};
    std::size_t bytes = 0;
    Result<void> written;
    const auto copy_note = [&](std::string_view name, std::string_view value) {
      notes.push_back({std::string(name), std::string(value), false});
      bytes += name.size() + value.size();
      if (bytes < kNotesBytes) return true;
      written = writer->commit_notes(notes);
      notes.clear();
      bytes = 0;
      return written.has_value();
    };
    SHEAF_TRY(from_.each_note(site, "", copy_note));
    SHEAF_TRY(written);
    return writer->commit_notes(notes);
  }

  const PageStore& from_;
  PageStore& to_;
  const CopyOptions& options_;
  UrlHasher hash_;
  std::uint64_t total_ = 0;
  CopySummary summary_;
};

}  // namespace

Result<CopySummary> copy_store(const PageStore& from, PageStore& to, const CopyOptions& options) {
  return StoreCopy(from, to, options).run();
}

}  // namespace sheaf::store
