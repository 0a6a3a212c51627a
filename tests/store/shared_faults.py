#!/usr/bin/env python3
"""Workers of a shared store while everything around them fails: workers are killed (-9) or suspended past their lease, PostgreSQL crashes, and
a proxy cuts connections around COMMIT, and a synchronous standby takes over. Sites change all the time. After each series the copy equals the sites, verify finds nothing, and the
feed leads from nothing to the copy.

usage: shared_faults.py --sheaf PROGRAM [--seed N] [--kills N] [--suspends N] [--crashes N] [--cuts N] [--failovers N]
                        [--workers N]

The numbers by default are small; `--kills 200 --suspends 100 --crashes 50 --cuts 100 --failovers 20` takes an hour.
"""
import argparse, http.server, json, os, pathlib, random, signal, subprocess, sys, tempfile, threading, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_kit

LEASE = 3.0  # seconds; users have 15
PATIENCE = 180
SITES, PAGES = 8, 3


class ManySites:
    """Sites without collections, selected by the Host header. The text of a page has its version. Counts overlapping requests per site."""

    def __init__(self, seed):
        self.versions = {f'site{number}.example': 1 for number in range(SITES)}
        self.random, self.lock = random.Random(seed), threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_GET(self):
                outer.answer(self)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # clients are killed on purpose

        self.server = Server(('127.0.0.1', 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, request):
        host = request.headers['Host']
        with self.lock:
            version = self.versions.get(host, 0)
        kind, body = 'text/html; charset=utf-8', self.page(host, request.path, version)
        if request.path == '/robots.txt':
            kind, body = 'text/plain', f'User-agent: *\nAllow: /\nSitemap: http://{host}/sitemap.xml\n'
        elif request.path == '/sitemap.xml':
            urls = ''.join(f'<url><loc>http://{host}/p{number}</loc></url>' for number in range(PAGES))
            kind, body = 'application/xml', f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        status = 200 if body else 404
        data = (body or 'none').encode()
        request.send_response(status)
        request.send_header('Content-Type', kind)
        request.send_header('Content-Length', str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    @staticmethod
    def page(host, path, version):
        if not path.startswith('/p'):
            return None
        return (f'<!doctype html><html lang=en><head><title>Page {path} of {host}</title></head><body><main><h1>Page {path}</h1>'
                f'<p>Version {version} of {host}{path}, which is said here in a sentence that is long enough to be a paragraph.</p></main></body></html>')

    def change(self):
        with self.lock:
            for host in self.random.sample(sorted(self.versions), 3):
                self.versions[host] += 1

    def expected(self):
        with self.lock:
            return {f'http://{host}/p{number}': f'Version {version} of {host}/p{number}'
                    for host, version in self.versions.items() for number in range(PAGES)}


class Fleet:
    def __init__(self, sheaf, folder, seed, workers):
        self.sheaf, self.folder, self.random, self.count = sheaf, folder, random.Random(seed), workers
        self.sites = ManySites(seed)
        self.postgres = postgres_kit.Postgres(folder / 'pg')
        self.name = self.postgres.new_database()
        self.direct = self.postgres.url(self.name)
        self.proxy = postgres_kit.CuttingProxy(self.postgres.port, seed)
        self.url = self.postgres.url(self.name, self.proxy.port)
        self.env = {**os.environ, 'XDG_CACHE_HOME': str(folder / 'cache')}
        self.run('store', 'create', self.direct, '--buckets', '16')
        self.postgres.execute(f"INSERT INTO sheaf.meta VALUES ('lease_milliseconds', '{int(LEASE * 1000)}')", self.name)
        listed = folder / 'sites.txt'
        listed.write_text(''.join(f'http://{host}\n' for host in self.sites.versions))
        self.run('store', 'sites', 'add', self.direct, '--list', listed)
        self.workers = [self.start() for _ in range(workers)]

    def run(self, *words):
        done = subprocess.run([self.sheaf, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, env=self.env)
        if done.returncode != 0:
            raise AssertionError((words, done.stdout[-2000:], done.stderr[-2000:]))
        return done.stdout

    def start(self):
        resolve = [word for host in self.sites.versions for word in ('--resolve', f'{host}=http://127.0.0.1:{self.sites.port}')]
        with open(self.folder / 'workers.log', 'ab') as log:
            return subprocess.Popen([self.sheaf, 'pull', '--store', self.url, '--every', '1s', '--delay', '0', '--timeout', '10', '--tries', '2',
                                     '--allow-private', '--allow-http', *resolve], stdout=log, stderr=log, env=self.env)

    def replace_ended(self):
        """A worker ends only if it was killed; a service manager would start it again."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[number] = self.start()

    def copy(self):
        found = {}
        for line in self.run('export', '--store', self.direct).splitlines():
            page = json.loads(line)
            texts = [block['text'] for block in page['content'] if block['type'] == 'text']
            found[page['url']] = texts[0].split(',')[0]
        return found

    def wait_until_equal(self, what):
        deadline = time.time() + PATIENCE
        while self.copy() != self.sites.expected():
            if time.time() > deadline:
                raise AssertionError(f'{what}: the copy does not become equal to the sites: {self.copy()}\n{self.sites.expected()}\n' +
                                     (self.folder / 'workers.log').read_text()[-3000:])
            self.replace_ended()
            time.sleep(0.3)

    def check(self, what):
        self.wait_until_equal(what)
        self.run('verify', '--store', self.direct)
        self.check_feed(what)

    def check_feed(self, what):
        """Checks that applying all changes to an empty copy gives the copy."""
        pages = {}
        for line in self.run('changes', '--store', self.direct, '--json').splitlines():
            change = json.loads(line)
            if 'cursor' in change:
                continue
            if change['kind'] == 'put':
                pages[change['url']] = change['newModified']
            else:
                pages.pop(change['url'])
        now = {}
        for line in self.run('export', '--store', self.direct).splitlines():
            page = json.loads(line)
            now[page['url']] = page['modified']
        if pages != now:
            raise AssertionError(f'{what}: the feed leads to other pages: {set(pages.items()) ^ set(now.items())}')

    def kill(self):
        worker = self.random.choice(self.workers)
        worker.kill()
        worker.wait()
        self.replace_ended()

    def suspend(self):
        """Suspends a worker for longer than its lease: other workers have its sites when it continues."""
        worker = self.random.choice(self.workers)
        worker.send_signal(signal.SIGSTOP)
        self.sites.change()
        time.sleep(LEASE * 1.3)
        worker.send_signal(signal.SIGCONT)

    def crash(self):
        self.postgres.crash()
        time.sleep(self.random.uniform(0, 1))
        self.postgres.start()

    def fail_over(self):
        """The primary is lost; the standby, which has every reported commit, replaces it."""
        self.failovers = getattr(self, 'failovers', 0) + 1
        standby = postgres_kit.Standby(self.postgres, self.folder / f'standby{self.failovers}')
        self.sites.change()
        time.sleep(self.random.uniform(0.2, 1))
        before = self.versions_in(self.copy())  # reported as committed
        self.postgres.crash()
        standby.promote()
        self.postgres, self.proxy.target = standby, standby.port
        self.direct = standby.url(self.name)
        after = self.versions_in(self.copy())
        lost = {url for url, version in before.items() if after.get(url, 0) < version}
        if lost:
            raise AssertionError(f'lost in the failover: {lost}')

    @staticmethod
    def versions_in(copy):
        return {url: int(text.split()[1]) for url, text in copy.items()}

    def cut(self):
        with self.proxy.lock:
            self.proxy.cuts += 1

    def series(self, name, count, fault):
        for number in range(count):
            self.sites.change()
            time.sleep(self.random.uniform(0.1, 0.8))
            fault()
            self.replace_ended()
            if number % 10 == 9:
                self.check(f'{name} {number + 1}')
        if name == 'cuts':
            deadline = time.time() + PATIENCE
            while self.proxy.done < count and time.time() < deadline:
                self.sites.change()
                time.sleep(0.2)
            if self.proxy.done < count:
                raise AssertionError(f'only {self.proxy.done} of {count} connections were cut')
        self.check(name)
        print(f'{count} {name}: the copy equals the sites, no faults', flush=True)

    def stop(self):
        """Checks that a worker releases its buckets at once on SIGTERM."""
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.wait(timeout=PATIENCE)
        owned = json.loads(self.run('store', 'info', self.direct, '--json'))['bucketsOwned']
        self.postgres.stop()
        if owned != 0:
            raise AssertionError(f'{owned} buckets are still owned after SIGTERM')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--seed', type=int, default=7)
    parser.add_argument('--workers', type=int, default=3)
    for name, count in (('kills', 3), ('suspends', 1), ('crashes', 2), ('cuts', 6), ('failovers', 1)):
        parser.add_argument('--' + name, type=int, default=count)
    options = parser.parse_args()
    if postgres_kit.programs() is None:
        print('skipped: PostgreSQL is not installed')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        fleet = Fleet(os.path.abspath(options.sheaf), pathlib.Path(folder), options.seed, options.workers)
        try:
            fleet.check('start')
            fleet.series('kills', options.kills, fleet.kill)
            fleet.series('suspends', options.suspends, fleet.suspend)
            fleet.series('crashes', options.crashes, fleet.crash)
            fleet.series('cuts', options.cuts, fleet.cut)
            fleet.series('failovers', options.failovers, fleet.fail_over)
            fleet.stop()
        except BaseException:
            for worker in fleet.workers:
                worker.kill()
            fleet.postgres.process.kill()
            raise
    return 0


if __name__ == '__main__':
    sys.exit(main())
