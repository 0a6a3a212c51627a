#pragma once

#include "sheaf/objects/object_store.h"
#include "sheaf/site/advertised.h"
#include <sheaf/publish.h>

#include <string_view>

namespace sheaf::publish {

/// The HTTP headers of a collection, from its name and the update interval of its section.
objects::ObjectLabel label_of_collection(const CollectionName& name, site::UpdateFreq update);
objects::ObjectLabel label_of_sitemap();
/// For a signature. Cached as briefly as a delta, because a new key replaces it.
objects::ObjectLabel label_of_signature(site::UpdateFreq update);
/// For a small file next to the sitemap, by its extension.
objects::ObjectLabel label_of_site_file(std::string_view name);

}  // namespace sheaf::publish
