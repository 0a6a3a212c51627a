#!/usr/bin/env python3
"""Which requests a pull may send: files on other hosts, files that are not collections, hosts that do not exist, rehearsals; and which files it
leaves in the folder of downloads.

usage: network_rules.py --sheaf PROGRAM
"""
import argparse, json, os, pathlib, ssl, subprocess, sys, tempfile, time, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import ROOT, BadServer, Puller, Site

SHEAF = None
SITEMAP = '''<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">
<scp:version>0.1</scp:version>
{}
</urlset>
'''


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-rules-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / 'site/public').mkdir(parents=True)
        self.server = self.enterContext(BadServer(self.folder / 'site/public'))
        self.site = Site(SHEAF, self.folder / 'site', self.server.url)
        self.puller = Puller(SHEAF, self.folder / 'store')
        for number in range(5):
            self.site.write(f'p{number}.html', f'Text {number}')
        self.site.write('index.html', 'The front page')
        self.site.publish()

    def pull(self, *options, status=0):
        code, reports, errors = self.puller.pull(self.site.base, *options)
        self.assertEqual(code, status, (reports, errors))
        return reports[0]

    def edit_sitemap(self, change):
        sitemap = self.site.public / 'sitemap.xml'
        sitemap.write_text(change(sitemap.read_text()))

    def code(self, report):
        return report['failureCode']


class OtherHosts(Case):
    def setUp(self):
        super().setUp()
        self.cdn = self.enterContext(BadServer(self.folder / 'site/public'))
        self.edit_sitemap(lambda text: text.replace(f'url="{self.site.base}/scp/', f'url="{self.cdn.url}/scp/'))
        self.cdn.routes['/robots.txt'] = b'User-agent: *\nAllow: /\n'

    def paths(self):
        return [path for path, _ in self.cdn.log]

    def test_their_robots_txt_is_asked_for_once_and_first(self):
        self.pull('--html', 'never')
        self.assertEqual(self.paths()[0], '/robots.txt')
        self.assertEqual(self.paths().count('/robots.txt'), 1)
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_what_they_disallow_is_not_fetched(self):
        self.cdn.routes['/robots.txt'] = b'User-agent: *\nDisallow: /scp/\n'
        report = self.pull('--html', 'never', status=1)
        self.assertEqual(self.code(report), 'robots-disallowed', report)
        self.assertEqual(self.paths(), ['/robots.txt'])

    def test_without_an_answer_nothing_is_fetched(self):
        self.cdn.routes['/robots.txt'] = lambda request: request.send(500, b'')
        report = self.pull('--html', 'never', status=1)
        self.assertEqual(self.code(report), 'robots-unavailable', report)
        self.assertEqual(set(self.paths()), {'/robots.txt'})

    def test_a_redirect_to_another_host_is_admitted_first(self):
        self.edit_sitemap(lambda text: text.replace(self.cdn.url, self.site.base))
        for file in (self.site.public / 'scp').glob('*.scp.*'):
            self.server.routes[f'/scp/{file.name}'] = lambda request: request.send(302, b'', Location=self.cdn.url + request.path)
        self.pull('--html', 'never')
        self.assertEqual(self.paths()[0], '/robots.txt')
        self.assertEqual(self.puller.pages(), self.site.pages())
        self.cdn.forget()
        self.cdn.routes['/robots.txt'] = b'User-agent: *\nDisallow: /\n'
        fresh = Puller(SHEAF, self.folder / 'other')
        code, reports, _ = fresh.pull(self.site.base, '--html', 'never')
        self.assertEqual((code, self.code(reports[0])), (1, 'robots-disallowed'), reports)
        self.assertEqual(self.paths(), ['/robots.txt'])

    def test_a_sitemap_cannot_direct_thousands_of_requests_at_them(self):
        offers = ''.join(f'<scp:collection section="s{n}" type="snapshot" url="{self.cdn.url}/victim/{n}" generated="2026-01-01T00:00:00Z"/>\n'
                         for n in range(1500))
        (self.site.public / 'sitemap.xml').write_text(SITEMAP.format(offers))
        report = self.pull('--html', 'never', status=1)
        self.assertLessEqual(len(self.cdn.log), 1000)
        self.assertGreater(len(self.cdn.log), 100)
        codes = {self.code(section) for section in report['sections']}
        self.assertIn('other-host-limit', codes)

    def test_requests_to_them_are_apart(self):
        self.cdn.routes['/robots.txt'] = b'User-agent: *\nCrawl-delay: 1\n'
        begun = time.monotonic()
        self.pull('--html', 'never')
        self.assertGreaterEqual(time.monotonic() - begun, 1.0)  # at least: two requests, a second between them


class NotACollection(Case):
    def answer_with(self, behaviour):
        for file in (self.site.public / 'scp').glob('*.scp.*'):
            self.server.routes[f'/scp/{file.name}'] = behaviour

    def endless(self, request, first, kind):
        request.send(200, first, length='none', Content_Type=kind)
        try:
            while True:
                request.connection.sendall(b'x' * 65536)
                self.sent += 65536
        except OSError:
            pass

    def test_a_web_page_is_not_read_to_its_end(self):
        self.sent = 0
        self.answer_with(lambda request: self.endless(request, b'<!doctype html>', 'text/html'))
        report = self.pull('--html', 'never', status=1)
        self.assertEqual(self.code(report), 'not-a-collection', report)
        self.assertLess(self.sent, 64 << 20)
        self.assertEqual([file for file in (self.folder / 'store/downloads').rglob('*.part')], [])

    def test_a_file_far_larger_than_advertised(self):
        self.sent = 0
        self.answer_with(lambda request: self.endless(request, b'\x28\xb5\x2f\xfd', 'application/scp'))
        report = self.pull('--html', 'never', status=1)
        self.assertEqual(self.code(report), 'oversized-collection', report)
        self.assertLess(self.sent, 64 << 20)

    def test_a_length_far_larger_than_advertised(self):
        self.answer_with(lambda request: request.send(200, b'\x28\xb5\x2f\xfd', length=10 << 20))
        report = self.pull('--html', 'never', status=1)
        self.assertEqual(self.code(report), 'oversized-collection', report)


class Tarpits(Case):
    def test_a_drip_is_given_up_with_a_reason(self):
        def drip(request):
            request.send(200, b'', length='none')
            try:
                while True:
                    request.connection.sendall(b'#' * 2000 + b'\n')
                    time.sleep(0.5)
            except OSError:
                pass
        self.server.routes['/robots.txt'] = drip
        report = self.pull('--min-rate', '1MiB', status=1)
        self.assertEqual(self.code(report), 'too-slow', report)
        self.assertEqual(len(self.server.asked('/robots.txt')), 1)


class Names(unittest.TestCase):
    def test_a_host_that_does_not_exist_fails_fast(self):
        with tempfile.TemporaryDirectory(prefix='sheaf-names-') as folder:
            # A label of 70 characters: no name server is needed to know that there is none.
            code, reports, _ = Puller(SHEAF, pathlib.Path(folder) / 'store').pull(f'https://{"a" * 70}.example')
            self.assertEqual(code, 1)
            report = reports[0]
            self.assertEqual(report['failureCode'], 'unresolvable-host', report)
            self.assertEqual(report['requests'], 1)


class DownloadFolder(Case):
    def files(self):
        return sorted(file for file in (self.folder / 'store/downloads').rglob('*') if file.is_file())

    def site_folder(self):
        return next((self.folder / 'store/downloads').glob('http*'))

    def bodies(self):
        return b''.join(file.read_bytes() for file in self.files())

    def test_parts_of_collections_that_are_not_offered_any_more_go(self):
        def cut(request):
            name = request.path.removeprefix('/scp/')
            body = (self.site.public / 'scp' / name).read_bytes()
            request.send(200, body[:300], length=len(body), ETag='"a"')
        for file in (self.site.public / 'scp').glob('*.scp.*'):
            self.server.routes[f'/scp/{file.name}'] = cut
        self.pull('--html', 'never', status=1)
        parts = [file.name for file in self.files() if file.suffix == '.part']
        self.assertTrue(parts)
        self.server.routes.clear()
        for file in (self.site.public / 'scp').glob('*'):
            file.rename(file.with_name('old-' + file.name))
        self.edit_sitemap(lambda text: text.replace('/scp/', '/scp/old-'))
        self.pull('--html', 'never')
        self.assertFalse(set(parts) & {file.name for file in self.files()})
        self.assertFalse([file for file in self.files() if file.suffix == '.part'])

    def test_what_a_failed_pull_can_go_on_with_stays(self):
        def cut(request):
            body = (self.site.public / request.path.lstrip('/')).read_bytes()
            request.send(200, body[:300], length=len(body), ETag='"a"')
        for file in (self.site.public / 'scp').glob('*.scp.*'):
            self.server.routes[f'/scp/{file.name}'] = cut
        self.pull('--html', 'never', status=1)
        self.pull('--html', 'never', status=1)
        self.assertTrue([file for file in self.files() if file.suffix == '.part'])

    def test_sitemaps_that_vanished_go(self):
        text = (self.site.public / 'sitemap.xml').read_text()
        (self.site.public / 'old.xml').write_text(text)
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.site.base}/old.xml\nSitemap: {self.site.base}/sitemap.xml\n')
        self.pull('--html', 'never')
        self.assertIn(b'/old.xml', self.bodies())
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.site.base}/sitemap.xml\n')
        self.pull('--html', 'never')
        self.assertNotIn(b'/old.xml', self.bodies())
        self.assertIn(b'/sitemap.xml', self.bodies())

    def test_leftovers_go_before_the_quota_refuses_anything(self):
        self.pull('--html', 'never')
        (self.site_folder() / ('0' * 32 + '.part')).write_bytes(b'x' * 2_000_000)
        self.server.routes['/sitemap.xml'] = lambda request: request.send(500, b'')  # so that nothing is known to be offered
        self.pull('--html', 'never', status=1)
        self.assertTrue((self.site_folder() / ('0' * 32 + '.part')).exists())
        self.server.routes.clear()
        self.site.write('p1.html', 'Another text')
        self.site.publish()
        self.pull('--html', 'never', '--quota', '1000000')
        self.assertEqual(self.puller.pages(), self.site.pages())
        self.assertFalse((self.site_folder() / ('0' * 32 + '.part')).exists())

    def test_folders_of_sites_that_are_not_pulled_any_more_go(self):
        self.pull('--html', 'never')
        gone = self.folder / 'store/downloads/https___gone.example'
        for command in (lambda: self.puller.run('gc'), lambda: self.pull('--html', 'never')):
            gone.mkdir()
            (gone / 'a.part').write_bytes(b'x' * 1000)
            long_ago = time.time() - 40 * 86400
            os.utime(gone / 'a.part', (long_ago, long_ago))
            os.utime(gone, (long_ago, long_ago))
            command()
            self.assertFalse(gone.exists())
            self.assertTrue(self.files())


class Rehearsal(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-rehearsal-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / 'site/public').mkdir(parents=True)
        self.server = self.enterContext(BadServer(self.folder / 'site/public'))
        self.address = self.server.url.removeprefix('http://')
        self.site = Site(SHEAF, self.folder / 'site', 'https://www.example.com')
        self.site.write('index.html', 'The front page')
        self.site.publish()

    def pull(self, *options, site='https://www.example.com'):
        done = subprocess.run([SHEAF, 'pull', site, '--store', str(self.folder / 'store'), '--json', '--tries', '1',
                               '--timeout', '2', *options], capture_output=True, text=True, timeout=120)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_the_real_site_from_a_server_without_tls(self):
        code, reports, errors = self.pull('--resolve', f'www.example.com=http://{self.address}')
        self.assertEqual(code, 0, (reports, errors))
        self.assertEqual(Puller(SHEAF, self.folder / 'store').pages(), {'https://www.example.com/': 'The front page'})
        self.assertEqual({headers['host'] for _, headers in self.server.log}, {'www.example.com'})

    def test_a_mapping_allows_its_own_address_and_no_other(self):
        sitemap = self.site.public / 'sitemap.xml'
        sitemap.write_text(sitemap.read_text().replace('url="https://www.example.com/scp/', f'url="https://{self.address}/scp/'))
        code, reports, _ = self.pull('--resolve', f'www.example.com=http://{self.address}', '--html', 'never')
        self.assertEqual(code, 1)
        self.assertIn('--allow-private', str(reports))
        self.assertFalse([path for path, _ in self.server.log if path.startswith('/scp/')])

    def test_with_tls_the_certificate_is_that_of_the_host(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ROOT / 'tests/data/tls/certificate.pem', ROOT / 'tests/data/tls/key.pem')  # of test.example
        (self.folder / 'tls/public').mkdir(parents=True)
        server = self.enterContext(BadServer(self.folder / 'tls/public', tls=context))
        address = server.url.removeprefix('https://')
        site = Site(SHEAF, self.folder / 'tls', 'https://test.example')
        site.write('index.html', 'The front page')
        site.publish()
        trusted = ('--ca-file', str(ROOT / 'tests/data/tls/certificate.pem'))
        for host, options in (('www.example.com', trusted), ('test.example', ())):  # a certificate of another host, and an untrusted one
            code, reports, _ = self.pull('--resolve', f'{host}={address}', *options, site='https://' + host)
            self.assertEqual((code, reports[0]['failureCode']), (1, 'robots-unavailable'), reports)
            self.assertIn('certificate', reports[0]['failure'].lower())
        self.assertEqual(server.log, [])
        for form in (address, 'https://' + address):
            code, reports, errors = self.pull('--resolve', f'test.example={form}', *trusted, site='https://test.example')
            self.assertEqual((code, reports[0]['route']), (0, 'collections'), (reports, errors))
            self.assertEqual(Puller(SHEAF, self.folder / 'store').pages('--site', 'https://test.example'), {'https://test.example/': 'The front page'})
        self.assertEqual({headers['host'] for _, headers in server.log}, {'test.example'})

    def test_nonsense_is_refused(self):
        code, _, errors = self.pull('--resolve', 'www.example.com')
        self.assertEqual(code, 2)
        self.assertIn('HOST=ADDRESS:PORT', errors)
        self.assertFalse((self.folder / 'store').exists())


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(known.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
