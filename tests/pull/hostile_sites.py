#!/usr/bin/env python3
"""Sites that try to stop, mislead or abuse `sheaf pull`: odd robots.txt, redirects, section names, headers; and a pull that is stopped halfway.

usage: hostile_sites.py --sheaf PROGRAM
"""
import argparse, gzip, json, pathlib, signal, ssl, subprocess, sys, tempfile, threading, unittest, zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import ROOT, TIMEOUT, BadServer, Puller, Site, page_html

SHEAF = None


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-hostile-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.puller = Puller(SHEAF, self.folder / 'store')

    def make_site(self, name, pages=5, **more):
        """A site with pages and a front page that links to them; no sitemap and no collections."""
        (self.folder / name / 'public').mkdir(parents=True)
        server = self.enterContext(BadServer(self.folder / name / 'public', **more))
        site = Site(SHEAF, self.folder / name, server.url)
        for number in range(pages):
            site.write(f'p{number}.html', f'Text {number}')
        site.write('index.html', 'The front page', links=[f'/p{number}.html' for number in range(pages)])
        (site.public / 'robots.txt').unlink()
        return server, site

    def pull(self, site, *options, status=0):
        code, reports, errors = self.puller.pull(site.base, *options)
        self.assertEqual(code, status, (reports, errors))
        self.assertEqual(self.puller.faults(), '')
        return reports[0]

    def pull_list(self, *sites, options=()):
        """Returns the exit status, and the last report of each site by its URL."""
        listed = self.folder / 'sites.txt'
        listed.write_text(''.join(site.base + '\n' for site in sites))
        code, reports, errors = self.puller.pull('--list', listed, '--once', *options)
        self.assertIn(code, (0, 1), errors)
        return code, {report['site']: report for report in reports if 'site' in report}


class OneSiteStopsNoOther(Case):
    def setUp(self):
        super().setUp()
        self.server, self.site = self.make_site('odd')
        _, self.other = self.make_site('good')

    def check_other(self):
        pages = self.puller.pages('--site', self.other.base)
        self.assertEqual(pages, self.other.pages())
        self.assertEqual(self.puller.faults(), '')

    def find_no_collections(self):
        """The copy stays at first, because the sitemap may only be missing for an hour."""
        for _ in range(2):
            self.assertEqual(self.pull(self.site, status=1)['failureCode'], 'section-withdrawn')

    def test_robots_txt_with_another_success_than_200(self):
        for status in (201, 203, 226, 299):
            with self.subTest(status):
                self.puller.store = self.folder / f'store-{status}'
                self.server.routes['/robots.txt'] = lambda request: request.send(status, b'User-agent: *\nDisallow: /p1\n')
                self.pull_list(self.site, self.other)
                expected = {url: text for url, text in self.site.pages().items() if not url.endswith('/p1.html')}
                self.assertEqual(self.puller.pages('--site', self.site.base), expected)
                self.check_other()

    def test_robots_txt_without_content_has_no_rules(self):
        self.server.routes['/robots.txt'] = lambda request: request.send(204, b'')
        self.pull_list(self.site, self.other)
        self.assertEqual(self.puller.pages('--site', self.site.base), self.site.pages())
        self.check_other()

    def test_a_section_named_html_that_is_withdrawn(self):
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.site.base}/sitemap.xml\n')
        self.site.publish('--section', 'html')
        self.assertEqual(self.pull(self.site)['route'], 'collections')
        (self.site.public / 'robots.txt').unlink()
        (self.site.public / 'sitemap.xml').unlink()
        self.site.write('p1.html', 'Changed text')
        self.find_no_collections()
        _, reports = self.pull_list(self.site, self.other)
        self.assertEqual(reports[self.site.base]['route'], 'html')
        self.assertEqual(self.puller.pages('--section', 'html-2'), self.site.pages())
        self.check_other()
        # When the section is available again, the pages of the crawl are dropped.
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.site.base}/sitemap.xml\n')
        self.site.publish('--section', 'html', '--snapshot')
        self.assertEqual(self.pull(self.site)['route'], 'collections')
        self.assertEqual(self.puller.pages('--section', 'html-2'), {})
        self.assertEqual(self.puller.pages('--site', self.site.base), self.site.pages())

    def test_a_section_named_html_takes_the_place_of_crawled_pages(self):
        """The notes of the first crawl must not keep the second one from fetching pages that were dropped meanwhile."""
        self.assertEqual(self.pull(self.site)['route'], 'html')
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.site.base}/sitemap.xml\n')
        self.site.publish('--section', 'html')
        self.assertEqual(self.pull(self.site)['route'], 'collections')
        (self.site.public / 'robots.txt').unlink()
        (self.site.public / 'sitemap.xml').unlink()
        self.find_no_collections()
        self.assertEqual(self.pull(self.site)['route'], 'html')
        self.assertEqual(self.puller.pages('--section', 'html-2'), self.site.pages())

    def test_fewer_blocks_allowed_than_a_page_has(self):
        many = '</p>'.join(f'<p>Paragraph {number} of this page is a sentence of its own.' for number in range(50))
        (self.site.public / 'p1.html').write_text(page_html('p1', 'Text 1').replace('<p>', many + '</p><p>', 1))
        _, reports = self.pull_list(self.site, self.other, options=('--max-blocks', '20'))
        expected = {url for url in self.site.pages() if not url.endswith('/p1.html')}
        self.assertEqual(set(self.puller.pages('--site', self.site.base)), expected, reports)
        self.check_other()


class ASiteThatCrashesTheProgram(Case):
    """Stands for any flaw that one site can trigger: its server kills the program that asks for a page."""

    def setUp(self):
        super().setUp()
        self.server, self.site = self.make_site('deadly')
        self.others = [self.make_site(f'good{number}') for number in range(3)]
        listed = [self.site, *(site for _, site in self.others)]
        (self.folder / 'sites.txt').write_text(''.join(site.base + '\n' for site in listed))
        self.process = None
        self.server.routes['/p1.html'] = lambda request: self.process.kill()
        self.server.routes['/'] = lambda request: (self.process.kill(), request.hang_up())

    def run_list(self):
        self.process = subprocess.Popen([SHEAF, 'pull', '--list', self.folder / 'sites.txt', '--once', '--store', self.puller.store,
                                         '--allow-private', '--json', '--delay', '0'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, errors = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, {report['site']: report for report in map(json.loads, out.splitlines()) if 'site' in report}, errors

    def test_it_is_skipped_after_two_crashes_and_the_others_are_pulled(self):
        for _ in range(2):
            code, _, errors = self.run_list()
            self.assertEqual(code, -signal.SIGKILL, errors)
        self.server.forget()
        code, reports, errors = self.run_list()
        self.assertEqual(code, 1, errors)
        self.assertEqual(reports[self.site.base]['failureCode'], 'crashed', reports)
        self.assertEqual(self.server.log, [], 'the site is not asked')
        for _, site in self.others:
            self.assertEqual(self.puller.pages('--site', site.base), site.pages())
        self.assertEqual(self.puller.faults(), '')
        self.server.routes.clear()
        self.pull(self.site)  # by name, at once
        self.assertEqual(self.puller.pages('--site', self.site.base), self.site.pages())
        self.assertEqual(list((self.folder / 'store/downloads/in-flight').iterdir()), [])

    def test_sites_that_were_pulled_at_the_time_are_not_skipped(self):
        """They are suspects after the first crash, and pulled one at a time."""
        held = threading.Barrier(len(self.others) + 1, timeout=TIMEOUT)
        for server, _ in self.others:
            server.routes['/'] = lambda request: held.wait()

        def kill(request):
            held.wait()
            self.process.kill()
        self.server.routes['/'] = kill
        code, _, errors = self.run_list()
        self.assertEqual(code, -signal.SIGKILL, errors)
        self.assertEqual(len(list((self.folder / 'store/downloads/in-flight').iterdir())), 4)
        for server in [self.server, *(server for server, _ in self.others)]:
            server.routes.clear()
        code, _, errors = self.run_list()
        self.assertEqual(code, 0, errors)
        for _, site in self.others:
            self.assertEqual(self.puller.pages('--site', site.base), site.pages())


class StoppedHalfway(Case):
    """SIGTERM during a request. An interrupted pull has no effect: another pull makes the copy equal to the site."""

    def stop_at(self, site, server, path):
        asked, released = threading.Event(), threading.Event()
        self.addCleanup(released.set)

        def hold(request):
            asked.set()
            released.wait(TIMEOUT)
        server.routes[path] = hold
        process = subprocess.Popen([SHEAF, 'pull', site.base, '--store', self.puller.store, '--allow-private', '--json', '--delay', '0',
                                    '--timeout', str(TIMEOUT)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertTrue(asked.wait(TIMEOUT))
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=TIMEOUT)
        released.set()
        del server.routes[path]
        self.assertNotEqual(process.returncode, 0, (out, errors))
        self.assertNotEqual(process.returncode, -signal.SIGTERM, 'it ended in good order')
        self.assertEqual(self.puller.faults(), '')
        return json.loads(out)

    def test_at_a_page(self):
        server, site = self.make_site('site', pages=30)
        for path in ('/p3.html', '/p17.html', '/'):
            with self.subTest(path):
                self.puller.store = self.folder / f'store-{path.strip("/")}'
                report = self.stop_at(site, server, path)
                self.assertEqual(report['failureCode'], 'cancelled', report)
                self.pull(site)
                self.assertEqual(self.puller.pages(), site.pages())

    def test_at_a_page_that_is_stored_already(self):
        server, site = self.make_site('site', pages=30)
        self.pull(site)
        for path in ('/p3.html', '/p17.html', '/'):
            for number in range(30):
                site.write(f'p{number}.html', f'Changed {number} before {path}')
            self.stop_at(site, server, path)
            self.pull(site)
            self.assertEqual(self.puller.pages(), site.pages())

    def test_at_a_sitemap(self):
        server, site = self.make_site('site', pages=20)
        names = [f'p{number}.html' for number in range(20)]
        site.write('index.html', 'The front page')  # without links
        for half in (0, 1):
            urls = ''.join(f'<url><loc>{site.base}/{name}</loc></url>' for name in names[half::2])
            (site.public / f'map{half}.xml').write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
        (site.public / 'robots.txt').write_text(f'Sitemap: {site.base}/map0.xml\nSitemap: {site.base}/map1.xml\n')
        self.stop_at(site, server, '/map1.xml')
        self.pull(site)
        self.assertEqual(self.puller.pages(), site.pages())


class Validators(Case):
    """No value of ETag or Last-Modified may make later requests impossible."""

    def test_control_characters_and_other_nonsense(self):
        server, site = self.make_site('site')
        (site.public / 'robots.txt').write_text(f'Sitemap: {site.base}/sitemap.xml\n')
        site.publish()
        odd = ['"a\x01b"', '"a\x7fb"', '"a\tb"', 'without quotes', '"' + 'long' * 5000 + '"', '"\xe4"']
        for html in ('never', 'only'):
            for etag in odd:
                with self.subTest(html=html, etag=etag[:20]):
                    self.puller.store = self.folder / f'store-{html}-{odd.index(etag)}'

                    def send(request):
                        file = site.public / (request.path.lstrip('/') or 'index.html')
                        request.send(200, file.read_bytes(), ETag=etag, Last_Modified='yester\x0bday',
                                     Content_Type='text/html' if file.suffix == '.html' else 'application/octet-stream')
                    for file in site.public.rglob('*.*'):
                        server.routes['/' + str(file.relative_to(site.public)).removesuffix('index.html')] = send
                    for _ in range(2):
                        self.pull(site, '--html', html)
                        self.assertEqual(self.puller.pages(), site.pages())
                    for path, headers in server.log:
                        self.assertNotIn('if-none-match', headers, path)
                        self.assertNotIn('if-modified-since', headers, path)
                    server.forget()


RULES = b'User-agent: *\nDisallow: /p1\n'


class Robots(Case):
    """robots.txt is obeyed in any form; if it cannot be read, nothing is fetched."""

    def setUp(self):
        super().setUp()
        self.server, self.site = self.make_site('site')

    def check_obeyed(self, send):
        self.server.routes['/robots.txt'] = send
        self.pull(self.site)
        expected = {url: text for url, text in self.site.pages().items() if not url.endswith('/p1.html')}
        self.assertEqual(self.puller.pages(), expected)
        self.assertEqual(self.server.asked('/p1.html'), [])

    def check_nothing_fetched(self, send, code='robots-unavailable'):
        self.server.routes['/robots.txt'] = send
        report = self.pull(self.site, status=1)
        self.assertEqual(report['failureCode'], code)
        self.assertIn('robots.txt', report['failure'])
        self.assertEqual({path for path, _ in self.server.log}, {'/robots.txt'})

    def test_endless(self):
        def send(request):
            request.send(200, RULES, length='none')
            while True:
                request.connection.sendall(b'# and so on\n' * 1000)
        self.check_obeyed(send)

    def test_endless_trailers(self):
        """libcurl keeps every trailer in memory."""
        def send(request):
            request.send(200, b'%x\r\n%s\r\n0\r\n' % (len(RULES), RULES), length='none', Transfer_Encoding='chunked')
            while True:
                request.connection.sendall(b'X-And-So-On: and so on\r\n' * 1000)
        self.check_nothing_fetched(send)

    def test_20_megabytes(self):
        self.check_obeyed(lambda request: request.send(200, RULES + b'# more\n' * (20 * 2**20 // 7)))

    def test_a_length_far_beyond_what_comes(self):
        """The first 500 KiB arrived, so missing data after them does not matter."""
        self.check_obeyed(lambda request: request.send(200, RULES + b'# more\n' * 100_000, length=2**40))

    def test_gzip_and_deflate_that_were_not_asked_for(self):
        bare = zlib.compressobj(wbits=-15)
        codings = {'gzip': gzip.compress(RULES), 'deflate': zlib.compress(RULES), 'Deflate': bare.compress(RULES) + bare.flush()}
        for coding, body in codings.items():
            with self.subTest(coding):
                self.puller.store = self.folder / f'store-{body[:2].hex()}'
                self.check_obeyed(lambda request: request.send(200, body, Content_Encoding=coding))
                self.assertEqual(self.server.asked('/robots.txt')[0]['accept-encoding'], 'identity')

    def test_gzip_of_a_gigabyte(self):
        packer = zlib.compressobj(9, wbits=31)
        body = packer.compress(RULES) + b''.join(packer.compress(b'#' * 2**20) for _ in range(1024)) + packer.flush()
        self.check_obeyed(lambda request: request.send(200, body, Content_Encoding='gzip'))

    def test_another_coding(self):
        self.check_nothing_fetched(lambda request: request.send(200, RULES, Content_Encoding='br'))

    def test_damaged_gzip(self):
        self.check_nothing_fetched(lambda request: request.send(200, gzip.compress(RULES)[:-9], Content_Encoding='gzip'))

    def test_shorter_than_its_length(self):
        self.check_nothing_fetched(lambda request: request.send(200, RULES, length=len(RULES) + 10), 'unreachable')

    def test_a_length_that_is_no_number(self):
        self.check_nothing_fetched(lambda request: request.send(200, RULES, length='many'))

    def test_not_http(self):
        self.check_nothing_fetched(lambda request: request.connection.sendall(b'SSH-2.0-OpenSSH_9.2\r\n'))

    def test_hang_up(self):
        self.check_nothing_fetched(lambda request: request.hang_up(), 'unreachable')

    def test_a_redirect_to_a_file(self):
        self.server.routes['/robots.txt'] = lambda request: request.send(302, b'', Location='file:///etc/passwd')
        self.assertEqual(self.pull(self.site, status=1)['failureCode'], 'robots-unavailable')

    def test_after_redirects(self):
        self.server.routes['/there'] = RULES
        self.check_obeyed(lambda request: request.send(302, b'', Location='/there'))

    def test_a_circle_of_redirects_has_no_rules(self):
        self.server.routes['/robots.txt'] = lambda request: request.send(302, b'', Location='/robots.txt')
        self.pull(self.site)
        self.assertEqual(self.puller.pages(), self.site.pages())
        self.assertEqual(len(self.server.asked('/robots.txt')), 6)

    def test_not_modified_means_the_rules_of_last_time(self):
        (self.site.public / 'robots.txt').write_bytes(RULES)
        for _ in range(2):
            self.server.forget()
            self.pull(self.site)
            self.assertEqual(self.server.asked('/p1.html'), [])
        self.assertIn('if-none-match', self.server.asked('/robots.txt')[0])

    def test_not_modified_that_was_not_asked_for(self):
        self.check_nothing_fetched(lambda request: request.send(304, b''))


class Redirects(Case):
    def setUp(self):
        super().setUp()
        self.server, self.site = self.make_site('site')

    def list_in_sitemap(self, *paths):
        urls = ''.join(f'<url><loc>{self.site.base}{path}</loc></url>' for path in paths)
        (self.site.public / 'sitemap.xml').write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')

    def test_what_robots_txt_disallows_is_not_reached_by_a_redirect(self):
        (self.site.public / 'robots.txt').write_text('User-agent: *\nDisallow: /private/\n')
        self.server.routes['/p1.html'] = lambda request: request.send(302, b'', Location='/p2.html?next')
        self.server.routes['/p2.html?next'] = lambda request: request.send(302, b'', Location='/private/x.html')
        report = self.pull(self.site)
        self.assertEqual(report['html']['disallowed'], 1)
        self.assertEqual([path for path, _ in self.server.log if path.startswith('/private')], [])

    def test_another_port_is_another_site(self):
        other, _ = self.make_site('other')
        self.server.routes['/p1.html'] = lambda request: request.send(302, b'', Location=other.url + '/p1.html')
        self.list_in_sitemap('/p1.html', '/p2.html')
        sitemap = self.site.public / 'sitemap.xml'
        sitemap.write_text(sitemap.read_text().replace('<url>', f'<url><loc>{other.url}/p3.html</loc></url><url>', 1))
        self.pull(self.site)
        self.assertEqual(set(self.puller.pages()), {self.site.base + '/', self.site.base + '/p2.html'})
        self.assertEqual(other.log, [])

    def test_a_redirected_page_does_not_add_a_link_of_its_target(self):
        self.site.write('p1.html', 'Text 1', links=['/p2.html', '/hidden.html'])
        self.site.write('hidden.html', 'Not in the sitemap')
        self.server.routes['/old'] = lambda request: request.send(301, b'', Location='/p1.html')
        self.list_in_sitemap('/old')
        self.pull(self.site)
        self.assertEqual(set(self.puller.pages()), {self.site.base + '/', self.site.base + '/p1.html'})
        self.assertEqual(self.server.asked('/hidden.html'), [])

    def test_the_canonical_url_of_a_duplicate_is_visited(self):
        self.site.write('copy.html', 'Text 1', links=['/p3.html'], extra='<link rel=canonical href="/p1.html">')
        self.list_in_sitemap('/copy.html')
        self.pull(self.site)
        self.assertEqual(set(self.puller.pages()), {self.site.base + '/', self.site.base + '/p1.html'})


class OtherOrigins(Case):
    """www. and the bare host are one site, but each has its own robots.txt."""

    def test_each_has_its_own_rules(self):
        bare, site = self.make_site('bare')
        www, _ = self.make_site('www')
        site.base = 'http://origins.example'
        site.write('index.html', 'The front page', links=['/p0.html', '/p1.html', '/p2.html', 'http://www.origins.example/p3.html',
                                                          'http://www.origins.example/p4.html'])
        bare.routes['/robots.txt'] = b'User-agent: *\nDisallow: /p4\n'
        www.routes['/robots.txt'] = b'User-agent: *\nDisallow: /p2\nDisallow: /p3\n'
        www.routes['/'] = lambda request: request.send(404, b'')  # its pages link to it
        for path in ('/p1.html', '/p2.html'):
            bare.routes[path] = lambda request: request.send(302, b'', Location='http://www.origins.example' + request.path)
        self.puller.options = ('--resolve', 'origins.example=' + bare.url.removeprefix('http://'),
                               '--resolve', 'www.origins.example=' + www.url.removeprefix('http://'))
        report = self.pull(site)
        self.assertEqual(report['html']['disallowed'], 2, report)
        self.assertEqual(set(self.puller.pages()), {'http://origins.example/', 'http://origins.example/p0.html',
                                                    'http://www.origins.example/p1.html', 'http://www.origins.example/p4.html'})
        self.assertEqual(sorted(path for path, _ in www.log), ['/', '/p1.html', '/p4.html', '/robots.txt'])

    def test_one_that_cannot_be_read_keeps_what_is_there(self):
        bare, site = self.make_site('bare')
        www, _ = self.make_site('www')
        site.base = 'http://origins.example'
        bare.routes['/p1.html'] = lambda request: request.send(302, b'', Location='http://www.origins.example/p1.html')
        self.puller.options = ('--resolve', 'origins.example=' + bare.url.removeprefix('http://'),
                               '--resolve', 'www.origins.example=' + www.url.removeprefix('http://'))
        self.pull(site)
        before = self.puller.pages()
        self.assertIn('http://www.origins.example/p1.html', before)
        www.routes['/robots.txt'] = lambda request: request.send(503, b'')
        www.forget()
        self.puller.pull(site.base)
        self.assertEqual(self.puller.pages(), before)
        self.assertEqual({path for path, _ in www.log}, {'/robots.txt'})


class InsecureSitemaps(Case):
    """An https robots.txt or sitemap must not let an attacker on the network take over the site through an http server."""

    def setUp(self):
        super().setUp()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ROOT / 'tests/data/tls/loopback.pem', ROOT / 'tests/data/tls/loopback-key.pem')
        self.server, self.site = self.make_site('site', tls=context)
        self.plain = self.enterContext(BadServer(self.site.public))
        self.site.publish()
        (self.site.public / 'sitemap.xml').rename(self.site.public / 'map.xml')
        self.puller.options = ('--ca-file', str(ROOT / 'tests/data/tls/loopback.pem'))

    def check(self):
        report = self.pull(self.site, '--html', 'never', status=1)
        self.assertEqual(report['failureCode'], 'insecure-url')
        self.assertIn('--allow-http', report['failure'])
        self.assertEqual(self.plain.log, [])
        report = self.pull(self.site, '--html', 'never', '--allow-http')
        self.assertEqual(report['route'], 'collections')
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_in_robots_txt(self):
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.plain.url}/map.xml\n')
        self.check()

    def test_in_an_index(self):
        (self.site.public / 'sitemap.xml').write_text('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                                                      f'<sitemap><loc>{self.plain.url}/map.xml</loc></sitemap></sitemapindex>')
        self.check()

    def test_without_collections_the_pages_are_fetched_over_https(self):
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.plain.url}/map.xml\n')
        report = self.pull(self.site, status=1)
        self.assertEqual((report['route'], report['failureCode']), ('html', 'unreadable-offers'))
        self.assertIn('--allow-http', report['failure'])
        self.assertEqual(self.puller.pages(), self.site.pages())
        self.assertEqual(self.plain.log, [])

    def test_behind_a_redirect(self):
        (self.site.public / 'robots.txt').write_text(f'Sitemap: {self.site.base}/moved.xml\n')
        self.server.routes['/moved.xml'] = lambda request: request.send(302, b'', Location=self.plain.url + '/map.xml')
        self.check()


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(known.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
