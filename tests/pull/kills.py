#!/usr/bin/env python3
"""Kills `sheaf pull` between any two changes to the file system, and checks what is left.

usage: kills.py --sheaf PROGRAM --shim LIBRARY [--points N] [--seed N]

Four kinds of pulls: the first pull of a site, a delta, a snapshot that removes pages, and pages fetched one by one. Each is ended by
SIGKILL before the Nth call that changes the file system, for points chosen by the seed. The store must then be either in the state before
or in the new state of the site (page by page: a mix of both), and must verify. One more pull must then make the store
equal to the site, without requesting a collection again that was complete on disk.
"""
import argparse, pathlib, random, re, shutil, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer, Puller, Site

WAYS = ['first', 'delta', 'snapshot', 'pages']


class World:
    """A site in the state before one kind of pull, and the store for it, to be copied for every kill."""

    def __init__(self, sheaf, folder, way):
        self.sheaf, self.folder, self.way = sheaf, folder, way
        (folder / 'site/public').mkdir(parents=True)
        self.server = BadServer(folder / 'site/public')
        self.site = Site(sheaf, folder / 'site', self.server.url)
        for number in range(40):
            self.site.write(f'p{number}.html', f'Text {number}')
        self.site.write('index.html', 'The front page', links=[f'/p{number}.html' for number in range(40)])
        self.before = {}
        if way != 'pages':
            self.site.publish()
        if way in ('delta', 'snapshot'):
            self.puller('origin').pull(self.site.base)
            self.before = self.site.pages()
            for number in (1, 2, 3):
                self.site.write(f'p{number}.html', f'Changed {number}')
            self.site.write('new.html', 'New text')
            for number in range(10, 15):
                (self.site.public / f'p{number}.html').unlink()
            self.site.publish(*['--snapshot'] * (way == 'snapshot'))
            if way == 'snapshot':  # no delta leads there
                for delta in (self.site.public / 'scp').glob('*-delta-*'):
                    delta.unlink()
                sitemap = self.site.public / 'sitemap.xml'
                sitemap.write_text(re.sub(r'\s*<scp:delta[^>]*/>', '', sitemap.read_text()))
        self.after = self.site.pages()

    def puller(self, name, **environment):
        options = ['--html', 'only'] if self.way == 'pages' else []
        env = {'PATH': '/usr/bin:/bin', **environment} if environment else None
        return Puller(self.sheaf, self.folder / name, *options, env=env)

    def fresh_store(self):
        store = self.folder / 'store'
        shutil.rmtree(store, ignore_errors=True)
        if (self.folder / 'origin').exists():
            shutil.copytree(self.folder / 'origin', store)

    def count_calls(self, shim):
        self.fresh_store()
        counted = self.folder / 'calls'
        self.puller('store', LD_PRELOAD=shim, SHEAF_FAULT_COUNT=str(counted)).pull(self.site.base)
        return int(counted.read_text())

    def check(self, shim, point):
        """Kills a pull at this point. Returns the faults after that; empty if there are none."""
        self.fresh_store()
        self.server.forget()
        code, _, _ = self.puller('store', LD_PRELOAD=shim, SHEAF_FAULT_KILL_AT=str(point)).pull(self.site.base)
        killed = code == -9
        whole = self.whole_collections()
        puller = self.puller('store')
        fault = puller.faults()
        if 'there is no store' in fault:
            if self.before:
                return killed, fault
        elif fault:
            return killed, f'the store does not verify: {fault}'
        else:
            pages = puller.pages()
            if self.way == 'pages':
                if not pages.items() <= self.after.items():
                    return killed, f'pages that never were: {pages}'
            elif pages not in (self.before, self.after):
                return killed, f'neither before nor after: {len(pages)} pages'
        self.server.forget()
        code, reports, errors = puller.pull(self.site.base)
        if code != 0:
            return killed, f'the next pull failed: {reports} {errors}'
        if puller.pages() != self.after:
            return killed, 'the store is not what the site has'
        if fault := puller.faults():
            return killed, f'the store does not verify after all: {fault}'
        for path in whole:
            if any('if-none-match' not in headers for headers in self.server.asked(path)):
                return killed, f'{path} was whole on disk and was fetched again'
        return killed, ''

    def whole_collections(self):
        """Returns the paths of the complete collections in the store's folder."""
        bodies = {file.read_bytes(): f'/scp/{file.name}' for file in (self.site.public / 'scp').glob('*.scp.*')}
        downloads = self.folder / 'store/downloads'
        found = (bodies.get(file.read_bytes()) for file in downloads.rglob('*.body'))
        notes = b''.join(file.read_bytes() for file in downloads.rglob('*.note'))
        return [path for path in found if path and path.encode() in notes]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--shim', required=True)
    parser.add_argument('--points', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    sheaf, shim = (str(pathlib.Path(path).resolve()) for path in (options.sheaf, options.shim))
    chance = random.Random(options.seed)
    failed = killed = tried = 0
    for way in WAYS:
        with tempfile.TemporaryDirectory(prefix='sheaf-kill-') as folder:
            world = World(sheaf, pathlib.Path(folder), way)
            calls = world.count_calls(shim)
            wanted = options.points // len(WAYS)
            points = sorted(chance.sample(range(1, calls + 1), min(wanted, calls)))
            for point in points:
                was_killed, fault = world.check(shim, point)
                tried += 1
                killed += was_killed
                if fault:
                    failed += 1
                    print(f'{way}, killed before call {point} of {calls}: {fault}')
            print(f'{way}: {len(points)} points of {calls} calls', flush=True)
            world.server.stop()
    print(f'{tried} points, {killed} kills, {failed} faults')
    # With threads, the number of calls differs from run to run: a few points may be after the end.
    return 1 if failed or killed < tried * 0.8 else 0


if __name__ == '__main__':
    sys.exit(main())
