#include "sheaf/publish/delivery/object_label.h"

namespace sheaf::publish {

objects::ObjectLabel label_of_collection(const CollectionName& name, site::UpdateFreq update) {
  objects::ObjectLabel label;
  label.content_type = "application/scp";
  if (name.codec != Codec::plain) label.content_encoding = to_string(name.codec);
  label.cache_control = site::cache_control_of(name.type, update);
  return label;
}

objects::ObjectLabel label_of_sitemap() {
  return {"application/xml", "", "public, max-age=300, must-revalidate"};
}

objects::ObjectLabel label_of_signature(site::UpdateFreq update) {
  return {"text/plain", "", site::cache_control_of(model::CollectionType::delta, update)};
}

objects::ObjectLabel label_of_site_file(std::string_view name) {
  std::string type = "text/plain";
  if (name.ends_with(".md")) type = "text/markdown; charset=utf-8";
  if (name.ends_with(".txt")) type = "text/plain; charset=utf-8";
  if (name.ends_with(".atom") || name.ends_with(".xml")) type = "application/atom+xml";
  return {type, "", "public, max-age=300, must-revalidate"};
}

}  // namespace sheaf::publish
