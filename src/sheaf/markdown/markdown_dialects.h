#pragma once

#include "sheaf/markdown/markdown.h"

#include <string>
#include <string_view>

// Converts Markdown extensions of site generators to CommonMark. All functions are linear in the size of the
// text and do not change code.
namespace sheaf::markdown {

/// Removes what is not content: comments of MDX, Liquid, Hugo, kramdown, Jinja and Obsidian, MDX's imports
/// and exports, and in MDX expressions in braces. HTML comments stay.
std::string remove_comments(std::string_view markdown, Flavour flavour);

/// Converts template commands: Hugo's shortcodes (`{{< figure src="a.png" >}}`, `{{% note %}}`) and tags of
/// Liquid (`{% highlight go %}`). Listings become fenced code; pictures and videos become HTML. A command
/// that is a link destination (`ref`) becomes about:blank. Any other command is removed; its content is kept.
/// `{{</* x */>}}` is Hugo's escape for `{{< x >}}`.
std::string convert_shortcodes(std::string_view markdown);

/// Converts boxes. In Docusaurus they are `:::tip Title` to `:::`. In MkDocs they are `!!! tip "Title"` or
/// `=== "Tab"`, with a body that is indented by four columns and would be code in CommonMark. The title
/// becomes a paragraph. Attributes after headings, `## Title {#name}`, are removed.
std::string convert_admonitions(std::string_view markdown);

/// Converts definition lists to `dl` elements with Markdown inside. A list entry has one or more lines with
/// terms, followed by definitions, which begin with `: `.
std::string convert_definition_lists(std::string_view markdown);

/// Removes the paragraphs that cmark-gfm makes of the terms of convert_definition_lists(). Call it with the
/// rendered HTML.
std::string without_term_paragraphs(std::string_view html);

/// Converts formulas, `$E = mc^2$` and `$$...$$`, to elements of class `math`.
std::string convert_formulas(std::string_view markdown);

}  // namespace sheaf::markdown
