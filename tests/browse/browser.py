#!/usr/bin/env python3
"""sheaf browse in real Chromium: every view, search as you type, the live feed, the inspector, hostile pages, phones and wide screens, dark mode, no
JavaScript, keyboard only, and axe-core.

usage: browser.py --sheaf PROGRAM --fill PROGRAM --tools FOLDER [--screenshots FOLDER]    FOLDER of tools: where npm's packages are, or are to be put
Exit status 77 if Chromium or node is missing or npm cannot fetch the packages.
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import npm_packages  # noqa: E402

PACKAGES = ["puppeteer-core@24.43.1", "axe-core@4.14.0"]
TIME = "2026-01-{:02d}T00:00:00Z"
ATTACK = "\"'><script>window.hacked=1</script><img src=x onerror=window.hacked=2><svg onload=window.hacked=3>"
SAFE = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}


def check(condition, *complaint):
    if not condition:
        raise SystemExit("not as it should be: " + " ".join(map(str, complaint)))


class Server:
    def __init__(self, sheaf, *arguments, **environment):
        self.process = subprocess.Popen([sheaf, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        line = self.process.stderr.readline()
        found = re.search(r"(http://\S+)", line)
        check(found, "the server says", line)
        self.url = found[1].rstrip("/")

    def stop(self):
        self.process.terminate()
        check(self.process.wait(timeout=60) == 0, "it ended with", self.process.returncode, self.process.stderr.read())


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    check(done.returncode == 0, *command, done.stdout, done.stderr)
    return done.stdout


def page(site, name, title, content, **more):
    return {"url": f"{site}/{name}", "title": title, "description": more.pop("description", "About " + title[:80]), "modified": TIME.format(2), "language": "en", "content": content, **more}


def collection(path, section, pages, generated=TIME.format(3)):
    head = {"collection": {"id": f"{section}-1", "section": section, "type": "snapshot", "generated": generated, "version": "0.1"}}
    path.write_text("".join(json.dumps(line) + "\n" for line in [head, *pages]))
    return path


def hostile_pages(site):
    """Scripts in every field, links that run scripts, endless titles, text with bidirectional overrides, a table of 100,000 cells."""
    text = {"type": "text", "text": ATTACK}
    media = {"name": ATTACK, "url": "https://media.example/" + "x", "summary": ATTACK, "transcript": ATTACK}
    everything = [text, {"type": "heading", "level": 1, "text": ATTACK}, {"type": "heading", "level": 9, "text": ATTACK},
                  {"type": "link", "url": "https://a.example/\"onclick=\"hacked", "text": ATTACK}, {"type": "image", "url": "https://a.example/x.png", "alt": ATTACK},
                  {"type": "list", "ordered": True, "items": [ATTACK, "  - " + ATTACK]}, {"type": "code", "language": ATTACK, "code": ATTACK},
                  {"type": "table", "rows": [[ATTACK, ATTACK], [ATTACK]]}, {"type": "quote", "text": ATTACK, "citation": ATTACK},
                  {"type": "video", **media}, {"type": "audio", **media}, {"type": ATTACK, "x": ATTACK},
                  {"type": "structured", "format": ATTACK, "data": {ATTACK: ATTACK}}]
    yield page(site, "fields", ATTACK, everything, description=ATTACK, author=ATTACK, custom=ATTACK)
    links = [f"javascript:window.hacked={i}" for i in range(3)] + ["data:text/html,<script>1</script>", "vbscript:x", " javascript:x", "java\tscript:x"]
    yield page(site, "links", "Links that run", [{"type": "link", "url": link, "text": "Do not click"} for link in links] + [
        {"type": "text", "text": "go", "inline": [{"from": 0, "to": 2, "kind": "link", "url": "javascript:window.hacked=9"}]},
        {"type": "image", "url": "javascript:window.hacked=8", "alt": "x"}])
    yield page(site, "title", "A title " + "that does not end " * 20_000, [text])
    yield page(site, "word", "W" * 30_000, [{"type": "text", "text": "V" * 30_000}, {"type": "code", "language": "c", "code": "U" * 30_000}])
    yield page(site, "turned", "\u202eThis is turned around\u202d \u2066isolated", [{"type": "text", "text": "\u202egnp.exe.txt"}, {"type": "text", "text": "\u05d0\u05d1\u05d2 mixed \u200f text"}])
    yield page(site, "table", "A large table", [{"type": "table", "rows": [[f"cell {row}/{column}" for column in range(100)] for row in range(1_000)]}])
    yield page(site, "blocks", "Many blocks", [{"type": "text", "text": f"Block {i}."} for i in range(900)])


def make_store(sheaf, fill, folder):
    """Makes a store with the pulled example site, a failing site, hostile pages, and a history of pulls."""
    with socket.socket() as probe:  # finds a free port, because make-store needs a port number
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    store = folder / "store"
    run("bash", str(ROOT / "examples" / "make-store"), str(store), str(port), env={**os.environ, "PATH": f"{pathlib.Path(sheaf).parent}:{os.environ['PATH']}"})
    site = f"http://127.0.0.1:{port}"
    hostile = "https://hostile.example"
    run(fill, str(store), hostile, str(collection(folder / "hostile.scp", "all", hostile_pages(hostile))))
    sites = folder / "sites.txt"
    sites.write_text(f"{hostile}\nhttp://127.0.0.1:1\n")
    subprocess.run([sheaf, "pull", "--list", str(sites), "--store", str(store), "--allow-private", "--tries", "1", "--once"], capture_output=True, timeout=120)
    run(fill, str(store), site, "--history", "30")
    run(sheaf, "index", "--store", str(store))
    return store, site, sites


def make_files(sheaf, folder):
    valid = folder / "valid.scp"
    run(sheaf, "convert", str(ROOT / "examples" / "monday.scp"), str(valid))  # adds a checksum
    text = bytearray(valid.read_bytes())
    at = text.index(b'"title":"') + len(b'"title":"')
    text[at] = ord("Q") if text[at] != ord("Q") else ord("R")
    (folder / "tampered.scp.gz").write_bytes(gzip.compress(bytes(text)))
    return valid, folder / "tampered.scp.gz"


def make_publisher(folder):
    site = folder / "site"
    shutil.copytree(ROOT / "examples" / "site", site / "public")
    (site / "public" / "draft.html").write_text("<html lang=en><meta name=robots content=noindex><title>Not yet</title><main><p>A draft that nobody should read yet.</p></main>")
    (site / "sheaf.toml").write_text('base = "https://tarnvane.example"\nout = "public/scp"\n[[section]]\nname = "all"\n[[section.source]]\ntype = "html"\nfolder = "public"\n')
    return site / "sheaf.toml"


def main():
    parser = argparse.ArgumentParser()
    for name in ("--sheaf", "--fill", "--tools"):
        parser.add_argument(name, required=True)
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    if not chromium or not shutil.which("node"):
        print(f"skipped: {'node' if chromium else 'chromium'} is not installed")
        return 77
    if npm_packages.fetch(options.tools, *PACKAGES) is None:
        print("skipped: npm cannot fetch " + " ".join(PACKAGES))
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        store, site, sites = make_store(options.sheaf, options.fill, folder)
        valid, tampered = make_files(options.sheaf, folder)
        servers = [Server(options.sheaf, "browse", "--store", str(store), "--list", str(sites), "--listen", "127.0.0.1:0"),
                   Server(options.sheaf, "browse", "--publish", str(make_publisher(folder)), "--listen", "127.0.0.1:0"),
                   Server(options.sheaf, "inspect", str(valid), "--web", BROWSER="true")]
        facts = {"app": servers[0].url, "publisher": servers[1].url, "inspector": servers[2].url, "site": site, "hostile": "https://hostile.example", "valid": str(valid),
                 "tampered": str(tampered), "chromium": chromium, "profile": str(folder / "profile"), "screenshots": options.screenshots or "",
                 "change": [options.fill, str(store), "https://live.example", "--edit", "html", "3", "Fresh text"]}
        environment = {**os.environ, "NODE_PATH": str(pathlib.Path(options.tools) / "node_modules")}
        done = subprocess.run(["node", str(HERE / "browser_client.cjs"), json.dumps(facts)], env=environment, timeout=560)
        for server in servers:
            server.stop()
        check(done.returncode == 0, "the browser found faults; see above")
    print("every view is as it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
