#pragma once

#include "sheaf/publish/config/config.h"
#include "sheaf/publish/config/wordpress_settings.h"

#include <string>

namespace sheaf::publish {

/// The query for what visitors of a WordPress site can see: published posts and pages without a password, at
/// the URLs that the site's permalink structure gives them. The structure is read by the query, so it may
/// change. Pure. Needs MariaDB 10.2 or MySQL 8.
std::string wordpress_query(const WordPressSettings& settings, const WordPressSelection& selection);

}  // namespace sheaf::publish
