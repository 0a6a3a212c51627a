#pragma once

#include "sheaf/html/dom.h"

#include <string_view>

namespace sheaf::extract {

/// Tabs are a list of labels, and panels of which the page shows one at a time. They are recognised by their
/// roles. The tabs of MkDocs and VitePress work without scripts and have no roles; they are recognised by
/// their classes.
bool is_tab_list(const html::Document& document, html::NodeId element);
bool has_tab_list_class(const html::Document& document, html::NodeId element, std::string_view classes);
bool has_tab_panel_class(const html::Document& document, html::NodeId element, std::string_view classes);

}  // namespace sheaf::extract
