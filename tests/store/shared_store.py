#!/usr/bin/env python3
"""`sheaf store` and every other command with a shared store: a real PostgreSQL, directly and through pgbouncer in transaction mode.

usage: shared_store.py --sheaf PROGRAM --fill PROGRAM
"""
import argparse, json, os, pathlib, re, subprocess, sys, tempfile, time, unittest, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_kit

SHEAF = FILL = None
TIMEOUT = 300


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if postgres_kit.programs() is None:
            raise unittest.SkipTest('PostgreSQL is not installed')
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.folder.chmod(0o755)
        cls.postgres = cls.enterClassContext(postgres_kit.Postgres(cls.folder / 'pg', 'fsync=off'))
        cls.env = {**os.environ, 'XDG_CACHE_HOME': str(cls.folder / 'cache')}

    def sheaf(self, *words, status=0, env=None):
        done = subprocess.run([SHEAF, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT, env=env or self.env)
        self.assertEqual(done.returncode, status, (words, done.stdout[-2000:], done.stderr[-2000:]))
        return done.stdout if status == 0 else done.stderr

    def database(self, *options):
        self.name = self.postgres.new_database()
        url = self.postgres.url(self.name)
        self.sheaf('store', 'create', url, *options)
        return url

    def filled(self, pages=100):
        """Returns a local store with three sites, each in a separate folder."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / 'store'
        for site in ('one', 'two', 'three'):
            subprocess.run([FILL, folder, f'https://{site}.example', '--edit', 'html', str(pages), 'a text'], check=True, capture_output=True)
        return folder

    def export(self, store):
        lines = self.sheaf('export', '--store', store).splitlines()
        return sorted(lines)


class Creating(Case):
    def test_a_store_is_created_once(self):
        url = self.database('--buckets', '16')
        self.assertIn('has a schema sheaf already', self.sheaf('store', 'create', url, status=2))
        self.assertIn('16 buckets', self.sheaf('store', 'info', url))

    def test_only_its_own_schema_is_touched(self):
        url = self.database('--buckets', '4')
        self.assertEqual(self.postgres.execute("SELECT string_agg(DISTINCT table_schema, ',') FROM information_schema.tables WHERE table_schema "
                                               "NOT IN ('pg_catalog', 'information_schema')", self.name), 'sheaf')
        self.assertEqual(self.postgres.execute("SELECT rolsuper FROM pg_roles WHERE rolname = 'sheaf'"), 'f')
        self.sheaf('verify', '--store', url)

    def test_there_is_no_store(self):
        url = self.postgres.url(self.postgres.new_database())
        self.assertIn('`sheaf store create` makes one', self.sheaf('status', '--store', url, status=2))

    def test_a_password_in_the_url_is_refused_and_not_repeated(self):
        for url in ('postgresql://sheaf:secret7@127.0.0.1/copy', 'postgresql://sheaf@127.0.0.1/copy?password=secret7'):
            for words in (('store', 'create', url), ('status', '--store', url), ('pull', 'https://example.com', '--store', url)):
                message = self.sheaf(*words, status=2)
                self.assertIn('~/.pgpass', message)
                self.assertNotIn('secret7', message)

    def test_another_format_is_refused(self):
        url = self.database('--buckets', '4')
        for number, message in ((99, 'written by a newer one, which is needed'), (1, 'written by an older one; create a store')):
            self.postgres.execute(f"UPDATE sheaf.meta SET value = '{number}' WHERE key = 'format'", self.name)
            for words in (('status', '--store', url), ('store', 'info', url), ('store', 'sites', 'list', url)):
                self.assertIn(message, self.sheaf(*words, status=1))

    def test_tls_modes_are_those_of_libpq(self):
        url = self.database('--buckets', '4')
        self.assertIn('does not support SSL', self.sheaf('status', '--store', url + '?sslmode=require', status=2))
        self.sheaf('status', '--store', url + '?sslmode=prefer')

    def test_a_server_that_does_not_answer(self):
        url = f'postgresql://sheaf@127.0.0.1:{postgres_kit.free_port()}/copy'
        self.assertIn('cannot connect to', self.sheaf('status', '--store', url, status=2))


class Sites(Case):
    def test_the_list(self):
        url = self.database('--buckets', '4')
        listed = self.folder / 'list.txt'
        listed.write_text('https://a.example\nhttps://b.example/sitemap.xml\n')
        self.assertIn('added 3 sites', self.sheaf('store', 'sites', 'add', url, 'c.example', '--list', listed))
        self.assertIn('added 0 sites', self.sheaf('store', 'sites', 'add', url, 'c.example'))
        self.assertEqual(sorted(self.sheaf('store', 'sites', 'list', url).split()),
                         ['https://a.example/', 'https://b.example/sitemap.xml', 'https://c.example/'])
        self.assertIn('removed 1 site', self.sheaf('store', 'sites', 'remove', url, 'https://a.example'))
        self.assertEqual(len(self.sheaf('store', 'sites', 'list', url).split()), 2)
        self.assertIn('use add, remove or list', self.sheaf('store', 'sites', 'shuffle', url, status=2))
        listed.write_text('https://d.example\nhttps://e.example and more\n')
        self.assertIn('line 2: one site per line', self.sheaf('store', 'sites', 'add', url, '--list', listed, status=1))
        self.assertEqual(len(self.sheaf('store', 'sites', 'list', url).split()), 2)  # all or nothing

    def test_a_long_list_is_imported_and_the_first_of_two_urls_counts(self):
        url = self.database('--buckets', '4')
        listed = self.folder / 'long.txt'
        listed.write_text(''.join(f'https://site{number}.example\n' for number in range(12_000)) +
                          'https://site7.example/late.xml\nhttps://new.example/first.xml\nhttps://new.example/second.xml\n')
        self.assertIn('added 12,001 sites', self.sheaf('store', 'sites', 'add', url, '--list', listed))
        self.assertIn('added 0 sites', self.sheaf('store', 'sites', 'add', url, '--list', listed))
        sites = self.sheaf('store', 'sites', 'list', url).split()
        self.assertEqual((len(sites), 'https://site7.example/' in sites, 'https://new.example/first.xml' in sites), (12_001, True, True))
        self.assertIn('removed 12,001 sites', self.sheaf('store', 'sites', 'remove', url, '--list', listed))


class Fleet(Case):
    def test_every_worker_shows_the_whole_fleet(self):
        url = self.database('--buckets', '4')
        ports = [postgres_kit.free_port() for _ in range(2)]
        workers = [subprocess.Popen([SHEAF, 'pull', '--store', url, '--every', '1h', '--metrics', f'127.0.0.1:{port}'], stderr=subprocess.DEVNULL, env=self.env)
                   for port in ports]
        try:
            for port in ports:
                names = set()
                for _ in range(1200):
                    try:
                        with urllib.request.urlopen(f'http://127.0.0.1:{port}/metrics', timeout=60) as answer:
                            names = set(re.findall(r'^sheaf_worker_sites_late\{worker="([^"]+)"\} 0$', answer.read().decode(), re.M))
                    except OSError:  # not listening yet
                        pass
                    if len(names) == 2:
                        break
                    time.sleep(0.05)
                self.assertEqual(len(names), 2, names)
        finally:
            for worker in workers:
                worker.terminate()
                worker.wait(timeout=60)


    def test_a_list_that_changes_is_followed(self):
        url = self.database('--buckets', '4')

        def until(sites, failing):
            for _ in range(1200):
                found = [(worker['sites'], worker['failing']) for worker in json.loads(self.sheaf('store', 'info', url, '--json'))['workers'] if worker['live']]
                if found == [(sites, failing)]:
                    return
                time.sleep(0.05)
            self.fail(f'{found} instead of {sites} sites, {failing} of them failing')

        # No server listens there, so each pull fails at once.
        self.sheaf('store', 'sites', 'add', url, *(f'http://127.0.0.{number}:1' for number in range(1, 6)))
        worker = subprocess.Popen([SHEAF, 'pull', '--store', url, '--every', '1h', '--allow-private', '--allow-http'], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=self.env)
        try:
            until(5, 5)
            self.sheaf('store', 'sites', 'add', url, 'http://127.0.0.6:1', 'http://127.0.0.7:1')
            until(7, 7)
            self.sheaf('store', 'sites', 'remove', url, *(f'http://127.0.0.{number}:1' for number in range(1, 5)))
            until(3, 3)
        finally:
            worker.terminate()
            worker.wait(timeout=60)


class Copying(Case):
    def check_commands(self, local, url):
        self.assertEqual(self.export(local), self.export(url))
        self.assertEqual(self.sheaf('verify', '--store', url).count('no faults'), 1)
        state = [json.loads(self.sheaf('status', '--store', store, '--json'))['sections'] for store in (local, url)]
        self.assertEqual(*state)
        listed = self.sheaf('list', '--store', local).splitlines()
        self.assertEqual(sorted(listed), sorted(self.sheaf('list', '--store', url).splitlines()))
        page = json.loads(self.export(local)[0])['url']
        self.assertEqual(self.sheaf('get', page, '--store', local), self.sheaf('get', page, '--store', url))

    def test_both_ways(self):
        local, url = self.filled(), self.database('--buckets', '8')
        self.assertIn('copied', self.sheaf('store', 'copy', local, url))
        self.check_commands(local, url)
        back = self.folder / 'back'
        self.sheaf('store', 'copy', url, back)
        self.check_commands(back, url)
        self.sheaf('store', 'copy', local, url)  # again: replaced, not doubled
        self.check_commands(local, url)
        self.sheaf('gc', '--store', url)
        self.check_commands(local, url)

    def test_through_pgbouncer(self):
        if postgres_kit.Pgbouncer.program() is None:
            self.skipTest('pgbouncer is not installed')
        local, direct = self.filled(), self.database('--buckets', '8')
        with postgres_kit.Pgbouncer(self.postgres, self.folder / 'bouncer') as bouncer:
            url = self.postgres.url(self.name, bouncer.port)
            self.sheaf('store', 'copy', local, url)
            self.check_commands(local, url)
            self.assertIn('cursor', self.sheaf('changes', '--store', url, '--json'))
            self.sheaf('index', '--store', url)
            self.sheaf('gc', '--store', url)
        self.check_commands(local, direct)

    def test_the_feed_is_followed_by_its_cursor(self):
        local, url = self.filled(), self.database('--buckets', '8')
        self.sheaf('store', 'copy', local, url)
        seen, cursor = [], '0'
        while True:
            lines = [json.loads(line) for line in self.sheaf('changes', '--store', url, '--json', '--since', cursor, '--limit', '70').splitlines()]
            if not lines:
                break
            cursor = lines.pop()['cursor']
            seen += [line['url'] for line in lines]
            self.assertLessEqual(len(lines), 70)
        self.assertEqual(sorted(seen), sorted(json.loads(line)['url'] for line in self.export(url)))
        after = json.loads(self.sheaf('export', '--store', url, '--after', '0', '--json', '-o', self.folder / 'after.jsonl'))
        self.assertEqual((after['pages'], after['cursor']), (len(seen), cursor))
        self.assertIn('takes the number of a change', self.sheaf('changes', '--store', url, '--since', cursor[:-2], status=2))
        self.assertIn('not a position in the feed of this store', self.sheaf('changes', '--store', self.database('--buckets', '4'), '--since', cursor, status=1))
        self.assertIn('a shared store', self.sheaf('changes', '--store', local, '--since', cursor, status=1))

    def test_a_site_is_dropped_unless_a_worker_has_it(self):
        local, url = self.filled(), self.database('--buckets', '1')
        self.sheaf('store', 'copy', local, url)
        site = json.loads(self.sheaf('status', '--store', url, '--json'))['sections'][0]['site']
        before = self.sheaf('list', '--store', url)
        listed = self.folder / 'pulled.txt'
        listed.write_text('http://127.0.0.1:1\n')
        self.sheaf('store', 'sites', 'add', url, '--list', listed)
        worker = subprocess.Popen([SHEAF, 'pull', '--store', url, '--every', '1h', '--allow-private', '--allow-http'], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=self.env)
        try:
            deadline = time.monotonic() + 60
            while 'failed 1 time' not in self.sheaf('status', '--store', url, '--list', listed):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            self.assertIn('belongs to the worker', self.sheaf('drop', '--store', url, '--site', site, status=2))
            self.assertIn('would drop', self.sheaf('drop', '--store', url, '--site', site, '--dry-run'))
            self.assertEqual(self.sheaf('list', '--store', url), before)
        finally:
            worker.terminate()
            worker.wait(timeout=60)
        self.assertIn(f'dropped {site}', self.sheaf('drop', '--store', url, '--site', site))
        self.assertEqual(self.sheaf('list', '--store', url, '--url', site + '/*'), '')
        pages = set()
        for line in self.sheaf('changes', '--store', url, '--json').splitlines():
            change = json.loads(line)
            if 'cursor' not in change:
                (pages.add if change['kind'] == 'put' else pages.remove)((change['site'], change['section'], change['url']))
        left = map(json.loads, self.sheaf('list', '--store', url, '--json').splitlines())
        self.assertEqual(pages, {(page['site'], page['section'], page['url']) for page in left})
        self.sheaf('verify', '--store', url)
        self.assertIn('the store does not have', self.sheaf('drop', '--store', url, '--site', site, status=2))

    def test_a_chunk_state_belongs_to_one_store(self):
        local = self.filled()
        urls = [self.database('--buckets', '8') for _ in range(2)]
        for url in urls:
            self.sheaf('store', 'copy', local, url)
        state = self.folder / f'{self.name}.state'
        arguments = ['--chunks', '--state', str(state)]
        self.assertNotEqual(self.sheaf('changes', '--store', urls[0], *arguments), '')
        self.assertEqual(self.sheaf('changes', '--store', urls[0], *arguments), '')
        for other in (urls[1], str(local)):
            refused = subprocess.run([SHEAF, 'changes', '--store', other, *arguments], capture_output=True, text=True)
            self.assertEqual((refused.returncode, refused.stdout), (1, ''))
            self.assertIn('belongs to another store', refused.stderr)

    def test_assistants_follow_the_feed_by_positions(self):
        local, url = self.filled(40), self.database('--buckets', '8')
        self.sheaf('store', 'copy', local, url)
        first = self.changes_since(url, {'sequence': 0, 'limit': 70})
        rest = self.changes_since(url, {'position': first['position']})
        self.assertEqual((len(first['changes']), len(rest['changes'])), (70, 50))
        self.assertEqual(sorted(change['url'] for change in first['changes'] + rest['changes']),
                         sorted(json.loads(line)['url'] for line in self.export(url)))
        self.assertEqual(self.changes_since(url, {'position': rest['position']})['changes'], [])

    def changes_since(self, url, arguments):
        """Returns the answer of the MCP server's tool."""
        messages = [{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}}},
                    {'jsonrpc': '2.0', 'method': 'notifications/initialized'},
                    {'jsonrpc': '2.0', 'id': 2, 'method': 'tools/call', 'params': {'name': 'changes_since', 'arguments': arguments}}]
        done = subprocess.run([SHEAF, 'mcp', '--store', url], input=''.join(json.dumps(message) + '\n' for message in messages), capture_output=True, text=True,
                              timeout=TIMEOUT, env=self.env)
        result = json.loads(done.stdout.splitlines()[-1])['result']
        self.assertFalse(result.get('isError'), result)
        return result['structuredContent']

    def test_search(self):
        local, url = self.filled(), self.database('--buckets', '8')
        self.sheaf('store', 'copy', local, url)
        self.assertIn(f'{url} has no search index; `sheaf index --store {url}` makes one', self.sheaf('search', 'text', '--store', url, status=2))
        self.sheaf('index', '--store', url)
        self.assertIn('0 pages indexed', self.sheaf('index', '--store', url))  # nothing new: follows the feed
        word = 'text'
        self.sheaf('index', '--store', local)
        found = [json.loads(self.sheaf('search', word, '--site', 'one.example', '--limit', '100', '--store', store, '--json'))['results'] for store in (local, url)]
        shown = [sorted((hit['url'], hit['title'], json.dumps(hit['snippet'])) for hit in hits) for hits in found]
        self.assertEqual(len(shown[0]), 100)
        self.assertEqual(*shown)
        found = [[hit['url'] for hit in hits] for hits in found]
        self.assertIn('text', self.suggestion(url, 'txet'))
        self.assertIn('no page of the site', self.sheaf('search', word, 'site:nowhere.example', '--store', url, status=2))
        page = self.browse(url, f'/search?q={word}')
        self.assertTrue([hit for hit in found[1] if hit in page], page)
        self.assertIn('300 changes so far', self.browse(url, '/changes'))

    def suggestion(self, url, query):
        return subprocess.run([SHEAF, 'search', query, '--store', url], capture_output=True, text=True, env=self.env).stdout

    def browse(self, url, path):
        """Returns the response of the web app."""
        server = subprocess.Popen([SHEAF, 'browse', '--store', url, '--listen', '127.0.0.1:0'], stderr=subprocess.PIPE, text=True, env=self.env)
        try:
            address = re.search(r'http://\S+?:\d+', server.stderr.readline())[0]
            with urllib.request.urlopen(address + path, timeout=60) as answer:
                return answer.read().decode()
        finally:
            server.terminate()
            server.communicate(timeout=60)


class Damage(Case):
    def test_lost_packs_are_named_and_a_repair_gives_them_up(self):
        local, url = self.filled(), self.database('--buckets', '8')
        self.sheaf('store', 'copy', local, url)
        self.postgres.execute('DELETE FROM sheaf.pack WHERE (b, pack) IN (SELECT b, pack FROM sheaf.pack ORDER BY b, pack LIMIT 1)', self.name)
        report = subprocess.run([SHEAF, 'verify', '--store', url], capture_output=True, text=True)
        self.assertEqual(report.returncode, 1)
        self.assertIn('is missing', report.stdout)
        done = subprocess.run([SHEAF, 'export', '--store', url], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        for line in done.stdout.splitlines():
            self.assertIn(line, self.export(local))

    def test_a_gap_in_the_feed_is_found(self):
        local, url = self.filled(), self.database('--buckets', '8')
        self.sheaf('store', 'copy', local, url)
        self.postgres.execute('DELETE FROM sheaf.change WHERE seq = 2', self.name)
        report = subprocess.run([SHEAF, 'verify', '--store', url], capture_output=True, text=True)
        self.assertEqual(report.returncode, 1)
        self.assertIn('the feed of bucket', report.stdout)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--fill', required=True)
    options, rest = parser.parse_known_args()
    SHEAF, FILL = map(os.path.abspath, (options.sheaf, options.fill))
    unittest.main(argv=[sys.argv[0], *rest])
