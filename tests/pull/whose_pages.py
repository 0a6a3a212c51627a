#!/usr/bin/env python3
"""A site may supply only its own pages, unless another host or the user permits more.

usage: whose_pages.py --sheaf PROGRAM
"""
import argparse, pathlib, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer, Puller
from raw_site import RawSite, moment

SHEAF = None


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-whose-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.puller = Puller(SHEAF, self.folder / 'store', '--html', 'never')
        self.victim = RawSite(self.enterContext(BadServer()))
        self.victim.add('s', moment(-2), {'page': moment(-3)}, text='Genuine')
        self.site = RawSite(self.enterContext(BadServer()))
        self.foreign = self.victim.url('page')
        self.site.add('s', moment(-1), {'own': moment(-3), self.foreign: moment(-1), self.victim.url('more'): moment(-1)}, text='Forged')

    def pull(self, *options, status=0):
        code, reports, errors = self.puller.pull(self.site.base, *options)
        self.assertEqual(code, status, (reports, errors))
        self.assertEqual(self.puller.faults(), '')
        return reports[0] if reports else errors

    def texts(self, *filters):
        return {page['url']: page['content'][0]['text'] for page in self.puller.raw_pages(*filters)}

    def test_pages_of_another_site_are_skipped_and_counted(self):
        report = self.pull()
        self.assertEqual(report['sections'][0]['findings'], {'foreign-page': 2})
        self.assertIn(self.victim.base.removeprefix('http://'), ' '.join(report['notes']))
        self.assertEqual(self.texts(), {self.site.url('own'): 'Forged, own'})
        self.assertNotEqual(self.puller.run('get', self.foreign).returncode, 0)

    def test_no_export_has_the_forged_page(self):
        self.assertEqual(self.puller.pull(self.victim.base)[0], 0)
        self.pull()
        self.assertEqual(self.texts('--site', self.victim.base), {self.foreign: 'Genuine, page'})
        self.assertEqual(self.texts()[self.foreign], 'Genuine, page')
        out = self.folder / 'out'
        self.assertEqual(self.puller.run('export', '--format', 'text', '-o', out).returncode, 0)
        texts = [file.read_text() for file in out.rglob('*.txt')]
        self.assertEqual(len(texts), 2)
        self.assertEqual(sum('Genuine, page' in text for text in texts), 1)
        self.assertFalse(any('more' in text for text in texts))

    def test_removed_does_not_reach_another_site(self):
        self.pull()
        self.assertEqual(self.puller.pull(self.victim.base)[0], 0)
        self.site.add('d', moment(0), {'own': moment(-0.5)}, since=self.site.entries['s'][1]['generated'], removed=[self.foreign])
        self.pull()
        self.assertIn(self.foreign, self.texts())

    def test_a_host_whose_robots_names_the_sitemap_vouches(self):
        self.victim.server.routes['/robots.txt'] += f'Sitemap: {self.site.base}/sitemap.xml\n'.encode()
        report = self.pull()
        self.assertEqual(report['sections'][0]['findings'], {})
        self.assertEqual(self.texts('--site', self.site.base)[self.foreign], f'Forged, {self.foreign}')
        self.assertEqual(len(self.victim.server.asked('/robots.txt')), 1, 'one request, however many pages')

    def test_another_sitemap_is_not_enough(self):
        self.victim.server.routes['/robots.txt'] += f'Sitemap: {self.site.base}/other.xml\n'.encode()
        self.assertEqual(self.pull()['sections'][0]['findings'], {'foreign-page': 2})

    def test_one_sitemap_does_not_vouch_for_the_collections_of_another(self):
        # The victim names its own sitemap, as every site does; the attacker also names it, next to the sitemap with the forged pages.
        self.site.server.routes['/robots.txt'] += f'Sitemap: {self.victim.base}/sitemap.xml\n'.encode()
        self.assertIn(b'Sitemap', self.victim.server.routes['/robots.txt'])
        self.pull()
        self.assertNotIn('Forged', self.texts('--site', self.site.base).get(self.foreign, ''))

    def test_the_user_lists_a_host(self):
        host = self.victim.base.removeprefix('http://')
        report = self.pull('--also-host', host)
        self.assertEqual(report['sections'][0]['findings'], {})
        self.assertIn(self.foreign, self.texts())
        self.assertEqual(self.victim.server.asked('/robots.txt'), [], 'nobody has to be asked')

    def test_a_listed_host_goes_with_one_site(self):
        code, _, errors = self.puller.pull(self.site.base, self.victim.base, '--also-host', 'docs.example.com')
        self.assertEqual(code, 2)
        self.assertIn('--also-host works with one site', errors)
        code, _, errors = self.puller.pull(self.site.base, '--also-host', 'docs.example.com/path')
        self.assertEqual(code, 2)
        self.assertIn('is not a host', errors)

    def test_so_many_hosts_are_asked_and_no_more(self):
        hosts = [self.enterContext(BadServer()) for _ in range(25)]
        for host in hosts:
            host.routes['/robots.txt'] = f'Sitemap: {self.site.base}/sitemap.xml\n'.encode()
        self.site.add('s', moment(-1), {f'{host.url}/page': moment(-3) for host in hosts})
        report = self.pull()
        self.assertEqual(sum(len(host.asked('/robots.txt')) for host in hosts), 20)
        self.assertEqual(report['sections'][0]['findings'], {'foreign-page': 5})

    def test_lines_tell_where_a_page_is_from(self):
        self.pull()
        [page] = self.puller.raw_pages()
        self.assertEqual(list(page)[-1], 'sheaf')
        self.assertEqual({key: page['sheaf'][key] for key in ('site', 'section')}, {'site': self.site.base, 'section': 'all'})
        self.assertLess(abs((parse(page['sheaf']['fetched']) - parse(moment())).total_seconds()), 600)
        self.assertEqual(list(page['sheaf']), ['site', 'section', 'fetched'])


def parse(text):
    from datetime import datetime
    return datetime.strptime(text, '%Y-%m-%dT%H:%M:%SZ')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(arguments.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
