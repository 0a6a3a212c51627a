#!/usr/bin/env python3
"""The progress line: shown on standard error, on a terminal, after a second has passed, and removed at the end.

usage: progress.py --sheaf PROGRAM --fill STORE_FILL --shim LIBRARY     LIBRARY: the library built from fault_shim.cpp; it makes the clock run fast
"""
import argparse, os, pathlib, pty, re, subprocess, sys, tempfile, unittest

HERE = pathlib.Path(__file__).resolve().parent
SHEAF = FILL = SHIM = None
LINE = rb'\r\x1b\[K(?P<label>[^:\r]+): (?P<pages>[0-9,]+ pages?), [^\r]*/s(, [0-9]+%, [0-9]+ (?:s|min) left)?'
STAGE = rb'\r\x1b\[K(?P<label>[^:]+): (?P<done>[0-9.,]+(?: [KMG]iB| bytes?)?) of (?P<total>[0-9.,]+ (?:[KMG]iB|bytes?|pages?)), (?P<percent>[0-9]+)%(?:, [0-9]+ (?:s|min) left)?'
TIME = rb'\r\x1b\[K[^:]+: [0-9]+ s(?=\r|$)'


def read_until_closed(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the terminal was closed
        return b''


class Progress(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-progress-')
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        for name, generated in [('old.scp', '2026-01-01T00:00:00Z'), ('new.scp', '2026-01-02T00:00:00Z')]:
            with open(cls.folder / name, 'wb') as file:
                subprocess.run([HERE / 'bin/collection', '--generated', generated, '1-1000'], stdout=file, check=True)
        subprocess.run([FILL, 'store', 'https://test.example', 'old.scp'], cwd=cls.folder, check=True, stdout=subprocess.DEVNULL)

    def run_sheaf(self, command, on_terminal=True, clock_step=1, status=0):
        """(standard output, standard error)"""
        env = {**os.environ, 'LC_ALL': 'C', 'TERM': 'xterm', 'LD_PRELOAD': str(SHIM), 'SHEAF_FAULT_CLOCK': str(clock_step)}
        ours, theirs = pty.openpty() if on_terminal else os.pipe()
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen([SHEAF, *command.split()], cwd=self.folder, env=env, stdout=output, stderr=theirs)
            os.close(theirs)
            shown = b''.join(iter(lambda: read_until_closed(ours), b''))
            os.close(ours)
            self.assertEqual(child.wait(), status, shown)
            output.seek(0)
            return output.read(), shown

    def check_line(self, command, label, with_total):
        output, shown = self.run_sheaf(command)
        lines = list(re.finditer(LINE, shown))
        self.assertTrue(lines, shown)
        self.assertEqual({line['label'] for line in lines}, {label})
        self.assertEqual(lines[0]['pages'], b'256 pages' if 'inspect' not in command else lines[0]['pages'])
        self.assertEqual(all(line[3] for line in lines), with_total, shown)
        self.assertTrue(shown.endswith(b'\r\x1b[K'), shown[-100:])
        self.assertEqual(re.sub(LINE, b'', shown).replace(b'\r\x1b[K', b''), b'', 'nothing else is printed there')
        self.assertNotIn(b'\x1b', output)

    def test_on_a_terminal(self):
        self.check_line('validate old.scp', b'old.scp', with_total=True)
        self.check_line('inspect old.scp', b'old.scp', with_total=True)
        self.check_line('convert old.scp out.scp', b'convert', with_total=True)
        self.check_line('diff old.scp new.scp -o out.scp', b'diff', with_total=True)
        self.check_line('merge old.scp -o out.scp', b'merge', with_total=True)
        for output in ['', ' -o out.jsonl', ' -o out.scp', ' --format markdown -o out']:
            self.check_line('export --store store' + output, b'export', with_total=True)

    def check_stages(self, command, labels):
        """Each stage shows how much of the total is done, and the line is removed at the end."""
        output, shown = self.run_sheaf(command)
        stages = list(re.finditer(STAGE, shown))
        self.assertEqual({stage['label'] for stage in stages}, labels, shown)
        for label in labels:
            percents = [int(stage['percent']) for stage in stages if stage['label'] == label]
            self.assertEqual(percents, sorted(percents))
            self.assertLessEqual(percents[-1], 100)
        self.assertTrue(shown.endswith(b'\r\x1b[K'), shown[-100:])
        self.assertEqual(re.sub(TIME, b'', re.sub(STAGE, b'', shown)).replace(b'\r\x1b[K', b''), b'', 'nothing else is printed there')
        self.assertNotIn(b'\x1b', output)
        return shown

    def test_stages_on_a_terminal(self):
        self.check_stages('verify --store store', {b'check'})
        # So little is packed that the line shows no percentage, only the time.
        shown = self.check_stages('gc --store store', {b'check'})
        self.assertIn(b'pack: ', shown)

    def test_complaints_do_not_stand_behind_it(self):
        """Text printed while the progress line is shown begins at the start of a line."""
        (self.folder / 'twice.scp').write_bytes((self.folder / 'old.scp').read_bytes() + b'[]\n')
        _, shown = self.run_sheaf('inspect twice.scp', status=1)
        self.assertRegex(shown, rb'\r\x1b\[Ksheaf: ')

    def test_not_in_a_pipe(self):
        for command in ['validate old.scp', 'inspect old.scp', 'convert old.scp out.scp', 'diff old.scp new.scp -o out.scp', 'merge old.scp -o out.scp',
                        'verify --store store', 'gc --store store', 'export --store store -o out.scp']:
            self.assertEqual(self.run_sheaf(command, on_terminal=False)[1], b'', command)

    def test_not_at_once(self):
        """Before a second has passed there is no line, regardless of the number of pages."""
        self.assertEqual(self.run_sheaf('validate old.scp', clock_step=0)[1], b'')


def main():
    global SHEAF, FILL, SHIM
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('--sheaf', '--fill', '--shim'):
        parser.add_argument(name, required=True, type=lambda text: pathlib.Path(text).resolve())
    arguments, rest = parser.parse_known_args()
    SHEAF, FILL, SHIM = arguments.sheaf, arguments.fill, arguments.shim
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == '__main__':
    main()
