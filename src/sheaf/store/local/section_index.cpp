#include "sheaf/store/local/section_index.h"

#include "sheaf/base/wildcard.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::store::local {

using base::Result;

bool SectionIndex::is_wanted(const PageEntry& entry) const {
  if (filter_.modified_since && entry.modified_at < *filter_.modified_since) return false;
  if (filter_.modified_before && entry.modified_at >= *filter_.modified_before) return false;
  return filter_.url.empty() || base::matches_wildcard(filter_.url, entry.url);
}

Result<bool> SectionIndex::scan(const EntryUse& use) const {
  return scan_keys(index_prefix(section_.record.id), use);
}

Result<bool> SectionIndex::scan_part(std::uint8_t first_byte, const EntryUse& use) const {
  return scan_keys(index_prefix(section_.record.id) + static_cast<char>(first_byte), use);
}

Result<bool> SectionIndex::scan_keys(const std::string& prefix, const EntryUse& use) const {
  auto cursor = view_.view().scan(prefix);
  for (; cursor.valid(); cursor.next()) {
    const auto url = url_of_index_key(cursor.key());
    auto entry = decode_entry(cursor.value());
    if (!url || !entry) {
      SHEAF_TRY(pass_over(fmt::format("an entry of the index of section {} of {} cannot be read",
                                      section_.name, section_.site)));
      continue;
    }
    if (!is_wanted(*entry)) continue;
    SHEAF_TRY_ASSIGN(const bool more, use(*url, *entry));
    if (!more) return false;
  }
  if (const auto read = cursor.check(); !read) {
    if (!filter_.on_damage) return std::unexpected(read.error());
    SHEAF_TRY(pass_over(fmt::format("the rest of the index of section {} of {} cannot be read: {}",
                                    section_.name, section_.site, read.error().message)));
  }
  return true;
}

std::string SectionIndex::describe(const UrlKey& url, std::string_view what) const {
  const auto entry = view_.entry(section_.record.id, url);
  return fmt::format("the page {} of section {} of {} {}", entry && *entry ? (*entry)->url : "of unknown URL",
                     section_.name, section_.site, what);
}

Result<void> SectionIndex::pass_over(const std::string& sentence) const {
  if (!filter_.on_damage) return std::unexpected(view_.damaged(sentence));
  filter_.on_damage(sentence);
  return {};
}

StoredPage SectionIndex::page_of_section() const {
  StoredPage page;
  page.site = section_.site;
  page.section = section_.name;
  return page;
}

const StoredPage& fill(StoredPage& page, PageEntry entry) {
  page.url = std::move(entry.url);
  page.modified = std::move(entry.modified);
  page.as_of = entry.as_of;
  return page;
}

const StoredPage& fill(StoredPage& page, const PageData& data) {
  page.url = data.url;
  page.modified = data.modified;
  page.as_of = data.as_of;
  page.json = data.json;
  page.fetched = data.fetched;
  return page;
}

}  // namespace sheaf::store::local
