#!/usr/bin/env python3
"""Runs tools/demo and checks its exit status and its important lines, and that it leaves no server and no folder.

usage: demo.py --sheaf PROGRAM
"""
import argparse, os, pathlib, re, signal, subprocess, sys, tempfile, time, unittest

DEMO = pathlib.Path(__file__).resolve().parent.parent.parent / 'tools' / 'demo'
TIMEOUT = 300  # seconds: only a hang takes that long
SHEAF = None


def serving(folder):
    """Returns the processes whose working folder is below this folder."""
    found = []
    for process in pathlib.Path('/proc').glob('[0-9]*'):
        try:
            if os.readlink(process / 'cwd').startswith(str(folder)):
                found.append(process.name)
        except OSError:
            continue  # ended, or another user's
    return found


class Demo(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-demo-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o755)
        self.demo = subprocess.Popen([DEMO, SHEAF.parent], env={**os.environ, 'TMPDIR': str(self.folder)}, text=True, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def assert_nothing_is_left(self):
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(serving(self.folder), [])

    def test_the_round_trip(self):
        output, _ = self.demo.communicate(timeout=TIMEOUT)
        self.assertEqual(self.demo.returncode, 0, output)
        for line in ['all: 64 pages: 64 new, 0 changed, 0 removed (snapshot: 1 file), proven complete',
                     'all: 63 pages: 0 new, 3 changed, 1 removed (deltas: 1 file), proven complete',
                     'it was damaged or altered (checksum-mismatch)', 'the file is truncated (decompress-failed)',
                     'a compression bomb (ratio-exceeded)', '63 pages in 1 section, 69 changes: no faults']:
            self.assertIn(line, output)
        self.assertEqual(output.count('\nthe copy is what it was\n'), 3, output)
        figures = {name: int(requests) for name, requests in re.findall(r'^((?:first copy|update): .*?) {2,}(\d+) ', output, re.M)}
        self.assertEqual(figures, {'first copy: sheaf pull': 3, 'first copy: page by page': 66, 'update: sheaf pull': 3, 'update: page by page': 6})
        self.assert_nothing_is_left()

    def test_ended_in_the_middle(self):
        with self.demo.stdout as lines:
            for line in lines:
                if line.startswith('# Pull:'):
                    self.demo.send_signal(signal.SIGTERM)
                    break
            lines.read()
        self.assertEqual(self.demo.wait(TIMEOUT), 143)
        self.assert_nothing_is_left()


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = pathlib.Path(known.sheaf).resolve()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
