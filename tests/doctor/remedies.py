#!/usr/bin/env python3
"""Pastes every fix of `sheaf doctor` for nginx, Caddy and Apache into the real server, and checks what it then answers.

usage: remedies.py --sheaf PROGRAM [NAME...]     NAME: nginx, caddy, apache
Programs that are not installed are reported and skipped. Exit status 77 if all are missing.
"""
import argparse
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import ssl
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from cases import Missing, check, run_cases  # noqa: E402


def need(program):
    found = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not found:
        raise Missing(program)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Site:
    """A published site with collections of over 1 MiB, and a certificate."""

    def __init__(self, sheaf, folder):
        self.sheaf, self.folder, self.public = sheaf, folder, folder / "site"
        self.public.mkdir()
        words = random.Random(7)
        for part in range(3):
            text = " ".join(f"{words.getrandbits(64):x}" for _ in range(60_000))
            (self.public / f"{part}.html").write_text(f"<html lang=en><title>{part}</title><main><p>{text}</p></main>")
        (self.public / "robots.txt").write_text("User-agent: *\nAllow: /\n")
        done = subprocess.run([sheaf, "publish", "site", "--base", "https://example.com", "--out", "site/scp"], cwd=folder, capture_output=True, text=True)
        check(done.returncode == 0, done.stdout, done.stderr)
        (self.public / ".sheaf").mkdir()
        (self.public / ".sheaf/CURRENT").write_text("MANIFEST-000005\n")
        (self.public / "sheaf.toml").write_text("base = 1\n")
        subprocess.run([need("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"], check=True, capture_output=True)
        for path in [folder, folder.parent]:
            path.chmod(0o755)

    def collections(self):
        return sorted(self.public.glob("scp/*.scp.*"))


class Server:
    def __init__(self, command, port, secure, **how):
        self.port, self.secure = port, secure
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.process.kill()
        raise AssertionError(f"{command[0]} does not start: {self.process.communicate()[0]}")

    def get(self, path, **headers):
        if self.secure:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=ssl._create_unverified_context())
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()

    def stop(self):
        self.process.terminate()
        self.process.communicate()


def start_nginx(site, folder, settings, secure, plain):
    nginx, port = need("nginx"), free_port()
    listen = "" if secure else f"listen 127.0.0.1:{port};\n"
    settings = settings.replace("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;")
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.getuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\n"
        f"access_log off;\ninclude /etc/nginx/mime.types;\n{'' if plain else 'gzip on; gzip_types *; gzip_min_length 1;'}\n"
        f"client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;\n"
        f"scgi_temp_path {folder}/e;\nserver {{\n{listen}root {site.public};\n{settings}\nlocation / {{ }}\n}}\n}}\n")
    return Server([nginx, "-p", folder, "-c", folder / "nginx.conf"], port, secure)


def start_caddy(site, folder, settings, secure, plain):
    caddy, port = need("caddy"), free_port()
    encode = "" if "encode" in settings or plain else "\tencode gzip zstd\n"
    (folder / "Caddyfile").write_text(
        f"{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n{encode}\troot * {site.public}\n{settings}\n\thandle {{\n\t\tfile_server\n\t}}\n}}\n")
    home = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return Server([caddy, "run", "--config", folder / "Caddyfile"], port, secure, env={**os.environ, **home})


def start_apache(site, folder, settings, secure, plain):
    apache, port = need("apache2"), free_port()
    modules = "/usr/lib/apache2/modules"
    names = ["mpm_event", "authz_core", "mime", "headers", "alias", "deflate", "filter", "env", "setenvif", "dir", "rewrite", "socache_shmcb", "ssl"]
    loads = "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in names)
    (folder / "apache.conf").write_text(
        f"ServerRoot {folder}\nServerName 127.0.0.1\nListen 127.0.0.1:{port}\nPidFile {folder}/pid\nErrorLog {folder}/error.log\n{loads}"
        f"TypesConfig /etc/mime.types\n{'' if plain else 'SetOutputFilter DEFLATE'}\nMutex file:{folder}\n<VirtualHost *:{port}>\nDocumentRoot {site.public}\n"
        f"<Directory {site.public}>\nRequire all granted\n</Directory>\n{settings}\n</VirtualHost>\n")
    done = subprocess.run([apache, "-t", "-f", str(folder / "apache.conf")], capture_output=True, text=True)
    check(done.returncode == 0, "apache2 -t:", done.stderr, settings)
    # Apache kills its whole process group, so it gets a separate one.
    return Server([apache, "-X", "-f", folder / "apache.conf"], port, secure, start_new_session=True)


SERVERS = {"nginx": start_nginx, "caddy": start_caddy, "apache": start_apache}


def has(name, value):
    def judge(site, server):
        answer, _ = server.get(f"/scp/{site.collections()[-1].name}")
        check(answer.headers[name] == value, name, answer.getheaders())
    return judge


def of_file(path, name, value):
    def judge(site, server):
        answer, body = server.get(path)
        check(answer.status == 200 and body == (site.public / path[1:]).read_bytes(), path, answer.status)
        check((answer.headers[name] or "").startswith(value), name, answer.getheaders())
    return judge


def has_types(site, server):
    for path in site.collections():
        answer, body = server.get(f"/scp/{path.name}", Accept_Encoding="gzip, zstd")
        check(answer.headers["content-type"] == "application/scp", answer.getheaders())
        check(answer.headers["content-encoding"] == ("gzip" if path.suffix == ".gz" else "zstd"), answer.getheaders())
        check(answer.headers["content-length"] == str(path.stat().st_size) and body == path.read_bytes(), answer.getheaders())


def keeps_bytes(site, server):
    for path in site.collections():
        answer, body = server.get(f"/scp/{path.name}", Accept_Encoding="gzip, zstd")
        check(answer.headers["content-length"] == str(path.stat().st_size) and body == path.read_bytes(), path.name, answer.getheaders())


def has_validators(site, server):
    answer, _ = server.get(f"/scp/{site.collections()[0].name}")
    tag = answer.headers["etag"]
    check(tag and not tag.startswith("W/") and answer.headers["last-modified"], answer.getheaders())
    check(server.get(f"/scp/{site.collections()[0].name}", If_None_Match=tag)[0].status == 304)


def has_ranges(site, server):
    path = site.collections()[0]
    answer, body = server.get(f"/scp/{path.name}", Range="bytes=7-15", Accept_Encoding="gzip")
    check(answer.status == 206 and body == path.read_bytes()[7:16], answer.status)


def hides_state(site, server):
    for path in ("/.sheaf/CURRENT", "/sheaf.toml"):
        check(server.get(path)[0].status == 404, path)
    check(server.get("/0.html")[0].status == 200)


def misses(site, server):
    check(server.get("/scp/no-such-file.scp.zst")[0].status == 404)
    keeps_bytes(site, server)


def is_secure(site, server):
    check(server.get("/0.html")[0].status == 200)


# A check of each remedy, and what its fix must achieve. All others are sentences without settings.
EFFECTS = {
    "robots-unavailable": of_file("/robots.txt", "content-type", "text/plain"),
    "sitemap-missing": of_file("/sitemap.xml", "content-type", "application/xml"),
    "collection-missing": keeps_bytes,
    "https-missing": is_secure,
    "collection-type": has_types,
    "collection-recompressed": keeps_bytes,
    "collection-no-etag": has_validators,
    "collection-no-ranges": has_ranges,
    "collection-no-cache-control": has("cache-control", "public, max-age=3600"),
    "collection-cookie": has("set-cookie", None),
    "collection-cors": has("access-control-allow-origin", "*"),
    "missing-as-page": misses,
    "collection-stale": of_file("/sitemap.xml", "cache-control", "public, max-age=60"),
    "state-exposed": hides_state,
}
# These fixes do not say how to compress, so a server that compresses everything is no place for them.
PLAIN = {"collection-missing", "missing-as-page", "collection-no-etag", "sitemap-missing", "collection-stale"}


def paste(sheaf, name, folder):
    site = Site(sheaf, folder)
    listed = json.loads(subprocess.run([sheaf, "doctor", "--list", "--json"], check=True, capture_output=True, text=True).stdout)["checks"]
    by_code = {each["code"]: each for each in listed}
    with_settings = {each["fix"] for each in listed if "\n" in each["servers"][name]}
    tested = {by_code[code]["fix"] for code in EFFECTS}
    check(with_settings <= tested, "no test for:", with_settings - tested)
    for number, (code, judge) in enumerate(EFFECTS.items()):
        text = by_code[code]["servers"][name]
        if "\n" not in text:
            continue
        settings = text[text.index("\n") + 1:].replace("/srv/site", str(site.public)).replace("/etc/ssl/site", str(site.folder))
        place = folder / f"server{number}"
        place.mkdir()
        server = SERVERS[name](site, place, settings, code == "https-missing", code in PLAIN)
        try:
            judge(site, server)
        except AssertionError as error:
            raise AssertionError(f"{code}: {error}\n{settings}") from error
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    return run_cases({name: lambda folder, name=name: paste(options.sheaf, name, folder) for name in SERVERS}, options.names)


if __name__ == "__main__":
    sys.exit(main())
