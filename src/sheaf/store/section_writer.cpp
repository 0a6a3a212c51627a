#include "sheaf/store/section_writer.h"

#include "sheaf/base/record.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::store {

using base::RecordReader;
using base::RecordWriter;

UrlKey UrlHasher::operator()(std::string_view url) {
  sha_.update(url);
  const base::Digest digest = sha_.finish();
  UrlKey key{};
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

std::string encode(const SectionRecord& section) {
  RecordWriter out;
  out.number(section.id).number(static_cast<std::uint64_t>(section.origin));
  out.time(section.generated).optional_time(section.snapshot);
  out.number(section.pages).number(section.bytes).digest(section.state).number(section.stated ? 1 : 0);
  if (section.stated) out.digest(*section.stated);
  out.time(section.changed_at);
  out.number(section.guard.pages).number(section.guard.removed);
  out.number(section.foreign ? 1 : 0);
  if (section.foreign) out.digest(*section.foreign);
  return out.bytes();
}

std::optional<SectionRecord> decode_section(std::string_view bytes) {
  RecordReader in(bytes);
  SectionRecord section;
  const std::uint64_t id = in.number();
  const std::uint64_t origin = in.number();
  section.generated = in.time();
  section.snapshot = in.optional_time();
  section.pages = in.number();
  section.bytes = in.number();
  section.state = in.digest<32>();
  if (in.number() != 0) section.stated = in.digest<32>();
  section.changed_at = in.time();
  section.guard.pages = in.number();
  section.guard.removed = in.number();
  section.foreign.reset();
  if (in.number() != 0) section.foreign = in.digest<32>();
  if (!in.good() || id > UINT32_MAX || origin > static_cast<std::uint64_t>(Origin::html)) return std::nullopt;
  section.id = static_cast<std::uint32_t>(id);
  section.origin = static_cast<Origin>(origin);
  return section;
}

void encode(const PageData& data, std::string& out) {
  RecordWriter(out).text(data.url).text(data.modified).time(data.as_of).text(data.json).time(data.fetched);
}

std::optional<PageData> decode_data(std::string_view bytes) {
  RecordReader in(bytes);
  PageData data;
  data.url = in.text();
  data.modified = in.text();
  data.as_of = in.time();
  data.json = in.text();
  data.fetched = in.time();
  return in.good() ? std::optional(data) : std::nullopt;
}

SectionState to_state(const NamedSection& section) {
  const SectionRecord& record = section.record;
  SectionState state;
  state.site = section.site;
  state.section = section.name;
  state.origin = record.origin;
  state.generated = record.generated;
  state.snapshot = record.snapshot;
  state.pages = record.pages;
  state.bytes = record.bytes;
  state.state = record.state;
  if (record.stated) state.proven = *record.stated == record.state;
  state.changed_at = record.changed_at;
  return state;
}

namespace {

using base::Errc;
using base::fail;
using base::Result;

/// Checks what readers of the store rely on: the JSON is one line and a valid page with this URL and
/// `modified`. Returns the time of `modified`.
class PageCheck {
 public:
  Result<Instant> operator()(std::string_view url, const SectionEdit::Page& page) {
    if (page.json.find('\n') != std::string::npos) return refuse(url, "its JSON has a line feed");
    const auto decoded = decoder_(page.json);
    if (!decoded) return refuse(url, decoded.error());
    if ((*decoded)->url != url || (*decoded)->modified != page.modified)
      return refuse(url, fmt::format("its JSON has the URL {} and was modified {}", (*decoded)->url,
                                     (*decoded)->modified));
    return (*decoded)->modified_at;
  }

 private:
  static std::unexpected<base::Error> refuse(std::string_view url, std::string_view why) {
    return fail(Errc::invalid_argument, fmt::format("the page {} cannot be stored: {}", url, why));
  }

  format::StoredPageDecoder decoder_{format::Detail::checks};
};

class EditCommit {
 public:
  EditCommit(SectionWriter& writer, const SectionEdit& edit) : writer_(writer), edit_(edit) {}

  Result<PageChanges> run() {
    SHEAF_TRY(check_pages());
    if (edit_.pages().empty()) {
      SHEAF_TRY(writer_.commit_notes(edit_.notes()));
      return summary_;
    }
    SHEAF_TRY_ASSIGN(const auto before, writer_.read_section());
    const bool is_collections = before && before->origin != Origin::html;
    if (is_collections && std::ranges::any_of(items_, [](const Item& item) { return item.page != nullptr; }))
      return fail(Errc::refused,
                  fmt::format("section {} of {} is filled from collections; single pages can only be removed",
                              edit_.section(), edit_.site()));
    SHEAF_TRY(write_data(before.has_value()));
    SectionRecord record = before.value_or(SectionRecord{});
    if (!is_collections) record.origin = Origin::html;
    SHEAF_TRY(writer_.begin(record));
    SHEAF_TRY(change_pages());
    writer_.record().changed_at = sheaf::now();
    SHEAF_TRY(writer_.commit(SectionWriter::Fate::kept, edit_.notes()));
    return summary_;
  }

 private:
  Result<void> check_pages() {
    PageCheck check;
    for (const auto& [url, page] : edit_.pages()) {
      Item item{.key = hash_(url), .url = &url, .page = page ? &*page : nullptr, .modified_at = {}};
      if (page) {
        SHEAF_TRY_ASSIGN(item.modified_at, check(url, *page));
      }
      items_.push_back(std::move(item));
    }
    std::ranges::sort(items_, {}, &Item::key);
    return {};
  }

  struct Item {
    UrlKey key;
    const std::string* url;
    const SectionEdit::Page* page;  ///< null if the page is removed
    Instant modified_at;
    std::optional<PageEntry> stored = {};
    bool same = false;  ///< identical to the stored page
    Place place = {};   ///< of the new data
  };

  /// Looks up the stored pages and writes the new data. The section is locked, so the stored pages cannot
  /// change before the commit.
  Result<void> write_data(bool exists) {
    std::vector<UrlKey> urls;
    for (const Item& item : items_) urls.push_back(item.key);
    if (exists) {
      SHEAF_TRY_ASSIGN(auto stored, writer_.find(urls));
      for (std::size_t i = 0; i < items_.size(); ++i) items_[i].stored = std::move(stored[i]);
    }
    for (Item& item : items_) {
      if (item.page == nullptr) continue;
      SHEAF_TRY_ASSIGN(item.same, is_same(item.stored, *item.page));
      SHEAF_TRY_ASSIGN(item.place, writer_.add({*item.url, item.page->modified, item.page->as_of,
                                                item.page->json, item.page->as_of}));
    }
    return writer_.close();
  }

  Result<void> change_pages() {
    for (const Item& item : items_) {
      if (item.page != nullptr) {
        SHEAF_TRY(put(item));
      } else if (item.stored) {
        ++summary_.removed;
        SHEAF_TRY(writer_.remove(item.key, *item.stored, SectionWriter::Feed::report));
      }
    }
    return {};
  }

  Result<void> put(const Item& item) {
    const SectionEdit::Page& page = *item.page;
    const PageEntry entry{*item.url,  page.modified, item.modified_at,
                          page.as_of, item.place,    page.json.size()};
    if (!item.stored) ++summary_.added;
    if (item.stored && !item.same) ++summary_.changed;
    SectionRecord& record = writer_.record();
    record.generated = std::max(record.generated, page.as_of);
    return writer_.put(item.key, item.stored, entry,
                       item.same ? SectionWriter::Feed::omit : SectionWriter::Feed::report);
  }

  /// Whether the stored page is identical. An identical page is not reported in the feed; only its time is
  /// updated. An unreadable stored page counts as different.
  Result<bool> is_same(const std::optional<PageEntry>& stored, const SectionEdit::Page& page) {
    if (!stored || stored->modified != page.modified || stored->json_bytes != page.json.size()) return false;
    const auto json = writer_.read_json(*stored);
    if (!json && json.error().code != Errc::invalid_data) return std::unexpected(json.error());
    return json && *json == page.json;
  }

  SectionWriter& writer_;
  const SectionEdit& edit_;
  UrlHasher hash_;
  std::vector<Item> items_;
  PageChanges summary_;
};

}  // namespace

Result<PageChanges> commit_edit(SectionWriter& writer, const SectionEdit& edit) {
  return EditCommit(writer, edit).run();
}

Result<std::uint64_t> drop_section(SectionWriter& writer, std::string_view section, Instant now) {
  SHEAF_TRY_ASSIGN(const auto before, writer.read_section());
  if (!before) return 0;
  SHEAF_TRY(writer.begin(*before));
  writer.record().changed_at = now;
  SHEAF_TRY_ASSIGN(const auto entries, writer.scan(SectionWriter::Damage::show));
  while (true) {
    SHEAF_TRY_ASSIGN(const EntryScan::Item* item, entries->next());
    if (item == nullptr) break;
    // An unreadable entry must not prevent the section from being dropped. Its page becomes unreferenced, and
    // gc deletes it.
    SHEAF_TRY(item->entry ? writer.remove(item->url, *item->entry, SectionWriter::Feed::report)
                          : entries->forget());
  }
  SHEAF_TRY(writer.commit(SectionWriter::Fate::dropped, {{unreadable_prefix(section), std::nullopt, true}}));
  return before->pages;
}

}  // namespace sheaf::store
