"""The text of sample_pages.py as wikis and content systems take it: DokuWiki's and MediaWiki's markup, AsciiDoc, and
the HTML that the editor of WordPress keeps, with its comments around blocks."""
import re

from sample_pages import JSON, LONG_ITEMS, PYTHON, SHELL

NOTE = "The first start takes a minute, because the tables are built."
WARNING = "Never run two recorders on one folder."


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain_items(mark):
    return "\n".join(mark + item.replace("`", "") for item in LONG_ITEMS)


DOKUWIKI = {
    "guide": f"""====== Guide ======

The recorder reads lines of **tab-separated** fields and writes them to a table. It is //small// on purpose: the
''parse'' function is all that most programs need, and the [[reference|reference]] names the rest.

{{{{window.png|The window of the recorder}}}}

===== Install =====

Install it with your package manager, then check that it runs:

<code bash>
{SHELL}
</code>

==== Requirements ====

^ System ^ Version ^ Notes ^
| Linux | 5.10 | Any distribution |
| macOS | 12 | Intel and ''arm64'' |
| Windows | 10 | Only from [[https://shop.example/recorder|the shop]] |

===== First steps =====

  - Make a folder for the data.
  - Write a file with the settings:
    * ''name'' is shown in the title.
    * ''paths'' may have several entries.
  - Start the recorder.

<code json>
{JSON}
</code>

> A record is only as good as its clock.

Lines that cannot be parsed are left out, and the log says why((The log is a text file beside the table.)).
""",
    "reference": f"""====== Reference ======

Every function of the module, in the order in which programs call them.

===== parse =====

<code python>
{PYTHON}
</code>

^ Parameter ^ Type ^ Meaning ^
| ''line'' | str | One line without its end |
| ''strict'' | bool | Whether a wrong number of fields is an error |

===== Options =====

{plain_items("  * ")}
""",
    "short": """====== Support ======

Support ends one year after the next release.

Write to the list before you file a bug.
""",
}

MEDIAWIKI = {
    "Guide": f"""The recorder reads lines of '''tab-separated''' fields and writes them to a table. It is ''small'' on purpose: the
<code>parse</code> function is all that most programs need, and the [[Reference|reference]] names the rest.

[[File:Window.png|thumb|The window after the first start.]]

== Install ==

Install it with your package manager, then check that it runs:

<syntaxhighlight lang="bash">
{SHELL}
</syntaxhighlight>

=== Requirements ===

{{| class="wikitable"
|+ Systems
! System !! Version !! Notes
|-
| Linux || 5.10 || Any distribution
|-
| macOS || 12 || Intel and <code>arm64</code>
|-
| Windows || 10 || Only from [https://shop.example/recorder the shop]
|}}

== First steps ==

# Make a folder for the data.
# Write a file with the settings:
#* <code>name</code> is shown in the title.
#* <code>paths</code> may have several entries.
# Start the recorder.

<syntaxhighlight lang="json" line>
{JSON}
</syntaxhighlight>

<blockquote>A record is only as good as its clock.</blockquote>

Lines that cannot be parsed are left out, and the log says why.<ref>The log is a text file beside the table.</ref>

; Term
: What a word means in this guide.
; Record
: One line of a table.

== References ==
<references />

[[Category:Manuals]]
""",
    "Reference": f"""Every function of the module, in the order in which programs call them.

== parse ==

<syntaxhighlight lang="python">
{PYTHON}
</syntaxhighlight>

{{| class="wikitable"
! Parameter !! Type !! Meaning
|-
| <code>line</code> || str || One line without its end
|-
| <code>strict</code> || bool || Whether a wrong number of fields is an error
|}}

 2024-05-01 12:00:01  17.5  ok
 2024-05-01 12:00:02  17.6  ok

== Options ==

{plain_items("* ")}

[[Category:Manuals]]
""",
    "Support": """Support ends one year after the next release.

Write to the list before you file a bug.
""",
}

ASCIIDOC = {
    "guide": f"""= Guide

The recorder reads lines of *tab-separated* fields and writes them to a table. It is _small_ on purpose: the
`parse` function is all that most programs need, and the xref:reference.adoc[reference] names the rest.

.The window after the first start
image::window.png[The window of the recorder]

== Install

Install it with your package manager, then check that it runs:

[source,bash]
----
{SHELL}
----

NOTE: {NOTE}

.One folder, one recorder
[WARNING]
====
{WARNING}
====

=== Requirements

.Systems
|===
|System |Version |Notes

|Linux |5.10 |Any distribution
|macOS |12 |Intel and `arm64`
|Windows |10 |Only from https://shop.example/recorder[the shop]
|===

== First steps

. Make a folder for the data.
. Write a file with the settings:
* `name` is shown in the title.
* `paths` may have several entries.
. Start the recorder.

[source,json]
----
{JSON}
----

[quote]
A record is only as good as its clock.

Term:: What a word means in this guide.
Record:: One line of a table.

Lines that cannot be parsed are left out, and the log says why.footnote:[The log is a text file beside the table.]
""",
    "reference": f"""= Reference

Every function of the module, in the order in which programs call them.

== parse

[source,python]
----
{PYTHON}
----

|===
|Parameter |Type |Meaning

|`line` |str |One line without its end
|`strict` |bool |Whether a wrong number of fields is an error
|===

....
2024-05-01 12:00:01  17.5  ok
2024-05-01 12:00:02  17.6  ok
....

== Options

{chr(10).join("* " + item.replace("--", "+--+") for item in LONG_ITEMS)}
""",
    "short": """= Support

Support ends one year after the next release.

Write to the list before you file a bug.
""",
}


def block(name, html, settings=""):
    return f"<!-- wp:{name}{' ' + settings if settings else ''} -->\n{html}\n<!-- /wp:{name} -->\n"


def block_list(items, ordered=False):
    tag = "ol" if ordered else "ul"
    inside = "".join(block("list-item", f"<li>{item}</li>") for item in items)
    return block("list", f"<{tag}>{inside}</{tag}>", '{"ordered":true}' if ordered else "")


def block_table(rows, caption=""):
    head = "".join(f"<th>{cell}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
    below = f'<figcaption class="wp-element-caption">{caption}</figcaption>' if caption else ""
    return block("table", f'<figure class="wp-block-table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
                 f"</table>{below}</figure>")


def paragraph(html):
    return block("paragraph", f"<p>{html}</p>")


def heading(level, text):
    return block("heading", f"<h{level}>{text}</h{level}>", f'{{"level":{level}}}')


def code(text, language=""):
    inside = f' lang="{language}" class="language-{language}"' if language else ""
    return block("code", f'<pre class="wp-block-code"><code{inside}>{escaped(text)}</code></pre>')


WORDPRESS = {
    "guide": ("Guide", "".join([
        paragraph("The recorder reads lines of <strong>tab-separated</strong> fields and writes them to a table. It is "
                  "<em>small</em> on purpose: the <code>parse</code> function is all that most programs need, and the "
                  '<a href="https://notes.example/?p=reference">reference</a> names the rest.'),
        block("image", '<figure class="wp-block-image size-full"><img src="https://notes.example/window.png" '
              'alt="The window of the recorder"/><figcaption class="wp-element-caption">The window after the first start.'
              "</figcaption></figure>"),
        heading(2, "Install"), paragraph("Install it with your package manager, then check that it runs:"),
        code(SHELL, "bash"), heading(3, "Requirements"),
        block_table([["System", "Version", "Notes"], ["Linux", "5.10", "Any distribution"],
                     ["macOS", "12", "Intel and <code>arm64</code>"],
                     ["Windows", "10", 'Only from <a href="https://shop.example/recorder">the shop</a>']], "Systems"),
        heading(2, "First steps"),
        block_list(["Make a folder for the data.", "Write a file with the settings:" + block_list(
            ["<code>name</code> is shown in the title.", "<code>paths</code> may have several entries."]),
            "Start the recorder."], ordered=True),
        code(JSON, "json"),
        block("quote", '<blockquote class="wp-block-quote"><p>A record is only as good as its clock.</p>'
              "<cite>The manual</cite></blockquote>"),
        block("columns", '<div class="wp-block-columns">' + "".join(
            block("column", f'<div class="wp-block-column">{paragraph(text)}</div>') for text in (NOTE, WARNING)) + "</div>"),
        block("gallery", '<figure class="wp-block-gallery has-nested-images columns-default is-cropped">' + "".join(
            block("image", f'<figure class="wp-block-image size-large"><img src="https://notes.example/part{n}.png" '
                  f'alt="Part {n}"/></figure>') for n in (1, 2)) + "</figure>"),
        block("buttons", '<div class="wp-block-buttons">' + block(
            "button", '<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" '
            'href="https://shop.example/recorder">Order the recorder</a></div>') + "</div>"),
    ])),
    "reference": ("Reference", "".join([
        paragraph("Every function of the module, in the order in which programs call them."),
        heading(2, "parse"), code(PYTHON, "python"),
        block_table([["Parameter", "Type", "Meaning"], ["<code>line</code>", "str", "One line without its end"],
                     ["<code>strict</code>", "bool", "Whether a wrong number of fields is an error"]]),
        heading(2, "Options"), block_list([item.replace("`", "") for item in LONG_ITEMS]),
    ])),
    "short": ("Support", paragraph("Support ends one year after the next release.")
              + paragraph("Write to the list before you file a bug.")),
}


def classic(text):
    """Returns the content as the classic editor stores it: without the block comments."""
    return re.sub(r"<!-- /?wp:.*?-->\n?", "", text)
