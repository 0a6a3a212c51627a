#!/usr/bin/env python3
"""A shared store whose packs are in a real S3-compatible server (s3rver) behind a proxy that fails: errors, cut connections, slowness, and
objects that are stored although the answer is lost. After each fault the store equals a folder that got the same changes.

usage: shared_objects.py --sheaf PROGRAM --fill PROGRAM --tools FOLDER [--faults N] [--seed N]     FOLDER: where s3rver is, or will be installed
Exit status 77 if PostgreSQL or s3rver is not available.
"""
import argparse, json, os, pathlib, random, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'publish'))
import postgres_kit
from s3_server import ACCESS, SECRET, Proxy, S3Server, find_s3rver

PUT, GET = r'^PUT /packs/copy/', r'^GET /packs/copy/packs'
LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'


class Stores:
    def __init__(self, options, folder):
        self.sheaf, self.fill, self.folder = os.path.abspath(options.sheaf), os.path.abspath(options.fill), folder
        self.random = random.Random(options.seed)
        self.server = S3Server(find_s3rver(options.tools), folder / 's3', ['packs'])
        self.proxy = Proxy(self.server.port)
        self.env = {**os.environ, 'AWS_ACCESS_KEY_ID': ACCESS, 'AWS_SECRET_ACCESS_KEY': SECRET, 'AWS_REGION': 'us-east-1',
                    'AWS_ENDPOINT_URL': f'http://127.0.0.1:{self.proxy.port}', 'XDG_CACHE_HOME': str(folder / 'cache')}
        self.postgres = postgres_kit.Postgres(folder / 'pg', 'fsync=off')
        self.name = self.postgres.new_database()
        self.url, self.local = self.postgres.url(self.name), folder / 'local'
        self.run('store', 'create', self.url, '--buckets', '4', '--objects', 's3://packs/copy')

    def run(self, *words, status=0):
        done = subprocess.run([self.sheaf, *map(str, words)], capture_output=True, text=True, timeout=300, env=self.env)
        if done.returncode != status:
            raise AssertionError((words, done.returncode, done.stdout[-2000:], done.stderr[-2000:]))
        return done.stdout

    def change(self, store, text):
        """Puts three pages. Returns whether that succeeded."""
        return subprocess.run([self.fill, str(store), 'https://one.example', '--edit', 'html', '3', text], capture_output=True, text=True,
                              timeout=300, env=self.env).returncode == 0

    def text(self):
        return ''.join(self.random.choices(LETTERS, k=40_000))  # a pack that is large enough for an object

    def pages(self, store):
        pages = (json.loads(line) for line in self.run('export', '--store', store).splitlines())
        return {page['url']: page['content'] for page in pages}

    def check(self, what):
        self.run('verify', '--store', self.url)
        if self.pages(self.url) != self.pages(self.local):
            raise AssertionError(f'{what}: the stores differ')

    def survive(self, what):
        """A temporary fault: the change is made."""
        text = self.text()
        self.proxy.faults = [(PUT, what, 1)]
        if not self.change(self.url, text):
            raise AssertionError(f'{what}: one fault is not survived')
        if self.proxy.faults:
            raise AssertionError(f'{what}: nothing was put')
        self.change(self.local, text)
        self.check(what)

    def give_up(self):
        """A permanent fault: the change fails, and no part of it is visible. Without the fault it works."""
        text = self.text()
        self.proxy.faults = [(PUT, 403, 1000)]
        if self.change(self.url, text):
            raise AssertionError('a change was reported that could not be stored')
        self.proxy.faults = []
        self.check('denied')

    def lose_objects(self):
        """Every object is lost: this is reported, nothing wrong is served, and writing the pages again repairs the store."""
        for file in (self.folder / 's3' / 'packs').rglob('*'):
            if file.is_file() and 'copy/packs' in file.as_posix():
                file.unlink()
        if 'there is no object' not in self.run('verify', '--store', self.url, status=1):
            raise AssertionError('verify does not name the lost objects')
        self.run('get', 'https://one.example/edited/0', '--store', self.url, status=1)
        text = self.text()
        if not self.change(self.url, text):
            raise AssertionError('the pages cannot be written again')
        self.change(self.local, text)
        self.check('after the loss')


def main():
    parser = argparse.ArgumentParser()
    for name in ('--sheaf', '--fill', '--tools'):
        parser.add_argument(name, required=True)
    parser.add_argument('--faults', type=int, default=6)
    parser.add_argument('--seed', type=int, default=7)
    options = parser.parse_args()
    if postgres_kit.programs() is None or find_s3rver(options.tools) is None:
        print('skipped: PostgreSQL or s3rver cannot be had')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        stores = Stores(options, pathlib.Path(folder))
        try:
            text = stores.text()
            if not (stores.change(stores.url, text) and stores.change(stores.local, text)):
                raise AssertionError('the stores cannot be filled')
            stores.check('start')
            kinds = (503, 'cut', 'lose', 'slow', 500)
            for number in range(options.faults):
                stores.survive(kinds[number % len(kinds)])
            stores.give_up()
            stores.lose_objects()
            stores.run('gc', '--store', stores.url)
            print(f'{options.faults} faults: the store equals the folder, no faults')
        finally:
            stores.server.stop()
            stores.postgres.stop()
    return 0


if __name__ == '__main__':
    sys.exit(main())
