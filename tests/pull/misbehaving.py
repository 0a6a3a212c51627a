#!/usr/bin/env python3
"""Servers that do everything wrong. With any response, the store is never wrong, the message says what happened, and if the
collections cannot be used the pages are fetched one by one.

usage: misbehaving.py --sheaf PROGRAM
"""
import argparse, gzip, pathlib, ssl, sys, tempfile, time, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import ROOT, BadServer, Puller, Site

SHEAF = None


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-bad-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / 'site/public').mkdir(parents=True)
        self.server = self.enterContext(BadServer(self.folder / 'site/public'))
        self.site = Site(SHEAF, self.folder / 'site', self.server.url)
        self.puller = Puller(SHEAF, self.folder / 'store')
        for number in range(5):
            self.site.write(f'p{number}.html', f'Text {number}')
        self.site.write('index.html', 'The front page', links=[f'/p{number}.html' for number in range(5)])
        self.site.publish()

    def collections(self, pattern='*.scp.*'):
        return {f'/scp/{file.name}': file.read_bytes() for file in (self.site.public / 'scp').glob(pattern)}

    def misbehave(self, behaviour, pattern='*.scp.*'):
        """Makes `behaviour` answer requests for collections; it gets the request and the bytes that it should have sent."""
        for path, body in self.collections(pattern).items():
            self.server.routes[path] = lambda request, body=body: behaviour(request, body)

    def pull(self, *options, status=0):
        code, reports, errors = self.puller.pull(self.site.base, *options)
        self.assertEqual(code, status, (reports, errors))
        self.assertEqual(self.puller.faults(), '')
        return reports[0]


class FirstPull(Case):
    """If the store is empty, the pages are fetched one by one, and the reason is reported."""

    def check(self, behaviour, *words, pattern='*.scp.*'):
        self.misbehave(behaviour, pattern)
        report = self.pull()
        self.assertEqual(report['route'], 'html', report)
        said = ' '.join(report['notes'])
        for word in words:
            self.assertIn(word, said)
        self.assertEqual(self.puller.pages(), self.site.pages())
        # When the server works again, the collections replace the pages.
        self.server.routes.clear()
        self.assertEqual(self.pull()['route'], 'collections')
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_corrupted(self):
        self.check(lambda request, body: request.send(200, body[:60] + bytes([body[60] ^ 1]) + body[61:]), '/scp/')

    def test_truncated(self):
        self.check(lambda request, body: request.send(200, body[:len(body) // 2]), 'decompress-failed')

    def test_wrong_checksum(self):
        plain = {path: body for path, body in self.collections('*.gz').items()}
        wrong = {path: gzip.compress(gzip.decompress(body).replace(b'Text 3', b'Text 9')) for path, body in plain.items()}

        def send(request, body):
            request.send(200, wrong.get(request.path.replace('.zst', '.gz'), body))
        self.check(send, 'checksum-mismatch')

    def test_bomb(self):
        bomb = gzip.compress(b'{"collection":{"id":"a","section":"all","type":"snapshot","generated":"2026-01-01T00:00:00Z","version":"0.1"}}\n'
                             + b' ' * 30_000_000)
        self.check(lambda request, body: request.send(200, bomb), 'ratio-exceeded')

    def test_oversized(self):
        self.check(lambda request, body: request.send(200, body, length=60 * 2**30), 'bytes')

    def test_length_that_is_longer_than_the_body(self):
        self.check(lambda request, body: request.send(200, body, length=len(body) + 100), '/scp/')

    def test_endless(self):
        def send(request, body):
            request.send(200, b'', length='none')
            while True:
                request.connection.sendall(b'\x00' * 65536)
        self.puller.options += ('--max-compressed', '1MiB')
        self.check(send, '1048576')

    def test_slow(self):
        def send(request, body):
            request.send(200, b'', length=len(body))
            for byte in body:
                time.sleep(0.5)
                request.connection.sendall(bytes([byte]))
        self.check(send, '127.0.0.1')

    def test_redirect_loop(self):
        self.check(lambda request, body: request.send(302, b'', Location=request.path), 'redirect')

    def test_redirect_to_a_file(self):
        self.check(lambda request, body: request.send(302, b'', Location='file:///etc/passwd'), 'file:')

    def test_server_error(self):
        self.check(lambda request, body: request.send(500, b'oops'), '500')

    def test_too_many_requests(self):
        self.check(lambda request, body: request.send(429, b'slow down', Retry_After='1'), '429')

    def test_empty(self):
        self.check(lambda request, body: request.send(200, b''), 'empty-file')

    def test_html_instead_of_a_collection(self):
        self.check(lambda request, body: request.send(200, b'<!doctype html><title>Please log in</title>', Content_Type='text/html'), 'is not a collection')

    def test_another_section_than_was_promised(self):
        plain = gzip.decompress(next(iter(self.collections('*.gz').values()))).replace(b'"section":"all"', b'"section":"other"')
        self.check(lambda request, body: request.send(200, gzip.compress(plain)), 'other')

    def test_hang_ups(self):
        self.check(lambda request, body: request.hang_up(), '127.0.0.1')

    def test_missing(self):
        self.check(lambda request, body: request.send(404, b'gone'), '404')


class OtherWays(Case):
    def test_one_codec_is_broken_and_the_other_is_taken(self):
        self.misbehave(lambda request, body: request.send(200, body[:40]), '*.zst')
        report = self.pull()
        self.assertEqual(report['route'], 'collections')
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_never_means_never(self):
        self.misbehave(lambda request, body: request.send(200, body[:40]))
        report = self.pull('--html', 'never', status=1)
        self.assertIn('decompress-failed', report['failure'])
        self.assertEqual(self.puller.pages(), {})

    def test_a_cut_off_download_goes_on_where_it_was(self):
        bodies = self.collections('*.zst')
        cut = []

        def send(request, body):
            if request.headers.get('range') or cut:
                return self.server.static(request)
            cut.append(1)
            etag = f'"{hash(body) & 0xFFFFFFFF:x}"'
            request.send(200, body[:300], length=len(body), ETag=etag)
        self.misbehave(send, '*.zst')
        self.assertEqual(self.pull()['route'], 'collections')
        asked = self.server.asked(next(iter(bodies)))
        self.assertEqual([headers.get('range') for headers in asked], [None, 'bytes=300-'])
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_a_resumed_file_that_does_not_fit_is_fetched_anew(self):
        """A server that claims the same ETag for other bytes."""
        def send(request, body):
            if request.headers.get('range'):
                return request.send(206, b'\x00' * (len(body) - 300), ETag='"lie"', Content_Range=f'bytes 300-{len(body) - 1}/{len(body)}')
            again = len(self.server.asked(request.path)) > 1
            request.send(200, body if again else body[:300], length=len(body), ETag='"lie"')
        self.misbehave(send, '*.zst')
        self.assertEqual(self.pull()['route'], 'collections')
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_a_range_that_was_not_asked_for(self):
        def send(request, body):
            if request.headers.get('range'):
                return request.send(206, body, ETag='"x"', Content_Range=f'bytes 0-{len(body) - 1}/{len(body)}')
            request.send(200, body[:300], length=len(body), ETag='"x"')
        self.misbehave(send, '*.zst')
        self.assertEqual(self.pull()['route'], 'collections')  # by gzip
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_a_bad_delta_leaves_what_is_there_and_the_third_time_pages_are_fetched(self):
        self.pull()
        before = self.site.pages()
        self.site.write('p1.html', 'Changed text')
        self.site.publish()
        self.misbehave(lambda request, body: request.send(200, body[:50]))
        for _ in range(2):
            report = self.pull(status=1)
            self.assertIn('decompress-failed', report['failure'])
            self.assertEqual(self.puller.pages('--section', 'all'), before)
        report = self.pull()
        self.assertEqual(report['route'], 'html')
        self.assertIn('Changed text', self.puller.pages('--section', 'html').values())  # by lastmod, the other pages are unchanged
        self.assertEqual(self.puller.pages(), self.site.pages())
        self.server.routes.clear()
        self.assertEqual(self.pull()['route'], 'collections')
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_robots_txt_in_trouble_means_nothing_is_fetched(self):
        self.server.routes['/robots.txt'] = lambda request: request.send(503, b'', Retry_After='600')
        report = self.pull(status=1)
        self.assertIn('robots.txt', report['failure'])
        self.assertEqual({path for path, _ in self.server.log}, {'/robots.txt'})

    def test_collections_that_robots_txt_disallows_are_not_fetched(self):
        (self.site.public / 'robots.txt').write_text(f'User-agent: *\nDisallow: /scp/\nSitemap: {self.site.base}/sitemap.xml\n')
        report = self.pull()
        self.assertEqual(report['route'], 'html')
        self.assertFalse([path for path, _ in self.server.log if path.startswith('/scp/')])

    def test_a_broken_sitemap_is_read_as_far_as_it_goes(self):
        sitemap = self.site.public / 'sitemap.xml'
        sitemap.write_text(sitemap.read_text().replace('</urlset>', '<url><loc>'))
        report = self.pull(status=1)
        self.assertEqual((report['route'], report['failureCode']), ('collections', 'unreadable-offers'))
        self.assertIn('sitemap.xml', report['failure'])
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_a_collection_from_the_future_is_refused(self):
        import re
        sitemap = self.site.public / 'sitemap.xml'
        sitemap.write_text(re.sub(r'generated="[^"]*"', 'generated="2999-01-01T00:00:00Z"', sitemap.read_text()))
        report = self.pull('--html', 'never', status=1)
        self.assertTrue(any('future' in note for note in report['notes']), report)

    def test_a_quota_is_kept(self):
        report = self.pull('--quota', '1200', '--html', 'never', status=1)
        self.assertIn('quota', report['failure'] + ' '.join(report['notes']))

    def test_the_private_network_is_not_asked_unless_allowed(self):
        import subprocess
        done = subprocess.run([SHEAF, 'pull', self.site.base, '--store', self.folder / 'other'], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('--allow-private', done.stdout)
        self.assertEqual(self.server.log, [])


class Tls(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-tls-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ROOT / 'tests/data/tls/loopback.pem', ROOT / 'tests/data/tls/loopback-key.pem')
        (self.folder / 'site/public').mkdir(parents=True)
        self.server = self.enterContext(BadServer(self.folder / 'site/public', tls=context))
        self.site = Site(SHEAF, self.folder / 'site', self.server.url)
        self.site.write('index.html', 'The front page')
        self.site.publish()

    def test_a_certificate_that_nobody_vouches_for(self):
        code, reports, _ = Puller(SHEAF, self.folder / 'store').pull(self.site.base)
        self.assertEqual(code, 1)
        self.assertIn('certificate', reports[0]['failure'])
        self.assertEqual(self.server.log, [])

    def trusting(self):
        return Puller(SHEAF, self.folder / 'store', '--ca-file', str(ROOT / 'tests/data/tls/loopback.pem'))

    def test_one_that_is_trusted(self):
        code, reports, _ = self.trusting().pull(self.site.base)
        self.assertEqual((code, reports[0]['route']), (0, 'collections'), reports)

    def test_collections_over_http_are_refused_unless_allowed(self):
        plain = self.enterContext(BadServer(self.folder / 'site/public'))
        sitemap = self.site.public / 'sitemap.xml'
        sitemap.write_text(sitemap.read_text().replace(f'url="{self.site.base}/scp/', f'url="{plain.url}/scp/'))
        code, reports, _ = self.trusting().pull(self.site.base, '--html', 'never')
        self.assertEqual(code, 1)
        self.assertIn('--allow-http', reports[0]['failure'])
        self.assertEqual(plain.log, [])
        code, reports, _ = self.trusting().pull(self.site.base, '--allow-http')
        self.assertEqual((code, reports[0]['route']), (0, 'collections'), reports)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(known.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
