#!/usr/bin/env python3
"""Checks messages, and the files left on disk, when reading or writing fails.

usage: faults.py --sheaf PROGRAM [--shim LIBRARY]     LIBRARY: the library built from fault_shim.cpp; without it its cases are skipped

Every case checks the whole message, the exit status and the folder's content.
"""
import argparse, os, pathlib, random, shutil, subprocess, sys, tempfile, unittest

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / 'examples'
TIMEOUT = 300  # seconds: only a hang takes that long
NOBODY = 65534
SHEAF = SHIM = None


def write_big(path, generated, first_page):
    """About 4 MB that compress to half at best; a page is the same in every file."""
    with open(path, 'w') as file:
        file.write('{"collection":{"id":"big","section":"all","type":"snapshot","generated":"%s","version":"0.1"}}\n' % generated)
        for page in range(first_page, first_page + 100):
            file.write('{"url":"https://big.example/%d","title":"T","description":"D","modified":"2026-01-01T00:00:00Z","language":"en",'
                       '"content":[{"type":"text","text":"%s"}]}\n' % (page, random.Random(page).randbytes(20_000).hex()))


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-faults-')
        cls.addClassCleanup(holder.cleanup)
        cls.shared = pathlib.Path(holder.name)
        cls.shared.chmod(0o755)
        shutil.copy(SHEAF, cls.shared / 'sheaf')  # a place where every user may run it
        libraries = pathlib.Path(SHEAF).parent / 'lib'
        if libraries.is_dir():  # a program that is linked statically has none
            shutil.copytree(libraries, cls.shared / 'lib')
        write_big(cls.shared / 'big.scp', '2026-01-01T00:00:00Z', 0)
        write_big(cls.shared / 'bigger.scp', '2026-01-02T00:00:00Z', 60)

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='case-', dir=self.shared)
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o755)
        for example in EXAMPLES.glob('*.scp'):
            shutil.copy(example, self.folder)
        self.before = self.listing()

    def listing(self):
        return sorted(path.name for path in self.folder.iterdir())

    def run_bash(self, script, fault=None, user=None, prefix=()):
        """Runs a bash script in the case's folder. Returns (standard output, standard error, exit status)."""
        env = {**os.environ, 'PATH': f'{self.shared}:{os.environ["PATH"]}', 'LC_ALL': 'C', 'TMPDIR': str(self.folder)}
        if fault:
            if not SHIM:
                self.skipTest('no fault shim in this build')
            script = f'SHEAF_FAULT="{fault}" LD_PRELOAD={SHIM} {script}'
        command = [*prefix, 'bash', '-c', script]
        if user is not None and os.geteuid() == 0:
            command = ['setpriv', f'--reuid={user}', f'--regid={user}', '--clear-groups', *command]
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL)
        return done.stdout, done.stderr, done.returncode

    def expect_failure(self, script, message, status=2, **how):
        """The command prints only `message` and leaves the folder unchanged."""
        self.assertEqual(self.run_bash(script, **how), ('', f'sheaf: {message}\n', status), script)
        self.assertEqual(self.listing(), self.before, script)


READERS = ['validate {}', 'inspect {}', 'convert {} out.scp', 'diff {} tuesday.scp -o out.scp', 'diff monday.scp {} -o out.scp',
           'merge {} -o out.scp', 'merge monday.scp {} -o out.scp']


class Reading(Case):
    def test_no_such_file(self):
        for command in READERS:
            self.expect_failure('sheaf ' + command.format('nothing.scp'), 'cannot open nothing.scp: No such file or directory')

    def test_a_folder(self):
        (self.folder / 'pages').mkdir()
        self.before = self.listing()
        for command in READERS:
            self.expect_failure('sheaf ' + command.format('pages'), 'pages is a folder; name a collection file in it')

    def test_a_path_through_a_file(self):
        self.expect_failure('sheaf validate monday.scp/x', 'cannot open monday.scp/x: Not a directory')

    def test_no_permission(self):
        self.folder.chmod(0o777)
        (self.folder / 'secret.scp').write_text('x')
        (self.folder / 'secret.scp').chmod(0)
        self.before = self.listing()
        for command in READERS:
            self.expect_failure('sheaf ' + command.format('secret.scp'), 'cannot open secret.scp: Permission denied', user=NOBODY)

    def test_pages_that_cannot_be_read(self):
        """extract continues with the next page."""
        self.folder.chmod(0o777)
        (self.folder / 'secret.md').write_text('x')
        (self.folder / 'secret.md').chmod(0)
        (self.folder / 'good.md').write_text('Fine.\n')
        out, err, status = self.run_bash('sheaf extract --text secret.md good.md nothing.md', user=NOBODY)
        self.assertEqual((out, status), ('==> good.md <==\nFine.\n', 2))
        self.assertEqual(err, 'sheaf: cannot open secret.md: Permission denied\n'
                              'sheaf: cannot open nothing.md: No such file or directory\n')
        self.assertEqual(self.run_bash('sheaf extract --text ../big.scp good.md', fault='read big.scp 4 EIO'),
                         ('==> good.md <==\nFine.\n', 'sheaf: cannot read ../big.scp: Input/output error\n', 2))

    def test_read_error_in_the_middle(self):
        message = 'cannot read ../big.scp: Input/output error'
        for command in ['validate ../big.scp', 'validate --threads 1 ../big.scp', 'validate --threads 3 ../big.scp', 'inspect ../big.scp',
                        'convert ../big.scp out.scp out.scp.gz', 'diff ../big.scp ../bigger.scp -o out.scp', 'merge ../big.scp -o out.scp']:
            self.expect_failure('sheaf ' + command, message, fault='read big.scp 4 EIO')

    def test_read_error_is_no_verdict_in_json(self):
        out, err, status = self.run_bash('sheaf validate --json ../big.scp', fault='read big.scp 4 EIO')
        self.assertEqual((err, status), ('', 2))
        self.assertIn('"fatal":{"code":"read-failed","level":"fatal"', out)
        self.assertIn('"message":"cannot read ../big.scp: Input/output error"', out)

    def test_a_file_that_shrinks(self):
        for command in ['validate big.scp', 'inspect big.scp', 'convert big.scp out.scp', 'diff big.scp ../bigger.scp -o out.scp',
                        'merge big.scp -o out.scp']:
            shutil.copy(self.shared / 'big.scp', self.folder)
            size = (self.folder / 'big.scp').stat().st_size
            self.before = self.listing()
            # diff and merge first read the metadata line, in a separate read.
            out, err, status = self.run_bash('sheaf ' + command, fault='read big.scp 3 truncate')
            self.assertEqual((out, status), ('', 2), err)
            self.assertRegex(err, rf'^sheaf: big\.scp shrank while it was read: expected {size} bytes, got [0-9]+\n$')
            self.assertEqual(self.listing(), self.before)

    def test_a_pipe_that_is_no_standard_input(self):
        """diff, merge and convert read their input twice. A named pipe can be read only once, so they copy it first."""
        out, err, status = self.run_bash('sheaf diff <(cat monday.scp) <(cat tuesday.scp) -o out.scp')
        self.assertEqual((out, err, status), ('wrote out.scp: 2 pages, 1.4 KiB\n1 added, 1 changed, 1 removed, 4 unchanged\n', '', 0))


WRITERS = ['convert ../big.scp {}', 'diff ../big.scp ../bigger.scp --allow-shrink -o {}', 'merge ../big.scp -o {}']


class Writing(Case):
    def test_folder_is_missing(self):
        for command in WRITERS:
            self.expect_failure('sheaf ' + command.format('nowhere/out.scp'), 'cannot create nowhere/out.scp: No such file or directory')

    def test_target_is_a_folder(self):
        (self.folder / 'out.scp').mkdir()
        self.before = self.listing()
        for command in WRITERS:
            self.expect_failure('sheaf ' + command.format('out.scp'), 'out.scp is a folder; name the file to write')

    def test_folder_is_read_only(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        for command in WRITERS:
            self.expect_failure('sheaf ' + command.format('out.scp'), 'cannot create out.scp: Permission denied', user=NOBODY)

    def test_second_target_fails(self):
        for command in WRITERS:
            script = 'sheaf ' + command.format('first.scp') + (' ' if 'convert' in command else ' -o ') + 'nowhere/second.scp'
            self.expect_failure(script, 'cannot create nowhere/second.scp: No such file or directory')

    def test_write_error(self):
        (self.folder / 'out.scp').write_text('what was there before\n')
        self.before = self.listing()
        for command in WRITERS:
            for fault, message in [('write /.out.scp 1 EIO', 'cannot write out.scp: Input/output error'),
                                   ('write /.out.scp 1 ENOSPC', 'cannot write out.scp: No space left on device'),
                                   ('fsync /.out.scp 1 ENOSPC', 'cannot write out.scp: No space left on device'),
                                   ('fsync /.out.scp 1 EDQUOT', 'cannot write out.scp: Disk quota exceeded'),
                                   ('rename out.scp 1 EIO', 'cannot rename to out.scp: Input/output error'),
                                   ('write .sheaf-spool 1 ENOSPC', 'cannot write a temporary file in .: No space left on device'),
                                   ('pread .sheaf-spool 1 EIO', 'cannot read a temporary file in .: Input/output error')]:
                self.expect_failure('sheaf ' + command.format('out.scp'), message, fault=fault)
                self.assertEqual((self.folder / 'out.scp').read_text(), 'what was there before\n')

    def test_killed_in_the_middle(self):
        """However the program ends, the target is intact: the old file, or no file."""
        for signal, number in [('SIGKILL', 9), ('SIGTERM', 15)]:
            for command in WRITERS:
                for call in ['write', 'fsync']:
                    self.run_killed('sheaf ' + command.format('out.scp'), f'{call} /.out.scp 1 {signal}', number)

    def run_killed(self, script, fault, number):
        out, err, status = self.run_bash(script, fault=fault)
        self.assertIn(status, (-number, 128 + number), script)
        self.assertEqual(out, '')
        self.assertFalse((self.folder / 'out.scp').exists())
        for name in set(self.listing()) - set(self.before):
            self.assertRegex(name, r'^\.out\.scp\.tmp-[0-9a-f]{8}$')
            (self.folder / name).unlink()


class DiskFull(Case):
    """A file system of 1 MiB, in a separate mount namespace."""

    SPACE = ['unshare', '-m'] if os.geteuid() == 0 else ['unshare', '-rm']
    MOUNT = 'mkdir -p full && mount -t tmpfs -o size=1m none full && cd full'

    def setUp(self):
        super().setUp()
        if subprocess.run([*self.SPACE, 'bash', '-c', self.MOUNT], cwd=self.folder, capture_output=True).returncode != 0:
            self.skipTest('neither mount nor unshare may be used here')

    def run_full(self, script):
        return self.run_bash(f'{self.MOUNT} && echo old > out.scp && {{ {script}; echo "status $?"; ls -A; cat out.scp; }}', prefix=self.SPACE)

    def test_disk_full(self):
        for command in WRITERS:
            command = command.replace('../', '../../')
            for target in ['out.scp', 'out.scp -o out.scp.zst -o out.scp.gz']:
                script = 'sheaf ' + command.format(target)
                if 'convert' in script:
                    script = script.replace('-o ', '')
                out, err, status = self.run_full(script)
                self.assertEqual((out, err), ('status 2\nout.scp\nold\n', 'sheaf: cannot write a temporary file in .: No space left on device\n'), script)

    def test_disk_full_with_temporary_files_elsewhere(self):
        for command in WRITERS:
            for target in ['out.scp', 'out.scp.zst', 'out.scp.gz']:
                script = 'sheaf ' + command.replace('../', '../../').format(target) + ' --temporary ..'
                out, err, status = self.run_full(script)
                self.assertEqual((out, err), ('status 2\nout.scp\nold\n', f'sheaf: cannot write {target}: No space left on device\n'), script)

    def test_disk_full_while_standard_input_is_copied(self):
        out, err, status = self.run_full('cat ../../big.scp | sheaf convert - out.scp')
        self.assertEqual((out, err), ('status 2\nout.scp\nold\n', 'sheaf: cannot write a temporary file in .: No space left on device\n'))


class StandardOutput(Case):
    def test_full_device(self):
        message = 'sheaf: cannot write to standard output: No space left on device\n'
        for command in ['validate monday.scp', 'validate --json monday.scp', 'inspect monday.scp', 'inspect --pages --json ../big.scp',
                        'convert monday.scp out.scp', 'extract --text monday.scp', '--help', 'validate --help', '--version']:
            self.assertEqual(self.run_bash(f'sheaf {command} > /dev/full'), ('', message, 2), command)

    def test_pipe_closes_early(self):
        """No message: the reader closed the pipe. The status is 2, because the output is incomplete."""
        for command in ['inspect --pages --json ../big.scp', 'inspect --content ../big.scp', 'extract --text ../big.scp ../big.scp ../big.scp']:
            out, err, status = self.run_bash(f'sheaf {command} | head -c 10; exit ${{PIPESTATUS[0]}}')
            self.assertEqual((len(out), err, status), (10, '', 2), command)

    def test_pipe_was_never_read(self):
        """The error is also found if the output is so small that it stays in a buffer until the end."""
        for command in ['validate monday.scp', '--version']:
            script = f'mkfifo p; exec 3<>p 4>p 3<&-; rm p; sheaf {command} >&4; echo $?'
            self.assertEqual(self.run_bash(script), ('2\n', '', 0), command)

    def test_closed(self):
        """If standard output is closed, the command does its work, and the missing report is an error."""
        out, err, status = self.run_bash('sheaf convert monday.scp out.scp >&-')
        self.assertEqual((err, status), ('sheaf: cannot write to standard output: Bad file descriptor\n', 2))
        self.assertEqual(self.run_bash('sheaf validate --strict out.scp | head -1'), ('out.scp: valid\n', '', 0))


class StandardError(Case):
    """A message that cannot be written is lost; everything else goes on."""

    def test_failing_command(self):
        for redirection in ['2>&-', '2>/dev/full']:
            self.assertEqual(self.run_bash(f'sheaf validate nothing.scp {redirection}'), ('', '', 2), redirection)
            self.assertEqual(self.run_bash(f'sheaf --no-such-option {redirection}'), ('', '', 2), redirection)

    def test_server(self):
        """Serving with a warning at the start, and stopping."""
        for redirection in ['2>&-', '2>/dev/full']:
            out, err, status = self.run_bash(
                f'ulimit -n 60; mkfifo p; sheaf serve . --listen 127.0.0.1:0 > p {redirection} & '
                'exec 3<p; read line <&3; readlink /proc/$!/fd/2; kill -TERM $!; wait $!; echo $?; rm p')
            self.assertEqual((out, err, status), ('/dev/full\n0\n' if 'full' in redirection else '/dev/null\n0\n', '', 0), redirection)


class Limits(Case):
    def test_size_of_files(self):
        """A limit on the size of files (ulimit -f) is a failed write."""
        for command in WRITERS:
            self.expect_failure('ulimit -f 1000; sheaf ' + command.format('out.scp'), 'cannot write a temporary file in .: File too large')

    def test_new_files_are_complete(self):
        """A key or settings that cannot be written completely are not there at all."""
        self.expect_failure('ulimit -f 0; sheaf publish --init --base https://a.example .', f'cannot write {os.path.realpath(self.shared)}/sheaf.toml: File too large')
        self.expect_failure('ulimit -f 0; sheaf keys create --no-passphrase --out site.key', 'cannot write site.key: File too large')

    def test_threads(self):
        """With few threads the work is done by fewer; without any, the command ends with a message."""
        for command in ['validate --threads 4 ../big.scp', 'convert --threads 4 ../big.scp out.scp.gz out.scp.zst', 'diff ../big.scp ../bigger.scp --allow-shrink -o out.scp',
                        'merge ../big.scp -o out.scp', 'grep --threads 4 abcd ../big.scp', 'extract --text monday.scp',
                        'publish --threads 4 site --base https://a.example --out site/scp']:
            statuses = set()
            for first in range(1, 8):
                (self.folder / 'site').mkdir(exist_ok=True)
                (self.folder / 'site/index.html').write_text('<title>T</title><main><p>Some words on a page.</p></main>')
                out, err, status = self.run_bash('sheaf ' + command, fault=f'thread - {first}+ EAGAIN')
                if status != 0 and err:
                    self.assertRegex(err, r'^sheaf: .*(start a thread|Resource temporarily unavailable).*\n', command)
                self.assertIn(status, (0, 1, 2), f'{command}, thread {first}: {err}')
                statuses.add(status)
            if 'publish' not in command:  # the database starts many threads and needs all of them
                self.assertTrue(statuses & {0, 1}, command)

    def test_memory(self):
        """Too little memory ends a command with a message."""
        for megabytes in range(60, 400, 20):
            out, err, status = self.run_bash(f'ulimit -v {megabytes * 1024}; sheaf convert --threads 4 ../big.scp out.scp.zst', fault='thread - 1000 EAGAIN')
            self.assertIn(status, (0, 2, 127), f'{megabytes} MB: {err}')  # 127: the program was not loaded
            if status == 2:
                self.assertRegex(err, '^sheaf: .*(memory|start a thread)', f'{megabytes} MB')


def main():
    global SHEAF, SHIM
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument('--shim', type=lambda text: pathlib.Path(text).resolve() if text else None)
    arguments, rest = parser.parse_known_args()
    SHEAF, SHIM = arguments.sheaf, arguments.shim
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == '__main__':
    main()
