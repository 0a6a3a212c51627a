"""Examples from documentation: the markup of its generators shows what is content."""

import re
import zlib

PAGES = 30  # of each family
BYTES = 150_000  # larger pages are skipped

# Where the content of a documentation page is, by what its elements are called: the outermost match decides, inner
# ones may decide otherwise. None: not used.
FAMILIES = {
    "share/doc/git-doc/": [(r"div#content|div#header", 1), (r"div#toc\b", None), (r"div#footer", 0)],
    "share/doc/apache2-doc/": [(r"div#page-content", 1), (r"div#(quickview|comments_section)|div\.(toplang|bottomlang|top)\b", 0),
                               (r"div#(page-header|path|footer)", 0)],
    "share/doc/rust-doc/html/book": [(r"^main", 1), (r"^nav|div#menu-bar", 0)],
    "share/doc/rust-doc/html/reference": [(r"^main", 1), (r"^nav|div#menu-bar", 0)],
    "share/doc/rust-doc/html/std": [(r"section#main-content", 1), (r"^nav|\.sub\b|search-", 0)],
    "share/doc/rust-doc/html/core": [(r"section#main-content", 1), (r"^nav|\.sub\b|search-", 0)],
    "share/doc/postgresql": [(r"body#docContent", 1), (r"\.(navheader|navfooter)", 0), (r"\.toc\b", None)],
    "share/cppreference": [(r"div#content\b", 1), (r"t-navbar|#siteSub|#contentSub|editsection|printfooter|catlinks|t-example-live", 0),
                           (r"#toc", None), (r"footer", 0)],
    "share/doc/libeigen3": [(r"div#doc-content|div\.(header|contents)\b", 1), (r"#(nav|side-nav|top|titlearea|projectlogo)|nav|footer", 0)],
    "libstdc++/user": [(r"div#doc-content|div\.(header|contents)\b", 1), (r"#(nav|side-nav|top|titlearea|projectlogo)|nav|footer", 0)],
    "libstdc++/manual": [(r"^body", 1), (r"\.(navheader|navfooter)", 0), (r"\.toc\b", None)],
    "share/doc/mkdocs": [(r"\.col-md-9", 1), (r"navbar|bs-sidebar|^footer|modal|\.col-md-3", 0)],
    "share/gtk-doc": [(r"div\.(refentry|chapter|part|book|index|sect1|glossary)\b", 1), (r"\bnavigation|div\.footer", 0), (r"\.toc\b", None)],
    "share/doc/python-django-doc": [(r"div#yui-main", 1), (r"div#(hd|ft|sidebar|global-nav)|div\.nav\b|sphinxsidebar", 0)],
    "share/doc/python3": [(r"div\.body", 1), (r"^nav|related|sphinxsidebar|div\.footer|mobile-nav|clearer", 0)],
}


def family_of(path):
    return next(family for family in FAMILIES if family in path)


def find_pages(roots):
    """Returns (path, family) of the pages with the lowest hashes of their names, for each family."""
    chosen = []
    everything = [page for root in roots for page in root.rglob("*.html")]
    for family in FAMILIES:
        pages = [p for p in everything if family in str(p) and 0 < p.stat().st_size < BYTES]
        pages.sort(key=lambda p: zlib.crc32(str(p)[str(p).index(family) :].encode()))
        chosen += [(page, family) for page in pages[:PAGES]]
    return chosen


def labels(family, page):
    """Returns one label per run of a page: 1 for content, 0 for other text, -1 for unknown."""
    answers = [0] * len(page["parents"])
    for region, parent in enumerate(page["parents"]):
        answers[region] = answers[parent] if region else 0
        for pattern, answer in FAMILIES[family]:
            if re.search(pattern, page["names"][region]):
                answers[region] = answer
    found = [answers[run["region"]] for run in page["runs"]]
    return [-1 if answer is None else answer for answer in found]
