#!/usr/bin/env python3
"""Publishes sources full of faults: the output passes `validate --strict`, and every repair and refusal is reported.

usage: strict.py --sheaf PROGRAM
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

BASE = "https://paint.example"
TEXT = {"type": "text", "text": "We paint houses."}

# Blocks that a strict reader rejects, each with a word of the report that describes its repair.
BAD_BLOCKS = [
    ({"type": "link", "url": "mailto:paul@paint.example", "text": "Write to us"}, "mailto:"),
    ({"type": "link", "url": "javascript:x()", "text": "x"}, "javascript:"),
    ({"type": "image", "url": "data:image/png;base64,xx", "alt": ""}, "data:"),
    ({"type": "widget", "x": [1, {"y": "\n"}]}, "widget"),
    ({"type": "heading", "level": 9, "text": "Deep"}, "heading level 9"),
    ({"type": "heading", "text": "None"}, "level is missing"),
    ({"type": "list", "ordered": "no", "items": []}, "ordered"),
    ({"type": "table", "rows": [["a"], "b"]}, "row 2"),
    ({"type": "code", "code": "x", "language": 5}, "language"),
    ({"type": "quote", "text": "q", "citation": {}}, "citation"),
    ({"type": "video", "name": "v", "url": [{"href": "https://e.com/v", "mediaType": "m"}, {"href": "file:///v", "mediaType": "m"}]}, "file:///v"),
    ({"type": "video", "title": "Old", "sources": [{"url": "https://e.com/v.mp4"}]}, "draft-1"),
    ({"type": "audio", "name": "a", "url": "https://e.com/a", "attributedTo": 7}, "attributedTo"),
    (5, "must be an object"),
    ({"text": "no type"}, "type is missing"),
]
# Changes to fields of the page.
BAD_FIELDS = [
    ({"language": "en_US"}, 'written as en-US'),
    ({"language": "EN"}, 'written as en'),
    ({"language": "English (US)"}, 'written as und'),
    ({"language": ""}, 'written as und'),
    ({"modified": "2026-01-10T12:00:00"}, "no offset"),
    ({"published": "2026-01-09T12:00:00"}, "no offset"),
    ({"published": "yesterday"}, "yesterday"),
    ({"canonical": 5}, "canonical"),
    ({"author": ["A"]}, "author"),
    ({"schema": "x"}, "schema"),
    ({"robots": "all"}, "robots"),
]
# Pages that cannot be made valid, with the reason why they are skipped.
HOPELESS = [
    ({"content": []}, "no-content"),
    ({"content": [BAD_BLOCKS[2][0]]}, "no-content"),
    ({"content": [BAD_BLOCKS[3][0]]}, "no-content"),
    ({"modified": "soon"}, "refused"),
    ({"title": None}, "refused"),
    ({"content": "text"}, "refused"),
    ({"content": [TEXT] * 1001}, "refused"),
]


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


def page(number, **fields):
    return {"url": f"{BASE}/{number}", "title": f"Page {number}", "description": "", "modified": "2026-01-10T12:00:00Z",
            "language": "en", "content": [TEXT], **fields}


class Site:
    def __init__(self, sheaf, folder):
        self.sheaf, self.folder = sheaf, folder
        folder.mkdir()
        (folder / "html").mkdir()
        (folder / "sheaf.toml").write_text(
            f'base = "{BASE}"\nout = "scp"\nall = true\n'
            '[[section]]\nname = "lines"\n[[section.source]]\ntype = "jsonl"\nfile = "pages.jsonl"\n'
            '[[section]]\nname = "html"\n[[section.source]]\ntype = "html"\nfolder = "html"\npath = "h/"\n')

    def write_lines(self, lines):
        (self.folder / "pages.jsonl").write_bytes(b"".join(
            (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n" for line in lines))

    def publish(self, *arguments):
        done = subprocess.run([self.sheaf, "publish", *arguments], cwd=self.folder, capture_output=True, text=True)
        check(done.returncode == 0, done.stdout, done.stderr)
        files = sorted((self.folder / "scp").glob("*.scp.zst"))
        strict = subprocess.run([self.sheaf, "validate", "--strict", *files], capture_output=True, text=True)
        check(strict.returncode == 0, strict.stdout, strict.stderr)
        return done.stdout

    def report(self, *arguments):
        return {section["section"]: section for section in json.loads(self.publish("--json", *arguments))["sections"]}

    def pages(self, section):
        newest = max((self.folder / "scp").glob(f"{section}-snapshot-*.zst"))
        plain = self.folder / "plain.scp"
        subprocess.run([self.sheaf, "convert", str(newest), str(plain)], check=True, capture_output=True)
        return {each["url"]: each for each in map(json.loads, plain.read_text().splitlines()[1:])}


def every_fault_is_repaired_and_reported(site):
    repaired = [page(i, content=[TEXT, block]) for i, (block, _) in enumerate(BAD_BLOCKS)]
    repaired += [page(f"f{i}", **fields) for i, (fields, _) in enumerate(BAD_FIELDS)]
    words = [word for _, word in BAD_BLOCKS + BAD_FIELDS]
    site.write_lines([page("good"), *repaired])
    # The report names only the first repairs, so each page is also published alone.
    section = site.report()["lines"]
    check(section["repaired"] == len(repaired) and section["pages"] == len(repaired) + 1, section)
    for number, (each, word) in enumerate(zip(repaired, words)):
        site.write_lines([page("good"), each])
        section = site.report("--snapshot", "--allow-shrink")["lines"]
        check(section["repaired"] == 1 and section["pages"] == 2, each, section)
        check(any(word in repair["repair"] for repair in section["repairs"]), word, "is not in", section["repairs"])
        check(all(repair["item"] == "pages.jsonl:2" for repair in section["repairs"]), section)
    text = site.publish("--snapshot")
    check("repaired 1 page" in text and "pages.jsonl:2: robots must be" in text, text)
    check(site.report()["all"]["repaired"] == 0, "a repair is reported once, in the section of its source")


def a_page_that_cannot_be_repaired_is_left_out(site):
    site.write_lines([page("good"), *(page(f"h{i}", **fields) for i, (fields, _) in enumerate(HOPELESS)),
                      b'{"url":"' + BASE.encode() + b'/x","title":"\xff"}', b"[]", b"{"])
    section = site.report()["lines"]
    reasons = [reason for _, reason in HOPELESS] + ["refused"] * 3
    check(section["pages"] == 1 and section["leftOut"] == {reason: reasons.count(reason) for reason in set(reasons)}, section)
    check("data:image" in site.publish("--snapshot"), "the reason names what was dropped")


def the_text_of_a_link_that_cannot_be_written_is_kept(site):
    mail = {"type": "link", "url": "mailto:paul@paint.example", "text": "Write to us", "rel": ["me"]}
    site.write_lines([page("good"), page("mail", content=[mail]), page("none", content=[TEXT, {**mail, "text": ""}])])
    section = site.report()["lines"]
    check(section["pages"] == 3 and section["repaired"] == 2, section)
    check(any("only the text of the link was kept" in each["repair"] for each in section["repairs"]), section)
    pages = site.pages("lines")
    check(pages[f"{BASE}/mail"]["content"] == [{"type": "text", "text": "Write to us"}], pages)
    check(pages[f"{BASE}/none"]["content"] == [TEXT], pages)


def objects_are_kept(site):
    person, album = {"type": "Person", "name": "Anna"}, {"type": "Album", "name": "Walls", "n": [1.50]}
    audio = {"type": "audio", "name": "a", "url": "https://e.com/a", "attributedTo": person, "partOf": album, "x": 1}
    old = {"type": "audio", "title": "b", "sources": [{"url": "https://e.com/b.mp3"}], "attributedTo": person, "album": "Walls"}
    site.write_lines([page(1, content=[audio]), page(2, content=[old])])
    site.publish()
    pages = site.pages("lines")
    check(pages[f"{BASE}/1"]["content"] == [audio], pages)
    kept = pages[f"{BASE}/2"]["content"][0]
    check(kept["attributedTo"] == person and kept["partOf"] == "Walls", kept)


def html_is_written_strictly(site):
    site.write_lines([page("good")])
    links = "".join(f'<a href="{href}">a link to somewhere</a> ' for href in (
        "mailto:a@b.c", "javascript:x()", "http://", "https://exa mple.com/", "http://[::1", "//", "https://a:99999/", "\\\\x\\y", "tel:1", "#", "?x"))
    for number, lang in enumerate(["en_US", "", "English", "x" * 80, "de-DE-", "zh_hant_TW", "\u00e9"]):
        (site.folder / "html" / f"{number}.html").write_text(
            f'<!doctype html><html lang="{lang}"><title>T{number}</title><meta property="article:published_time" content="2026-01-09">'
            f'<main><h1>T{number}</h1><p>A sentence that is long enough to be taken for content. {links}</p>'
            '<video src="file:///x" poster="data:x"></video><img src="data:," alt=x><audio src="https://e.com/a.mp3"></audio>'
            '<table><tr><td>a<td></table><pre><code class="language-">x</code></pre></main>')
    section = site.report()["html"]
    check(section["pages"] == 7, section)


def chance_finds_no_page_that_is_rejected(site):
    """Any mixture of the faults above, with odd values in odd places."""
    chance = random.Random(7)
    odd = [None, 5, -1, 1.5, True, "", "x", "\u0000\u001b\u202e", [], {}, [None], {"type": "text"}, "2026-01-10", "https://e.com/", "en"]
    lines = []
    for number in range(400):
        content = chance.choices([TEXT, *(block for block, _ in BAD_BLOCKS)], k=chance.randrange(5))
        fields = dict(chance.choice(BAD_FIELDS)[0]) if chance.random() < 0.3 else {}
        each = page(f"c{number}", content=json.loads(json.dumps(content)), **fields)
        places = [each, *(block for block in each["content"] if isinstance(block, dict))]
        for _ in range(chance.randrange(3)):
            place = chance.choice(places)
            place[chance.choice([key for key in place if key != "url"] + ["rel", "icon", "captions", "chapters", "duration", "partOf"])] = chance.choice(odd)
        lines.append(each)
    site.write_lines([page("good"), *lines])
    section = site.report()["lines"]
    check(section["pages"] + sum(section["leftOut"].values()) == 401 and section["pages"] > 100, section)
    site.write_lines([page("good"), *lines[::2]])
    site.report("--allow-shrink")
    check(site.report()["lines"]["changed"] == 0, "what was repaired is the same again")


TESTS = [every_fault_is_repaired_and_reported, a_page_that_cannot_be_repaired_is_left_out,
         the_text_of_a_link_that_cannot_be_written_is_kept, objects_are_kept,
         html_is_written_strictly, chance_finds_no_page_that_is_rejected]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True)
    options = parser.parse_args()
    sheaf = str(pathlib.Path(options.sheaf).resolve())
    with tempfile.TemporaryDirectory() as folder:
        for test in TESTS:
            test(Site(sheaf, pathlib.Path(folder) / test.__name__))
            print("ok", test.__name__.replace("_", " "))


main()
