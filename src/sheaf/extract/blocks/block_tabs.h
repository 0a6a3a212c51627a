#pragma once

#include "sheaf/html/dom.h"

namespace sheaf::extract {

/// Tabs: a list of labels, and panels of which the page shows one at a time. Told by their roles; those of
/// MkDocs and VitePress, which need no script and have no roles, by their classes.
bool is_tab_list(const html::Document& document, html::NodeId element);
bool is_tab_panel(const html::Document& document, html::NodeId element);

}  // namespace sheaf::extract
