#!/usr/bin/env python3
"""Builds small sites with every documentation generator that is installed, for fidelity.py --sites.

    tools/fidelity/sites.py FOLDER [--node NODE_MODULES_FOLDER] [--only NAME]

Debian's generators are found on the PATH, those of npm in NODE_MODULES_FOLDER/NAME (`npm install` in a folder named for
each: vitepress, docusaurus, starlight, vuepress, antora, honkit, gitbook, nextra). The site of each is in FOLDER/NAME. What
cannot be built is left out, with a line that says why. The texts are those of sample_pages.py."""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import site_tools  # noqa: E402
from hugo_sites import HUGO_BUILDERS  # noqa: E402
from php_sites import PHP_BUILDERS  # noqa: E402
from sample_pages import LONG_ITEMS, RST, markdown_pages  # noqa: E402
from site_tools import Missing, link_modules, need, png, run, write  # noqa: E402
from wiki_pages import ASCIIDOC  # noqa: E402


def build_mkdocs(theme):
    def build(folder, _node):
        need("mkdocs")
        for name, title, text in markdown_pages("mkdocs"):
            write(f"{folder}/docs/{'index' if name == 'guide' else name}.md", f"# {title}\n\n{text}")
        write(f"{folder}/docs/window.png", png())
        material = theme == "material"
        extra = ["pymdownx.superfences", "pymdownx.arithmatex:\n      generic: true", "pymdownx.tabbed:\n      alternate_style: true",
                 "pymdownx.highlight:\n      anchor_linenums: true\n      linenums: true"] if material else []
        extensions = ["admonition", "footnotes", "def_list", "toc:\n      permalink: true"] + extra
        lines = "\n".join("  - " + e for e in extensions)
        write(f"{folder}/mkdocs.yml", f"site_name: Recorder manual\nsite_url: https://docs.example/\ntheme: {theme}\n"
              f"repo_url: https://code.example/recorder\nedit_uri: edit/main/\nmarkdown_extensions:\n{lines}\n"
              "site_dir: site\n")
        run(["mkdocs", "build", "--quiet"], folder)
    return build


def build_sphinx(theme):
    def build(folder, _node):
        need("sphinx-build")
        for name, text in RST.items():
            write(f"{folder}/source/{name}.rst", text)
        write(f"{folder}/source/window.png", png())
        write(f"{folder}/source/conf.py", "project = 'Recorder'\nextensions = ['sphinx.ext.mathjax']\n"
              f"html_theme = {theme!r}\nhtml_baseurl = 'https://docs.example/'\n")
        run(["sphinx-build", "-q", "-b", "html", "source", "site"], folder)
    return build


def build_doxygen(folder, _node):
    need("doxygen")
    items = "\n".join(f" * - {item}" for item in LONG_ITEMS)
    write(f"{folder}/recorder.h", f"""/** \\file
 * \\brief Records. */
#pragma once
/** \\brief One line of a table.
 *
 * A record is only as good as its clock. See parse().
 *
 * | Field | Meaning |
 * | --- | --- |
 * | time | When it was measured |
 * | value | What was measured |
 *
 * \\code{{.cpp}}
 * Record record = parse(line);
 * print(record.value);
 * \\endcode
 *
 * \\note The first start takes a minute.
{items}
 */
struct Record {{
  long time;    ///< Seconds since the epoch.
  double value; ///< What was measured.
}};
/** \\brief Reads one record.
 * \\param line one line without its end
 * \\param strict whether a wrong number of fields is an error
 * \\return the record */
Record parse(const char* line, bool strict);
""")
    write(f"{folder}/guide.md", "# Guide\n\n" + markdown_pages("plain")[0][2].split("Lines that cannot")[0]
          .replace("(reference.md)", "(https://docs.example/reference)").replace("![The window of the recorder](window.png)", ""))
    write(f"{folder}/Doxyfile", "PROJECT_NAME = Recorder\nINPUT = recorder.h guide.md\nOUTPUT_DIRECTORY = .\n"
          "HTML_OUTPUT = site\nGENERATE_LATEX = NO\nQUIET = YES\nGENERATE_TREEVIEW = YES\nSOURCE_BROWSER = NO\n")
    run(["doxygen"], folder)


def build_javadoc(folder, _node):
    need("javadoc")
    write(f"{folder}/source/org/recorder/Recorder.java", """package org.recorder;
/** Reads lines of <b>tab-separated</b> fields and writes them to a table.
 * <p>A record is only as good as its clock.
 * <pre>{@code
 * Recorder recorder = new Recorder("data");
 * recorder.run(true);
 * }</pre>
 * <table><caption>Systems</caption><tr><th>System</th><th>Version</th></tr><tr><td>Linux</td><td>5.10</td></tr></table>
 * <ul><li>First</li><li>Second, see {@link #run}</li></ul>
 * @since 1.2 */
public class Recorder {
  /** The folder of the data. */
  public final String folder;
  /** Makes a recorder.
   * @param folder where the data are */
  public Recorder(String folder) { this.folder = folder; }
  /** Runs until it is stopped.
   * @param strict whether a wrong number of fields is an error
   * @return how many records were read
   * @throws IllegalStateException if it runs already */
  public int run(boolean strict) { return 0; }
}
""")
    run(["javadoc", "-quiet", "-d", "site", "-sourcepath", "source", "org.recorder"], folder)


def build_rustdoc(folder, _node):
    need("rustdoc")
    write(f"{folder}/recorder.rs", '''//! Reads lines of **tab-separated** fields.
//!
//! ```
//! let record = recorder::parse("1\\t2\\tok", true);
//! ```
//!
//! | System | Version |
//! | --- | --- |
//! | Linux | 5.10 |

/// One line of a table.
///
/// # Examples
///
/// - `time` comes first
/// - `value` comes second
pub struct Record {
    /// Seconds since the epoch.
    pub time: u64,
    /// What was measured.
    pub value: f64,
}

/// Reads one record. A wrong number of fields is an error where `strict`.
pub fn parse(line: &str, strict: bool) -> Option<Record> { let _ = (line, strict); None }
''')
    run(["rustdoc", "--crate-name", "recorder", "-o", "site", "recorder.rs"], folder)


def build_jekyll(folder, _node):
    need("jekyll")
    posts = markdown_pages("plain")
    for number, (name, title, text) in enumerate(posts, 1):
        text = text.replace("(reference.md)", "(/reference.html)").replace("(window.png)", "(/window.png)")
        write(f"{folder}/_posts/2024-05-0{number}-{name}.md", f"---\ntitle: {title}\nlayout: post\n---\n{text}")
    write(f"{folder}/window.png", png())
    write(f"{folder}/index.md", "---\nlayout: home\n---\n")
    write(f"{folder}/_config.yml", "title: Recorder notes\ntheme: minima\nurl: https://docs.example\n")
    run(["jekyll", "build", "-q", "-d", "site"], folder)


def build_vitepress(folder, node):
    link_modules(folder, node, "vitepress", "vitepress")
    write(f"{folder}/package.json", '{"private": true, "type": "module"}')
    write(f"{folder}/.vitepress/config.mjs", "export default {title: 'Recorder', outDir: 'site', ignoreDeadLinks: true,"
          "markdown: {lineNumbers: true}, lastUpdated: true, themeConfig: {editLink: {pattern: 'https://code.example/:path'},"
          "sidebar: [{text: 'Manual', items: [{text: 'Guide', link: '/guide'}, {text: 'Reference', link: '/reference'},"
          "{text: 'Support', link: '/short'}]}]}}\n")
    for name, title, text in markdown_pages("vitepress"):
        write(f"{folder}/{name}.md", f"# {title}\n\n{text}")
    write(f"{folder}/window.png", png())
    run(["node_modules/.bin/vitepress", "build", "."], folder)


def build_vuepress(folder, node):
    link_modules(folder, node, "vuepress", "vuepress", "@vuepress/theme-default", "@vuepress/bundler-vite")
    write(f"{folder}/package.json", '{"private": true, "type": "module"}')
    write(f"{folder}/docs/.vuepress/config.js", "import {viteBundler} from '@vuepress/bundler-vite'\n"
          "import {defaultTheme} from '@vuepress/theme-default'\n"
          "export default {title: 'Recorder', dest: 'site', bundler: viteBundler(), theme: defaultTheme("
          "{sidebar: ['/guide.md', '/reference.md', '/short.md']})}\n")
    for name, title, text in markdown_pages("vitepress"):
        write(f"{folder}/docs/{name}.md", f"# {title}\n\n{text}".replace("(window.png)", "(./window.png)")
              .replace("::: code-group", "::: info Systems").replace(" [Debian]", "").replace(":line-numbers [Fedora]", ""))
    write(f"{folder}/docs/window.png", png())
    run(["node_modules/.bin/vuepress", "build", "docs"], folder)


def build_docusaurus(folder, node):
    link_modules(folder, node, "docusaurus", "@docusaurus/core", "@docusaurus/preset-classic")
    write(f"{folder}/package.json", '{"private": true, "name": "site"}')
    write(f"{folder}/docusaurus.config.js", "module.exports = {title: 'Recorder', url: 'https://docs.example', baseUrl: '/',"
          "onBrokenLinks: 'ignore', onBrokenMarkdownLinks: 'ignore', presets: [['classic', {docs: {routeBasePath: '/',"
          "editUrl: 'https://code.example/edit/'}, blog: {showReadingTime: true}}]],"
          "themeConfig: {navbar: {title: 'Recorder'}}}\n")
    imports = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n"
    for name, title, text in markdown_pages("docusaurus"):
        write(f"{folder}/docs/{name}.mdx", f"---\ntitle: {title}\n---\n{imports}{text}".replace("(reference.md)", "(reference.mdx)")
              .replace("(window.png)", "(./window.png)"))
        write(f"{folder}/blog/2024-05-01-{name}.md", f"---\ntitle: Notes on {title}\n---\n"
              + text.split("## ")[0].replace("(reference.md)", "(https://docs.example/reference)")
              .replace("(window.png)", "(./window.png)") + "\n<!-- truncate -->\n\nMore is to come.\n")
    for sub in ("docs", "blog"):
        write(f"{folder}/{sub}/window.png", png())
    run(["node_modules/.bin/docusaurus", "build", "--out-dir", "site", "--no-minify"], folder, DOCUSAURUS_IGNORE_SSG_WARNINGS="1")


def build_starlight(folder, node):
    link_modules(folder, node, "starlight", "astro", "@astrojs/starlight")
    write(f"{folder}/package.json", '{"private": true, "type": "module"}')
    write(f"{folder}/astro.config.mjs", "import {defineConfig} from 'astro/config';\nimport starlight from '@astrojs/starlight';\n"
          "export default defineConfig({outDir: './site', telemetry: false, integrations: [starlight("
          "{title: 'Recorder', pagefind: false, editLink: {baseUrl: 'https://code.example/'}, lastUpdated: false})]});\n")
    write(f"{folder}/src/content/config.ts", "import {defineCollection} from 'astro:content';\n"
          "import {docsSchema} from '@astrojs/starlight/schema';\n"
          "export const collections = {docs: defineCollection({schema: docsSchema()})};\n")
    for name, title, text in markdown_pages("starlight"):
        text = text.replace("(reference.md)", "(/reference/)").replace("(window.png)", "(./window.png)")
        imports = "import { Tabs, TabItem } from '@astrojs/starlight/components';\n\n"
        write(f"{folder}/src/content/docs/{name}.mdx", f"---\ntitle: {title}\n---\n{imports}{text}")
    write(f"{folder}/src/content/docs/window.png", png())
    run(["node_modules/.bin/astro", "build"], folder, ASTRO_TELEMETRY_DISABLED="1")


ANTORA_LAYOUT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{{page.title}}} :: {{{site.title}}}</title><meta name="generator" content="Antora {{{antoraVersion}}}"></head>
<body class="article"><header class="header"><nav class="navbar"><a class="navbar-item" href="/">{{site.title}}</a></nav></header><div class="body"><div class="nav-container"><aside class="nav"><ul><li><a href="guide.html">Guide</a></li></ul></aside></div>
<main class="article"><div class="toolbar" role="navigation"><nav class="breadcrumbs" aria-label="breadcrumbs"><ul><li><a href="guide.html">Recorder</a></li></ul></nav><div class="edit-this-page"><a href="{{page.editUrl}}">Edit this Page</a></div></div>
<div class="content"><aside class="toc sidebar" data-title="Contents" data-levels="2"><div class="toc-menu"></div></aside><article class="doc"><h1 class="page">{{{page.title}}}</h1>
{{{page.contents}}}
<nav class="pagination"><span class="next"><a href="short.html">Next page</a></span></nav></article></div></main></div><footer class="footer"><p>This page was built using Antora.</p></footer></body></html>
"""


def build_antora(folder, node):
    """Builds pages with Antora. npm does not have its default UI, so a small one with the same class names is used."""
    link_modules(folder, node, "antora", "@antora/cli", "@antora/site-generator")
    need("git")
    write(f"{folder}/docs/antora.yml", "name: recorder\ntitle: Recorder\nversion: ~\nnav: [modules/ROOT/nav.adoc]\n")
    write(f"{folder}/docs/modules/ROOT/nav.adoc", "".join(f"* xref:{name}.adoc[]\n" for name in ASCIIDOC))
    for name, text in ASCIIDOC.items():
        write(f"{folder}/docs/modules/ROOT/pages/{name}.adoc", text)
    write(f"{folder}/docs/modules/ROOT/images/window.png", png())
    write(f"{folder}/ui/layouts/default.hbs", ANTORA_LAYOUT)
    write(f"{folder}/ui/layouts/404.hbs", "<!DOCTYPE html><html><body>Not found</body></html>")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@docs.example", "-c", "init.defaultBranch=main"]
    for command in (["init", "-q"], ["add", "docs"], ["commit", "-q", "-m", "Manual"]):
        run(git + command, folder)
    write(f"{folder}/playbook.yml", "site:\n  title: Recorder\n  url: https://docs.example\ncontent:\n  sources:\n"
          f"  - url: {folder}\n    start_path: docs\n    branches: HEAD\nui:\n  bundle:\n    url: ./ui\noutput:\n  dir: ./site\n"
          "runtime:\n  cache_dir: ./cache\n")
    run(["node_modules/.bin/antora", "playbook.yml"], folder)


def write_book(folder):
    pages = markdown_pages("plain")
    for name, title, text in pages:
        write(f"{folder}/{'README' if name == 'guide' else name}.md", f"# {title}\n\n{text}")
    write(f"{folder}/SUMMARY.md", "# Summary\n\n* [Guide](README.md)\n" + "".join(
        f"* [{title}]({name}.md)\n" for name, title, _ in pages[1:]))
    write(f"{folder}/window.png", png())


def build_honkit(folder, node):
    link_modules(folder, node, "honkit", "honkit")
    write_book(folder)
    run(["node_modules/.bin/honkit", "build", ".", "site"], folder)


def build_gitbook(folder, node):
    """Builds pages with the last release of GitBook's generator, before it became a service."""
    link_modules(folder, node, "gitbook", "gitbook")
    write_book(f"{folder}/book")
    run(["node", "-e", "const build = require('gitbook').commands.find(c => c.name.startsWith('build'));"
         "build.exec(['book', 'site'], {log: 'error', format: 'website', timing: false})"
         ".then(() => process.exit(0), error => { console.error(error); process.exit(1) })"], folder)


def build_nextra(folder, node):
    link_modules(folder, node, "nextra", "next", "nextra", "nextra-theme-docs")
    write(f"{folder}/package.json", '{"private": true}')
    write(f"{folder}/next.config.mjs", "import nextra from 'nextra'\nconst withNextra = nextra({theme: 'nextra-theme-docs', "
          "themeConfig: './theme.config.jsx'})\nexport default withNextra({output: 'export', distDir: 'site', images: {unoptimized: true},"
          "eslint: {ignoreDuringBuilds: true}})\n")
    write(f"{folder}/theme.config.jsx", "export default {logo: <b>Recorder</b>, docsRepositoryBase: 'https://code.example/recorder',"
          "footer: {content: <span>Made by nobody</span>}}\n")
    write(f"{folder}/pages/_app.jsx", "export default function App({ Component, pageProps }) { return <Component {...pageProps} /> }\n")
    imports = "import { Tabs, Callout } from 'nextra/components'\n\n"
    for name, title, text in markdown_pages("nextra"):
        write(f"{folder}/pages/{'index' if name == 'guide' else name}.mdx",
              f"{imports}# {title}\n\n{text}".replace("(reference.md)", "(/reference)").replace("(window.png)", "(/window.png)"))
    write(f"{folder}/public/window.png", png())
    run(["node_modules/.bin/next", "build"], folder, NEXT_TELEMETRY_DISABLED="1")


BUILDERS = {
    "mkdocs": build_mkdocs("mkdocs"), "mkdocs-readthedocs": build_mkdocs("readthedocs"),
    "mkdocs-material": build_mkdocs("material"),
    "sphinx-alabaster": build_sphinx("alabaster"), "sphinx-classic": build_sphinx("classic"),
    "sphinx-rtd": build_sphinx("sphinx_rtd_theme"), "sphinx-furo": build_sphinx("furo"),
    "sphinx-pydata": build_sphinx("pydata_sphinx_theme"),
    "doxygen": build_doxygen, "javadoc": build_javadoc, "rustdoc": build_rustdoc, "jekyll": build_jekyll,
    "vitepress": build_vitepress, "vuepress": build_vuepress, "docusaurus": build_docusaurus,
    "starlight": build_starlight, "antora": build_antora, "honkit": build_honkit, "gitbook": build_gitbook, "nextra": build_nextra,
    **HUGO_BUILDERS,
}


def build_sites(folder, node=None, only=None):
    """Builds the missing sites, prints the result of each, and returns the reasons why others were skipped."""
    left_out = {}
    for name in [*BUILDERS, *PHP_BUILDERS]:
        site = os.path.abspath(os.path.join(folder, name))
        if only not in (None, name) or os.path.isdir(os.path.join(site, "site")):
            continue
        try:
            if name in PHP_BUILDERS:
                PHP_BUILDERS[name](site_tools, site)
            else:
                BUILDERS[name](site, node and os.path.abspath(node))
            print(f"{name}: built", flush=True)
        except (Missing, subprocess.TimeoutExpired) as reason:
            print(f"{name}: left out: {reason}", flush=True)
            left_out[name] = str(reason)
    return left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--node", help="folder of npm installations")
    parser.add_argument("--only")
    options = parser.parse_args()
    build_sites(options.folder, options.node, options.only)


if __name__ == "__main__":
    main()
