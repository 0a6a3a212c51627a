#!/usr/bin/env python3
"""Damage to a store: verify finds it, export continues after it, and a pull restores everything.

usage: repair.py --sheaf PROGRAM
"""
import argparse, pathlib, random, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer, Puller, Site

SHEAF = None


def noise(seed):
    """Returns words that do not compress, so that the pages are the largest file of the store."""
    source = random.Random(seed)
    return ''.join(' ' + ''.join(source.choices('abcdefghijklmnopqrstuvwxyz', k=7)) for _ in range(1500))


class Repair(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-repair-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / 'site/public').mkdir(parents=True)
        self.server = self.enterContext(BadServer(self.folder / 'site/public'))
        self.site = Site(SHEAF, self.folder / 'site', self.server.url)
        self.puller = Puller(SHEAF, self.folder / 'store')
        for number in range(30):
            self.site.write(f'p{number}.html', f'Text {number}' + noise(number))

    def pull(self, *options):
        code, reports, errors = self.puller.pull(self.site.base, *options)
        self.assertEqual(code, 0, (reports, errors))
        return reports[0]

    def check_whole(self):
        self.assertEqual(self.puller.faults(), '')
        self.assertEqual(self.puller.pages(), self.site.pages())

    def flip_bits(self):
        """Flips bits in the middle of the largest file, which contains pages."""
        file = max((self.folder / 'store/pages').glob('*.sst'), key=lambda each: each.stat().st_size)
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)

    def break_and_look(self):
        self.assertEqual(self.puller.run('gc').returncode, 0)
        self.check_whole()
        self.flip_bits()
        self.assertNotEqual(self.puller.faults(), '')
        done = self.puller.run('export')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('--repair', done.stderr)
        left = len(done.stdout.splitlines())
        self.assertLess(left, 30)
        self.assertEqual(done.stderr.count('the page '), 30 - left, done.stderr)
        collection = self.folder / 'all.scp'
        refused = self.puller.run('export', '--format', 'scp', '-o', collection)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertFalse(collection.exists())
        return 30 - left

    def test_flipped_bit_in_a_copy_of_collections(self):
        self.site.publish()
        self.pull()
        damaged = self.break_and_look()
        report = self.pull('--repair')
        self.assertEqual(report['sections'][0]['added'], damaged, report)
        self.assertTrue(any('could not be read' in note for note in report['notes']), report)
        self.check_whole()
        self.assertEqual(self.pull('--repair')['sections'][0]['applied'], 0)

    def test_flipped_bit_in_pages_that_a_delta_brought(self):
        self.site.publish()
        self.pull()
        for number in range(30):
            self.site.write(f'p{number}.html', f'Later {number}' + noise(number + 100))
        self.site.publish()
        self.pull()
        self.break_and_look()
        self.pull('--repair')
        self.check_whole()

    def test_flipped_bit_in_pages_fetched_one_by_one(self):
        self.site.write('index.html', 'The front page', links=[f'/p{number}.html' for number in range(30)])
        (self.site.public / 'robots.txt').unlink()
        self.pull()
        self.assertEqual(self.puller.run('gc').returncode, 0)
        self.check_whole()
        self.flip_bits()
        self.assertNotEqual(self.puller.faults(), '')
        self.pull('--repair')
        self.check_whole()

    def test_lost_log(self):
        self.site.publish()
        self.pull()
        for number in range(101):
            self.site.write(f'new{number}.html', f'New {number}')
        self.site.publish()
        self.pull()
        logs = list((self.folder / 'store/pages').glob('*.log'))
        self.assertTrue(logs)
        for log in logs:
            log.unlink()
        self.assertIn('log of the database was lost', self.puller.faults())
        self.pull()
        self.check_whole()


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--sheaf', required=True)
    options, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(options.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
