#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <string>

namespace sheaf::html {

/// The tree as HTML, by the standard's "HTML fragment serialization algorithm": of a document everything, of
/// a fragment what is inside its root. Parsing it again gives the same tree for conforming pages, not for
/// all: the standard names the exceptions (a `pre` that begins with a line feed, `plaintext`, nested forms,
/// what was moved out of a table...).
std::string serialize(const Document& document, Scripting scripting = Scripting::off);

}  // namespace sheaf::html
