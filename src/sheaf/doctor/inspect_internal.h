#pragma once

#include "sheaf/base/file.h"
#include "sheaf/doctor/probe_client.h"
#include "sheaf/doctor/section_copy.h"
#include "sheaf/doctor/site_facts.h"
#include "sheaf/doctor/site_inspection.h"

#include <memory>
#include <string>
#include <vector>

// The steps of an inspection. Each adds facts; later steps use the facts of earlier ones.
namespace sheaf::doctor {

/// The state of an inspection, in addition to the facts.
struct Inspection {
  const InspectOptions& options;
  SiteFacts& facts;
  ProbeClient& client;
  std::vector<std::shared_ptr<base::SpoolFile>> files = {};  ///< of facts.collections; null: no valid file
  std::vector<SectionCopy> copies = {};                      ///< of facts.sections
};

/// Returns false if nothing more may be requested.
bool inspect_robots(Inspection& inspection);
void inspect_sitemaps(Inspection& inspection);
void inspect_collections(Inspection& inspection);
void inspect_sections(Inspection& inspection);
void inspect_pages(Inspection& inspection);

}  // namespace sheaf::doctor
