#pragma once

#include "sheaf/objects/object_store.h"
#include "sheaf/publish/delivery/collection_name.h"
#include "sheaf/site/advertised.h"

namespace sheaf::publish {

/// How a collection is to be served, by its name and how often its section has a new snapshot.
objects::ObjectLabel label_of_collection(const CollectionName& name, site::UpdateFreq update);
objects::ObjectLabel label_of_sitemap();

}  // namespace sheaf::publish
