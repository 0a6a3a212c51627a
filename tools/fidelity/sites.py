#!/usr/bin/env python3
"""Builds small sites with every documentation generator that is installed, for fidelity.py --sites.

    tools/fidelity/sites.py FOLDER [--node NODE_MODULES_FOLDER] [--only NAME]

Debian's generators are found on the PATH, those of npm in NODE_MODULES_FOLDER/NAME (`npm install` in a folder named for
each: vitepress, docusaurus, starlight, vuepress, antora, honkit). The site of each is in FOLDER/NAME. What cannot be
built is left out, with a line that says why. The texts are those of sample_pages.py."""
import argparse
import os
import random
import shutil
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sample_pages import LONG_ITEMS, PYTHON, RST, markdown_pages  # noqa: E402


class Missing(Exception):
    pass


def png(width=320, height=200):
    """Noise, so that it stays large: generators put small pictures into the page itself."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + random.Random(row).randbytes(width) for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)


def run(command, folder, **environment):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600,
                            env={**os.environ, "CI": "1", "NO_COLOR": "1", **environment})
    if result.returncode != 0:
        raise Missing(f"{command[0]} failed: {(result.stderr or result.stdout).strip()[-400:]}")


def need(program):
    if shutil.which(program) is None:
        raise Missing(f"{program} is not installed")


def link_modules(folder, node, name, *packages):
    """The generator's packages, as if they had been installed in the site's own folder."""
    modules = os.path.join(node or "", name, "node_modules")
    for package in packages:
        if not os.path.isdir(os.path.join(modules, package)):
            raise Missing(f"npm package {package} is not in {modules}")
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, "node_modules")
    if not os.path.islink(target):
        os.symlink(os.path.abspath(modules), target)


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


def build_antora(folder, node):
    link_modules(folder, node, "antora", "@antora/cli", "@antora/site-generator")
    raise Missing("the default UI of Antora is not on npm")


def build_honkit(folder, node):
    link_modules(folder, node, "honkit", "honkit")
    pages = markdown_pages("plain")
    for name, title, text in pages:
        write(f"{folder}/{'README' if name == 'guide' else name}.md", f"# {title}\n\n{text}")
    write(f"{folder}/SUMMARY.md", "# Summary\n\n* [Guide](README.md)\n" + "".join(
        f"* [{title}]({name}.md)\n" for name, title, _ in pages[1:]))
    write(f"{folder}/window.png", png())
    run(["node_modules/.bin/honkit", "build", ".", "site"], folder)


BUILDERS = {
    "mkdocs": build_mkdocs("mkdocs"), "mkdocs-readthedocs": build_mkdocs("readthedocs"),
    "mkdocs-material": build_mkdocs("material"),
    "sphinx-alabaster": build_sphinx("alabaster"), "sphinx-classic": build_sphinx("classic"),
    "sphinx-rtd": build_sphinx("sphinx_rtd_theme"), "sphinx-furo": build_sphinx("furo"),
    "sphinx-pydata": build_sphinx("pydata_sphinx_theme"),
    "doxygen": build_doxygen, "javadoc": build_javadoc, "rustdoc": build_rustdoc, "jekyll": build_jekyll,
    "vitepress": build_vitepress, "vuepress": build_vuepress, "docusaurus": build_docusaurus,
    "starlight": build_starlight, "antora": build_antora, "gitbook (honkit)": build_honkit,
}


def build_sites(folder, node=None, only=None):
    """Builds what is not there yet, and says what became of each."""
    for name, build in BUILDERS.items():
        site = os.path.abspath(os.path.join(folder, name.split(" ")[0]))
        if only not in (None, name) or os.path.isdir(os.path.join(site, "site")):
            continue
        try:
            build(site, node and os.path.abspath(node))
            print(f"{name}: built", flush=True)
        except (Missing, subprocess.TimeoutExpired) as reason:
            print(f"{name}: left out: {reason}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--node", help="folder of npm installations")
    parser.add_argument("--only")
    options = parser.parse_args()
    build_sites(options.folder, options.node, options.only)


if __name__ == "__main__":
    main()
