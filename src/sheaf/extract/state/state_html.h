#pragma once

#include "sheaf/extract/state/state_tree.h"

#include <string>

namespace sheaf::extract {

/// Writes a part of the data as HTML: strings of HTML, Markdown or plain text, and documents of the usual
/// text editors and component frameworks (Portable Text, Contentful, Lexical, ProseMirror, Slate, Editor.js,
/// Draft, Quill, syntax trees of Markdown, elements of React). Each object is written once; the output is
/// bounded.
void write_state_html(const StateTree& tree, StateId part, std::string& out);

}  // namespace sheaf::extract
