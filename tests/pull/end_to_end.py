#!/usr/bin/env python3
"""From a folder of pages to a store and back: publish, serve (by sheaf and by nginx), pull.

usage: end_to_end.py --sheaf PROGRAM
"""
import argparse, json, pathlib, shutil, subprocess, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import IS_SHARED, BadServer, Puller, Site, page_html, site_fixture

SHEAF = None
NGINX = '''daemon off; pid {folder}/pid; error_log stderr; worker_processes 1; events {{}}
http {{ access_log off; client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4;
 scgi_temp_path {folder}/t5; types {{ text/html html; application/xml xml; text/plain txt; }} default_type application/octet-stream;
 server {{ listen 127.0.0.1:{port}; root {root}; }} }}'''


class Nginx:
    def __init__(self, root, folder):
        with socket_on_free_port() as probe:
            self.port = probe.getsockname()[1]
        folder.mkdir()
        (folder / 'nginx.conf').write_text(NGINX.format(folder=folder, root=root, port=self.port))
        self.process = subprocess.Popen([shutil.which('nginx') or '/usr/sbin/nginx', '-c', folder / 'nginx.conf', '-p', folder], stderr=subprocess.DEVNULL)
        site_fixture.wait_until(self.answers, 'nginx')

    def answers(self):
        import socket
        with socket.socket() as probe:
            return probe.connect_ex(('127.0.0.1', self.port)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def socket_on_free_port():
    import socket
    probe = socket.socket()
    probe.bind(('127.0.0.1', 0))
    return probe


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-pull-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o755)
        self.puller = Puller(SHEAF, self.folder / 'store')

    def serve(self):
        """Returns a site served by `sheaf serve`. The site needs its URL before it is published."""
        public = self.folder / 'site' / 'public'
        public.mkdir(parents=True)
        server = self.enterContext(site_fixture.Server(SHEAF, public))
        return Site(SHEAF, self.folder / 'site', server.url)

    def pull(self, site, *options, status=0):
        code, reports, errors = self.puller.pull(site.base, *options)
        self.assertEqual(code, status, (reports, errors))
        return reports[0]

    def assert_true_copy(self, site):
        self.assertEqual(self.puller.pages(), site.pages())
        self.assertEqual(self.puller.faults(), '')


def fill(site, pages=30):
    for number in range(pages):
        site.write(f'blog/p{number}.html', f'Text {number}')
    site.write('index.html', 'The front page')


class Collections(Case):
    def check_life_of_a_site(self, site):
        fill(site)
        site.publish()
        report = self.pull(site)
        self.assertEqual(report['route'], 'collections')
        self.assertEqual(report['sections'][0]['proven'], True)
        self.assertEqual(report['requests'], 3)  # robots.txt, sitemap, snapshot
        self.assert_true_copy(site)
        again = self.pull(site, '--no-pack')
        self.assertEqual((again['requests'], again['bytes']), (2, 0))  # both answered 304
        site.write('blog/p3.html', 'Changed text')
        site.write('blog/new.html', 'A new page')
        (site.public / 'blog/p7.html').unlink()
        site.publish()
        report = self.pull(site)['sections'][0]
        self.assertEqual((report['plan'], report['added'], report['changed'], report['removed']), ('deltas', 1, 1, 1))
        self.assertTrue(report['proven'])
        self.assert_true_copy(site)

    def test_served_by_sheaf(self):
        self.check_life_of_a_site(self.serve())

    def test_served_by_nginx(self):
        if not (shutil.which('nginx') or pathlib.Path('/usr/sbin/nginx').exists()):
            self.skipTest('nginx is not installed')
        (self.folder / 'site/public').mkdir(parents=True)
        nginx = self.enterContext(Nginx(self.folder / 'site/public', self.folder / 'nginx'))
        self.check_life_of_a_site(Site(SHEAF, self.folder / 'site', f'http://127.0.0.1:{nginx.port}'))

    def test_a_gap_is_closed_by_a_snapshot(self):
        site = self.serve()
        fill(site)
        site.publish()
        self.pull(site)
        site.write('blog/p1.html', 'Once')
        site.publish()
        site.write('blog/p1.html', 'Twice')
        (site.public / 'blog/p2.html').unlink()
        site.publish('--snapshot')
        first_delta = min((site.public / 'scp').glob('*-delta-*.zst'))
        for each in (site.public / 'scp').glob(first_delta.name.replace('.zst', '.*')):
            each.unlink()
        report = self.pull(site)['sections'][0]  # the sitemap still names the delta that is gone
        self.assertEqual((report['plan'], report['proven']), ('snapshot', True))
        self.assert_true_copy(site)

    def test_a_store_that_missed_much_follows_several_deltas(self):
        site = self.serve()
        fill(site)
        site.publish()
        self.pull(site)
        for round in range(3):
            site.write(f'blog/p{round}.html', f'Round {round}')
            site.publish()
        report = self.pull(site)['sections'][0]
        self.assertEqual((report['plan'], report['applied'], report['changed']), ('deltas', 3, 3))
        self.assert_true_copy(site)

    @unittest.skipIf(IS_SHARED, 'looks at the files of a folder')
    def test_a_plan_changes_nothing(self):
        site = self.serve()
        fill(site)
        site.publish()
        report = self.pull(site, '--plan')
        self.assertEqual(report['sections'][0]['plan'], 'snapshot')
        self.assertGreater(report['sections'][0]['planBytes'], 0)
        self.assertFalse(self.puller.store.exists())
        self.assertRegex(report['began'], r'^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$')
        self.assertGreaterEqual(report['seconds'], 0)

    @unittest.skipIf(IS_SHARED, 'the list of a shared store has no plan')
    def test_a_plan_of_a_list_leaves_its_sites_due(self):
        site = self.serve()
        fill(site)
        site.publish()
        self.pull(site)
        site.write('blog/more.html', 'More')
        site.publish()
        before = {file: file.stat().st_mtime_ns for file in self.puller.store.rglob('*')}
        listed = self.puller.store.parent / 'sites.txt'
        listed.write_text(site.base + '\n')
        many = [self.puller.sheaf, 'pull', '--list', listed, '--once', '--store', self.puller.store, '--allow-private', '--json']
        planned = json.loads(subprocess.run([*many, '--plan'], capture_output=True, text=True, check=True).stdout.splitlines()[0])
        self.assertEqual(planned['sections'][0]['plan'], 'deltas')
        self.assertEqual({file: file.stat().st_mtime_ns for file in self.puller.store.rglob('*')}, before)
        pulled = json.loads(subprocess.run(many, capture_output=True, text=True, check=True).stdout.splitlines()[0])
        self.assertEqual(pulled['sections'][0]['added'], 1)
        self.assert_true_copy(site)

    def test_most_of_a_section_going_is_held_back_unless_meant(self):
        site = self.serve()
        fill(site)
        site.publish()
        self.pull(site)
        before = site.pages()
        for number in range(20):
            (site.public / f'blog/p{number}.html').unlink()
        site.publish('--allow-shrink')
        report = self.pull(site, status=1)
        self.assertTrue(report['sections'][0]['heldBack'])
        self.assertIn('--allow-shrink', report['failure'])
        self.assertEqual(self.puller.pages(), before)
        self.pull(site, '--allow-shrink')
        self.assert_true_copy(site)

    def test_only_the_sections_that_are_wanted(self):
        site = self.serve()
        fill(site, 5)
        site.write('docs/one.html', 'Documentation')
        config = f'base = "{site.base}"\nout = "public/scp"\nsitemap = "public/sitemap.xml"\n'
        for name in ('blog', 'docs'):
            config += f'[[section]]\nname = "{name}"\n[[section.source]]\ntype = "html"\nfolder = "public"\ninclude = ["{name}/**"]\n'
        (site.folder / 'sheaf.toml').write_text(config)
        done = subprocess.run([SHEAF, 'publish', '-c', 'sheaf.toml'], cwd=site.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.pull(site, '--section', 'docs')
        self.assertEqual(list(self.puller.pages()), [f'{site.base}/docs/one.html'])
        self.pull(site)
        self.assertEqual(len(self.puller.pages()), 6)
        report = self.pull(site, '--section', 'shop', status=1)
        self.assertIn('shop', report['failure'])

    def test_pages_that_arrive_while_the_frame_is_learned_are_kept(self):
        site = self.serve()
        fill(site, 80)
        urls = ''.join(f'<url><loc>{url}</loc></url>' for url in site.pages())
        (site.public / 'sitemap.xml').write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
        report = self.pull(site, '--html', 'only', '--connections', '8')['html']
        self.assertEqual((report['fetched'], report['added']), (81, 81))
        self.assert_true_copy(site)


class Pages(Case):
    """Sites without collections."""

    def setUp(self):
        super().setUp()
        public = self.folder / 'site' / 'public'
        public.mkdir(parents=True)
        self.server = self.enterContext(BadServer(public))
        self.site = Site(SHEAF, self.folder / 'site', self.server.url)

    def write_sitemap(self, lastmod=None):
        stamp = f'<lastmod>{lastmod}</lastmod>' if lastmod else ''
        urls = ''.join(f'<url><loc>{url}</loc>{stamp}</url>' for url in self.site.pages())
        (self.site.public / 'sitemap.xml').write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')

    def test_pages_of_a_sitemap_are_fetched_once_and_then_only_asked_about(self):
        fill(self.site)
        self.write_sitemap()
        report = self.pull(self.site)
        self.assertEqual(report['route'], 'html')
        self.assertTrue(any('no collections' in note for note in report['notes']), report)
        self.assert_true_copy(self.site)
        self.server.forget()
        report = self.pull(self.site)
        self.assertEqual((report['html']['fetched'], report['html']['notModified'], report['html']['changed']), (0, 31, 0))
        self.assertTrue(all('if-none-match' in headers for path, headers in self.server.log), self.server.log)
        self.site.write('blog/p3.html', 'Changed text')
        (self.site.public / 'blog/p7.html').unlink()
        self.site.write('blog/new.html', 'A new page')
        self.write_sitemap()
        report = self.pull(self.site)['html']
        self.assertEqual((report['added'], report['changed'], report['removed']), (1, 1, 1))
        self.assert_true_copy(self.site)

    def test_the_frame_of_a_site_is_no_content_and_provenance_is_told(self):
        fill(self.site, 40)
        self.write_sitemap()
        self.pull(self.site)
        for page in self.puller.raw_pages():
            texts = ' '.join(block.get('text', '') for block in page['content'])
            self.assertNotIn('made by hand', texts)
            self.assertEqual(page['provenance']['from'], 'html')

    def test_a_lastmod_that_stays_saves_the_request(self):
        fill(self.site, 5)
        self.write_sitemap('2026-01-01')
        self.pull(self.site)
        report = self.pull(self.site)['html']
        self.assertEqual((report['fresh'], report['notModified'], report['fetched']), (6, 0, 0))
        self.site.write('blog/p3.html', 'Changed text')
        self.write_sitemap('2026-02-01')
        report = self.pull(self.site)['html']
        self.assertEqual((report['changed'], report['notModified']), (1, 5))
        self.assert_true_copy(self.site)

    def test_a_page_that_the_sitemap_no_longer_names_is_asked_for_in_spite_of_its_lastmod(self):
        fill(self.site, 5)
        self.write_sitemap('2026-01-01')
        self.pull(self.site)
        (self.site.public / 'blog/p3.html').unlink()
        self.write_sitemap('2026-01-01')
        report = self.pull(self.site)['html']
        self.assertEqual((report['fresh'], report['missing'], report['removed']), (5, 1, 1))
        self.assert_true_copy(self.site)

    def test_without_a_sitemap_links_are_followed(self):
        self.site.write('index.html', 'The front page', links=['/a.html', 'b.html#part', 'http://elsewhere.example/'])
        self.site.write('a.html', 'Page a', links=['c.html'])
        self.site.write('b.html', 'Page b')
        self.site.write('c.html', 'Page c', links=['a.html', '/'])
        self.site.write('lonely.html', 'Nobody links here')
        report = self.pull(self.site)
        expected = self.site.pages()
        del expected[f'{self.site.base}/lonely.html']
        self.assertEqual(self.puller.pages(), expected)
        self.assertTrue(report['html']['complete'])

    def test_what_robots_txt_or_the_page_forbids_is_not_stored(self):
        self.site.write('index.html', 'The front page', links=['/private/a.html', '/noindex.html', '/nofollow.html'])
        self.site.write('private/a.html', 'Secret')
        self.site.write('noindex.html', 'Not to be indexed', extra='<meta name=robots content=noindex>')
        self.site.write('nofollow.html', 'Follow nothing here', extra='<meta name=robots content=nofollow>', links=['/hidden.html'])
        self.site.write('hidden.html', 'Only reached by a link that is not to be followed')
        (self.site.public / 'robots.txt').write_text('User-agent: *\nDisallow: /private/\n')
        self.pull(self.site)
        self.assertEqual(sorted(self.puller.pages()), [f'{self.site.base}/', f'{self.site.base}/nofollow.html'])
        self.assertEqual(self.server.asked('/private/a.html'), [])
        self.assertEqual(self.server.asked('/hidden.html'), [])

    def test_redirects_and_canonical_addresses(self):
        self.site.write('index.html', 'The front page', links=['/old.html', '/away.html', '/copy.html'])
        self.site.write('new.html', 'Where it moved to')
        self.site.write('copy.html', 'Where it moved to', extra=f'<link rel=canonical href="{self.site.base}/new.html">')
        self.server.routes['/old.html'] = lambda request: request.send(301, b'', Location='/new.html')
        self.server.routes['/away.html'] = lambda request: request.send(302, b'', Location='http://127.0.0.2:9/')
        self.pull(self.site)
        self.assertEqual(sorted(self.puller.pages()), [f'{self.site.base}/', f'{self.site.base}/new.html'])

    def test_collections_that_appear_take_over(self):
        fill(self.site, 5)
        self.write_sitemap()
        self.pull(self.site)
        self.site.publish()
        report = self.pull(self.site)
        self.assertEqual(report['route'], 'collections')
        self.assertTrue(any('they replace' in note for note in report['notes']), report)
        self.assert_true_copy(self.site)
        status = self.puller.run('status', '--json').stdout
        self.assertNotIn('"section":"html"', status)

    def test_a_page_that_fails_keeps_its_last_state(self):
        fill(self.site, 5)
        self.write_sitemap()
        self.pull(self.site)
        before = self.site.pages()
        self.server.routes['/blog/p2.html'] = lambda request: request.send(500, b'trouble')
        report = self.pull(self.site, status=1)
        self.assertEqual(report['html']['failed'], 1)
        self.assertEqual(self.puller.pages(), before)
        self.server.routes['/blog/p2.html'] = lambda request: request.send(410, b'gone')
        self.assertEqual(self.pull(self.site)['html']['removed'], 1)

    def test_gzip_on_the_wire_and_types_that_are_no_pages(self):
        import gzip
        self.site.write('index.html', 'The front page', links=['/packed.html', '/picture.png', '/bomb.html'])
        self.server.routes['/packed.html'] = lambda request: request.send(
            200, gzip.compress(page_html('packed', 'Packed text').encode()), Content_Type='text/html', Content_Encoding='gzip')
        self.server.routes['/bomb.html'] = lambda request: request.send(
            200, gzip.compress(b'<p>' + b'x' * 50_000_000), Content_Type='text/html', Content_Encoding='gzip')
        self.server.routes['/picture.png'] = lambda request: request.send(200, b'\x89PNG', Content_Type='image/png')
        report = self.pull(self.site, status=1)
        self.assertEqual(self.puller.pages(), {f'{self.site.base}/': 'The front page', f'{self.site.base}/packed.html': 'Packed text'})
        self.assertEqual([(each['code'], each['pages']) for each in report['html']['failures']], [('unreadable-page', 1)], report)  # the bomb

    def test_pages_that_are_missing_are_no_success(self):
        fill(self.site, 6)
        self.write_sitemap()
        for number in (1, 3):
            self.server.routes[f'/blog/p{number}.html'] = lambda request: request.send(403, b'')
        self.server.routes['/blog/p4.html'] = lambda request: request.send(200, b'cut off', length=1000)
        report = self.pull(self.site, status=1)
        self.assertEqual((report['ok'], report['failureCode'], report['html']['complete']), (False, 'pages-failed', True))
        failures = {each['code']: each for each in report['html']['failures']}
        self.assertEqual({code: each['pages'] for code, each in failures.items()}, {'http-status': 2, 'unreachable': 1})
        self.assertRegex(failures['http-status']['first'], rf'{self.site.base}/blog/p[13].html answered 403')
        self.assertIn('3 pages could not be fetched', report['failure'])
        self.assertEqual(len(self.puller.pages()), 4)
        # `pull --list` reports the same, and status shows it.
        listed = self.folder / 'sites.txt'
        listed.write_text(self.site.base + '\n')
        code, reports, _ = self.puller.pull('--list', listed, '--once')
        self.assertEqual((code, reports[0]['failureCode'], reports[-1]['summary']['failed']), (1, 'pages-failed', 1))
        status = self.puller.run('status', '--list', listed, '--json')
        self.assertIn('pages-failed', status.stdout)
        # The report for people.
        done = self.puller.run('pull', self.site.base, '--allow-private', '--delay', '0', '--tries', '1', '--timeout', '2')
        self.assertRegex(done.stdout, r'2 failed: http-status; the first: http://\S+ answered 403')
        # Once the pages are available, the pull succeeds.
        self.server.routes.clear()
        self.pull(self.site)
        self.assert_true_copy(self.site)

    def test_a_page_that_failed_counts_until_the_end_of_the_pass(self):
        """A crawl that continues in another pull reports the failures of the first."""
        fill(self.site, 100)
        self.write_sitemap()
        for number in range(100):  # enough failures in a row to make the crawl give up
            self.server.routes[f'/blog/p{number}.html'] = lambda request: request.send(503, b'')
        report = self.pull(self.site, status=1)
        self.assertEqual((report['failureCode'], report['html']['complete']), ('pages-failed', False))
        failed = report['html']['failed']
        self.assertLess(failed, 100)
        self.server.routes.clear()
        report = self.pull(self.site, status=1)
        self.assertEqual((report['failureCode'], report['html']['complete'], report['html']['failed']), ('pages-failed', True, 0))
        self.assertIn(f'{failed} pages could not be fetched', report['failure'])
        self.pull(self.site)
        self.assert_true_copy(self.site)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(known.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
