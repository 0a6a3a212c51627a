#!/usr/bin/env python3
"""What a copy keeps over many collections: it does not shrink in small steps, goes back in time only on request, and recovers from
clocks that were wrong.

usage: section_history.py --sheaf PROGRAM
"""
import argparse, pathlib, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer, Puller
from raw_site import RawSite, moment, state_of

SHEAF = None


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-history-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.puller = Puller(SHEAF, self.folder / 'store', '--html', 'never')
        self.site = RawSite(self.enterContext(BadServer()))

    def pull(self, *options, status=0):
        code, reports, errors = self.puller.pull(self.site.base, *options)
        self.assertEqual(code, status, (reports, errors))
        self.assertEqual(self.puller.faults(), '')
        return reports[0] if reports else errors

    def state(self, pages):
        return state_of({self.site.url(name): modified for name, modified in pages.items()})

    def stored(self):
        return {page['url'].removeprefix(self.site.base + '/'): page['modified'] for page in self.puller.raw_pages()}


class Shrinking(Case):
    def remove_in_steps(self, times, pages, steps):
        """Offers a delta for each step, each with the right state."""
        names = list(pages)
        size = -(-len(names) // steps)
        for step in range(steps):
            gone = names[step * size:(step + 1) * size]
            left = {name: pages[name] for name in names[(step + 1) * size:]}
            self.site.add(f'd{step}', times[step + 1], {}, since=times[step], removed=gone, state=self.state(left))

    def test_seven_deltas_do_not_remove_everything(self):
        pages = {f'p{number}': moment(-30) for number in range(1000)}
        times = [moment(-20 + step) for step in range(8)]
        self.site.add('s', times[0], pages, state=self.state(pages))
        self.pull()
        self.remove_in_steps(times, pages, 7)
        self.site.drop('s')
        for _ in range(3):  # another pull makes no progress
            report = self.pull(status=1)
            self.assertEqual(report['failureCode'], 'shrink-held')
            self.assertTrue(report['sections'][0]['heldBack'])
            self.assertEqual(len(self.stored()), 1000 - 3 * 143)
        self.pull('--allow-shrink')
        self.assertEqual(self.stored(), {})

    def test_what_is_less_than_half_goes(self):
        pages = {f'p{number}': moment(-30) for number in range(100)}
        times = [moment(-20 + step) for step in range(4)]
        self.site.add('s', times[0], pages, state=self.state(pages))
        self.pull()
        names = list(pages)
        for step in range(2):  # 40 of 100 in one pull, then 25 of the 60 that were proven
            first, end = ((0, 40), (40, 65))[step]
            left = {name: pages[name] for name in names[end:]}
            self.site.add(f'd{step}', times[step + 1], {}, since=times[step], removed=names[first:end], state=self.state(left))
            self.pull()
        self.assertEqual(len(self.stored()), 35)


class NeverBackwards(Case):
    def test_a_wrong_state_beside_an_older_snapshot(self):
        old = {'a': moment(-30), 'b': moment(-30), 'gone': moment(-30)}
        new = {'a': moment(-10), 'b': moment(-10)}
        self.site.add('new', moment(-5), new, state=self.state(new))
        self.pull()
        self.site.add('wrong', moment(-4), {'c': moment(-4.5)}, since=moment(-5.5), state='sum256:' + 64 * '1')
        self.site.drop('new')
        self.site.add('old', moment(-20), old, state=self.state(old), text='Old')
        for _ in range(2):
            report = self.pull(status=1)
            self.assertEqual(report['failureCode'], 'state-mismatch')
            self.assertEqual(sorted(self.stored()), ['a', 'b', 'c'])
            self.assertEqual({name: self.stored()[name] for name in new}, new)

    def test_an_older_snapshot_and_its_deltas_make_up_what_is_missing(self):
        first, second, third = moment(-20), moment(-10), moment(-5)
        whole = {'a': moment(-30), 'b': moment(-30), 'c': moment(-12)}
        self.site.add('s2', second, {'a': whole['a']})
        self.pull()
        self.site.drop('s2')
        self.site.add('s1', first, {'a': whole['a'], 'b': whole['b'], 'gone': moment(-30)})
        self.site.add('d2', second, {'c': whole['c']}, since=first, removed=['gone'])
        now = {**whole, 'd': moment(-6)}
        self.site.add('d3', third, {'d': now['d']}, since=second, state=self.state(now))
        report = self.pull()
        self.assertTrue(report['sections'][0]['resynchronised'])
        self.assertTrue(report['sections'][0]['proven'])
        self.assertEqual(self.stored(), now)

    def test_reset_goes_back(self):
        new, old = {'a': moment(-10), 'b': moment(-10)}, {'a': moment(-30)}
        self.site.add('new', moment(-5), new)
        self.pull()
        self.site.drop('new')
        self.site.add('old', moment(-20), old, state=self.state(old), text='Old')
        self.pull(status=1)
        self.assertEqual(self.stored(), new)
        self.pull('--reset')
        self.assertEqual(self.stored(), old)
        self.pull()

    def test_reset_still_does_not_empty_a_section(self):
        self.site.add('new', moment(-5), {f'p{number}': moment(-10) for number in range(30)})
        self.pull()
        self.site.drop('new')
        self.site.add('old', moment(-20), {'p1': moment(-30)})
        self.assertEqual(self.pull('--reset', status=1)['failureCode'], 'shrink-held')
        self.pull('--reset', '--allow-shrink')
        self.assertEqual(list(self.stored()), ['p1'])

    def test_reset_does_not_go_with_a_list(self):
        (self.folder / 'sites.txt').write_text(self.site.base + '\n')
        code, _, errors = self.puller.pull('--list', self.folder / 'sites.txt', '--once', '--reset')
        self.assertEqual(code, 2)
        self.assertIn('--reset works with sites that you name', errors)


class Clocks(Case):
    def test_a_publisher_in_the_future_is_reported_and_recovered_from(self):
        pages = {'a': moment(-30)}
        self.site.add('s1', moment(-5), pages)
        self.pull()
        self.site.add('future', moment(1500), {'a': moment(1499)}, text='Future')
        report = self.pull(status=1)
        self.assertEqual(report['failureCode'], 'future-collection')
        self.assertEqual(self.stored(), pages)
        self.site.drop('future')
        self.site.add('s2', moment(-0.1), {'a': moment(-0.2)}, text='Mended')
        self.pull()
        self.assertEqual(list(self.puller.pages().values()), ['Mended'])

    def test_a_copy_from_the_future_recovers_once_the_site_is_repaired(self):
        # Half a day in the future is accepted.
        self.site.add('ahead', moment(0.5), {'a': moment(0.5), 'b': moment(0.5)}, text='Ahead')
        self.pull()
        self.pull()
        self.site.drop('ahead')
        now = {'a': moment(-1), 'c': moment(-1)}
        self.site.add('now', moment(0, -60), now, state=self.state(now), text='Now')
        report = self.pull()
        self.assertIn('dated in the future', ' '.join(report['notes']))
        self.assertEqual(self.stored(), now)
        self.assertEqual(self.pull()['sections'][0]['plan'], 'current')

    def test_a_page_from_the_year_9999_does_not_outlive_its_later_versions(self):
        self.site.add('s', moment(-5), {'a': '9999-12-31T23:59:59Z'}, text='First')
        self.pull()
        mended = {'a': moment(-3)}
        self.site.add('d', moment(-2), mended, since=self.site.entries['s'][1]['generated'], state=self.state(mended), text='Second')
        self.assertTrue(self.pull()['sections'][0]['proven'])
        self.assertEqual(list(self.puller.pages().values()), ['Second'])


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(arguments.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
