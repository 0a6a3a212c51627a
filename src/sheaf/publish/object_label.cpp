#include "sheaf/publish/object_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::publish {

ObjectLabel label_of_collection(const CollectionName& name, site::UpdateFreq update) {
  ObjectLabel label;
  label.content_type = "application/scp";
  if (name.codec != format::Codec::plain) label.content_encoding = format::to_string(name.codec);
  // By the drafts' examples: a daily snapshot 86400 and 3600, its deltas 3600.
  const std::int64_t period = site::seconds_of(update);
  const std::int64_t part = std::max<std::int64_t>(period / 24, 60);
  label.cache_control = name.type == model::CollectionType::delta
                            ? fmt::format("public, max-age={}, must-revalidate", part)
                            : fmt::format("public, max-age={}, stale-while-revalidate={}", period, part);
  return label;
}

ObjectLabel label_of_sitemap() { return {"application/xml", "", "public, max-age=300, must-revalidate"}; }

}  // namespace sheaf::publish
