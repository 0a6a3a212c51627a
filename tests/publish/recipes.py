#!/usr/bin/env python3
"""Uses the output of `sheaf publish --recipe` unchanged with the programs it is for.

usage: recipes.py --sheaf PROGRAM [NAME...]
Programs that are not installed are reported and skipped. Exit status 77 if all are missing.
"""
import argparse
import datetime
import email.utils
import http.client
import json
import os
import pathlib
import pwd
import random
import re
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from cases import Missing, check, run_cases  # noqa: E402

SNAPSHOT, DELTA = "public, max-age=604800, stale-while-revalidate=25200", "public, max-age=25200, must-revalidate"


def need(program):
    found = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not found:
        raise Missing(program)
    return found


class Site:
    """A site with two sections of different update intervals, a snapshot and a delta, in a folder whose name needs quotes."""

    def __init__(self, sheaf, folder):
        self.sheaf, self.folder = sheaf, folder / "it's 50% mine"
        (self.folder / "public").mkdir(parents=True)
        (self.folder / "sheaf.toml").write_text(
            'base = "https://example.com"\nout = "public/scp"\n'
            '[[section]]\nname = "blog"\nupdate = "weekly"\n[[section.source]]\ntype = "html"\nfolder = "public"\nexclude = ["news*"]\n'
            '[[section]]\nname = "news"\nupdate = "hourly"\n[[section.source]]\ntype = "html"\nfolder = "public"\ninclude = ["news*"]\n')
        # Words that do not compress, so that the collections have over 1 MiB: servers treat large files in other ways.
        words = random.Random(7)
        large = " ".join(f"{words.getrandbits(64):x}" for _ in range(180_000))
        for part in range(3):
            (self.folder / f"public/large{part}.html").write_text(
                f"<html lang=en><title>Large {part}</title><main><p>{large[part * 1_000_000:(part + 1) * 1_000_000]}</p></main>")
        for text in ("first", "second"):
            for name in ("index", "news"):
                (self.folder / f"public/{name}.html").write_text(
                    f"<html lang=en><title>{name}</title><main><p>This is the {text} edition of what we have to say.</p></main>")
            self.run("publish")
        (self.folder / "public/scp/readme.txt").write_text("not a collection")
        # The name of a merged delta: its first and its last time.
        for path in list((self.folder / "public/scp").glob("*-delta-*")):
            shutil.copy2(path, path.with_name(path.name.replace("-delta-", "-delta-20260101T000000Z-")))

    def run(self, *arguments):
        done = subprocess.run([self.sheaf, *arguments], cwd=self.folder, capture_output=True, text=True)
        check(done.returncode == 0, arguments, done.stdout, done.stderr)
        return done.stdout

    def recipe(self, name):
        return self.run("publish", "--recipe", name)

    def collections(self):
        return sorted(path for path in (self.folder / "public/scp").iterdir() if ".scp" in path.name)


class Server:
    def __init__(self, command, port, tries=400, log=subprocess.PIPE, **how):
        self.port = port
        self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, text=True, **how)
        for _ in range(tries):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.process.kill()
        raise AssertionError(f"{command[0]} did not start: {self.process.communicate()[0]}")

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()

    def stop(self):
        self.process.terminate()
        self.process.communicate()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def check_server(site, server, future=304):
    """`future`: the answer to an If-Modified-Since that is later than now."""
    files = site.collections()
    check(len(files) == 12, files)
    check(max(path.stat().st_size for path in files) > 1 << 20, "no file is large")
    for path in files:
        answer, body = server.get(f"/scp/{path.name}", Accept_Encoding="gzip, zstd")
        check(answer.status == 200 and body == path.read_bytes(), path.name, answer.status)
        headers = {name.lower(): value for name, value in answer.getheaders()}
        check(headers["content-type"] == "application/scp", headers)
        check(headers["content-encoding"] == ("gzip" if path.suffix == ".gz" else "zstd"), headers)
        check(headers["content-length"] == str(path.stat().st_size), headers)
        wanted = DELTA if "-delta-" in path.name else SNAPSHOT
        if path.name.startswith("news"):
            wanted = wanted.replace("604800", "3600").replace("25200", "150")
        check(headers["cache-control"] == wanted and len(answer.headers.get_all("cache-control")) == 1, path.name, headers)
        again, body = server.get(f"/scp/{path.name}", If_None_Match=headers["etag"])
        check(again.status == 304 and body == b"", again.status)
        generated = datetime.datetime.strptime(re.findall(r"\d{8}T\d{6}Z", path.name)[-1], "%Y%m%dT%H%M%S%z").timestamp()
        check(headers["last-modified"] == email.utils.formatdate(generated, usegmt=True), path.name, headers)
        for seconds, status in ((0, 304), (3600, future), (-3600, 200)):
            again, _ = server.get(f"/scp/{path.name}", If_Modified_Since=email.utils.formatdate(generated + seconds, usegmt=True))
            check(again.status == status, path.name, seconds, again.status)
        part, body = server.get(f"/scp/{path.name}", Range="bytes=3-9")
        check(part.status == 206 and body == path.read_bytes()[3:10], part.status)
    # All other files keep the site's own rules.
    answer, body = server.get("/scp/readme.txt")
    check(answer.status == 200 and answer.headers["content-type"].startswith("text/plain"), answer.status, answer.getheaders())
    answer, body = server.get("/sitemap.xml")
    check(answer.status == 200 and b"-snapshot-" in body, answer.status)
    check(server.get("/scp/blog-snapshot-20000101T000000Z.scp.gz")[0].status == 404)
    check(server.get("/scp/..%2f..%2fsheaf.toml")[0].status in (400, 404))


def test_nginx(site):
    nginx, port, folder = need("nginx"), free_port(), site.folder.parent / "nginx"
    folder.mkdir()
    # A server that compresses everything: collections must not be compressed twice.
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.getuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\n"
        f"access_log off;\ntypes {{ text/html html; text/xml xml; text/plain txt; }}\ngzip on; gzip_types *; gzip_min_length 1;\n"
        f"client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;\n"
        f"scgi_temp_path {folder}/e;\nserver {{\nlisten 127.0.0.1:{port};\nroot \"{site.folder}/public\";\n"
        f"{site.recipe('nginx')}\nlocation / {{ }}\n}}\n}}\n")
    server = Server([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")], port)
    try:
        check_server(site, server)
    finally:
        server.stop()


def test_caddy(site):
    caddy, port, folder = need("caddy"), free_port(), site.folder.parent / "caddy"
    folder.mkdir()
    (folder / "Caddyfile").write_text(
        f"{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n\tencode gzip zstd\n\troot * \"{site.folder}/public\"\n"
        f"{site.recipe('caddy')}\n\thandle {{\n\t\tfile_server\n\t}}\n}}\n")
    server = Server([caddy, "run", "--config", str(folder / "Caddyfile")], port,
                    env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
    try:
        check_server(site, server)
    finally:
        server.stop()


def start_apache(site, inside, htaccess):
    apache, port, folder = need("apache2"), free_port(), site.folder.parent / "apache"
    folder.mkdir()
    modules = "/usr/lib/apache2/modules"
    names = ["mpm_event", "authz_core", "mime", "headers", "alias", "deflate", "filter", "env", "dir"]
    loads = "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in names)
    # A server that compresses everything and has Debian's type for .gz.
    (folder / "apache.conf").write_text(
        f"ServerRoot {folder}\nServerName 127.0.0.1\nListen 127.0.0.1:{port}\nPidFile {folder}/pid\nErrorLog {folder}/error.log\n{loads}"
        f"TypesConfig /etc/mime.types\nAddType application/x-gzip .gz .tgz\nSetOutputFilter DEFLATE\nMutex file:{folder}\n"
        f"<VirtualHost *:{port}>\nDocumentRoot \"{site.folder}/public\"\n<Directory \"{site.folder}/public\">\nRequire all granted\n"
        f"AllowOverride {'FileInfo Options' if htaccess else 'None'}\n</Directory>\n{inside}</VirtualHost>\n")
    for each in (site.folder, site.folder.parent, site.folder.parent.parent):
        each.chmod(0o755)
    # Apache kills its whole process group, so it gets a separate one.
    return Server([apache, "-X", "-f", str(folder / "apache.conf")], port, start_new_session=True)


def without_percent(site):
    """Apache has no way to write a percent sign in a path."""
    folder = site.folder.with_name("it's mine")
    site.folder.rename(folder)
    site.folder = folder
    return site


def test_apache(site):
    refused = subprocess.run([site.sheaf, "publish", "--recipe", "apache"], cwd=site.folder, capture_output=True, text=True)
    check(refused.returncode == 1 and "cannot represent a path that contains %" in refused.stderr, refused)
    server = start_apache(without_percent(site), site.recipe("apache"), htaccess=False)
    try:
        check_server(site, server, future=200)
    finally:
        server.stop()


def test_htaccess(site):
    need("apache2")
    recipe = site.recipe("htaccess")
    place = re.search(r"# Save it as (.*)\. The server", recipe)[1]
    check(place == f"{site.folder}/public/scp/.htaccess", place)
    pathlib.Path(place).write_text(recipe)
    server = start_apache(without_percent(site), "", htaccess=True)
    try:
        check_server(site, server, future=200)
    finally:
        server.stop()


def headers_for(path, rules):
    """What a host with a `_headers` file sends: a line with a path begins a rule, `*` at its end stands for anything."""
    found = {}
    for pattern, headers in rules:
        if path == pattern or pattern.endswith("*") and path.startswith(pattern[:-1]):
            found.update(headers)
    return found


def check_hosted(site, rules):
    for file in site.collections():
        headers = headers_for(f"/scp/{file.name}", rules)
        check(headers["Content-Type"] == "application/scp" and "max-age=3600" in headers["Cache-Control"], headers)
    check("max-age=60" in headers_for("/sitemap.xml", rules)["Cache-Control"], rules)
    check(headers_for("/index.html", rules) == {}, rules)


def test_netlify(site, name="netlify"):
    (site.folder / "public/_redirects").write_text("/* /index.html 200\n")
    subprocess.run(["sh", "-e"], input=site.recipe(name), text=True, check=True)
    rules = []
    for line in (site.folder / "public/_headers").read_text().splitlines():
        if line.startswith("/"):
            rules.append((line, {}))
        else:
            rules[-1][1].update([line.strip().split(": ", 1)])
    check_hosted(site, rules)
    check((site.folder / "public/_redirects").read_text() == "/scp/* /404.html 404\n/* /index.html 200\n")


def test_cloudflare(site):
    test_netlify(site, "cloudflare")


def test_vercel(site):
    rules = [(rule["source"].replace("(.*)", "*"), {each["key"]: each["value"] for each in rule["headers"]})
             for rule in json.loads(site.recipe("vercel"))["headers"]]
    check_hosted(site, rules)


def test_s3(site):
    bucket, tools = site.folder.parent / "bucket", site.folder.parent / "tools"
    bucket.mkdir(), tools.mkdir()
    # Only what the recipe uses of the real program: files go to a folder, and each call is recorded.
    (tools / "aws").write_text(f"#!{sys.executable}\n" + f"BUCKET, CALLS = {str(bucket)!r}, {str(tools / 'calls')!r}\n" + """
import fnmatch, json, os, pathlib, shutil, sys
words = sys.argv[1:]
open(CALLS, "a").write(json.dumps(words) + "\\n")
if words[0] == "s3":
    source, target = pathlib.Path(words[2]), pathlib.Path(BUCKET) / words[3].removeprefix("s3://b/")
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            name, wanted = path.relative_to(source).as_posix(), True
            for option, pattern in zip(words, words[1:]):
                if option in ("--exclude", "--include") and fnmatch.fnmatch(name, pattern):
                    wanted = option == "--include"
            if wanted and path.is_file():
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target / name)
    else:
        shutil.copy2(source, target)
""")
    (tools / "aws").chmod(0o755)
    (site.folder / "public/sheaf.toml").write_text("secret")
    subprocess.run(["sh"], input=site.recipe("s3"), text=True, check=True, env={"PATH": f"{tools}:/usr/bin:/bin", "BUCKET": "b", "DISTRIBUTION": "d"})
    calls = [json.loads(line) for line in (tools / "calls").read_text().splitlines()]
    sent = {path.relative_to(bucket).as_posix() for path in bucket.rglob("*") if path.is_file()}
    check({f"scp/{path.name}" for path in site.collections()} <= sent and {"sitemap.xml", "index.html"} <= sent, sent)
    check("sheaf.toml" not in sent, sent)
    order = [index for index, words in enumerate(calls) if any(".scp" in word for word in words) or any(word.endswith("sitemap.xml") for word in words[2:4])]
    check(calls[order[-1]][2].endswith("sitemap.xml"), "the sitemap comes after the collections", calls)
    for words in calls:
        if "*.scp.zst" in words:
            check("zstd" in words and "application/scp" in words, words)
    check(calls[-1][:2] == ["cloudfront", "create-invalidation"] and "/sitemap.xml" in calls[-1], calls[-1])


def test_github_pages(site):
    try:
        import yaml
    except ImportError as error:
        raise Missing("python3-yaml") from error
    flow = yaml.safe_load(site.recipe("github-pages"))
    steps = flow["jobs"]["pages"]["steps"]
    own = yaml.safe_load(site.recipe("github"))
    check(steps[1:1 + len(own)] == own, "the steps are those of the recipe github", steps)
    check(steps[-2]["with"]["path"] == "public" and steps[-1]["uses"].startswith("actions/deploy-pages"), steps)
    check(flow["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}, flow)


def check_publishes(site, run):
    """Checks that running `run` publishes a change of the site."""
    page = site.folder / "public/index.html"
    page.write_text(page.read_text().replace("edition", "printing"))
    before = len(site.collections())
    run()
    check(len(site.collections()) == before + 2, site.collections())


def test_systemd(site):
    analyze, folder = need("systemd-analyze"), site.folder.parent / "systemd"
    folder.mkdir()
    # The recipe is a script: run it with another folder for units and a systemctl that only records its arguments.
    (folder / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\n')
    (folder / "systemctl").chmod(0o755)
    # The test creates no users: it uses the current one instead of the new one.
    for name in ("useradd", "id", "chown"):
        (folder / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {folder}/calls\n{"exit 1" if name == "id" else ""}\n')
        (folder / name).chmod(0o755)
    (folder / "install").write_text(f'#!/bin/sh\necho install "$@" >> {folder}/calls\nshift 3; exec mkdir -p "$@"\n')
    (folder / "install").chmod(0o755)
    script = site.recipe("systemd").replace("/etc/systemd/system/", f"{folder}/")
    subprocess.run(["sh", "-e"], input=script, text=True, check=True, env={"PATH": f"{folder}:/usr/bin:/bin"})
    calls = (folder / "calls").read_text()
    owner = pwd.getpwuid(site.folder.stat().st_uid).pw_name
    user = "sheaf" if owner == "root" else owner
    check(("useradd --system" in calls) == (owner == "root"), calls)
    check(f"install -d -o {user} {site.folder}/.sheaf {site.folder}/public/scp {site.folder}/public\n" in calls, calls)
    check("enable --now sheaf-publish.timer" in (folder / "calls").read_text())
    service = folder / "sheaf-publish.service"
    done = subprocess.run([analyze, "verify", str(service), str(folder / "sheaf-publish.timer")], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "sheaf-publish" in line]
    check(not ours, "systemd finds fault:", done.stderr)
    text = service.read_text()
    check(f"User={user}\n" in text and "User=root" not in text, text)
    quoted = " ".join(f'"{site.folder}/{name}"' for name in (".sheaf", "public/scp", "public")).replace("%", "%%")
    check(f"ReadWritePaths={quoted}\n" in text, text)
    # At most two of ten points of exposure, which systemd calls well protected.
    safe = subprocess.run([analyze, "security", "--offline=yes", "--threshold=25", "--no-pager", str(service)], capture_output=True, text=True)
    check(safe.returncode == 0, safe.stdout[-300:], safe.stderr)
    check(f"WorkingDirectory={site.folder}".replace("%", "%%") in text, text)
    check("OnCalendar=hourly" in (folder / "sheaf-publish.timer").read_text())
    words = re.search("ExecStart=(.*)", text)[1].replace("%%", "%").replace("\\\\", "\\")
    check_publishes(site, lambda: subprocess.run(["bash", "-c", words], check=True, cwd=site.folder, capture_output=True))


def test_cron(site):
    line = [line for line in site.recipe("cron").splitlines() if not line.startswith("#")]
    check(len(line) == 1, line)
    found = re.fullmatch(r"(\d+) \* \* \* \* (.*)", line[0])
    check(found and int(found[1]) < 60, line)
    # cron ends the command at a percent sign that is not escaped.
    check(not re.search(r"(?<!\\)%", found[2]), line)
    check_publishes(site, lambda: subprocess.run(["sh", "-c", found[2].replace("\\%", "%")], check=True, cwd="/"))


def test_github(site):
    try:
        import yaml
    except ImportError as error:
        raise Missing("python3-yaml") from error
    steps = yaml.safe_load(site.recipe("github"))
    check([step["name"] for step in steps] == ["Fetch sheaf as it was built last", "Install sheaf", "Fetch what was published last",
                                               "Publish the collections of https://example.com/"], steps)
    check(steps[2]["with"]["path"].split() == [".sheaf", "public/scp"], steps)
    # A repository whose ./dev build puts the program in the same place as ours, and a runner.
    sources, home = site.folder.parent / "sources", site.folder.parent / "home"
    sources.mkdir(), home.mkdir()
    (sources / "dev").write_text(f'#!/bin/sh\n[ "$1" = build ] && cd "$(dirname "$0")" && mkdir -p build/release && ln -sf {site.sheaf} build/release/sheaf\n')
    (sources / "dev").chmod(0o755)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false", "-C", str(sources)]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *arguments], check=True)
    base = "/usr/bin:/bin"
    runner = {"HOME": str(home), "GITHUB_PATH": str(home / "path"), "PATH": base}

    def step(number, **environment):
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", steps[number]["run"]], cwd=site.folder, env={**runner, **environment},
                              capture_output=True, text=True)
    missing = step(1, SHEAF_SOURCE="")
    check(missing.returncode != 0 and "set this variable" in missing.stderr, missing)
    for _ in range(2):  # the second time from the cache
        done = step(1, SHEAF_SOURCE=f"file://{sources}")
        check(done.returncode == 0, done.stderr)
    runner["PATH"] = (home / "path").read_text().split()[0] + ":" + base
    check_publishes(site, lambda: check((done := step(3)).returncode == 0, done.stderr))


def test_a_sitemap_in_the_current_folder(site):
    """Its path has no folder."""
    config = site.folder / "sheaf.toml"
    text = config.read_text()
    config.write_text(text.replace("[[section]]", 'sitemap = "sitemap.xml"\n[[section]]', 1))
    check(f"install -d -o" in site.recipe("systemd") and site.folder.name.replace("'", "'\\''") in site.recipe("systemd"))
    for name in ("cron", "github", "github-pages", "nginx", "caddy", "htaccess", "netlify", "vercel", "s3"):
        check(site.recipe(name), name)
    config.write_text(text)


def test_keys_are_asked_for(site):
    config = site.folder / "sheaf.toml"
    text = config.read_text()
    config.write_text(text.replace("[[section]]", '[delivery]\ntype = "s3"\nbucket = "b"\n[[section]]', 1))
    check("secrets.AWS_SECRET_ACCESS_KEY" in site.recipe("github"))
    check("EnvironmentFile=" in site.recipe("systemd"))
    config.write_text(text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    arguments.add_argument("names", nargs="*")
    options = arguments.parse_args()
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    return run_cases({name: lambda folder, test=test: test(Site(options.sheaf, folder)) for name, test in tests.items()}, options.names)


if __name__ == "__main__":
    sys.exit(main())
