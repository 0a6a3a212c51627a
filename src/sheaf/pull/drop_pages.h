#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Removes a site, or a section of it, from a store because the user says so. The pages alone would not be
// enough: pull remembers which files and pages it has already stored, and would not fetch them again.
namespace sheaf::pull {

struct DropPlan {
  std::string site;
  std::optional<std::string> section;  ///< nullopt: the whole site, with everything pull knows of it
  std::vector<store::SectionState> sections = {};  ///< what is removed; may be empty if only notes are left
  bool forgets_key = false;                        ///< the site's pinned key is forgotten

  [[nodiscard]] std::uint64_t pages() const;
};

/// Finds what drop_pages() would remove. Fails with Errc::not_found if the store does not know the site or
/// the section.
base::Result<DropPlan> plan_drop(const store::PageStore& store, const std::string& site,
                                 const std::optional<std::string>& section);

/// Removes the sections of the plan, each in one step, and what pull remembers about them. If this fails or
/// the process is killed, the rest is still known to the store, and a second call removes it. A site that is
/// still pulled comes back with the next pull.
base::Result<void> drop_pages(store::PageStore& store, const DropPlan& plan, Instant now);

}  // namespace sheaf::pull
