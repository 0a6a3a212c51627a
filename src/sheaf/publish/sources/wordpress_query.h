#pragma once

#include "sheaf/publish/config/config.h"
#include "sheaf/publish/config/wordpress_settings.h"

#include <string>

namespace sheaf::publish {

/// The query for everything that visitors of a WordPress site can see: published posts and pages without a
/// password, at the URLs that the site's permalink structure gives them. The query itself reads the
/// structure, so it may change. A pure function. Needs MariaDB 10.2 or MySQL 8.
std::string wordpress_query(const WordPressSettings& settings, const WordPressSelection& selection);

}  // namespace sheaf::publish
