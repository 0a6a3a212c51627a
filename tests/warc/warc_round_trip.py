#!/usr/bin/env python3
"""Imports WARC files of other programs, and reads ours with other programs: wget and warcio (npm).

A site on loopback is archived by `wget --warc-file` and by `sheaf pull --keep-warc`; the pages that `sheaf pull --from-warc` takes from
these files must equal those of a page-by-page pull. Fetches warcio into --tools the first time; tests that need warcio or wget are
skipped without it.
"""
import argparse
import gzip
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pull"), str(HERE.parent / "support")]
import npm_packages  # noqa: E402
from pull_kit import BadServer, Puller, page_html  # noqa: E402

WARCIO = "warcio@2.4.11"
OPTIONS = None


def without_source(page):
    """Returns a stored page without its provenance."""
    own = {name: value for name, value in page.items() if name != "provenance"}
    own["sheaf"] = {name: value for name, value in page.get("sheaf", {}).items() if name != "fetched"}
    return own


def record(kind, url, block, date="2026-05-01T10:00:00Z", content_type="application/http; msgtype=response", length=None, more=""):
    head = (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nWARC-Record-ID: <urn:uuid:{abs(hash((url, date)))}>\r\n"
            f"{more}Content-Type: {content_type}\r\nContent-Length: {len(block) if length is None else length}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def response(html, *headers, status="200 OK", content_type="text/html; charset=utf-8"):
    lines = "".join(f"{line}\r\n" for line in (f"Content-Type: {content_type}", *headers))
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + (html.encode() if isinstance(html, str) else html)


class WarcTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-warc-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def puller(self, name):
        return Puller(OPTIONS.sheaf, self.folder / name)

    def write(self, name, *records):
        file = self.folder / name
        joined = b"".join(gzip.compress(each, mtime=0) for each in records) if name.endswith(".gz") else b"".join(records)
        file.write_bytes(joined)
        return file

    def take(self, puller, *files, status=0, sites=()):
        """Imports files. Returns the report of the files and those of the sites."""
        found, reports, errors = puller.pull(*sites, "--from-warc", *files)
        self.assertEqual(found, status, errors)
        self.assertEqual(puller.faults(), "")
        return reports[-1]["warc"], reports[:-1], errors

    def rows(self, file):
        tools = npm_packages.fetch(OPTIONS.tools, WARCIO)
        if tools is None:
            self.skipTest("warcio cannot be had: npm install failed, or there is no node")
        done = subprocess.run(["node", HERE / "warc_rows.mjs", tools, file], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]


def make_site(server, pages=45):
    """Makes a site with more pages than a template is learned from, and with everything that is not a page."""
    modified = {"Last-Modified": "Fri, 01 May 2026 10:00:00 GMT"}
    names = [f"/p{number}.html" for number in range(pages)]

    def html(text, **more):
        return lambda request: request.send(200, text.encode(), **{"Content-Type": "text/html; charset=utf-8", **modified, **more})

    server.routes["/robots.txt"] = f"User-agent: *\nAllow: /\nSitemap: {server.url}/sitemap.xml\n".encode()
    special = ["/noindex.html", "/header.html", "/copy.html", "/moved.html", "/data.json", "/elsewhere.html", "/latin.html"]
    urls = "".join(f"<url><loc>{server.url}{name}</loc></url>" for name in names + special)
    server.routes["/sitemap.xml"] = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()
    server.routes["/"] = html(page_html("Front", "The front page", links=names + special))
    for number, name in enumerate(names):
        server.routes[name] = html(page_html(f"Page {number}", f"Sentence {number} of the site"))
    server.routes["/noindex.html"] = html(page_html("Hidden", "Not for indexes", extra="<meta name=robots content=noindex>"))
    server.routes["/header.html"] = html(page_html("Hidden", "Not for indexes"), **{"X-Robots-Tag": "noindex"})
    server.routes["/copy.html"] = html(page_html("Copy", "A copy", extra=f'<link rel=canonical href="{server.url}/p1.html">'))
    server.routes["/elsewhere.html"] = html(page_html("Copy", "A copy", extra='<link rel=canonical href="https://other.example/p1.html">'))
    server.routes["/moved.html"] = lambda request: request.send(301, b"", **{"Location": f"{server.url}/p2.html"})
    server.routes["/data.json"] = lambda request: request.send(200, b"{}", **{"Content-Type": "application/json"})
    latin = page_html("Latin", "Gr\u00fc\u00dfe aus K\u00f6ln").encode("latin-1")
    server.routes["/latin.html"] = lambda request: request.send(200, latin, **{"Content-Type": "text/html; charset=iso-8859-1", **modified})
    return names


class RoundTrip(WarcTest):
    def setUp(self):
        super().setUp()
        self.server = BadServer()
        self.addCleanup(self.server.server.server_close)
        self.addCleanup(self.server.server.shutdown)
        self.names = make_site(self.server)
        self.crawled = self.puller("crawled")
        status, reports, errors = self.crawled.pull(self.server.url, "--html", "only", "--keep-warc", self.folder / "kept")
        self.assertEqual(status, 0, errors)
        self.pages = self.pages_of(self.crawled)
        self.assertEqual(len(self.pages), len(self.names) + 2, "front page, numbered pages, the Latin one")

    def pages_of(self, puller):
        return {page["url"]: without_source(page) for page in puller.raw_pages()}

    def wget(self, name, *options):
        if not shutil.which("wget"):
            self.skipTest("wget is not installed")
        done = subprocess.run(["wget", "-q", "-r", "-l", "2", f"--warc-file={self.folder / name}", *options, f"{self.server.url}/"],
                              cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertIn(done.returncode, (0, 8), done.stderr)

    def test_wget_archive_equals_a_crawl(self):
        self.wget("site")
        self.wget("plain", "--no-warc-compression")
        for file in ("site.warc.gz", "plain.warc"):
            with self.subTest(file):
                puller = self.puller(f"from-{file}")
                warc, reports, _ = self.take(puller, self.folder / file)
                self.assertEqual(self.pages_of(puller), self.pages)
                self.assertEqual(warc["faults"], 0)
                self.assertEqual([report["site"] for report in reports], [self.server.url])
                self.assertEqual(reports[0]["route"], "warc")

    def test_our_archive_equals_a_crawl(self):
        files = sorted((self.folder / "kept").iterdir())
        self.assertTrue(files and all(file.name.endswith(".warc.gz") for file in files), files)
        puller = self.puller("from-kept")
        self.take(puller, *files)
        self.assertEqual(self.pages_of(puller), self.pages)

    def test_warcio_reads_our_archive(self):
        (file,) = (self.folder / "kept").iterdir()
        rows = self.rows(file)
        self.assertEqual(rows[0]["type"], "warcinfo")
        responses = {row["url"]: row for row in rows if row["type"] == "response"}
        count = {kind: sum(row["type"] == kind for row in rows) for kind in ("request", "response")}
        self.assertEqual(count["request"], count["response"])
        self.assertEqual(set(responses), {f"{self.server.url}{name}" for name in set(self.server.routes) - {"/robots.txt", "/sitemap.xml", "/data.json"}})
        body = page_html("Page 7", "Sentence 7 of the site").encode()
        self.assertEqual(responses[f"{self.server.url}/p7.html"]["sha256"], hashlib.sha256(body).hexdigest())
        self.assertEqual(responses[f"{self.server.url}/moved.html"]["status"], 301)

    def test_the_next_pull_requests_only_changes(self):
        puller = self.puller("continued")
        self.take(puller, *(self.folder / "kept").iterdir())
        provenance = {json.dumps(page["provenance"]) for page in puller.raw_pages()}
        self.assertTrue(all('"from": "warc"' in each for each in provenance), provenance)
        status, reports, errors = puller.pull(self.server.url, "--html", "only")
        self.assertEqual(status, 0, errors)
        self.assertEqual(reports[0]["html"]["added"], 0)
        self.assertEqual(self.pages_of(puller), self.pages)

    def test_export_as_conversion_records(self):
        for name in ("texts.warc.gz", "texts.warc"):
            done = self.crawled.run("export", "-o", self.folder / name)
            self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows(self.folder / "texts.warc.gz")
        self.assertEqual([{**row, "date": ""} for row in rows[1:]], [{**row, "date": ""} for row in self.rows(self.folder / "texts.warc")[1:]])
        self.assertEqual({row["type"] for row in rows[1:]}, {"conversion"})
        self.assertEqual({row["url"] for row in rows[1:]}, set(self.pages))
        self.assertEqual({row["contentType"] for row in rows[1:]}, {"text/plain; charset=utf-8"})


class Archives(WarcTest):
    URL = "https://pears.example/"

    def one_page(self, puller):
        (page,) = puller.raw_pages()
        return page

    def test_the_newest_capture_wins(self):
        old = record("response", self.URL, response(page_html("Pears", "The old state")), "2026-05-01T10:00:00Z")
        new = record("response", self.URL, response(page_html("Pears", "The new state")), "2026-06-01T10:00:00Z")
        for order in ((old, new), (new, old)):
            puller = self.puller(f"order-{order[0] == old}")
            warc, _, _ = self.take(puller, self.write("a.warc.gz", order[0]), self.write("b.warc", order[1]))
            self.assertEqual(warc["repeated"], 1)
            self.assertEqual(puller.pages(), {self.URL: "The new state"})
            self.assertEqual(self.one_page(puller)["provenance"], {"from": "warc", "fetched": "2026-06-01T10:00:00Z"})
        # An older archive does not replace newer pages, and importing the same archive again changes nothing.
        _, reports, _ = self.take(puller, self.write("c.warc", old))
        self.assertEqual(reports[0]["html"]["fresh"], 1)
        self.take(puller, self.folder / "b.warc")
        self.assertEqual(puller.pages(), {self.URL: "The new state"})

    def test_kinds_of_records(self):
        html = page_html("Pears", "All about pears")
        chunked = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (html[:50].encode(), html[50:].encode())) + b"0\r\n\r\n"
        file = self.write(
            "kinds.warc.gz",
            record("warcinfo", "", b"software: x\r\n", content_type="application/warc-fields"),
            record("response", self.URL + "chunked", response(chunked, "Transfer-Encoding: chunked")),
            record("response", self.URL + "gzip", response(gzip.compress(html.encode()), "Content-Encoding: gzip")),
            record("response", self.URL + "labelled", response(html, "Content-Encoding: br", "Transfer-Encoding: chunked")),
            record("resource", self.URL + "resource", html.encode(), content_type="text/html"),
            record("revisit", self.URL + "chunked", b"HTTP/1.1 200 OK\r\n\r\n", date="2026-07-01T10:00:00Z"),
            record("request", self.URL, b"GET / HTTP/1.1\r\n\r\n", content_type="application/http; msgtype=request"),
            record("response", "dns:pears.example", b"192.0.2.1", content_type="text/dns"),
            record("response", self.URL + "missing", response(html, status="404 Not Found")),
            record("response", self.URL + "image", response("GIF", content_type="image/gif")),
            record("response", self.URL + "cut", response(html), more="WARC-Truncated: length\r\n"))
        puller = self.puller("kinds")
        warc, _, errors = self.take(puller, file, status=1)
        self.assertIn(f"{self.URL}cut: the record is truncated", errors)
        self.assertEqual(set(puller.pages()), {self.URL + name for name in ("chunked", "gzip", "labelled", "resource")})
        self.assertEqual(warc["types"], {"warcinfo": 1, "response": 7, "request": 1, "resource": 1, "revisit": 1})
        self.assertEqual({name: warc[name] for name in ("pages", "otherType", "otherStatus", "notSelected", "unreadable", "revisited", "unresolved", "faults")},
                         {"pages": 4, "otherType": 1, "otherStatus": 1, "notSelected": 1, "unreadable": 1, "revisited": 1, "unresolved": 0, "faults": 0})
        (chunked_page,) = [page for page in puller.raw_pages() if page["url"] == self.URL + "chunked"]
        self.assertEqual(chunked_page["provenance"], {"from": "warc", "fetched": "2026-07-01T10:00:00Z"})

    def test_only_the_sites_that_are_named(self):
        pages = [record("response", url, response(page_html("A page", "Of its site")))
                 for url in (self.URL, "http://www.pears.example/more", "https://apples.example/")]
        file = self.write("sites.warc", *pages)
        puller = self.puller("named")
        warc, reports, _ = self.take(puller, file, sites=["https://pears.example"])
        self.assertEqual((warc["sites"], warc["notSelected"]), (1, 1))
        self.assertEqual([report["site"] for report in reports], ["https://pears.example"])
        everything = self.puller("everything")
        warc, reports, _ = self.take(everything, file)
        self.assertEqual(sorted(report["site"] for report in reports), ["https://apples.example", "https://pears.example"])

    def test_damage_is_reported_and_the_rest_is_taken(self):
        members = [gzip.compress(record("response", f"{self.URL}{number}", response(page_html("A page", f"Number {number}"))), mtime=0)
                   for number in range(5)]
        broken = bytearray(members[2])
        broken[len(broken) // 2] ^= 0xFF
        file = self.folder / "damaged.warc.gz"
        file.write_bytes(members[0] + members[1] + bytes(broken) + members[3] + members[4][:-20])
        puller = self.puller("damaged")
        warc, _, errors = self.take(puller, file, status=1)
        self.assertLessEqual({f"{self.URL}{number}" for number in (0, 1, 3)}, set(puller.pages()))
        self.assertGreaterEqual(warc["faults"], 2)
        self.assertIn("damaged.warc.gz: at byte ", errors)

    def test_lengths_that_are_wrong(self):
        right = [record("response", f"{self.URL}{number}", response(page_html("A page", f"Number {number}"))) for number in range(3)]
        block = response(page_html("A page", "Number 1"))
        for length in (10, len(block) + 300, 10**9, 10**15):
            with self.subTest(length):
                puller = self.puller(f"length-{length}")
                file = self.write("lengths.warc", right[0], record("response", f"{self.URL}1", block, length=length), right[2])
                self.take(puller, file, status=1)
                self.assertLessEqual({f"{self.URL}0", f"{self.URL}2"}, set(puller.pages()))

    def test_what_is_not_an_archive(self):
        file = self.folder / "page.html"
        file.write_text(page_html("A page", "Not an archive"))
        status, _, errors = self.puller("none").pull("--from-warc", file)
        self.assertEqual(status, 2)
        self.assertIn("has no WARC record", errors)
        status, _, errors = self.puller("none").pull("--from-warc", self.folder / "missing.warc")
        self.assertEqual(status, 2)
        status, _, errors = self.puller("none").pull("--from-warc", file, "--plan")
        self.assertEqual(status, 2)
        self.assertIn("--from-warc makes no requests", errors)

    def test_publish_from_an_archive(self):
        pages = [record("response", f"{self.URL}{number}", response(page_html(f"Page {number}", f"Number {number}"))) for number in range(12)]
        other = record("response", "https://apples.example/", response(page_html("A page", "Of another site")))
        self.write("crawl-1.warc.gz", *pages[:6])
        self.write("crawl-2.warc.gz", *pages[6:], other)
        (self.folder / "sheaf.toml").write_text(
            f'base = "{self.URL}"\nout = "public/scp"\nsitemap = "public/sitemap.xml"\n'
            '[[section]]\nname = "all"\n[[section.source]]\ntype = "warc"\nfiles = ["crawl-*.warc.gz"]\nexclude = ["11"]\n')
        done = subprocess.run([OPTIONS.sheaf, "publish", "--json"], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        (snapshot,) = (self.folder / "public/scp").glob("*.scp.zst")
        listed = subprocess.run([OPTIONS.sheaf, "inspect", "--pages", "--json", snapshot], capture_output=True, text=True, timeout=120)
        self.assertEqual({f"{self.URL}{number}" for number in range(11)},
                         {url for number in range(12) if f'"{(url := f"{self.URL}{number}")}"' in listed.stdout})
        self.assertNotIn("apples.example", listed.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True, type=lambda path: str(pathlib.Path(path).absolute()))
    parser.add_argument("--tools", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
