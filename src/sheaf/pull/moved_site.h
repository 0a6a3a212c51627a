#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/discover.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Sites that move: from http to https, to or from www., or to another domain. The store names a copy by the
// origin that was pulled, so after a move it would have two copies of one site, and one of them would never
// change again. The copy of the old origin is deleted once there is one of the new origin, if the old one
// still says by a permanent redirect (301, 308) that it moved there. Only its robots.txt is asked, which may
// always be requested.
namespace sheaf::pull {

/// The front page of the site to which this one has moved: its robots.txt and its front page redirect
/// permanently to another host. Http, https and `www.` of one host are the same site and do not count.
/// Requests the front page only if robots.txt says that the site moved, and its rules allow it.
std::optional<base::Url> find_new_site(const base::Url& address, const RobotsResponse& robots,
                                       http::fetch::Fetcher& fetcher);

/// Notes in the store that `address` moved to `target`, for retire_former_copies(): for each origin of its
/// host that has a copy.
base::Result<void> note_moved(store::PageStore& store, const base::Url& address, const base::Url& target);

/// The copy of a former origin of a site.
struct FormerCopy {
  std::string site;
  std::uint64_t pages = 0;
  bool held = false;  ///< kept by the shrink guard, because the new copy has much fewer pages
};

/// Deletes the copies of a site's former origins that still redirect to it: those of the same host, and those
/// of note_moved(). Call it when the copy of `address` is complete. Costs one request for each such copy, and
/// one for each further redirect.
base::Result<std::vector<FormerCopy>> retire_former_copies(store::PageStore& store, const base::Url& address,
                                                           http::fetch::Fetcher& fetcher,
                                                           format::Shrink shrink, Instant now);

}  // namespace sheaf::pull
