#include "sheaf/pull/stand_ins.h"

#include "sheaf/pull/section_memory.h"

#include <utility>

namespace sheaf::pull {

using base::Result;

Result<void> add_new_urls(const store::PageStore& store, const std::string& site, std::string_view section,
                          base::UrlSet& urls, std::uint64_t& count) {
  store::PageFilter filter;
  filter.site = site;
  filter.section = section;
  filter.with_json = false;
  return store.each_page(filter, [&](const store::StoredPage& page) -> Result<bool> {
    if (urls.insert(page.url)) ++count;
    return true;
  });
}

Result<void> mark_stand_in(store::PageStore& store, const std::string& site, const std::string& section) {
  SHEAF_TRY_ASSIGN(auto memory, read_section_memory(store, site, section));
  if (std::exchange(memory.stands_in, true)) return {};
  return write_section_memory(store, site, section, memory);
}

Result<void> drop_stand_ins(store::PageStore& store, const std::string& site,
                            const std::set<std::string>& pulled, Instant now) {
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
  for (const store::SectionState& section : sections) {
    SHEAF_TRY_ASSIGN(auto memory, read_section_memory(store, site, section.section));
    if (!std::exchange(memory.stands_in, false)) continue;
    if (!pulled.contains(section.section)) {
      SHEAF_TRY(store.drop_section(site, section.section, now));
      memory = {};
    }
    SHEAF_TRY(write_section_memory(store, site, section.section, memory));
  }
  return {};
}

}  // namespace sheaf::pull
