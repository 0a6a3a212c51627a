#!/usr/bin/env python3
"""Measures how accurately pages become blocks, on real documentation.

    tools/fidelity/fidelity.py --docs FOLDER --sheaf build/release/sheaf [--pages N] [--misses N] [--goal R]
    tools/fidelity/fidelity.py --docs FOLDER --dump build/release/tools/blocks_dump ...
    tools/fidelity/fidelity.py --sites FOLDER --sheaf build/release/sheaf ...
    tools/fidelity/fidelity.py --self-test

FOLDER is the folder `html` of tools/fetch_docs, or has the sites that sites.py builds. --sheaf measures the whole
extraction; --dump measures only the building of blocks, with the content element given. N pages of each package are
used, spread evenly. The truth is read from the HTML by Python's own parser (tree.py, truth.py). For each kind of block,
recall is the share of the truth that is in the output, and precision is the share of the output that is true. `words` are
all words of the page; their precision falls when navigation leaks in. Pages that reach the protocol's limit of 1,000
blocks have joined blocks, which loses structure: they have a row of their own and are not part of the total. Exit status
1 if a figure over all packages is below --goal, 77 (skipped) if there are no documents.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sites import build_sites  # noqa: E402
from tree import parse  # noqa: E402
from truth import BASE, Truth, key, words  # noqa: E402

KINDS = ("words", "headings", "code", "languages", "cells", "items", "images", "links")
DUMPED = ("words", "headings", "code", "cells", "items")  # the kinds that are measured with blocks_dump
MAX_BLOCKS = 1000
AT_LIMIT = "at the limit"
MACHINERY = {"search.html", "genindex.html", "404.html"}


class Package:
    """Where a generator puts its content, what inside it is navigation or machinery (drop), and what may be either
    way (neutral: tables of contents, which some readers want)."""

    def __init__(self, name, pattern, content, drop=(), neutral=()):
        self.name, self.pattern, self.content, self.drop, self.neutral = name, pattern, content, drop, neutral


DOCUMENTATION = [
    Package("cppreference", "usr/share/cppreference/doc/html/en/**/*.html", "#content",
            (".t-navbar", "#siteSub", "#contentSub", ".printfooter", "#catlinks", ".editsection", "#mw-js-message",
             ".coliru-btn", ".t-example-live-link", ".visualClear"), ("#toc", ".toc")),
    Package("python", "usr/share/doc/python3*/html/**/*.html", "div.body", (".headerlink",), (".contents",)),
    Package("postgresql", "usr/share/doc/postgresql-doc-*/html/*.html", "#docContent",
            (".navheader", ".navfooter"), (".toc",)),
    Package("git", "usr/share/doc/git-doc/**/*.html", "body", ("#footer", "#footnotes"), ("#toc",)),
    Package("rust book", "usr/share/doc/rust-doc/html/book/*.html", "main", (".nav-wrapper", ".buttons")),
    Package("rust reference", "usr/share/doc/rust-doc/html/reference/**/*.html", "main", (".nav-wrapper", ".buttons")),
    Package("rustdoc", "usr/share/doc/rust-doc/html/std/**/*.html", "#main-content",
            (".srclink", ".out-of-band", ".notable-traits", ".test-arrow", ".anchor", "#copy-path"),
            (".rightside", ".item-info", ".stab", ".since")),
    Package("apache", "usr/share/doc/apache2-doc/manual/en/**/*.html", "#page-content",
            (".toplang", ".bottomlang", "#quickview", ".top", ".permalink", ".lang-toggle"), (".toc", ".seealso")),
    Package("django", "usr/share/doc/python-django-doc/html/**/*.html", "div.yui-main", (".headerlink", ".nav"),
            (".contents",)),
]

SPHINX_DROP = (".headerlink", ".viewcode-link", ".copybtn", ".linenos")
SITES = [
    Package("mkdocs", "mkdocs/site/**/index.html", "div.col-md-9", (".headerlink",)),
    Package("mkdocs-readthedocs", "mkdocs-readthedocs/site/**/index.html", "div.section", (".headerlink",)),
    Package("mkdocs-material", "mkdocs-material/site/**/index.html", "article.md-content__inner",
            (".headerlink", ".md-content__button", ".linenos", ".tabbed-labels", ".md-source-file")),
    Package("sphinx-alabaster", "sphinx-alabaster/site/*.html", "div.body", SPHINX_DROP),
    Package("sphinx-classic", "sphinx-classic/site/*.html", "div.body", SPHINX_DROP),
    Package("sphinx-rtd", "sphinx-rtd/site/*.html", "div.document", SPHINX_DROP),
    Package("sphinx-furo", "sphinx-furo/site/*.html", "article", SPHINX_DROP),
    Package("sphinx-pydata", "sphinx-pydata/site/*.html", "main", SPHINX_DROP + (".prev-next-area", ".bd-sidebar-secondary", ".bd-header-article")),
    Package("doxygen", "doxygen/site/*.html", "div.contents", (".dynheader", ".dyncontent", ".permalink", ".levels", ".lineno")),
    Package("javadoc", "javadoc/site/org/**/*.html", "main", (".sub-nav", ".anchor-link", ".copy")),
    Package("rustdoc", "rustdoc/site/recorder/*.html", "#main-content",
            (".src", ".srclink", ".out-of-band", ".anchor", "#copy-path", ".test-arrow", ".doc-anchor", ".hideme")),
    Package("jekyll", "jekyll/site/20*/**/*.html", "article.post", (".post-meta", ".u-url")),
    Package("vitepress", "vitepress/site/*.html", "div.vp-doc",
            (".header-anchor", ".copy", ".lang", ".line-numbers-wrapper", ".tabs")),
    Package("vuepress", "vuepress/site/*.html", "main.vp-page", (".line-numbers", ".vp-page-meta", ".vp-page-nav")),
    Package("docusaurus", "docusaurus/site/*/*.html", "div.theme-doc-markdown",
            (".hash-link", ".buttonGroup__atx", ".clean-btn", ".theme-doc-breadcrumbs", ".tabs")),
    Package("starlight", "starlight/site/*/*.html", "main", (".sl-anchor-link", ".copy", ".pagination-links", ".tablist-wrapper",
                                                            ".sr-only", "footer")),
    Package("honkit", "honkit/site/*.html", "section.normal", (".anchor",)),
    Package("gitbook", "gitbook/site/*.html", "section.normal", (".anchor",)),
    Package("nextra", "nextra/site/*.html", "main",
            (".nextra-breadcrumb", ".subheading-anchor", ".nextra-copy-icon", ".nextra-toc", ".print:_hidden", "._sr-only")),
    Package("antora", "antora/site/*/*.html", "article.doc", (".anchor", ".pagination", ".conum")),
    Package("hugo-papermod", "hugo-papermod/site/posts/**/*.html", "article.post-single, article.post-entry, header.page-header",
            (".breadcrumbs", ".post-meta", ".toc", ".post-footer", "#disqus_thread", ".entry-footer", ".entry-link")),
    Package("hugo-docsy", "hugo-docsy/site/posts/**/*.html", "div.td-content",
            (".reading-time", ".d-print-none", ".td-page-meta__lastmod")),
    Package("hugo-book", "hugo-book/site/posts/**/*.html", "article.markdown"),
    Package("hugo-stack", "hugo-stack/site/posts/**/*.html", "article.main-article, h1.section-term, section.article-list--compact",
            (".lnt", ".article-category", ".article-time", ".article-footer")),
    Package("hugo-ananke", "hugo-ananke/site/posts/**/*.html", "h1.athelas, div.nested-copy-line-height",
            (".lnt", "ul.pa0", ".mt6")),
    Package("dokuwiki", "dokuwiki/site/*.html", "div.page", ("#dw__toc", ".secedit")),
    *(Package(f"mediawiki-{skin}", f"mediawiki-{skin}/site/*.html", "#firstHeading, div.mw-parser-output",
              ("#toc", ".mw-editsection", ".linenos", ".mw-cite-backlink")) for skin in ("vector", "monobook", "timeless")),
    Package("wordpress-classic", "wordpress-classic/site/*.html", ".entry-title, .post-thumbnail, .entry-content", (".more-link",)),
    Package("wordpress-block", "wordpress-block/site/*.html", "main", (".wp-block-template-part", ".wp-block-post-date")),
]


class Score:
    def __init__(self):
        self.true = self.made = self.both_true = self.both_made = 0

    def add(self, truth, made, neutral=Counter()):
        both = sum((truth & made).values())
        self.true += sum(truth.values())
        self.both_true += both
        # Text that is neither required nor wrong is not counted.
        excused = sum(((made - truth) & neutral).values())
        self.made += sum(made.values()) - excused
        self.both_made += both

    def join(self, other):
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def recall(self):
        return self.both_true / self.true if self.true else None

    def precision(self):
        return self.both_made / self.made if self.made else None


def inline_links(block):
    """Returns address and text of each link in the texts of a block."""
    texts = [block["text"]] if "text" in block else block.get("items") or [c for row in block.get("rows", []) for c in row]
    ranges = block.get("inline", [])
    if block["type"] == "table":
        ranges = [cell for row in ranges for cell in row]
    elif block["type"] != "list":
        ranges = [ranges]
    for text, of_text in zip(texts, ranges):
        units = text.encode("utf-16-le")
        for r in of_text:
            if r["kind"] == "link":
                yield r["url"], units[2 * r["from"]:2 * r["to"]].decode("utf-16-le")


def made_blocks(page):
    """Returns the same counters for the extracted pages."""
    made = {kind: Counter() for kind in KINDS}
    for block in page["content"]:
        kind = block["type"]
        texts = []
        if kind == "code":
            made["code"][block["code"].rstrip("\n")] += 1
            if "language" in block:
                made["languages"][block["language"] + " " + key(block["code"])] += 1
            texts = [block["code"]]
        elif kind == "heading":
            made["headings"][str(block["level"]) + key(block["text"])] += 1
            texts = [block["text"]]
        elif kind == "table":
            texts = [cell for row in block["rows"] for cell in row]
            made["cells"].update(k for k in map(key, texts) if k)
        elif kind == "list":
            texts = [re.sub(r"^ +(- |\d+\. )?", "", item) for item in block["items"]]
            made["items"].update(map(key, texts))
        elif kind == "image":
            made["images"][block["url"]] += 1
        elif kind == "link":
            made["links"][block["url"] + " " + key(block["text"])] += 1
            texts = [block["text"]]
        elif kind in ("text", "quote"):
            texts = [block["text"], block.get("citation") or ""]
        made["links"].update(url + " " + key(text) for url, text in inline_links(block))
        for text in texts:
            made["words"].update(words(text))
    return made


def run_sheaf(program, paths):
    pages = []
    for path in paths:
        result = subprocess.run([program, "extract", "--url", BASE, "--inline", path],
                                capture_output=True, check=True)
        pages.append(json.loads(result.stdout))
    return pages


def run_dump(program, package, paths):
    command = [program, "--content", package.content]
    if package.drop:
        command += ["--drop", ", ".join(package.drop)]
    result = subprocess.run(command + paths, capture_output=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def sample(folder, package, count):
    paths = sorted(p for p in glob.glob(os.path.join(folder, package.pattern), recursive=True)
                   if os.path.isfile(p) and os.path.basename(p) not in MACHINERY)
    return [paths[i * len(paths) // count] for i in range(count)] if len(paths) > count else paths


class Report:
    def __init__(self):
        self.scores, self.misses, self.pages = {}, [], Counter()

    def add_page(self, package, path, truth, page):
        made = made_blocks(page)
        name = AT_LIMIT if len(page["content"]) >= MAX_BLOCKS else package.name
        self.pages[name] += 1
        for kind in KINDS:
            score = Score()
            neutral = {"words": truth.neutral_words, "links": truth.neutral_links}.get(kind, Counter())
            score.add(getattr(truth, kind), made[kind], neutral)
            self.scores.setdefault((name, kind), Score()).join(score)
            lost, wrong = getattr(truth, kind) - made[kind], made[kind] - getattr(truth, kind) - neutral
            if lost or wrong:
                self.misses.append((sum(lost.values()) + sum(wrong.values()), name, kind, path, lost, wrong))

    def total(self, kind):
        total = Score()
        for (name, of_kind), score in self.scores.items():
            if of_kind == kind and name != AT_LIMIT:
                total.join(score)
        return total

    def print_table(self):
        print(f"{'':20}{'pages':>5}" + "".join(f"{kind:>16}" for kind in KINDS))
        counted = [name for name in self.pages if name != AT_LIMIT]
        for name in counted + ["all"] + ([AT_LIMIT] if AT_LIMIT in self.pages else []):
            row = [self.total(k) if name == "all" else self.scores[name, k] for k in KINDS]
            pages = sum(self.pages[n] for n in counted) if name == "all" else self.pages[name]
            figures = "".join(f"{figure(s.recall()):>9}{figure(s.precision()):>7}" for s in row)
            print(f"{name:20}{pages:>5}" + figures)
        print(f"{'of':25}" + "".join(f"{self.total(k).true:>16}" for k in KINDS))
        print("each: recall, precision")

    def print_misses(self, count):
        for kind in KINDS:
            worst = sorted((m for m in self.misses if m[2] == kind), key=lambda m: -m[0])
            for size, package, _, path, lost, wrong in worst[:count]:
                print(f"\n{package} {kind} {size} off: {path}")
                for sign, counter in (("-", lost), ("+", wrong)):
                    for text, times in counter.most_common(4):
                        print(f"  {sign} {times} x {text[:140]!r}")

    def reaches(self, goal, kinds):
        totals = [self.total(k) for k in kinds]
        return all(f is None or f >= goal for s in totals for f in (s.recall(), s.precision()))

    def every_row_reaches(self, goal):
        return all(f is None or f >= goal for s in self.scores.values() for f in (s.recall(), s.precision()))


def figure(value):
    return "-" if value is None else f"{value:.3f}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs")
    parser.add_argument("--sites", help="what sites.py has built")
    program = parser.add_mutually_exclusive_group(required=True)
    program.add_argument("--sheaf")
    program.add_argument("--dump")
    program.add_argument("--self-test", action="store_true")
    parser.add_argument("--build", action="store_true", help="first build the sites that are not there yet")
    parser.add_argument("--node", help="folder of npm installations, for --build")
    parser.add_argument("--pages", type=int, default=50, help="of each package")
    parser.add_argument("--package", help="this one only")
    parser.add_argument("--misses", type=int, default=0, help="the worst pages of each kind")
    parser.add_argument("--goal", type=float)
    return parser.parse_args()


SELF_TEST_PAGE = """<body><nav>Menu of things</nav><main><h1>Title</h1><p>Some text<ul><li>one<ul><li>inner</ul><li>two
<pre>code
  here</pre>after</ul><table><tr><th>a<th>b<tr><td rowspan=2>k<td>1<tr><td>2</table></main>"""
SELF_TEST_BLOCKS = [
    {"type": "heading", "level": 1, "text": "Title"}, {"type": "text", "text": "Some text"},
    {"type": "list", "ordered": False, "items": ["one", "  - inner", "two"]},
    {"type": "code", "code": "code\n  here"}, {"type": "text", "text": "after"},
    {"type": "table", "rows": [["a", "b"], ["k", "1"], ["k", "2"]]}]


def self_test():
    """Checks that the truth of a small page is found, and that every injected fault in its blocks is found."""
    def figures(blocks):
        report = Report()
        package = Package("test", "", "main")
        report.add_page(package, "page", Truth(parse(SELF_TEST_PAGE), "main", (), ()), {"content": blocks})
        return {k: (report.total(k).recall(), report.total(k).precision()) for k in KINDS}

    good = figures(SELF_TEST_BLOCKS)
    # A cell that spans two rows is in both, so one word occurs once more in the output than on the page.
    assert all(f in ((1, 1), (None, None)) for k, f in good.items() if k != "words") and good["words"][0] == 1, good
    for kind, block in (("headings", 0), ("items", 2), ("code", 3), ("cells", 5)):
        without = figures(SELF_TEST_BLOCKS[:block] + SELF_TEST_BLOCKS[block + 1:])
        assert without[kind][0] == 0 and without["words"][0] < 1, (kind, without)
        twice = figures(SELF_TEST_BLOCKS + [SELF_TEST_BLOCKS[block]])
        assert twice[kind][1] < 1, (kind, twice)
    wrong_level = figures([{"type": "heading", "level": 2, "text": "Title"}])
    assert wrong_level["headings"] == (0, 0), wrong_level
    leak = figures(SELF_TEST_BLOCKS + [{"type": "text", "text": "Menu of things"}])
    assert leak["words"][1] < good["words"][1], leak
    print("self-test: every fault was found")
    return 0


def main():
    options = arguments()
    if options.self_test:
        return self_test()
    report = Report()
    folder = options.sites or options.docs or ""
    if options.build:
        left_out = build_sites(folder, options.node, options.package)
        if options.package in left_out:
            print(f"skipped {options.package}: {left_out[options.package]}")
            return 77
    for package in SITES if options.sites else DOCUMENTATION:
        paths = sample(folder, package, options.pages)
        if not paths or options.package not in (None, package.name):
            continue
        pages = run_sheaf(options.sheaf, paths) if options.sheaf else run_dump(options.dump, package, paths)
        for path, page in zip(paths, pages, strict=True):
            with open(path, encoding="utf-8", errors="replace") as file:
                truth = Truth(parse(file.read()), package.content, package.drop, package.neutral)
            if truth.content:
                report.add_page(package, path, truth, page)
    if not report.pages:
        print("no documents in", folder, file=sys.stderr)
        return 77
    report.print_table()
    report.print_misses(options.misses)
    if options.sites and options.goal is not None:
        return 0 if report.every_row_reaches(options.goal) else 1
    return 0 if options.goal is None or report.reaches(options.goal, DUMPED if options.dump else KINDS) else 1


if __name__ == "__main__":
    sys.exit(main())
