#!/usr/bin/env python3
"""sheaf compare on a live site: few requests, only allowed ones, and extrapolations that are marked.

usage: live_sample.py --sheaf PROGRAM
"""
import argparse
import gzip
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

PAGES = 300


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


def page(number, robots):
    return (f"<!doctype html><html lang=en><meta name=robots content={robots}><title>Page {number}</title><nav>" + "<a href=/>Home</a> " * 50 + f"</nav><main><h1>Page {number}</h1><p>" +
            f"This sentence is about number {number * 7919} and long enough to be content. " * 5 + "</p></main></html>")


class Site(http.server.ThreadingHTTPServer):
    def __init__(self, indexed=PAGES):
        super().__init__(("127.0.0.1", 0), Handler)
        self.indexed = indexed  # the other pages are noindex
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.paths = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.paths.append(self.path)
        kind, body = "text/html; charset=utf-8", None
        if self.path == "/robots.txt":
            kind, body = "text/plain", "User-agent: *\nDisallow: /private/\n"
        elif self.path == "/sitemap.xml":
            where = lambda number: f"{self.server.url}/{'private/' if number % 10 == 0 else ''}p{number}"
            body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + "".join(
                f"<url><loc>{where(number)}</loc><lastmod>20{20 + number % 5}-01-01</lastmod></url>" for number in range(PAGES)) + "</urlset>"
            kind = "application/xml"
        elif self.path.startswith("/p"):
            number = int(self.path.lstrip("/private/").lstrip("p") or 0)
            body = page(number, "all" if number < self.server.indexed else "noindex")
        self.send_response(200 if body else 404)
        data = gzip.compress((body or "").encode())
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True)
    options = arguments.parse_args()
    site = Site()
    with tempfile.TemporaryDirectory() as folder:
        html = pathlib.Path(folder) / "savings.html"
        done = subprocess.run([options.sheaf, "compare", site.url, "--allow-private", "--delay", "0", "--sample", "20", "--json", "--html", html],
                              capture_output=True, text=True)
        check(done.returncode == 0, done.stdout, done.stderr)
        report = json.loads(done.stdout)
        check(report["sampled"] == 20 and report["extrapolated"] and report["pages"] == PAGES, report)
        check(report["pageByPage"]["firstRequests"] == PAGES + 2 and report["collections"]["firstRequests"] == 3, report)
        pages = [path for path in site.paths if path.startswith("/p")]
        check(len(pages) == 20 and not any(path.startswith("/private") for path in pages), site.paths)
        check(len(site.paths) <= 24, site.paths)
        numbers = sorted(int(path[2:]) for path in pages)
        check(numbers[0] < 30 and numbers[-1] > 260, "the sample is not spread over the site:", numbers)
        check(report["pageByPage"]["firstBytes"] > report["collections"]["firstBytes"] > 0, report)
        text = html.read_text()
        check("extrapolated" in text and "<svg" in text and "<script" not in text, text[:500])
    site = Site(indexed=PAGES // 2)
    done = subprocess.run([options.sheaf, "compare", site.url, "--allow-private", "--delay", "0", "--sample", "20", "--json"], capture_output=True, text=True)
    check(done.returncode == 0, done.stdout, done.stderr)
    report = json.loads(done.stdout)
    check(report["sampled"] == 10 and report["skipped"] == 10 and report["pages"] == PAGES // 2, report)
    check(report["pageByPage"]["firstRequests"] == PAGES // 2 + 2, report)
    done = subprocess.run([options.sheaf, "compare", "/nothing/here"], capture_output=True, text=True)
    check(done.returncode == 2 and "neither a folder nor the URL" in done.stderr, done.stderr)
    print("ok")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError as fault:
        print("FAILED", fault)
        sys.exit(1)
