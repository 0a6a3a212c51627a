#!/usr/bin/env python3
"""Plants secrets in every kind of source, one for each way to keep a page from visitors, and finds none in any output.

Each secret has a twin: the same page without what keeps it secret. A second run publishes the twins and must find every one, so a
secret that could not leak anyway is a failure of this test.

usage: leaks.py --sheaf PROGRAM [--only NAME]
"""
import argparse
import datetime
import email.utils
import functools
import http.server
import json
import pathlib
import sqlite3
import subprocess
import tempfile
import threading

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.now(datetime.timezone.utc)
PAST, FUTURE = (NOW - 40 * DAY).strftime("%Y-%m-%d"), (NOW + 40 * DAY).strftime("%Y-%m-%d")
PAST_RFC = email.utils.format_datetime(NOW - 40 * DAY)
PAST_850 = (NOW - 40 * DAY).strftime("%A, %d-%b-%y %H:%M:%S GMT")
FILLER = "A page that says enough in a sentence or two to be taken for one, with words of its own."


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


class Plants:
    """Writes the files, rows and pages of one run: the secrets, or their twins."""

    def __init__(self, folder, twins):
        self.folder, self.twins = folder, twins
        self.words = {}  # of each way
        self.lines, self.rows, self.entries, self.live = [], [], [], {}

    def word(self, way):
        self.words[way] = f"zq{len(self.words):03}{''.join(c for c in way if c.isalnum()).lower()}qz"
        return self.words[way]

    def file(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    def markdown(self, way, text, twin="---\ntitle: A page\n---\n", name=None):
        """`text` comes before the secret; a file of another name is its own way."""
        secret = f"\n# Heading\n\n{FILLER} {self.word(way)}\n"
        path = (name or f"{way}.md") if not self.twins else f"{way}.md"
        self.file(f"md/{path}", (twin if self.twins else text) + secret)

    def comment(self, way, before, after, extension="md"):
        secret = self.word(way)
        hidden = secret if self.twins else f"{before}{secret}{after}"
        self.file(f"md/{way}.{extension}", f"---\ntitle: A page\n---\n\n{FILLER}\n\n{hidden}\n\n{FILLER}\n")

    def html(self, way, head="", path=None, beside=None, body="", data=None):
        """`beside`: (name, text) of a file of the web server in the folder."""
        secret = self.word(way)
        where = path or f"{way}/page.html"
        if self.twins:
            head, body, data, where = "", "", None, f"{way}/page.html"
        page = f"<!doctype html><html lang=en><title>{way}</title>{head}<main><h1>{way}</h1>{body}<p>{FILLER} {secret}</p></main>"
        self.file(f"html/{where}", data(page) if data else page)
        if beside and not self.twins:
            self.file(f"html/{beside[0]}", beside[1])

    def line(self, way, **members):
        text = f"{FILLER} {self.word(way)}"
        page = {"url": f"{self.base}/lines/{way}", "title": way, "description": "d", "modified": "2026-01-10T12:00:00Z", "language": "en",
                "content": [{"type": "text", "text": text}]}
        if "html" in members:
            page = {"url": page["url"], "html": f"<p>{text}</p>"}
            members.pop("html")
        self.lines.append(page if self.twins else {**page, **members})

    def row(self, way, **columns):
        self.rows.append((f"{self.base}/rows/{way}", way, f"<p>{FILLER} {self.word(way)}</p>", {} if self.twins else columns))

    def served(self, way, head="", status=200, headers=None, path=None):
        """A page of a live site."""
        page = f"<!doctype html><html lang=en><title>{way}</title>{'' if self.twins else head}<main><h1>{way}</h1><p>{FILLER} {self.word(way)}</p></main>"
        where = f"/live/{way}.html" if self.twins or not path else path
        self.live[where] = (200, {}, page) if self.twins else (status, headers or {}, page)


def plant(p):
    for way, setting in {
            "draft": "draft: true", "draft-yes": "Draft: yes", "draft-unclear": "draft: maybe", "private": "private: true", "hidden": "hidden: true",
            "publish": "publish: false", "published": "published: false", "published-later": f"published: {FUTURE}", "public": "public: false",
            "status-draft": "status: draft", "status-private": "status: private", "status-pending": "status: pending",
            "status-unknown": "status: in-review", "post-status": "post_status: future", "visibility": "visibility: members", "password": "password: s3cret",
            "build": "_build:\n  render: never", "build-link": "build:\n  render: link", "build-list": "_build: {list: never}", "headless": "headless: true",
            "date": f"date: {FUTURE}", "publish-date": f"date: {PAST}\npublishDate: {FUTURE}", "publish-date-unclear": "publishDate: soon",
            "embargo": f"embargo: {FUTURE}", "expiry": f"expiryDate: {PAST}", "expires": f"expires: {PAST}", "expires-unclear": "expires: next spring",
            "noindex": "noindex: true", "robots": "robots: noindex", "robots-end": f'robots: "unavailable_after: {PAST_RFC}"', "unlisted": "unlisted: true",
            "permalink": "permalink: false", "sitemap": "sitemap: false", "params": "params:\n  draft: true", "members": "members_only: true",
            "login": "login_required: true", "encrypted": "encrypted: true", "colon": "title: My: title\ndraft: true",
            "tab": "\ttitle: x\ndraft: true", "quote": 'title: "My title\ndraft: true', "no-space": "draft:true", "alias": "x: &d true\ndraft: *d",
            "merge": "x: &d {draft: true}\n<<: *d", "later": "title: x\n\nlang: en\n\ndraft: true"}.items():
        p.markdown(f"md-{way}", f"---\n{setting}\n---\n")
    p.markdown("md-toml", "+++\ndraft = true\n+++\n")
    p.markdown("md-toml-fault", "+++\ntitle = x\ndraft = true\n+++\n")
    p.markdown("md-json", '{\n"draft": true\n}\n')
    p.markdown("md-named", "---toml\ndraft = true\n---\n")
    p.markdown("md-script", "---js\n{draft: true}\n---\n")
    p.markdown("md-unclosed", "---\ntitle: x\ndraft: true\n")
    p.markdown("md-unfenced", "Title: x\nStatus: draft\n\n")
    p.markdown("md-blank-first", "\n\n---\ndraft: true\n---\n")
    p.markdown("md-bom", "\ufeff---\ndraft: true\n---\n")
    p.markdown("md-crlf", "---\r\ndraft: true\r\n---\r\n")
    p.markdown("md-folder-drafts", "", name="_drafts/md-folder-drafts.md")
    p.markdown("md-folder-private", "", name="_private/md-folder-private.md")
    p.markdown("md-folder-modules", "", name="node_modules/pkg/README.md")
    p.markdown("md-folder-git", "", name=".git/md-folder-git.md")
    p.markdown("md-partial", "", name="_md-partial.mdx")
    p.markdown("md-name-draft", "", name="md-name.draft.md")
    p.markdown("md-cascade", "", name="cascade/deep/md-cascade.md")
    if not p.twins:
        p.file("md/cascade/_index.md", "---\ntitle: x\ncascade:\n  draft: true\n---\n")
    p.markdown("md-pdf", "%PDF-1.4\n")
    p.markdown("mdx-draft", "---\ndraft: true\n---\n", name="mdx-draft.mdx")
    for way, before, after in [("html", "<!-- ", " -->"), ("html-lines", "<!--\n```\n\n", "\n\n-->"), ("mdx", "{/* ", " */}"), ("mdx-lines", "{/*\n\n", "\n\n*/}"),
                               ("liquid", "{% comment %}", "{% endcomment %}"), ("hugo", "{{/* ", " */}}"), ("hugo-theme", "{{< comment >}}", "{{< /comment >}}"),
                               ("kramdown", "{::comment}", "{:/comment}"), ("jinja", "{# ", " #}"), ("obsidian", "%% ", " %%"), ("link", "[//]: # (", ")"),
                               ("script", "<script>", "</script>"), ("template", "<template>", "</template>"), ("unended", "{/* ", "")]:
        p.comment(f"comment-{way}", before, after)
    p.comment("mdx-export", "export const meta = {\n  a: 1,\n\n  note: '", "'\n}", "mdx")
    p.comment("mdx-import", "import x from './", "'", "mdx")
    p.comment("mdx-expression", "{false && '", "'}", "mdx")

    p.html("html-noindex", "<meta name=robots content=noindex>")
    p.html("html-none", "<META NAME=ROBOTS CONTENT='NONE'>")
    p.html("html-end", f"<meta name=robots content='unavailable_after: {PAST_RFC}'>")
    p.html("html-end-850", f"<meta name=robots content='max-snippet:20, unavailable_after: {PAST_850}'>")
    p.html("html-end-iso", f"<meta name=robots content='unavailable_after:{PAST}'>")
    p.html("html-end-unclear", "<meta name=robots content='unavailable_after: some day'>")
    p.html("html-future", f"<meta property=article:published_time content={FUTURE}>")
    p.html("html-drafts", path="_drafts/page.html")
    p.html("html-modules", path="node_modules/pkg/page.html")
    p.html("html-dot", path=".well-hidden/page.html")
    p.html("html-robots", path="disallowed/page.html")
    p.html("html-comment", data=lambda page: page.replace("<p>", "<p>Open.<!-- ").replace("</p>", "--></p>").encode())
    for way, text in {
            "require": "Require valid-user", "auth": "AuthType Basic\nAuthUserFile /etc/passwords\nRequire valid-user", "denied": "Require all denied",
            "ip": "Require ip 10.0.0.0/8", "deny": "Order deny,allow\nDeny from all", "order": "order allow,deny\nallow from 10.0.0.1", "satisfy": "Satisfy Any",
            "module": "<IfModule mod_authz_core.c>\n  Require host example.net\n</IfModule>", "limit": "<Limit GET POST>\nRequire valid-user\n</Limit>",
            "any": "<RequireAny>\nRequire ip 10.1.2.3\nRequire group staff\n</RequireAny>", "rewrite": "RewriteEngine on\nRewriteRule ^ - [F]",
            "files": "<Files page.html>\nRequire all denied\n</Files>", "match": '<FilesMatch "^p.*\\.html$">\nRequire all denied\n</FilesMatch>',
            "header": 'Header set X-Robots-Tag "noindex"', "continued": "Require \\\n  valid-user", "except": "<LimitExcept PUT>\nRequire valid-user\n</LimitExcept>"}.items():
        p.html(f"htaccess-{way}", beside=(f"htaccess-{way}/.htaccess", text))
    p.html("htaccess-above", path="above/below/page.html", beside=("above/.htaccess", "Require valid-user"))
    p.html("headers-auth", path="netlify/page.html", beside=("_headers", "/netlify/*\n  Basic-Auth: a:b\n/tagged/*\n  X-Robots-Tag: noindex\n"))
    p.html("headers-robots", path="tagged/page.html")
    p.html("redirects", path="roles/page.html", beside=("_redirects", "/roles/*  /login  401!\n"))
    if p.twins:
        p.file("html/.htaccess", "Require all granted\nDeny from 203.0.113.7\n<Files .htpasswd>\nRequire all denied\n</Files>\n")
    p.html("bytes-pdf", data=lambda page: b"%PDF-1.7\n" + page.encode())
    p.html("bytes-random", data=lambda page: bytes(range(256)) * 8 + page.encode())
    p.html("bytes-zip", data=lambda page: b"PK\x03\x04" + page.encode())

    p.line("line-robots", robots=["noindex"])
    p.line("line-end", robots=[f"unavailable_after: {PAST_RFC}"])
    p.line("line-draft", draft=True)
    p.line("line-status", status="private")
    p.line("line-password", password="s3cret")
    p.line("line-future", published=f"{FUTURE}T00:00:00Z")
    p.line("line-expires", expires=PAST)
    p.line("line-public", is_public=False)
    p.line("line-html-draft", html=True, draft="yes")
    p.line("line-html-robots", html=True, robots="noindex")
    p.line("line-html-password", html=True, password="s3cret")
    p.line("line-html-published", html=True, published=False)

    p.row("row-status", status="draft")
    p.row("row-password", password="s3cret")
    p.row("row-expires", expires=PAST)
    p.row("row-future", published=FUTURE)

    p.served("live-noindex", "<meta name=robots content=noindex>")
    p.served("live-header", headers={"X-Robots-Tag": "noindex"})
    p.served("live-end", headers={"X-Robots-Tag": f"unavailable_after: {PAST_RFC}"})
    p.served("live-login", status=401, headers={"WWW-Authenticate": "Basic"})
    p.served("live-forbidden", status=403)
    p.served("live-gone", status=410)
    p.served("live-pdf", headers={"Content-Type": "application/pdf"})
    p.served("live-robots", path="/disallowed/live.html")


class Site(http.server.ThreadingHTTPServer):
    """The live site, which is also the base of all other sources."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.pages = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        pages = self.server.pages
        if self.path == "/robots.txt":
            found = (200, {"Content-Type": "text/plain"}, f"User-agent: *\nDisallow: /disallowed/\nSitemap: {self.server.base}/live.xml\n")
        elif self.path == "/live.xml":
            urls = "".join(f"<url><loc>{self.server.base}{path}</loc></url>" for path in pages)
            found = (200, {"Content-Type": "application/xml"}, f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
        else:
            found = pages.get(self.path, (404, {}, "gone"))
        status, headers, body = found
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass


def write_rows(plants):
    database = sqlite3.connect(plants.folder / "rows.db")
    database.execute("CREATE TABLE rows (url, title, html, status, password, expires, published)")
    for url, title, html, columns in plants.rows:
        database.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)",
                         (url, title, html, *(columns.get(name) for name in ("status", "password", "expires", "published"))))
    database.commit()
    database.close()


def make_site(folder, site, twins):
    plants = Plants(folder, twins)
    plants.base = site.base
    plant(plants)
    site.pages = plants.live
    plants.file("html/open.html", f"<!doctype html><html lang=en><title>Open</title><main><h1>Open</h1><p>{FILLER} zqopenhtmlqz</p></main>")
    plants.file("md/open.md", f"# Open\n\n{FILLER} zqopenmdqz\n")
    plants.file("pages.jsonl", "".join(json.dumps(line) + "\n" for line in plants.lines))
    write_rows(plants)
    robots = "User-agent: *\n" + ("" if twins else "Disallow: /html/disallowed/\n")
    plants.file("out/robots.txt", robots)
    sources = {"html": 'type = "html"\nfolder = "html"\npath = "html/"', "md": 'type = "markdown"\nfolder = "md"\npath = "md/"',
               "lines": 'type = "jsonl"\nfile = "pages.jsonl"',
               "rows": 'type = "sql"\ndatabase = "sqlite:rows.db"\nquery = "SELECT url, title, html, status, password, expires, published FROM rows"',
               "live": 'type = "site"\npath = "live/"\ndelay = 0'}
    if not twins:
        sources["live"] = 'type = "site"\ndelay = 0'
    plants.file("sheaf.toml", f'base = "{site.base}"\nout = "out/scp"\nall = "daily"\n' +
                "".join(f'[[section]]\nname = "{name}"\n[[section.source]]\n{text}\n' for name, text in sources.items()) +
                "[outputs]\nllms_txt = true\nmarkdown = true\nfeed = true\n")
    return plants


def publish(sheaf, folder, *arguments):
    return subprocess.run([sheaf, "publish", "--allow-private", *arguments], cwd=folder, capture_output=True)


def everything_written(sheaf, folder):
    """All output, with what the collections contain."""
    text = b""
    for path in sorted((folder / "out").rglob("*")):
        if not path.is_file():
            continue
        text += str(path).encode() + b"\n" + path.read_bytes() + b"\n"
        if path.name.endswith((".scp.zst", ".scp.gz")):
            plain = folder / "plain.scp"
            subprocess.run([sheaf, "convert", path, plain], check=True, capture_output=True)
            text += plain.read_bytes()
            plain.unlink()
    return text.decode("utf-8", "replace")


def no_secret_goes_out(sheaf, site, folder):
    plants = make_site(folder, site, twins=False)
    said = ""
    for arguments in [("--dry-run", "--explain"), ("--json",), ("--explain", "--snapshot", "--report", "report.json")]:
        done = publish(sheaf, folder, *arguments)
        check(done.returncode == 0, done.stdout.decode(), done.stderr.decode())
        said += (done.stdout + done.stderr).decode()
    said += (folder / "report.json").read_text()
    written = everything_written(sheaf, folder)
    for word in ["zqopenhtmlqz", "zqopenmdqz"]:
        check(word in written, word, "is public and not published")
    leaked = [way for way, word in plants.words.items() if word in written or word in said]
    check(not leaked, len(leaked), "leaked:", *leaked)
    check("s3cret" not in written and "s3cret" not in said, "a password leaked")
    explained = publish(sheaf, folder, "--dry-run", "--explain").stdout.decode()
    # What is left out of a page, or never looked at, is no page that is left out.
    silent = ("comment-", "mdx-ex", "mdx-im", "md-folder-git", "html-dot", "html-comment")
    for way in plants.words:
        place = {"md-folder-modules": "node_modules", "html-modules": "node_modules", "html-drafts": "_drafts/page.html", "html-robots": "disallowed/page.html",
                 "htaccess-above": "above/below", "headers-auth": "netlify/", "headers-robots": "tagged/", "redirects": "roles/",
                 "md-name-draft": "md-name.draft.md", "live-robots": "/disallowed/live.html"}.get(way, way)
        if way.startswith("line-"):
            place = "pages.jsonl:"
        check(way.startswith(silent) or place in explained, way, "is not explained:", explained)
    return len(plants.words)


def every_twin_goes_out(sheaf, site, folder):
    plants = make_site(folder, site, twins=True)
    done = publish(sheaf, folder)
    check(done.returncode == 0, done.stdout.decode(), done.stderr.decode())
    written = everything_written(sheaf, folder)
    missing = [way for way, word in plants.words.items() if word not in written]
    check(not missing, "cannot leak, so the test proves nothing:", *missing, done.stdout.decode())
    return len(plants.words)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheaf", required=True)
    parser.add_argument("--only")
    options = parser.parse_args()
    sheaf = str(pathlib.Path(options.sheaf).resolve())
    for test in [no_secret_goes_out, every_twin_goes_out]:
        if options.only and options.only != test.__name__:
            continue
        with tempfile.TemporaryDirectory() as name:
            site = Site()
            count = test(sheaf, site, pathlib.Path(name))
            site.shutdown()
            print(f"{test.__name__}: {count}")


if __name__ == "__main__":
    main()
