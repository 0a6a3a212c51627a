#!/usr/bin/env python3
"""A shared store after an older backup of PostgreSQL was restored and objects were lost: `verify` names what is missing, nothing that the site
did not publish is served meanwhile, and a pull repairs the copy.

usage: shared_recovery.py --sheaf PROGRAM [--seed N]
Exit status 77 without PostgreSQL.
"""
import argparse, http.server, json, os, pathlib, random, subprocess, sys, tempfile, threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_kit

HOST, PAGES = 'site.example', 90  # three packs
LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'


class Site:
    """Pages whose text cannot be compressed, so that their packs become objects. Remembers every text that it ever published."""

    def __init__(self, seed):
        self.random, self.texts, self.published = random.Random(seed), {}, set()
        for number in range(PAGES):
            self.put(number)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_GET(self):
                kind, body = outer.answer(self.path)
                self.send_response(200 if body else 404)
                self.send_header('Content-Type', kind)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def put(self, number):
        text = f'Text of page {number}: ' + ' '.join(''.join(self.random.choices(LETTERS, k=9)) for _ in range(300)) + '.'
        self.texts[number] = text
        self.published.add((f'http://{HOST}/p{number}', text))

    def answer(self, path):
        if path == '/robots.txt':
            return 'text/plain', f'Sitemap: http://{HOST}/sitemap.xml\n'.encode()
        if path == '/sitemap.xml':
            urls = ''.join(f'<url><loc>http://{HOST}/p{number}</loc></url>' for number in self.texts)
            return 'application/xml', f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()
        number = int(path[2:]) if path[:2] == '/p' else -1
        if number not in self.texts:
            return 'text/plain', b''
        return 'text/html; charset=utf-8', (f'<!doctype html><html lang=en><title>Page {number}</title><main><h1>Page {number}</h1>'
                                            f'<p>{self.texts[number]}</p></main></html>').encode()

    def now(self):
        return {(f'http://{HOST}/p{number}', text) for number, text in self.texts.items()}


class Restored(postgres_kit.Postgres):
    """A server that was restored from a base backup."""

    def __init__(self, source, folder):
        self.programs, self.folder, self.settings, self.databases = source.programs, pathlib.Path(folder), source.settings, source.databases
        self.folder.mkdir()
        self.folder.chmod(0o755)
        self.how = postgres_kit.unprivileged(self.folder)
        self.port = postgres_kit.free_port()
        self.run('pg_basebackup', '-D', self.folder / 'data', '-h', '127.0.0.1', '-p', str(source.port), '-U', 'owner', '-X', 'stream', '-c', 'fast')


class Recovery:
    def __init__(self, sheaf, folder, seed):
        self.sheaf, self.folder, self.site = os.path.abspath(sheaf), folder, Site(seed)
        self.env = {**os.environ, 'XDG_CACHE_HOME': str(folder / 'cache')}
        self.objects = folder / 'objects'

    def run(self, *words, status=0):
        done = subprocess.run([self.sheaf, *map(str, words)], capture_output=True, text=True, timeout=300, env=self.env)
        if done.returncode not in (status if isinstance(status, tuple) else (status,)):
            raise AssertionError((words, done.returncode, done.stdout[-2000:], done.stderr[-2000:]))
        return done.stdout + (done.stderr if status else '')

    def pull(self, url, *more):
        self.run('pull', f'http://{HOST}', '--store', url, '--resolve', f'{HOST}=http://127.0.0.1:{self.site.port}', '--delay', '0', '--allow-private',
                 '--allow-http', *more)

    def pages(self, url, status=0):
        done = subprocess.run([self.sheaf, 'export', '--store', url], capture_output=True, text=True, timeout=300, env=self.env)
        if done.returncode != status:
            raise AssertionError(('export', done.returncode, done.stderr[-2000:]))
        found = (json.loads(line) for line in done.stdout.splitlines())
        return {(page['url'], next(block['text'] for block in page['content'] if block['type'] == 'text')) for page in found}

    def packs(self):
        return {file for file in self.objects.rglob('*') if file.is_file() and 'packs' in file.parts}

    def check_nothing_wrong_is_served(self, url):
        """Checks that damaged pages are left out with exit status 1, and that all served pages were published."""
        served = self.pages(url, status=1)
        if wrong := served - self.site.published:
            raise AssertionError(f'pages that the site never published: {wrong}')
        missing = self.site.now() - served
        for page, text in sorted(missing)[:3]:
            answer = self.run('get', page, '--store', url, status=(0, 1, 2))
            if 'Text of page' in answer and not any(known in answer for where, known in self.site.published if where == page):
                raise AssertionError(f'{page} is served with a text that the site never published')

    def backup_is_restored(self):
        with postgres_kit.Postgres(self.folder / 'pg', 'fsync=off') as first:
            name = first.new_database()
            url = first.url(name)
            self.objects.mkdir()
            self.run('store', 'create', url, '--buckets', '8', '--objects', self.objects)
            self.pull(url)
            if self.pages(url) != self.site.now():
                raise AssertionError('the first pull is not complete')
            backup = Restored(first, self.folder / 'backup')
            before = self.packs()
            for number in range(PAGES):  # all of them, so that no pack is needed any more
                self.site.put(number)
            del self.site.texts[1]
            self.site.put(PAGES)
            self.pull(url)
            # A day later: packs that were replaced are deleted.
            first.execute("UPDATE sheaf.garbage SET since = since - interval '2 days'", name)
            self.run('gc', '--store', url)
            self.run('verify', '--store', url)
            if not before - self.packs():
                raise AssertionError('no object was deleted since the backup, so nothing is tested')
        backup.start()
        with backup:
            self.check_restored(backup, name)

    def check_restored(self, server, name):
        url = server.url(name)
        report = self.run('verify', '--store', url, status=1)
        if 'there is no object' not in report:
            raise AssertionError(f'verify does not name the lost objects: {report}')
        self.check_nothing_wrong_is_served(url)
        self.pull(url, '--repair')
        self.check_repaired(url)
        # The same again with deleted objects: every second object with pages.
        needed = server.execute("SELECT object FROM sheaf.pack WHERE live > 0 AND object IS NOT NULL ORDER BY object", name).split()
        lost = [file for file in self.packs() if any(str(file).endswith(object) for object in needed[::2])]
        if not lost:
            raise AssertionError(f'none of the files are those of {needed}')
        for file in lost:
            file.unlink()
        if 'there is no object' not in self.run('verify', '--store', url, status=1):
            raise AssertionError('verify does not name objects that were deleted')
        self.check_nothing_wrong_is_served(url)
        self.pull(url, '--repair')
        self.check_repaired(url)

    def check_repaired(self, url):
        self.run('verify', '--store', url)
        if self.pages(url) != self.site.now():
            raise AssertionError('the copy does not equal the site after the repair')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--seed', type=int, default=5)
    options = parser.parse_args()
    if postgres_kit.programs() is None:
        print('skipped: PostgreSQL is not installed')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Recovery(options.sheaf, pathlib.Path(folder), options.seed).backup_is_restored()
    print('an older backup and lost objects: named, nothing wrong served, repaired')
    return 0


if __name__ == '__main__':
    sys.exit(main())
