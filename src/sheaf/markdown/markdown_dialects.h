#pragma once

#include <string>
#include <string_view>

// Markdown extensions of site generators, converted to CommonMark. All functions are linear in the text and
// do not change code.
namespace sheaf::markdown {

/// Template commands: Hugo's shortcodes (`{{< figure src="a.png" >}}`, `{{% note %}}`) and Liquid's
/// tags
/// (`{% highlight go %}`). Listings become fenced code, pictures and videos HTML, `ref` an empty link. Any
/// other command is removed and its content stays. `{{</* x */>}}` is Hugo's escape for
/// `{{< x >}}`.
std::string without_shortcodes(std::string_view markdown);

/// Boxes: `:::tip Title` to `:::` in Docusaurus, `!!! tip "Title"` and `=== "Tab"` in MkDocs, with a body
/// that is indented by four columns and would be code in CommonMark. The title becomes a paragraph. Names
/// after headings, `## Title {#name}`, are removed.
std::string without_boxes(std::string_view markdown);

/// Definition lists: lines with terms, and after them lines that begin with `: ` and what belongs to these.
/// They become `dl` elements with Markdown inside.
std::string with_definitions(std::string_view markdown);

/// Formulas, `$E = mc^2$` and `$$...$$`: each becomes an element of class `math`.
std::string without_formulas(std::string_view markdown);

}  // namespace sheaf::markdown
