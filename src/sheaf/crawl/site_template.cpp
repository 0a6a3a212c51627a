#include "sheaf/crawl/site_template.h"

#include "sheaf/base/hex.h"
#include "sheaf/base/sha256.h"

#include <span>

namespace sheaf::crawl {

SiteTemplate::SiteTemplate(extract::SiteProfile profile)
    : profile_(std::move(profile)), bytes_(profile_.save()) {
  constexpr std::size_t kIdBytes = 16;
  const base::Digest digest = base::sha256(bytes_);
  id_ = base::to_hex(std::span(digest).first(kIdBytes));
}

std::shared_ptr<const SiteTemplate> SiteTemplate::load(std::string_view bytes) {
  auto profile = extract::SiteProfile::load(bytes);
  return profile ? std::make_shared<const SiteTemplate>(std::move(*profile)) : nullptr;
}

}  // namespace sheaf::crawl
