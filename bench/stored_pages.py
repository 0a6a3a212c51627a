"""Fills a store with pages by a pull from a server, as several benchmarks need."""
import contextlib
import itertools
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

SITE = "https://docs.example"
STAMP = "2026-06-01T00:00:00Z"


def timed(command, **more):
    """Runs a command. Returns (seconds, output)."""
    start = time.monotonic()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.monotonic() - start, done.stdout


class StoredPages:
    """A site on loopback with one collection, and the store that it is pulled into."""

    def __init__(self, sheaf, work):
        self.sheaf, self.work, self.folder = sheaf, pathlib.Path(work), pathlib.Path(work) / "store"
        self.public = self.work / "site"
        self.public.mkdir(parents=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.site = f"http://127.0.0.1:{self.port}"  # a site may supply only pages of its own host

    def pull(self, lines, generated):
        """Makes these pages (JSON texts) the content of the store. Returns the seconds that the pull took."""
        plain = self.work / "pages.scp"
        with open(plain, "w") as out:
            out.write(json.dumps({"collection": {"id": "all", "section": "all", "type": "snapshot", "generated": generated, "version": "0.1"}}) + "\n")
            out.writelines(line.replace(SITE, self.site) for line in lines)
        self.convert_seconds = timed([self.sheaf, "convert", plain, self.public / "all.scp.zst"])[0]
        plain.unlink()
        (self.public / "robots.txt").write_text(f"Sitemap: {self.site}/sitemap.xml\n")
        (self.public / "sitemap.xml").write_text(
            '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
            'xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0"><scp:version>0.1</scp:version>'
            '<scp:section name="all" updateFreq="daily"/>'
            f'<scp:collection section="all" type="snapshot" url="{self.site}/all.scp.zst" generated="{generated}" expires="2036-06-01T00:00:00Z"/></urlset>')
        server = subprocess.Popen([self.sheaf, "serve", self.public, "--listen", f"127.0.0.1:{self.port}"], stdout=subprocess.DEVNULL)
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                        break
                time.sleep(0.05)
            return timed([self.sheaf, "pull", self.site, "--store", self.folder, "--allow-private"])[0]
        finally:
            server.terminate()
            server.wait()

    def urls(self):
        """Returns the URLs of all pages in the store."""
        return [json.loads(line)["url"] for line in timed([self.sheaf, "list", "--store", self.folder, "--json"])[1].splitlines()]

    def get_seconds(self, urls, threads):
        """Returns the seconds that `sheaf get` takes for the URLs in a file. Its output goes to /dev/null."""
        start = time.monotonic()
        with open(urls) as given:
            subprocess.run([self.sheaf, "get", "-", "--store", self.folder, "--threads", str(threads)], stdin=given, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - start


@contextlib.contextmanager
def filled_store(sheaf, lines, pages=None, work=None, pack=True):
    """Yields StoredPages with the first pages of a file, one per line, in a temporary folder (below `work`), with the attributes
    `pull_seconds` and, if the store is packed, `pack_seconds`."""
    with tempfile.TemporaryDirectory(prefix="sheaf-bench-", dir=work) as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # started as root, `sheaf serve` switches to another user
        stored = StoredPages(sheaf, folder)
        with open(lines) as text:
            stored.pull_seconds = stored.pull(itertools.islice(text, pages), STAMP)
        if pack:
            stored.pack_seconds = timed([sheaf, "gc", "--store", stored.folder])[0]
        yield stored
