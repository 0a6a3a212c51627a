#!/usr/bin/env python3
"""What a site asks of those who pull it: payment (402), and preferences about the use of its pages, which are kept verbatim.

usage: site_terms.py --sheaf PROGRAM
"""
import argparse, json, pathlib, subprocess, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import TIMEOUT, BadServer, Puller, Site

SHEAF = None


class WithSite(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix='sheaf-terms-')))
        (self.folder / 'site/public').mkdir(parents=True)
        self.server = self.enterContext(BadServer(self.folder / 'site/public'))
        self.url = self.server.url
        self.site = Site(SHEAF, self.folder / 'site', self.url)
        for name in 'abc':
            self.site.write(f'{name}.html', name.upper())
        self.site.publish()
        [self.collection] = ['/' + str(path.relative_to(self.site.public)) for path in self.site.public.rglob('*.scp.zst')]
        self.puller = Puller(SHEAF, self.folder / 'store')


def ask_for_money(request):
    request.send(402, b'pay us')


class Payment(WithSite):
    def check(self, report, path):
        self.assertEqual((report['ok'], report['failureCode']), (False, 'payment-required'), report)
        self.assertEqual(report['failure'], f'{self.url}{path} answered 402: the site asks for payment, and sheaf does not pay')

    def test_pages_are_not_crawled_instead_and_the_site_waits(self):
        self.server.routes[self.collection] = ask_for_money
        for _ in range(4):  # a section that fails is crawled from the third time on, but not this one
            code, [report], _ = self.puller.pull(self.url)
            self.assertEqual((code, report['route']), (1, 'collections'))
            self.check(report, self.collection)
        self.assertEqual(len(self.server.asked(self.collection)), 4, 'one request for each pull')
        self.assertEqual([path for path, _ in self.server.log if path.endswith('.html')], [], 'pages were crawled instead')
        sites = self.folder / 'sites.txt'
        sites.write_text(self.url + '\n')
        code, reports, errors = self.puller.pull('--list', sites, '--once')
        self.assertEqual(code, 1, errors)
        status = json.loads(self.puller.run('status', '--json', '--list', str(sites)).stdout)
        self.assertEqual(status['sites'][0]['failureCode'], 'payment-required')
        code, reports, _ = self.puller.pull('--list', sites, '--once')
        self.assertEqual(reports[-1]['summary']['notDue'], 1)
        self.server.routes.clear()
        self.assertEqual(self.puller.pull(self.url)[0], 0)
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_the_copy_stays(self):
        self.assertEqual(self.puller.pull(self.url)[0], 0)
        before = self.site.pages()
        self.site.write('d.html', 'D')
        self.site.publish()
        for path in self.site.public.rglob('*.scp.zst'):
            self.server.routes['/' + str(path.relative_to(self.site.public))] = ask_for_money
        for _ in range(4):
            code, [report], _ = self.puller.pull(self.url)
            self.assertEqual((code, report['failureCode']), (1, 'payment-required'), report)
        self.assertEqual(self.puller.pages(), before)

    def test_robots_txt_and_sitemaps_that_cost_something(self):
        for path in ('/robots.txt', '/sitemap.xml'):
            self.server.routes = {path: ask_for_money}
            self.server.forget()
            code, [report], _ = Puller(SHEAF, self.folder / ('store' + path[1:3])).pull(self.url)
            self.assertEqual(code, 1)
            self.check(report, path)
            self.assertEqual([asked for asked, _ in self.server.log if asked.endswith(('.html', '.zst')) or asked == '/'], [])

    def test_a_crawl_of_pages_that_cost_something_stops(self):
        web = self.enterContext(BadServer())
        pages = {f'/{i}.html': ask_for_money for i in range(20)}
        web.routes = {'/': b'<p>' + b''.join(b'<a href="/%d.html">x</a> ' % i for i in range(20)) + b'</p>', **pages}
        code, [report], _ = self.puller.pull(web.url, '--connections', '1')
        self.assertEqual((code, report['failureCode']), (1, 'payment-required'), report)
        self.assertRegex(report['failure'], r'/\d+\.html answered 402: the site asks for payment')
        self.assertLess(len([path for path, _ in web.log if path in pages]), 12, 'most pages were not requested')


class UsagePreferences(WithSite):
    def test_pull_keeps_them_verbatim(self):
        robots = self.site.public / 'robots.txt'
        robots.write_text(f'User-agent: *\nContent-Usage: train-ai=n\nSitemap: {self.url}/sitemap.xml\n')
        link = '<https://example.com/license.xml>; rel="license"; type="application/rsl+xml"'
        body = (self.site.public / self.collection[1:]).read_bytes()
        self.server.routes[self.collection] = lambda request: request.send(
            200, body, Content_Type='application/scp', Content_Usage='train-ai=n, search=y', Link=link)
        for _ in range(2):  # a pull that fetches nothing does not forget them
            self.assertEqual(self.puller.pull(self.url)[0], 0)
            [terms] = json.loads(self.puller.run('status', '--json').stdout)['terms']
            self.assertEqual(terms['robots'], ['User-agent: *', 'Content-Usage: train-ai=n'])
            self.assertEqual(terms['headers'], ['Content-Usage: train-ai=n, search=y', f'Link: {link}'])
        self.assertIn('states what its pages may be used for:\n  User-agent: *\n  Content-Usage: train-ai=n\n',
                      self.puller.run('status').stdout)
        shown = json.loads(self.puller.run('get', f'{self.url}/a.html', '--json').stdout)
        self.assertEqual(shown['usage'], terms['robots'] + terms['headers'])

    def test_publish_writes_them_to_robots_txt(self):
        config = self.folder / 'sheaf.toml'
        robots = self.site.public / 'robots.txt'
        config.write_text(f'base = "{self.url}"\nout = "{self.site.public}/scp"\n[usage]\ncontent_signal = "search=yes, ai-train=no"\n'
                          f'[[section]]\nname = "all"\n[[section.source]]\ntype = "html"\nfolder = "{self.site.public}"\n')
        done = subprocess.run([SHEAF, 'publish'], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertIn('robots.txt lacks the preferences of [usage]: --write-robots adds them', done.stdout + done.stderr)
        before = robots.read_text()
        done = subprocess.run([SHEAF, 'publish', '--write-robots'], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertNotIn('lacks', done.stdout + done.stderr)
        self.assertEqual(robots.read_text(), before.replace('User-agent: *\n', 'User-agent: *\nContent-Signal: search=yes, ai-train=no\n'))


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(known.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
