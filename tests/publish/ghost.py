#!/usr/bin/env python3
"""A real Ghost on a real MariaDB behind nginx: filled through its Admin API, published with the query of docs/publish-cms.md, pulled and
compared with what visitors see.

usage: ghost.py --sheaf PROGRAM --tools FOLDER
Ghost and its packages are half a gigabyte. They are fetched into FOLDER only with SHEAF_GHOST=fetch. Without them, node, MariaDB or nginx it
is skipped: exit status 77.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

import mariadb_server
from databases import documented_source
from recipes import Server, check, free_port, need
from wordpress import EntryText, Sheaf, letters, stored_pages, text_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import npm_packages  # noqa: E402

GHOST = "ghost@5.130.6"  # the last version that runs with node 20
HOST, PASSWORD = "news.example", "correct-horse-battery-9"
HOME = f"http://{HOST}"


def text(words):
    return {"type": "extended-text", "text": words, "format": 0, "detail": 0, "mode": "normal", "style": "", "version": 1}


def element(kind, *children, **more):
    """A node of the editor's documents."""
    return {"type": kind, "children": list(children), "direction": "ltr", "format": "", "indent": 0, "version": 1, **more}


def document(*nodes):
    return json.dumps({"root": element("root", *nodes)})


def paragraph(words):
    return document(element("paragraph", text(words)))


LINK = element("link", text("our office"), url=f"{HOME}/contact-us/", rel=None, target=None, title=None)
POSTS = [
    {"title": "Public one", "status": "published", "tags": ["boats", "nets"], "custom_excerpt": "An excerpt of one", "lexical": document(
        element("paragraph", text("The text of one & more, as "), LINK, text(" knows it.")), element("extended-heading", text("Nets"), tag="h2"),
        element("list", element("listitem", text("herring"), value=1), element("listitem", text("cod"), value=2), listType="bullet", start=1, tag="ul"), element("paragraph", LINK))},
    {"title": "Public two", "status": "published", "tags": ["boats"], "lexical": paragraph("The second post that everybody may read.")},
    {"title": "A draft", "status": "draft", "lexical": paragraph("HIDDEN draft")},
    {"title": "For members", "status": "published", "visibility": "members", "lexical": paragraph("HIDDEN for members")},
    {"title": "For payers", "status": "published", "visibility": "paid", "lexical": paragraph("HIDDEN for payers")},
    {"title": "Not yet", "status": "scheduled", "published_at": "2099-01-01T00:00:00.000Z", "lexical": paragraph("HIDDEN until then")},
    {"title": "A copy", "status": "published", "canonical_url": "https://other.example/original/", "lexical": paragraph("HIDDEN copy of another site")},
]
PAGES = [{"title": "Contact us", "status": "published", "lexical": paragraph("Write to the office at the quay.")}]
# Ghost comes with a post and a page.
PUBLIC = [f"{HOME}/{slug}/" for slug in ("about", "coming-soon", "contact-us", "public-one", "public-two")]


class Ghost:
    def __init__(self, program, folder, database):
        self.port, self.cookie = free_port(), None
        database.execute("CREATE DATABASE ghost CHARACTER SET utf8mb4; "
                         f"CREATE USER ghost@'127.0.0.1' IDENTIFIED BY '{PASSWORD}'; GRANT ALL ON ghost.* TO ghost@'127.0.0.1'; "
                         f"CREATE USER ghost@localhost IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON ghost.* TO ghost@localhost")
        shutil.copytree(program / "content", folder / "content")
        settings = {
            "url": HOME, "server__host": "127.0.0.1", "server__port": self.port, "paths__contentPath": folder / "content",
            "database__client": "mysql", "database__connection__host": "127.0.0.1", "database__connection__port": database.port,
            "database__connection__user": "ghost", "database__connection__password": PASSWORD, "database__connection__database": "ghost",
            "security__staffDeviceVerification": "false", "privacy__useUpdateCheck": "false", "privacy__useGravatar": "false",
            "logging__transports": '["stdout"]', "NODE_ENV": "production"}
        # Ghost listens before its tables exist.
        with open(folder / "log", "w") as log:
            self.server = Server(["node", str(program / "index.js")], self.port, cwd=program, log=log, tries=6000,
                                 env={"PATH": os.environ["PATH"], "HOME": str(folder), **{name: str(value) for name, value in settings.items()}})
        self.admin("POST", "authentication/setup", {"setup": [{"name": "Anna", "email": "anna@news.example", "password": PASSWORD, "blogTitle": "News"}]})
        self.admin("POST", "session", {"username": "anna@news.example", "password": PASSWORD})

    def request(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, {"Host": HOST, **headers})
        answer = connection.getresponse()
        return answer, answer.read().decode()

    def admin(self, method, what, body):
        for _ in range(2400):
            answer, said = self.request(method, f"/ghost/api/admin/{what}/", json.dumps(body), Origin=HOME, Cookie=self.cookie or "",
                                        **{"Content-Type": "application/json"})
            if answer.status != 503:
                break
            time.sleep(0.25)  # Ghost is creating its tables
        check(answer.status in (200, 201), what, answer.status, said[:1000])
        if answer.getheader("Set-Cookie"):
            self.cookie = answer.getheader("Set-Cookie").split(";")[0]
        return json.loads(said) if said.startswith("{") else None

    def add(self, kind, entry):
        return self.admin("POST", kind, {kind: [entry]})[kind][0]

    def edit(self, post, **changes):
        self.admin("PUT", f"posts/{post['id']}", {"posts": [{"updated_at": post["updated_at"], **changes}]})

    def stop(self):
        self.server.stop()


def start_nginx(ghost, site, folder, recipe):
    """As docs/publish-cms.md says: our files by nginx, everything else by Ghost."""
    folder.mkdir()
    port = free_port()
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.getuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\naccess_log off;\n"
        f"include /etc/nginx/mime.types;\nclient_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;\n"
        f"uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;\nserver {{\nlisten 127.0.0.1:{port};\n{recipe}\n"
        f"location = /sitemap-sheaf.xml {{ root \"{site}\"; }}\nlocation = /robots.txt {{ root \"{site}\"; }}\n"
        f"location / {{ proxy_pass http://127.0.0.1:{ghost.port}; proxy_set_header Host $http_host; }}\n}}\n}}\n")
    return Server([need("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], port)


def write_config(site, database):
    source = re.sub(r'database = "[^"]*"', f'database = "mariadb://ghost@localhost/ghost?socket={database.socket}"', documented_source("posts_authors"))
    source = re.sub(r'password_file = "[^"]*"', f'password_file = "{site}/password"', source).replace("https://paint.example", HOME)
    (site / "password").write_text(PASSWORD + "\n")
    (site / "password").chmod(0o600)
    (site / "sheaf.toml").write_text(f'base = "{HOME}"\nout = "scp"\ncollections_url = "{HOME}/scp/"\nsitemap = "sitemap-sheaf.xml"\n[[section]]\nname = "posts"\n{source}')


def check_page(ghost, page):
    """Checks that the stored page has the same words as the public page."""
    answer, public = ghost.request("GET", page["url"].removeprefix(HOME))
    check(answer.status == 200, page["url"], answer.status)
    parser = EntryText("gh-content")
    parser.feed(public)
    shown, stored = letters("".join(parser.text)), letters(" ".join(text_of(block) for block in page["content"]))
    check(shown and stored == shown, page["url"], "\nstored:", stored, "\npublic:", shown)


def check_store(sheaf, ghost, nginx, store, public):
    sheaf("publish", "--write-robots")
    sheaf("pull", HOME, "--store", store, "--allow-http", "--resolve", f"{HOST}=http://127.0.0.1:{nginx.port}")
    pages = stored_pages(sheaf, store)
    check(sorted(pages) == sorted(public), sorted(pages))
    everything = json.dumps(list(pages.values()))
    check("HIDDEN" not in everything and "GHOST_URL" not in everything, everything)
    for page in pages.values():
        check_page(ghost, page)
    return pages


def test_ghost(sheaf, ghost, database, folder):
    first, second, *_ = [ghost.add("posts", post) for post in POSTS]
    for page in PAGES:
        ghost.add("pages", page)
    write_config(sheaf.folder, database)
    (sheaf.folder / "robots.txt").write_text(ghost.request("GET", "/robots.txt")[1])
    nginx = start_nginx(ghost, sheaf.folder, folder / "nginx", sheaf("publish", "--recipe", "nginx"))
    try:
        pages = check_store(sheaf, ghost, nginx, folder / "store", PUBLIC)
        one = pages[f"{HOME}/public-one/"]
        check((one["title"], one["description"], one["author"], one["language"]) == ("Public one", "An excerpt of one", "Anna", "en"), one)
        check(one["published"] == first["published_at"].replace(".000Z", "Z"), one["published"], first["published_at"])
        check(f"{HOME}/contact-us/" in [block.get("url") for block in one["content"]], one["content"])
        sheaf("validate", "--strict", *(sheaf.folder / "scp").glob("*.zst"))
        report = json.loads(sheaf("doctor", HOME, "--allow-http", "--delay", "0", "--json", "--resolve", f"{HOST}=http://127.0.0.1:{nginx.port}"))
        check(report["ok"] and not report["findings"], report["findings"])
        # One post is edited and one is hidden: a delta has both changes.
        ghost.edit(first, title="One again", lexical=paragraph("Another text of the first post."))
        ghost.edit(second, visibility="members")
        pages = check_store(sheaf, ghost, nginx, folder / "store", [url for url in PUBLIC if "public-two" not in url])
        check(pages[f"{HOME}/public-one/"]["title"] == "One again", pages)
        return len(pages)
    finally:
        nginx.stop()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    arguments.add_argument("--tools", required=True)
    options = arguments.parse_args()
    found = {"MariaDB": mariadb_server.is_installed(), "nginx": shutil.which("nginx", path="/usr/sbin:/usr/bin"), "node and npm": shutil.which("npm")}
    if missing := [name for name, is_found in found.items() if not is_found]:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    program = npm_packages.unpack_program(options.tools, GHOST, may_fetch=os.environ.get("SHEAF_GHOST") == "fetch")
    if program is None:
        print("skipped: Ghost is not in", options.tools, "- SHEAF_GHOST=fetch fetches it, half a gigabyte")
        return 77
    database, ghost = mariadb_server.MariadbServer(), None
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "ghost").mkdir()
            (folder / "site").mkdir()
            try:
                ghost = Ghost(program, folder / "ghost", database)
            except AssertionError as fault:
                raise AssertionError(f"{fault}\n{(folder / 'ghost/log').read_text()[-3000:]}") from None
            print("ok:", test_ghost(Sheaf(options.sheaf, folder / "site"), ghost, database, folder), "pages")
            return 0
    except AssertionError as fault:
        print("FAILED", fault)
        return 1
    finally:
        if ghost is not None:
            ghost.stop()
        database.stop()


if __name__ == "__main__":
    sys.exit(main())
