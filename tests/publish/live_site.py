#!/usr/bin/env python3
"""Publishes a live site on real nginx: first completely, then with conditional requests only, with failures and kill -9.

usage: live_site.py --sheaf PROGRAM [NAME...]
Exit status 77 if nginx is not installed.
"""
import argparse
import gzip
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def text_of(name, version=1):
    # nginx makes entity tags from time in seconds and size, so each version has another size.
    version = "new " * (version - 1) + str(version)
    return (f"<!doctype html><html lang=en><head><title>{name}</title></head><body><nav>Home About Contact</nav><main><h1>{name}</h1>"
            f"<p>This is what the page {name} has to say in its version {version}, in a sentence that is long enough.</p></main></body></html>")


class Site:
    """A site behind nginx, with a sitemap index that names a plain and a compressed sitemap."""

    def __init__(self, root, pages=40):
        self.root, self.www = root, root / "www"
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.names = [f"page-{i}.html" for i in range(pages)]
        for name in self.names:
            self.write(name, text_of(name))
        (root / "broken").mkdir()
        self.robots("User-agent: *\nDisallow: /private/\n")
        self.sitemap()
        (root / "nginx.conf").write_text(f"""
daemon off; error_log {root}/error.log; pid {root}/nginx.pid; worker_processes 1;
events {{}}
http {{
  types {{ text/html html; text/xml xml; application/pdf pdf; text/plain txt; }}
  default_type application/octet-stream;
  log_format fields '$msec|$request_method|$request_uri|$status|$http_if_none_match|$http_user_agent|$http_accept_encoding|$body_bytes_sent';
  access_log {root}/access.log fields;
  client_body_temp_path {root}/t1; proxy_temp_path {root}/t2; fastcgi_temp_path {root}/t3; uwsgi_temp_path {root}/t4; scgi_temp_path {root}/t5;
  gzip on; gzip_min_length 10;
  server {{
    listen 127.0.0.1:{self.port}; root {self.www};
    location / {{ if (-f {root}/broken$uri) {{ return 500; }} }}
    location = /hidden.html {{ add_header X-Robots-Tag noindex; }}
    location = /moved.html {{ return 301 /target.html; }}
    location = /away.html {{ return 302 https://other.example/; }}
    location = /trap.html {{ return 302 /private/trap.html; }}
  }}
}}""")
        self.nginx = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-p", str(root), "-c", str(root / "nginx.conf")])
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise SystemExit("nginx does not start: " + (root / "error.log").read_text())

    def stop(self):
        self.nginx.terminate()
        self.nginx.wait()

    def write(self, name, text):
        path = self.www / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def robots(self, text):
        self.write("robots.txt", text + f"Sitemap: {self.base}/sitemap_index.xml\n")

    def sitemap(self, *extra):
        addresses = [f"{self.base}/{name}" for name in [*self.names, *extra]]
        half = len(addresses) // 2
        one, two = ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + "".join(f"\n<url><loc>{each}</loc></url>" for each in part)
                    + "</urlset>" for part in (addresses[:half], addresses[half:]))
        self.write("one.xml", one)
        (self.www / "two.xml.gz").write_bytes(gzip.compress(two.encode()))
        self.write("sitemap_index.xml", "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
                   "".join(f"<sitemap><loc>{self.base}/{name}</loc></sitemap>" for name in ("one.xml", "two.xml.gz")) + "</sitemapindex>")

    def take_log(self):
        """Returns the requests since the last call: (path, status, etag, agent, time)."""
        log = self.root / "access.log"
        lines = [line.split("|") for line in log.read_text().splitlines()] if log.exists() else []
        os.truncate(log, 0) if log.exists() else None
        return [{"time": float(line[0]), "path": line[2], "status": int(line[3]), "etag": line[4], "agent": line[5], "encoding": line[6],
                 "bytes": int(line[7])} for line in lines]

    def break_pages(self, names):
        for name in names:
            (self.root / "broken" / name).touch()

    def repair(self):
        for each in (self.root / "broken").iterdir():
            each.unlink()


class Publisher:
    def __init__(self, sheaf, site, options="", delay=0):
        self.sheaf, self.site, self.folder = sheaf, site, site.root / "publisher"
        self.folder.mkdir(exist_ok=True)
        (self.folder / "sheaf.toml").write_text(
            f'base = "{site.base}"\nout = "scp"\n[[section]]\nname = "all"\nupdate = "monthly"\n[[section.source]]\ntype = "site"\ndelay = {delay}\n{options}\n')

    def command(self, *arguments):
        return [self.sheaf, "publish", "--json", "--allow-private", *arguments]

    def run(self, *arguments, status=0):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True)
        check(done.returncode == status, f"exit status {done.returncode}, not {status}:", done.stdout, done.stderr)
        return json.loads(done.stdout) if status == 0 else done.stderr

    def published(self, kind):
        newest = max((self.folder / "scp").glob(f"all-{kind}-*.zst"), key=lambda path: path.name)
        plain = self.folder / "plain.scp"
        subprocess.run([self.sheaf, "convert", str(newest), str(plain)], check=True, capture_output=True)
        head, *pages = map(json.loads, plain.read_text().splitlines())
        return head["collection"], {page["url"].removeprefix(self.site.base): page for page in pages}


def counts(report):
    section, = report["sections"]
    return section["added"], section["changed"], section["removed"]


def pages_asked(log):
    return [each for each in log if each["path"].endswith(".html") or "?" in each["path"]]


def test_from_first_publish_to_delta(sheaf, root):
    site = Site(root)
    try:
        site.write("private/secret.html", text_of("secret"))
        site.write("hidden.html", text_of("hidden"))
        site.write("target.html", text_of("target"))
        (site.www / "paper.pdf").write_bytes(b"%PDF-1.4" + os.urandom(3_000_000))
        extra = ["private/secret.html", "hidden.html", "paper.pdf", "moved.html", "away.html", "trap.html", "never-there.html", "page-1.html"]
        site.sitemap(*extra)
        publisher = Publisher(sheaf, site)
        report = publisher.run()
        check(counts(report) == (41, 0, 0), report)
        left_out = report["sections"][0]["leftOut"]
        check(left_out == {"robots": 2, "noindex": 1, "not-html": 1, "redirect": 1, "gone": 1}, left_out)
        head, pages = publisher.published("snapshot")
        check({f"/{name}" for name in site.names} | {"/target.html"} == pages.keys(), sorted(pages))
        check("version 1" in json.dumps(pages["/page-7.html"]), pages["/page-7.html"])
        log = site.take_log()
        check(log[0]["path"] == "/robots.txt", log[0])
        check(not any("/private/" in each["path"] for each in log), "robots.txt was not honoured")
        check(all(each["agent"] == "sheaf" for each in log), log)
        check(all(each["encoding"] == "gzip" for each in pages_asked(log)), log)
        asked = [each["path"] for each in log]
        check(len(asked) == len(set(asked)), "asked twice:", sorted(path for path in asked if asked.count(path) > 1))

        report = publisher.run()
        check(counts(report) == (0, 0, 0) and not report["sections"][0]["files"], report)
        log = pages_asked(site.take_log())
        for each in log:
            if each["path"].startswith("/page-") or each["path"] in ("/hidden.html", "/target.html"):
                check(each["status"] == 304 and each["etag"] not in ("", "-") and each["bytes"] == 0, each)

        site.write("page-3.html", text_of("page-3.html", 2))
        site.write("page-31.html", text_of("page-31.html", 2))
        (site.www / "page-5.html").unlink()
        site.names.remove("page-5.html")
        site.sitemap(*extra)
        report = publisher.run()
        check(counts(report) == (0, 2, 1), report)
        head, pages = publisher.published("delta")
        check(set(pages) == {"/page-3.html", "/page-31.html"}, sorted(pages))
        check(head["removed"] == [f"{site.base}/page-5.html"], head)
        log = [each for each in pages_asked(site.take_log()) if each["status"] == 200]
        check({each["path"] for each in log} == {"/page-3.html", "/page-31.html"}, log)

        # A page that is still listed but no longer exists is also removed.
        (site.www / "page-6.html").unlink()
        check(counts(publisher.run()) == (0, 0, 1))
        site.take_log()

        # A snapshot fetches no page again.
        report = publisher.run("--snapshot")
        head, pages = publisher.published("snapshot")
        check(len(pages) == report["sections"][0]["pages"] == 39, report)
        check(not [each for each in pages_asked(site.take_log()) if each["status"] == 200], "pages were fetched for a snapshot")
    finally:
        site.stop()


def test_dry_run_publishes_nothing_and_keeps_the_copies(sheaf, root):
    site = Site(root, pages=5)
    try:
        publisher = Publisher(sheaf, site)
        check(counts(publisher.run("--dry-run")) == (5, 0, 0))
        check(not (publisher.folder / "scp").exists(), "a dry run published")
        check({each.name for each in publisher.folder.iterdir()} <= {"sheaf.toml", ".sheaf"}, list(publisher.folder.iterdir()))
        site.take_log()
        check(counts(publisher.run()) == (5, 0, 0))
        log = pages_asked(site.take_log())
        check([each["status"] for each in log] == [304] * 5 or not log, log)
    finally:
        site.stop()


def test_trouble(sheaf, root):
    site = Site(root)
    try:
        publisher = Publisher(sheaf, site)
        check(counts(publisher.run()) == (40, 0, 0))
        # A few failing pages keep their last state, and the rest is published.
        site.break_pages(["page-1.html", "page-2.html"])
        site.write("page-9.html", text_of("page-9.html", 2))
        report = publisher.run()
        check(counts(report) == (0, 1, 0), report)
        check(any("2 of 40 pages could not be fetched" in note for note in report["notes"]), report["notes"])
        check(counts(publisher.run("--snapshot")) == (0, 0, 0))
        check(len(publisher.published("snapshot")[1]) == 40, "the pages in trouble are missing in the snapshot")
        # Many failures are not a mass removal.
        site.break_pages(site.names)
        before = sorted(path.name for path in (publisher.folder / "scp").iterdir())
        said = publisher.run(status=2)
        check("could not be fetched, so nothing is published" in said and "500" in said, said)
        check(before == sorted(path.name for path in (publisher.folder / "scp").iterdir()))
        site.repair()
        check(counts(publisher.run()) == (0, 0, 0))
        # Without robots.txt, or with half a sitemap, nothing is published.
        (root / "broken/robots.txt").touch()
        check("robots.txt cannot be read" in publisher.run(status=2))
        site.repair()
        (root / "broken/two.xml.gz").touch()
        said = publisher.run(status=2)
        check("could not be read completely" in said and "/two.xml.gz" in said, said)
        site.repair()
        whole = (site.www / "two.xml.gz").read_bytes()
        (site.www / "two.xml.gz").write_bytes(whole[:-30])
        said = publisher.run(status=2)
        check("could not be read completely" in said, said)
        (site.www / "two.xml.gz").write_bytes(whole)
        check(counts(publisher.run()) == (0, 0, 0))
        # An empty sitemap does not mean an empty site.
        site.names, names = [], site.names
        site.sitemap()
        check("name no page" in publisher.run(status=1))
        site.names = names[:5]
        site.sitemap()
        check("--allow-shrink" in publisher.run(status=1))
        check(counts(publisher.run("--allow-shrink")) == (0, 0, 35))
    finally:
        site.stop()


def test_killed(sheaf, root):
    site = Site(root, pages=60)
    try:
        publisher = Publisher(sheaf, site, delay=0.01)
        for stop_after in (20, 45):
            run = subprocess.Popen(publisher.command(), cwd=publisher.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            log = root / "access.log"
            while (log.read_text().count(".html|200") if log.exists() else 0) < stop_after and run.poll() is None:
                time.sleep(0.005)
            run.send_signal(signal.SIGKILL)
            run.wait()
        report = publisher.run()
        check(counts(report) == (60, 0, 0), report)
        asked = [each["path"] for each in pages_asked(site.take_log())]
        again = len(asked) - len(set(asked))
        # One page per connection may be in transfer when the run is killed. Only these are requested again: two, twice.
        check(set(asked) == {f"/{name}" for name in site.names} and again <= 4, f"{again} pages were requested again")
        check(len(publisher.published("snapshot")[1]) == 60)
        check(counts(publisher.run()) == (0, 0, 0))
    finally:
        site.stop()


def test_selection_and_manners(sheaf, root):
    site = Site(root, pages=4)
    try:
        for name in ("docs/a.html", "docs/b.html", "docs/old/c.html", "blog/d.html"):
            site.write(name, text_of(name))
            site.names.append(name)
        site.sitemap()
        publisher = Publisher(sheaf, site, 'path = "docs/"\nexclude = ["docs/old/"]\nuser_agent = "paintbot/1.0"\nconnections = 4')
        site.robots("User-agent: paintbot\nCrawl-delay: 0.2\nDisallow: /docs/b\n\nUser-agent: *\nDisallow: /\n")
        report = publisher.run()
        check(counts(report) == (1, 0, 0) and report["sections"][0]["leftOut"] == {"robots": 1}, report)
        log = site.take_log()
        check([each["path"] for each in pages_asked(log)] == ["/docs/a.html"], log)
        check(log[0]["agent"] == "paintbot/1.0", log[0])
        site.robots("User-agent: paintbot\nCrawl-delay: 0.2\n")
        report = publisher.run()
        check(counts(report) == (1, 0, 0), report)
        log = site.take_log()
        # Requests after robots.txt (which had to be read first) are 0.2 s apart; nginx' clock counts milliseconds.
        times = [each["time"] for each in log[1:]]
        check(times[-1] - times[0] >= 0.2 * (len(times) - 1) - 0.05, times)
    finally:
        site.stop()


def test_private_addresses(sheaf, root):
    site = Site(root, pages=2)
    try:
        publisher = Publisher(sheaf, site)
        done = subprocess.run([sheaf, "publish"], cwd=publisher.folder, capture_output=True, text=True)
        check(done.returncode == 1 and "--allow-private" in done.stderr, done.returncode, done.stderr)
        check(not site.take_log())
    finally:
        site.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not (shutil.which("nginx") or os.path.exists("/usr/sbin/nginx")):
        print("skipped: nginx is not installed")
        return 77
    for name, test in [(name, value) for name, value in globals().items() if name.startswith("test_")]:
        if arguments.names and name not in arguments.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)  # nginx's workers run as another user
            test(arguments.sheaf, pathlib.Path(folder))
        print("passed", name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
