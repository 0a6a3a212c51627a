#pragma once

#include <string>
#include <string_view>

// What site generators have authors write into Markdown that is no Markdown. All are linear in the text,
// leave code alone, and give CommonMark back.
namespace sheaf::markdown {

/// Commands to the generator: Hugo's shortcodes (`{{< figure src="a.png" >}}`, `{{% note %}}`) and Liquid's
/// tags
/// (`{% highlight go %}`). Listings become fences, pictures and videos HTML, `ref` a link that leads nowhere;
/// of every other one the command goes and what it encloses stays. `{{</* x */>}}` is how Hugo's authors
/// write about
/// `{{< x >}}`.
std::string without_shortcodes(std::string_view markdown);

/// Boxes: `:::tip Title` to `:::` as Docusaurus has them, `!!! tip "Title"` and `=== "Tab"` with a body four
/// columns further in, which CommonMark takes for code, as MkDocs has them. The title becomes a paragraph.
/// Names behind headings,
/// `## Title {#name}`, go.
std::string without_boxes(std::string_view markdown);

/// Definition lists: lines with terms, and after them lines that begin with `: ` and what belongs to these.
/// They become `dl` elements with Markdown inside.
std::string with_definitions(std::string_view markdown);

/// Formulas, `$E = mc^2$` and `$$...$$`: each becomes an element of class `math`.
std::string without_formulas(std::string_view markdown);

}  // namespace sheaf::markdown
