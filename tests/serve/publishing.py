#!/usr/bin/env python3
"""Publishes a new version of a collection every second while 16 clients download: each gets a complete file that verifies.

usage: publishing.py --sheaf PROGRAM [--seconds N]      default: 3
"""
import argparse, hashlib, pathlib, random, subprocess, sys, tempfile, threading, time, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import site_fixture
from site_fixture import TIMEOUT

CLIENTS = 16


def write_source(path, version):
    """About 4 MB, another text in every version."""
    with open(path, 'w') as file:
        file.write('{"collection":{"id":"v%d","section":"all","type":"snapshot","generated":"2026-01-01T00:%02d:%02dZ","version":"0.1"}}\n' % (version, version // 60, version % 60))
        for page in range(100):
            file.write('{"url":"https://site.example/%d","title":"T","description":"D","modified":"2026-01-01T00:00:00Z","language":"en",'
                       '"content":[{"type":"text","text":"%s"}]}\n' % (page, random.Random(version * 1000 + page).randbytes(20_000).hex()))


class Publisher:
    """Remembers the bytes of every published version, with the entity tag that belongs to them."""

    def __init__(self, sheaf, base, folder):
        self.sheaf, self.base, self.folder = sheaf, base, folder
        self.known, self.lock, self.version = {}, threading.Lock(), 0

    def publish(self):
        self.version += 1
        source, ready = self.base / 'source.scp', self.base / 'ready'
        write_source(source, self.version)
        outputs = [f'all.scp{ending}' for ending in ['', '.gz', '.zst']]
        ready.mkdir(exist_ok=True)
        site_fixture.sheaf_run(self.sheaf, 'convert', '--level', '1', source, *[ready / name for name in outputs], cwd=self.base)
        head = (ready / 'all.scp').read_text().split('\n', 1)[0]
        tag = '"%s"' % head.split('"checksum":"')[1].split('"')[0]
        with self.lock:
            for name in outputs:
                self.known[hashlib.sha256((ready / name).read_bytes()).digest()] = (name, tag)
        for name in outputs:
            (ready / name).replace(self.folder / name)


def download(server, publisher, end, results):
    """Downloads until the end. Each result is a fault, or None for a correct file."""
    names = [f'all.scp{ending}' for ending in ['', '.gz', '.zst']]
    turn = 0
    while time.monotonic() < end or turn == 0:
        name = names[turn % 3]
        turn += 1
        try:
            with urllib.request.urlopen(f'{server.url}/{name}', timeout=TIMEOUT) as answer:
                digest, size = hashlib.sha256(), 0
                while piece := answer.read(50_000):
                    digest.update(piece)
                    size += len(piece)
                wanted = (name, answer.headers['ETag'])
            with publisher.lock:
                found = publisher.known.get(digest.digest())
            results.append(None if found == wanted else f'{name}: {size} bytes with the tag {wanted[1]} are not a published version')
        except Exception as error:  # the test must report any failure
            results.append(f'{name}: {error!r}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument('--seconds', type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='sheaf-publishing-') as name:
        base = pathlib.Path(name)
        base.chmod(0o755)
        folder = base / 'public'
        folder.mkdir()
        publisher = Publisher(arguments.sheaf, base, folder)
        publisher.publish()
        with site_fixture.Server(arguments.sheaf, folder) as server:
            results, end = [], time.monotonic() + arguments.seconds
            clients = [threading.Thread(target=download, args=(server, publisher, end, results)) for _ in range(CLIENTS)]
            for client in clients:
                client.start()
            while time.monotonic() < end:
                begin = time.monotonic()
                publisher.publish()
                time.sleep(max(0, 1 - (time.monotonic() - begin)))
            for client in clients:
                client.join()
            status = server.stop()
        last = subprocess.run([arguments.sheaf, 'validate', folder / 'all.scp.zst'], capture_output=True, text=True)
    complaints = [result for result in results if result]
    for complaint in complaints[:20]:
        print(complaint)
    print(f'{len(results)} downloads of {publisher.version} versions, {len(complaints)} wrong')
    sys.exit(bool(complaints or status or last.returncode or publisher.version < 2 or len(results) < CLIENTS))


if __name__ == '__main__':
    main()
