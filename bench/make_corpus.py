#!/usr/bin/env python3
"""Makes pages from folders of HTML documentation, so that the benchmarks run on real text.

It exists only for the benchmarks: its extraction is rough, and `sheaf` itself never reads its HTML.
The output is page lines without a metadata line, the same bytes for the same input:

    make_corpus.py extract FOLDER... --out pages.jsonl [--bytes N]   one line per HTML file, stops at N bytes
    make_corpus.py split pages.jsonl --out small.jsonl               the same text as pages of about 1 KB
    make_corpus.py repeat pages.jsonl --out corpus.jsonl             repeats the pages under other URL prefixes
                   (--bytes N | --pages N) [--edition old|new]       until the size is reached

With --edition, two runs give the two sides of a comparison: a hundredth of the pages is only in the old one, a
hundredth only in the new one, and a hundredth of the rest was changed in between.
"""

import argparse
import json
import multiprocessing
import os
import sys
import zlib
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urljoin

SITE = "https://docs.example/"
FIRST_PREFIX = "r0000/"  # of fixed width, so that a copy's prefix can be put in its place
EPOCH = datetime(2024, 1, 1, tzinfo=timezone.utc)
MAX_BLOCKS = 1000  # the protocol's limit; longer pages are cut
MAX_LINKS = 50  # of one page: navigation would drown the text otherwise
SMALL_PAGE = 850  # bytes of content of a page made by `split`

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
PARAGRAPHS = {"p", "dt", "dd", "div", "section", "article", "main", "blockquote", "body", "figcaption", "details"}
SKIPPED = {"script", "style", "nav", "svg", "noscript", "button", "select", "template", "footer"}


class PageParser(HTMLParser):
    """Collects blocks from one page: the text between two block-level tags is a block."""

    def __init__(self, url):
        super().__init__(convert_charrefs=True)
        self.url = url
        self.title = ""
        self.description = ""
        self.language = "en"
        self.is_redirect = False
        self.blocks = []
        self.links = 0
        self.text = []
        self.skip_tag = None  # the outermost skipped element, and the depth in nested elements of that name
        self.skip_depth = 0
        self.in_title = False
        self.in_pre = False
        self.lists = []  # of {"ordered", "items"}, innermost last
        self.rows = None  # of the current table
        self.link = None  # (url, where its text starts)

    def flush(self):
        text = "".join(self.text)
        self.text = []
        return text if self.in_pre else " ".join(text.split())

    def add(self, block):
        if len(self.blocks) < MAX_BLOCKS:
            self.blocks.append(block)

    def end_block(self, kind="text", **fields):
        """Ends the current text. In a list or table it belongs to the item or cell."""
        text = self.flush()
        if not text:
            return
        if self.rows is not None and self.rows and self.rows[-1]:
            self.rows[-1][-1] = (self.rows[-1][-1] + " " + text).strip()
        elif self.lists and self.lists[-1]["items"]:
            items = self.lists[-1]["items"]
            items[-1] = (items[-1] + " " + text).strip()
        else:
            self.add({"type": kind, **fields, "text": text})

    def handle_starttag(self, tag, attributes):
        if self.skip_tag:
            self.skip_depth += tag == self.skip_tag
            return
        attrs = dict(attributes)
        if tag in SKIPPED:
            self.skip_tag, self.skip_depth = tag, 1
        elif tag == "html":
            self.language = attrs.get("lang") or "en"
        elif tag == "title":
            self.in_title = True
        elif tag == "meta":
            self.is_redirect |= (attrs.get("http-equiv") or "").lower() == "refresh"
            if attrs.get("name") == "description":
                self.description = attrs.get("content") or ""
        elif self.in_pre:
            return
        elif tag == "pre":
            self.end_block()
            self.in_pre = True
        elif tag in ("ul", "ol"):
            self.end_block()
            self.lists.append({"ordered": tag == "ol", "items": []})
        elif tag == "li":
            self.end_block()
            if self.lists:
                self.lists[-1]["items"].append("")
        elif tag == "table" and self.rows is None:
            self.end_block()
            self.rows = []
        elif tag == "tr" and self.rows is not None:
            self.end_block()
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.end_block()
            self.rows[-1].append("")
        elif tag in HEADINGS or tag in PARAGRAPHS:
            self.end_block()
        elif tag == "a":
            href = attrs.get("href") or ""
            if href.startswith(("http://", "https://")):
                self.link = (href, len(self.text))
        elif tag == "img" and attrs.get("src"):
            self.add_with_url({"type": "image", "alt": attrs.get("alt") or ""}, attrs["src"])

    def handle_endtag(self, tag):
        if self.skip_tag:
            self.skip_depth -= tag == self.skip_tag
            if self.skip_depth == 0:
                self.skip_tag = None
        elif tag == "title":
            self.in_title = False
        elif tag == "pre" and self.in_pre:
            code = self.flush()
            self.in_pre = False
            if code.strip():
                self.add({"type": "code", "code": code})
        elif self.in_pre:
            return
        elif tag in HEADINGS:
            self.end_block("heading", level=HEADINGS[tag])
        elif tag in ("ul", "ol") and self.lists:
            self.end_block()
            finished = self.lists.pop()
            items = [item for item in finished["items"] if item]
            if items:
                self.add({"type": "list", "ordered": finished["ordered"], "items": items})
        elif tag == "table" and self.rows is not None:
            self.end_block()
            rows = [row for row in self.rows if row]
            self.rows = None
            if rows:
                self.add({"type": "table", "rows": rows})
        elif tag in PARAGRAPHS or tag in ("li", "td", "th"):
            self.end_block()
        elif tag == "a" and self.link:
            href, start = self.link
            self.link = None
            text = " ".join("".join(self.text[start:]).split())
            if text and self.links < MAX_LINKS:
                self.links += 1
                self.add_with_url({"type": "link", "text": text}, href)

    def add_with_url(self, block, reference):
        try:
            url = urljoin(self.url, reference)
        except ValueError:  # a bracket that does not begin an IPv6 address
            return
        if url.startswith(("http://", "https://")) and url.isascii() and not any(c.isspace() for c in url):
            self.add({**block, "url": url})

    def handle_data(self, data):
        if self.skip_tag:
            return
        if self.in_title:
            self.title += data
        else:
            self.text.append(data)


def to_line(page):
    return json.dumps(page, ensure_ascii=False, separators=(",", ":")) + "\n"


def modified(path, copy=0):
    """Returns a time computed from the path: any time will do if it is always the same."""
    seconds = zlib.crc32(path.encode()) % (400 * 86400)
    return (EPOCH + timedelta(seconds=seconds, days=copy)).strftime("%Y-%m-%dT%H:%M:%SZ")


def extract_file(job):
    """Returns one page line, or "" for a file without text."""
    file, path = job
    url = SITE + FIRST_PREFIX + quote(path)
    parser = PageParser(url)
    try:
        parser.feed(Path(file).read_text(encoding="utf-8", errors="replace"))
        parser.close()
    except AssertionError:  # html.parser gives up on some broken declarations
        return ""
    parser.end_block()
    if parser.is_redirect or not parser.blocks:
        return ""
    first = next((block["text"] for block in parser.blocks if block["type"] == "text"), "")
    # url and modified stand first so that `repeat` can replace them without reading the rest.
    return to_line({
        "url": url,
        "modified": modified(path),
        "title": " ".join(parser.title.split()),
        "description": " ".join(parser.description.split()) or first[:200],
        "language": parser.language,
        "content": parser.blocks,
    })


def html_files(folders):
    """Returns all HTML files under the folders in a mixed order, so that any prefix is a fair sample."""
    jobs = []
    for folder in folders:
        root = Path(folder)  # .../rust-doc/html: the parent has the meaningful name
        for file in root.rglob("*.html"):
            path = f"{root.parent.name}/{file.relative_to(root).as_posix()}"
            # rust-doc has 17,000 nearly equal pages, one per processor instruction: they would be half of the corpus.
            if file.is_file() and not file.is_symlink() and "/arch/" not in path:
                jobs.append((str(file), path))
    return sorted(jobs, key=lambda job: (zlib.crc32(job[1].encode()), job[1]))


def extract(args, out):
    size = 0
    with multiprocessing.Pool() as pool:
        for line in pool.imap(extract_file, html_files(args.folders), chunksize=16):
            size += out.write(line.encode())
            if args.bytes and size >= args.bytes:
                pool.terminate()
                break


def split(args, out):
    """Cuts each page into small pages of consecutive blocks. A block that is too large for one page is cut short."""
    for line in open(args.pages, encoding="utf-8"):
        page = json.loads(line)
        blocks, size, number = [], 0, 0

        def write():
            nonlocal blocks, size, number
            path = page["url"].removeprefix(SITE + FIRST_PREFIX)
            out.write(to_line({**page, "url": f"{page['url']}?part={number}", "modified": modified(f"{path}{number}"),
                               "description": page["description"][:80], "content": blocks}).encode())
            blocks, size, number = [], 0, number + 1

        for block in page["content"]:
            for key in ("text", "code"):
                if key in block:
                    block[key] = block[key][:SMALL_PAGE]
            for key in ("items", "rows"):
                if key in block:
                    block[key] = block[key][:4]
            block_size = len(json.dumps(block))
            if block_size > 2 * SMALL_PAGE:
                continue
            if blocks and size + block_size > SMALL_PAGE:
                write()
            blocks.append(block)
            size += block_size
        if blocks:
            write()


def repeat(args, out):
    url_start = '{"url":"' + SITE
    pages = []
    for line in open(args.pages, encoding="utf-8"):
        url, rest = line.split('","modified":"', 1)
        pages.append((url.removeprefix(url_start + FIRST_PREFIX), rest.split('"', 1)[1]))
    size = count = copy = 0
    while True:
        for path, rest in pages:
            lot = zlib.crc32(f"{copy}{path}".encode()) % 100
            only_in = {0: "old", 1: "new"}.get(lot)
            if args.edition and only_in not in (None, args.edition):
                continue
            changed = args.edition == "new" and lot == 2
            title = ',"title":"Changed: ' if changed else ',"title":"'
            line = (f'{url_start}r{copy:04}/{path}","modified":"{modified(path, copy + 500 * changed)}"'
                    + rest.replace(',"title":"', title, 1))
            size += out.write(line.encode())
            count += 1
            if (args.bytes and size >= args.bytes) or (args.pages_wanted and count >= args.pages_wanted):
                return
        copy += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for run in (extract, split, repeat):
        command = commands.add_parser(run.__name__)
        command.set_defaults(run=run)
        command.add_argument("--out", required=True)
        if run is extract:
            command.add_argument("folders", nargs="+")
        else:
            command.add_argument("pages")
        if run is not split:
            command.add_argument("--bytes", type=int, default=0)
        if run is repeat:
            command.add_argument("--pages", type=int, default=0, dest="pages_wanted")
            command.add_argument("--edition", choices=("old", "new"))
    args = parser.parse_args()
    # The file gets its name only when it is complete, so that a cache never has half a corpus.
    unfinished = args.out + ".tmp"
    with open(unfinished, "wb", buffering=1 << 20) as out:
        args.run(args, out)
        if out.tell() == 0:
            sys.exit("no page was made: are the folders right?")
    os.replace(unfinished, args.out)


if __name__ == "__main__":
    main()
