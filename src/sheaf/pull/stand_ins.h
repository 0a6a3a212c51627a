#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url_set.h"
#include "sheaf/pull/discover.h"
#include "sheaf/site/advertised.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Sections that stand in for the section `all` while its collections cannot be used. They are marked in the
// store, so that they are deleted when `all` can be pulled again: its pages would otherwise be there twice.
namespace sheaf::pull {

/// How many pages section `all` has, as far as the site says so.
std::optional<std::uint64_t> stated_pages(const site::Advertised& advertised, const OffersBySection& offers);

/// Counts the pages of a section that are not in the set yet, and adds them.
base::Result<void> add_new_urls(const store::PageStore& store, const std::string& site,
                                std::string_view section, base::UrlSet& urls, std::uint64_t& count);

/// Marks the section as a stand-in.
base::Result<void> mark_stand_in(store::PageStore& store, const std::string& site,
                                 const std::string& section);

/// Deletes all sections that are marked, with their marks.
base::Result<void> drop_stand_ins(store::PageStore& store, const std::string& site, Instant now);

}  // namespace sheaf::pull
