#!/usr/bin/env python3
"""Compares the trees of our HTML parser with those of parse5 (npm), page by page.

    tools/compare_parse5/compare.py --dump build/release/tools/html_dump FOLDER...
    tools/compare_parse5/compare.py --dump ... --mutate 5 --seed 1 --limit 500 FOLDER...

parse5 is installed into a temporary folder (or taken from --parse5) and never becomes part of this tree. Every page is
decoded as UTF-8 and parsed with and without scripting; the first different line of each page is printed. With
--mutate, that many random edits are made to each page first. Exit status 0: all trees are equal, except for pages
with the known differences below, which are counted.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PARSE5 = "parse5@8"

# Where parse5 8 differs from the current standard: a pattern of the pages on which it does.
KNOWN = [
    ("select: the standard no longer has the in select modes", re.compile(rb"<select|<option|<optgroup", re.I)),
    ("template in table: parse5's table scope does not end at a template",
     re.compile(rb"<table.*<template", re.I | re.S)),
    ("CDATA in desc, title, mi...: parse5 takes integration points for HTML elements", re.compile(rb"<!\[CDATA\[")),
]
# Our parser and browsers attach deeper elements as siblings; parse5 does not.
DEPTH = 500

PIECES = [b"<b>", b"</b>", b"<i>", b"</i>", b"<a href=x>", b"</a>", b"<p>", b"</p>", b"<div>", b"</div>", b"<table>",
          b"</table>", b"<tr>", b"<td>", b"</td>", b"<caption>", b"<svg>", b"</svg>", b"<math>", b"<mi>", b"<desc>",
          b"<foreignObject>", b"<template>", b"</template>", b"<li>", b"<ul>", b"</ul>", b"<dd>", b"<form>",
          b"</form>", b"<button>", b"<h1>", b"</h2>", b"<pre>\n", b"<textarea>\n", b"</textarea>", b"<title>",
          b"<style>", b"</style>", b"<script>", b"<script><!--", b"</script>", b"<!--", b"-->", b"--!>", b"<!doctype>",
          b"<![CDATA[", b"]]>", b"&amp", b"&#x80;", b"&notit;", b"\0", b"\r", b"\r\n", b"<", b">", b"'", b'"', b"/",
          b"=", b"<frameset>", b"<body a=b>", b"<html c=d>", b"<head>", b"</head>", b"</body>", b"</html>", b"<nobr>",
          b"<marquee>", b"<object>", b"</object>", b"<ruby><rt>", b"<noscript>", b"</noscript>", b"<plaintext>",
          b"<image>", b"<br/>", b"</br>", b"</p>", b"<hr>", b"<input type=hidden>", b"<col>", b"<colgroup>",
          b"<tbody>", b"<font color=x>", b"<annotation-xml encoding=text/html>", b"<math><annotation-xml><svg>"]


class Dumper:
    """A program that reads pages and prints their trees."""

    def __init__(self, command, env=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)

    def send(self, page, scripting, context):
        self.process.stdin.write(b"%d %d %s\n" % (len(page), scripting, context.encode()) + page)
        self.process.stdin.flush()

    def receive(self):
        size = self.process.stdout.readline()
        if not size:
            sys.exit(f"compare.py: {self.process.args[0]} ended")
        return self.process.stdout.read(int(size))


def mutate(page, edits, chance):
    page = bytearray(page)
    for _ in range(edits):
        at = chance.randrange(len(page) + 1)
        what = chance.randrange(4)
        if what == 0:
            del page[at:at + chance.randrange(1, 40)]
        elif what == 1:
            start = chance.randrange(len(page) + 1)
            page[at:at] = page[start:start + chance.randrange(200)]
        else:
            page[at:at] = b"".join(chance.choice(PIECES) for _ in range(chance.randrange(1, 4)))
    return page.decode("utf-8", "replace").encode()


def first_difference(ours, theirs):
    left, right = ours.split(b"\n"), theirs.split(b"\n")
    for number, (a, b) in enumerate(zip(left, right), 1):
        if a != b:
            return f"line {number}\n    ours   {a.decode(errors='replace')[:200]}\n    parse5 {b.decode(errors='replace')[:200]}"
    return f"length {len(left)} against {len(right)} lines"


def depth(tree):
    return max((len(line) - len(line[1:].lstrip(b" ")) - 2) // 2 for line in tree.split(b"\n"))


def explain(page, theirs):
    if depth(theirs) >= DEPTH:
        return "depth: deeper than the limit"
    for reason, pattern in KNOWN:
        if pattern.search(page):
            return reason
    return None


def pages(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix.lower() in (".html", ".htm", ".xhtml") and path.is_file() and not path.is_symlink():
                yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", required=True, help="our html_dump program")
    parser.add_argument("--parse5", help="folder of the parse5 package")
    parser.add_argument("--mutate", type=int, default=0, help="edits a page")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="pages to compare at most, spread over all")
    parser.add_argument("--show", type=int, default=20, help="differences to print")
    parser.add_argument("folder", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        package = arguments.parse5
        if not package:
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--prefix", temporary, PARSE5], check=True,
                           stdout=sys.stderr)
            package = os.path.join(temporary, "node_modules", "parse5")
        sys.exit(compare(arguments, package))


def compare(arguments, package):
    ours = Dumper([arguments.dump, "--serve"])
    here = pathlib.Path(__file__).parent
    theirs = Dumper(["node", str(here / "dump_parse5.mjs")], env=dict(os.environ, PARSE5=package))
    files = list(pages(arguments.folder))
    if arguments.limit and len(files) > arguments.limit:
        files = random.Random(arguments.seed).sample(files, arguments.limit)
    chance = random.Random(arguments.seed)
    different, explained, size = 0, {}, 0
    for path in files:
        page = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").encode()
        if arguments.mutate:
            page = mutate(page, arguments.mutate, chance)
        size += len(page)
        for scripting in (0, 1):
            ours.send(page, scripting, "-")
            theirs.send(page, scripting, "-")
            mine, other = ours.receive(), theirs.receive()
            if mine == other:
                continue
            reason = explain(page, other)
            if reason:
                explained[reason] = explained.get(reason, 0) + 1
                continue
            different += 1
            if different <= arguments.show:
                print(f"{path} (scripting {'on' if scripting else 'off'}): {first_difference(mine, other)}")
                if arguments.mutate:
                    with open(os.path.join(tempfile.gettempdir(), f"different-{different}.html"), "wb") as out:
                        out.write(page)
            break
    print(f"{len(files)} pages, {size / 1e6:.1f} MB, each with scripting off and on: {different} differ without a reason")
    for reason, count in explained.items():
        print(f"  {count} trees differ by a known difference, {reason}")
    return 1 if different else 0


if __name__ == "__main__":
    main()
