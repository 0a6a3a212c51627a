#!/usr/bin/env python3
"""`sheaf pull --report`: every URL that has no page, with its reason, and the quality of the pages.

usage: quality.py --sheaf PROGRAM [TEST...]
"""
import argparse, json, pathlib, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer, Puller, Site, page_html

SHEAF = None


class CrawledSite(unittest.TestCase):
    """A site without collections."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.server = self.enterContext(BadServer())
        self.puller = Puller(SHEAF, self.folder / 'store')
        self.report_file = self.folder / 'report.json'
        self.pages = [f'/page-{number}' for number in range(12)]
        for path in self.pages:
            self.server.routes[path] = page_html(f'Page {path}', f'This is what {path} says').encode()
        self.server.routes['/page-3'] = self.server.routes['/page-3'].replace(b'Page /page-3', b'Page /page-4')
        self.server.routes['/tiny'] = b'<!doctype html><html lang=en><title>Tiny</title><main><p>Soon.</p></main>'
        self.server.routes['/secret'] = page_html('Secret', 'Secret', extra='<meta name=robots content=noindex>').encode()
        self.server.routes['/robots.txt'] = f'User-agent: *\nDisallow: /private\nSitemap: {self.server.url}/sitemap.txt\n'.encode()
        listed = [*self.pages, '/tiny', '/secret', '/gone', '/private']
        self.server.routes['/sitemap.txt'] = '\n'.join([self.server.url + path for path in listed] + ['https://other.example/page']).encode()

    def pull(self, *options):
        code, reports, errors = self.puller.pull(self.server.url, '--report', self.report_file, *options)
        return code, reports, errors

    def report(self):
        [line] = self.report_file.read_text().splitlines()
        return json.loads(line)

    def test_every_url_without_a_page_is_listed(self):
        _, [told], _ = self.pull()
        report = self.report()
        self.assertEqual(report['schemaVersion'], 1)
        self.assertEqual(report['site'], self.server.url)
        skipped = {page['item'].removeprefix(self.server.url): page['reason'] for page in report['skipped']}
        self.assertEqual({path: skipped.get(path) for path in ('/secret', '/gone', '/private', 'https://other.example/page')},
                         {'/secret': 'noindex', '/gone': 'missing', '/private': 'robots', 'https://other.example/page': 'other-site'})
        self.assertEqual(len(skipped), len(report['skipped']), 'each once')
        self.assertEqual([page['url'].removeprefix(self.server.url) for page in report['nearEmpty']], ['/tiny'])
        [same] = report['duplicateTitle']
        self.assertEqual(sorted(same['urls']), [self.server.url + '/page-3', self.server.url + '/page-4'])
        self.assertEqual(report['summary']['pages'], 13)
        self.assertEqual(told['quality'], report['summary'])

    def test_pages_that_did_not_change_are_in_it_too(self):
        self.pull()
        first = self.report()
        self.pull()
        self.assertEqual(self.report()['summary'], first['summary'])

    def test_without_it_nothing_is_measured(self):
        _, [report], _ = self.puller.pull(self.server.url)
        self.assertNotIn('quality', report)

    def test_what_it_does_not_go_with(self):
        code, _, errors = self.pull('--plan')
        self.assertEqual((code, 'not with --plan' in errors), (2, True), errors)
        sites = self.folder / 'sites'
        sites.write_text(self.server.url + '\n')
        code, _, errors = self.puller.pull('--list', sites, '--report', self.report_file)
        self.assertEqual((code, '--once' in errors), (2, True), errors)
        code, _, errors = self.puller.pull(self.server.url, '--report', self.folder / 'nowhere' / 'report.json')
        self.assertEqual(code, 2, errors)
        self.assertFalse(self.report_file.exists())

    def test_each_site_of_a_list_has_a_line(self):
        sites = self.folder / 'sites'
        other = self.enterContext(BadServer())
        other.routes['/'] = page_html('Front', 'The front page of another site').encode()
        sites.write_text(f'{self.server.url}\n{other.url}\n')
        self.puller.pull('--list', sites, '--once', '--report', self.report_file)
        told = [json.loads(line) for line in self.report_file.read_text().splitlines()]
        self.assertEqual(sorted(line['site'] for line in told), sorted([self.server.url, other.url]))


class PublishedSite(unittest.TestCase):
    """A site with collections."""

    def test_its_pages_are_measured_too(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        server = self.enterContext(BadServer(folder / 'public'))
        site = Site(SHEAF, folder, server.url)
        for number in range(3):
            site.write(f'{number}.html', f'Page {number}')
        site.publish()
        report_file = folder / 'report.json'
        _, [told], errors = Puller(SHEAF, folder / 'store').pull(server.url, '--report', report_file)
        self.assertTrue(told['ok'], errors)
        report = json.loads(report_file.read_text())
        self.assertEqual(report['summary']['pages'], 3)
        self.assertEqual(report['skipped'], [])


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(arguments.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
