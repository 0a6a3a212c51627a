#!/usr/bin/env python3
"""Runs `sheaf doctor` against real servers, and compares the results with the table in docs/doctor-results.md.

usage: servers.py --sheaf PROGRAM [--root FOLDER] [--write]      --write replaces the table

A server that is not installed is reported and skipped; its row is not compared. Exit status 77 if no server is installed.
"""
import argparse
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "publish"))
from recipes import Missing, Server, check, free_port, need  # noqa: E402

PAGES = 6
START, END = "<!-- {} -->\n", "<!-- /{} -->\n"


class Site:
    """A folder that was published twice, for the port that it will be served on."""

    def __init__(self, sheaf, folder, port, publish=True):
        self.sheaf, self.folder, self.base = sheaf, folder, f"http://127.0.0.1:{port}"
        self.public = folder / "public"
        self.public.mkdir(parents=True)
        (self.public / "robots.txt").write_text(f"User-agent: *\nDisallow:\n\nSitemap: {self.base}/sitemap.xml\n")
        urls = "".join(f"<url><loc>{self.base}/page{i}.html</loc></url>\n" for i in range(PAGES))
        (self.public / "sitemap.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n')
        for edition in ("first", "second"):
            for i in range(PAGES if edition == "first" else 1):
                (self.public / f"page{i}.html").write_text(
                    f"<html lang=en><head><title>Page number {i}</title></head><body><main><h1>Page number {i}</h1>"
                    f"<p>This is the {edition} edition of page number {i}, with enough words to be worth comparing.</p></main></body>")
            if publish:
                self.run("publish")
        # Apache sends weak entity tags for a second after a file was written.
        for path in self.public.rglob("*"):
            os.utime(path, (path.stat().st_mtime - 3600,) * 2)

    def run(self, *arguments):
        done = subprocess.run([self.sheaf, *arguments[:1], "public", "--base", self.base, "--out", "public/scp", *arguments[1:]],
                              cwd=self.folder, capture_output=True, text=True)
        check(done.returncode == 0, arguments, done.stdout, done.stderr)
        return done.stdout

    def recipe(self, name):
        return self.run("publish", "--recipe", name)


def with_sheaf(site, port):
    return Server([site.sheaf, "serve", str(site.public), "--listen", f"127.0.0.1:{port}"], port)


def with_nginx(site, port, recipe):
    nginx, folder = need("nginx"), site.folder / "nginx"
    folder.mkdir()
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.getuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\n"
        f"access_log off;\ninclude /etc/nginx/mime.types;\ndefault_type application/octet-stream;\n"
        f"client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;\n"
        f"scgi_temp_path {folder}/e;\nserver {{\nlisten 127.0.0.1:{port};\nroot \"{site.public}\";\n"
        f"{site.recipe('nginx') if recipe else ''}\nlocation / {{ }}\n}}\n}}\n")
    return Server([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")], port)


def with_caddy(site, port, recipe):
    caddy, folder = need("caddy"), site.folder / "caddy"
    folder.mkdir()
    (folder / "Caddyfile").write_text(
        f"{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n\tencode gzip zstd\n\troot * \"{site.public}\"\n"
        f"{site.recipe('caddy') if recipe else ''}\n\thandle {{\n\t\tfile_server\n\t}}\n}}\n")
    return Server([caddy, "run", "--config", str(folder / "Caddyfile")], port,
                  env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})


def with_apache(site, port, recipe):
    apache, folder = need("apache2"), site.folder / "apache"
    folder.mkdir()
    modules = "/usr/lib/apache2/modules"
    (folder / "apache.conf").write_text(
        f"ServerRoot {folder}\nServerName 127.0.0.1\nListen 127.0.0.1:{port}\nPidFile {folder}/pid\nErrorLog {folder}/error.log\n"
        f"LoadModule mpm_event_module {modules}/mod_mpm_event.so\nLoadModule authz_core_module {modules}/mod_authz_core.so\n"
        f"LoadModule mime_module {modules}/mod_mime.so\nLoadModule headers_module {modules}/mod_headers.so\n"
        f"LoadModule alias_module {modules}/mod_alias.so\nLoadModule env_module {modules}/mod_env.so\nTypesConfig /etc/mime.types\nMutex file:{folder}\n"
        f"DocumentRoot {site.public}\n<Directory {site.public}>\nRequire all granted\n</Directory>\n{site.recipe('apache') if recipe else ''}")
    site.folder.chmod(0o755)
    # Apache kills its whole process group, so it gets a separate one.
    return Server([apache, "-X", "-f", str(folder / "apache.conf")], port, start_new_session=True)


def with_python(site, port):
    return Server([sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(site.public)], port)


SERVERS = {
    "`sheaf serve`": with_sheaf,
    "nginx, as installed": functools.partial(with_nginx, recipe=False),
    "nginx with `sheaf publish --recipe nginx`": functools.partial(with_nginx, recipe=True),
    "Caddy, with `encode gzip zstd`": functools.partial(with_caddy, recipe=False),
    "Caddy with `sheaf publish --recipe caddy`": functools.partial(with_caddy, recipe=True),
    "Apache, as installed": functools.partial(with_apache, recipe=False),
    "Apache with `sheaf publish --recipe apache`": functools.partial(with_apache, recipe=True),
    "`python3 -m http.server`": with_python,
}


def examine(sheaf, url):
    done = subprocess.run([sheaf, "doctor", url, "--allow-private", "--allow-http", "--delay", "0", "--json"],
                          capture_output=True, text=True)
    check(done.returncode in (0, 1), url, done.stdout, done.stderr)
    report = json.loads(done.stdout)
    check(report["unchecked"] == [], report["unchecked"])
    check((done.returncode == 0) == report["ok"] == (report["findings"] == []), done.returncode)
    return [finding["code"] for finding in report["findings"]]


def server_rows(sheaf):
    rows = {}
    for name, start in SERVERS.items():
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder).chmod(0o755)
            port = free_port()
            site = Site(sheaf, pathlib.Path(folder) / "it", port)
            try:
                server = start(site, port)
            except Missing as program:
                print(f"skipped {name}: {program} is not installed")
                continue
            try:
                rows[name] = examine(sheaf, site.base)
            finally:
                server.stop()
    check(rows["`sheaf serve`"] == [], "sheaf serve:", rows["`sheaf serve`"])
    return rows


def check_separate_sitemap(sheaf):
    """With `sitemap_mode = "separate"` and `--write-robots` the sitemap stays as it is, doctor finds nothing to fix, and pull finds
    the collections."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder).chmod(0o755)
        port = free_port()
        site = Site(sheaf, pathlib.Path(folder) / "it", port, publish=False)
        before = (site.public / "sitemap.xml").read_bytes()
        (site.folder / "sheaf.toml").write_text(
            f'base = "{site.base}"\nout = "public/scp"\nsitemap_mode = "separate"\nrobots = "public/robots.txt"\n'
            'sitemap = "public/sitemap.xml"\n[[section]]\nname = "all"\n[[section.source]]\ntype = "html"\nfolder = "public"\n')
        done = subprocess.run([sheaf, "publish", "--write-robots"], cwd=site.folder, capture_output=True, text=True)
        check(done.returncode == 0 and "added the Sitemap line" in done.stdout, done.stdout, done.stderr)
        check((site.public / "sitemap.xml").read_bytes() == before, "the sitemap was changed")
        server = with_sheaf(site, port)
        try:
            check(examine(sheaf, site.base) == [], "doctor:", examine(sheaf, site.base))
            pulled = subprocess.run([sheaf, "pull", site.base, "--store", str(site.folder / "copy"), "--allow-private", "--json"],
                                    capture_output=True, text=True)
            report = json.loads(pulled.stdout)
            check(pulled.returncode == 0 and report["route"] == "collections", pulled.stdout, pulled.stderr)
        finally:
            server.stop()


def server_table(rows):
    lines = [f"| {name} | {', '.join(f'`{code}`' for code in codes) or 'nothing to fix'} |\n" for name, codes in rows.items()]
    return "".join(["| server | findings |\n", "| --- | --- |\n", *lines])


def replace_part(text, name, part):
    start, end = START.format(name), END.format(name)
    check(start in text and end in text, f"docs/doctor-results.md has no part {name}")
    return text[:text.index(start) + len(start)] + part + text[text.index(end):]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    sheaf = os.path.abspath(options.sheaf)
    page = options.root / "docs/doctor-results.md"
    before = page.read_text()
    check_separate_sitemap(sheaf)
    rows = server_rows(sheaf)
    table = server_table(rows)
    if len(rows) < len(SERVERS) and not options.write:  # rows of servers that are not installed are kept
        for line in table.splitlines():
            check(line + "\n" in before, "not in docs/doctor-results.md:", line)
        table = before[before.index(START.format("servers")) + len(START.format("servers")):before.index(END.format("servers"))]
    after = replace_part(before, "servers", table)
    if options.write:
        page.write_text(after)
    else:
        check(after == before, "docs/doctor-results.md is not what doctor says; servers.py --write puts that right\n" + table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
