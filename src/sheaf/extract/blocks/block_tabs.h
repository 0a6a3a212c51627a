#pragma once

#include "sheaf/html/dom.h"

#include <string_view>

namespace sheaf::extract {

/// Tabs: a list of labels, and panels of which the page shows one at a time. Told by their roles; those of
/// MkDocs and VitePress, which need no script and have no roles, by their classes.
bool is_tab_list(const html::Document& document, html::NodeId element);
bool has_tab_list_class(const html::Document& document, html::NodeId element, std::string_view classes);
bool has_tab_panel_class(const html::Document& document, html::NodeId element, std::string_view classes);

}  // namespace sheaf::extract
