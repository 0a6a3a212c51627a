#!/usr/bin/env python3
"""IndexNow and feeds over HTTP, with a real server on the other side.

usage: index_now.py --sheaf PROGRAM
"""
import argparse
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from cases import check, run_cases  # noqa: E402


class Endpoint:
    """Records submissions, and answers with `status`. Also serves `feed`."""

    def __init__(self):
        self.status, self.requests, self.feed = 200, [], ""
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append((self.path, self.headers["Content-Type"], body))
                self.send_response(outer.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self):
                body = outer.feed.encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self):
        requests, self.requests = self.requests, []
        return requests


class Site:
    def __init__(self, sheaf, folder, endpoint):
        self.sheaf, self.folder = sheaf, folder
        (folder / "sheaf.toml").write_text(
            f'base = "https://shop.example"\nout = "public/scp"\n[outputs]\nindexnow = true\nindexnow_url = "{endpoint.url}/indexnow"\n'
            '[[section]]\nname = "all"\n[[section.source]]\ntype = "jsonl"\nfile = "pages.jsonl"\n')
        (folder / "public").mkdir()

    def write(self, pages):
        lines = [json.dumps({"url": f"https://shop.example/{name}", "title": str(name), "description": "d", "modified": "2026-01-01T00:00:00Z", "language": "en",
                             "content": [{"type": "text", "text": text}]}) for name, text in pages.items()]
        (self.folder / "pages.jsonl").write_text("\n".join(lines) + "\n")

    def publish(self, *arguments):
        done = subprocess.run([self.sheaf, "publish", "--json", "--allow-private", *arguments], cwd=self.folder, capture_output=True, text=True)
        check(done.returncode == 0, done.stdout, done.stderr)
        return json.loads(done.stdout)


def test_index_now(sheaf, folder):
    endpoint = Endpoint()
    site = Site(sheaf, folder, endpoint)
    pages = {name: "One" for name in "abcdef"}
    site.write(pages)
    site.publish()
    check(endpoint.take() == [], "the first run has no changes")
    key_file = list((folder / "public").glob("*.txt"))
    check(len(key_file) == 1 and key_file[0].read_text() == key_file[0].stem and len(key_file[0].stem) == 32, key_file)
    pages["a"] = "Two"
    del pages["b"]
    pages["new"] = "New"
    site.write(pages)
    site.publish("--dry-run")
    check(endpoint.take() == [], "a dry run was announced")
    report = site.publish()
    (path, kind, body), = endpoint.take()
    check(path == "/indexnow" and kind == "application/json; charset=utf-8", path, kind)
    check(sorted(body["urlList"]) == [f"https://shop.example/{name}" for name in ("a", "b", "new")], body)
    check(body["host"] == "shop.example" and body["keyLocation"] == f"https://shop.example/{body['key']}.txt" and body["key"] == key_file[0].stem, body)
    check(report["urlsSubmitted"] == 3, report)
    site.publish()
    check(endpoint.take() == [], "nothing changed")
    # A refusal is reported, and the next run sends these URLs together with its own.
    endpoint.status = 403
    site.write({**pages, "c": "Three"})
    report = site.publish()
    check(len(endpoint.take()) == 1 and report["urlsSubmitted"] == 0 and any("403" in note and "key file" in note for note in report["notes"]), report)
    endpoint.status = 202
    site.write({**pages, "c": "Three", "d": "Four"})
    site.publish()
    (_, _, body), = endpoint.take()
    check(sorted(body["urlList"]) == ["https://shop.example/c", "https://shop.example/d"], body)
    endpoint.server.shutdown()


def test_batches(sheaf, folder):
    endpoint = Endpoint()
    site = Site(sheaf, folder, endpoint)
    site.write({f"page-{number}": "One" for number in range(10_001)})
    site.publish()
    site.write({f"page-{number}": "Two" for number in range(10_001)})
    site.publish()
    sizes = [len(body["urlList"]) for _, _, body in endpoint.take()]
    check(sizes == [10_000, 1], sizes)
    endpoint.server.shutdown()


def test_feed(sheaf, folder):
    endpoint = Endpoint()
    (folder / "sheaf.toml").write_text(f'base = "https://shop.example"\nout = "scp"\n[[section]]\nname = "all"\n[[section.source]]\ntype = "feed"\nurl = "{endpoint.url}/feed.json"\n')
    run = lambda: subprocess.run([sheaf, "publish", "--json", "--allow-private"], cwd=folder, capture_output=True, text=True)
    done = run()
    check(done.returncode == 2 and "answered 404" in done.stderr, done.stderr)
    endpoint.feed = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "T", "language": "en", "items": [
        {"id": "1", "url": "https://shop.example/1", "title": "One", "content_html": "<p>Some text of one.</p>", "date_published": "2026-01-02T00:00:00Z"}]})
    done = run()
    check(done.returncode == 0 and json.loads(done.stdout)["sections"][0]["pages"] == 1, done.stdout, done.stderr)
    endpoint.server.shutdown()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    options = arguments.parse_args()
    tests = {"index_now": test_index_now, "batches": test_batches, "feed": test_feed}
    return run_cases({name: functools.partial(test, options.sheaf) for name, test in tests.items()})


if __name__ == "__main__":
    sys.exit(main())
