#!/usr/bin/env python3
"""Runs the command-line tests: text files with commands and everything they must print.

usage: run.py --sheaf PROGRAM [--update] [NAME...]     NAME: a file or folder below this folder; default: all
       run.py --self-test                              prove that wrong output is caught

A test is a file *.test:

    # A comment says what the case shows.
    $ sheaf validate monday.scp
    monday.scp: valid
    ...
    $ sheaf validate nothing.scp
    2> sheaf: cannot open nothing.scp: No such file or directory
    (exit status 2)

bash runs every `$` line, in order, in one temporary folder that contains the files of examples/ and `vectors`, a
link to the conformance vectors. `> ` lines continue a command. Standard output follows, then standard error with
`2> ` before each line, then the exit status unless it is 0. The whole output is compared. One empty line may precede
the next comment or command.

In the expected output, `{*}` stands for any text within a line: the size of a compressed file depends on the version
of the library that made it. Bytes outside printable ASCII are written \\xNN, and a backslash precedes an output line
that could be read as something else. A file with the line `# compare: words` is compared without regard to white space,
case and brackets, because the command-line library decides the layout of the help.

To add a case, write the comments and `$` lines, run with --update, and read the result.
"""
import argparse, concurrent.futures, os, pathlib, re, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TIMEOUT = 300  # seconds for one command: only a hang takes that long
SPECIAL = re.compile(r'(\$ |> |2> |# |#$|\(exit status |\(no newline|\\)')


class Step:
    def __init__(self, comments, command, expected):
        self.comments, self.command, self.expected = comments, command, expected


def parse(text):
    """Returns the steps of a test file: leading comment lines, the command's lines, the expected lines."""
    steps, comments = [], []
    for line in text.splitlines():
        if line.startswith('$ '):
            steps.append(Step(comments, [line], []))
            comments = []
        elif line.startswith('# ') or line == '#':
            comments.append(line)
        elif comments or not steps:
            comments.append(line)
        elif line.startswith('> ') and not steps[-1].expected:
            steps[-1].command.append(line)
        else:
            steps[-1].expected.append(line)
    for step, following in zip(steps, [*steps[1:], None]):
        if following and step.expected and step.expected[-1] == '':
            step.expected.pop()
    return steps, comments


def render(steps, trailing):
    blocks = ['\n'.join([*step.comments, *step.command, *step.expected]) for step in steps]
    return '\n\n'.join(blocks) + '\n' + ''.join(line + '\n' for line in trailing)


def escape(line):
    """Returns a line of output as ASCII, reversibly."""
    text = ''.join(chr(b) if 0x20 <= b < 0x7f else f'\\x{b:02x}' for b in line.replace(b'\\x', b'\\x5cx'))
    return '\\' + text if SPECIAL.match(line.decode('latin-1')) else text


def output_lines(data, mark=''):
    if not data:
        return []
    lines = [mark + escape(line) for line in data.split(b'\n')]
    return lines[:-1] if data.endswith(b'\n') else [*lines, '(no newline at the end)']


def matches(expected, actual):
    return re.fullmatch('.*'.join(re.escape(part) for part in expected.split('{*}')), actual) is not None


def words(lines):
    """Returns the words of a text, without white space, case, and the brackets that versions of CLI11 put around defaults."""
    return re.sub(r'[\s=\[\]]', '', ''.join(lines)).lower()


def agree(expected, actual, by_words):
    if by_words:
        return words(expected) == words(actual)
    return len(expected) == len(actual) and all(map(matches, expected, actual))


VARYING = [(re.compile(r'^(wrote \S+\.(?:gz|zst): [\d,]+ pages?, ).*'), r'\1{*}'),
           (re.compile(r'("codec":"(?:gzip|zstd)","level":-?\d+,"bytes":)\d+'), r'\1{*}')]


def masked(line):
    """Replaces the sizes of compressed files that we wrote with {*}."""
    for pattern, replacement in VARYING:
        line = pattern.sub(replacement, line)
    return line


def updated(expected, actual):
    """Returns the new expected lines. Keeps an old line that still matches, so that its {*} stays."""
    if len(expected) == len(actual):
        return [old if matches(old, new) else masked(new) for old, new in zip(expected, actual)]
    known = [line for line in expected if '{*}' in line]
    return [next((old for old in known if matches(old, new)), masked(new)) for new in actual]


def environment(sheaf, folder):
    keep = {name: value for name, value in os.environ.items() if name.endswith('SAN_OPTIONS')}
    return {**keep, 'PATH': f'{sheaf.parent}:{HERE / "bin"}:{os.environ["PATH"]}', 'HOME': str(folder), 'TMPDIR': str(folder),
            'LC_ALL': 'C', 'TERM': 'xterm', 'SHEAF': str(sheaf)}


def run_step(step, folder, env):
    command = '\n'.join(line[2:] for line in step.command)
    done = subprocess.run(['bash', '-c', command], cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    lines = output_lines(done.stdout) + output_lines(done.stderr, '2> ')
    return lines + ([f'(exit status {status})'] if status else [])


def prepare(folder):
    for example in sorted((ROOT / 'examples').glob('*.scp')):
        shutil.copy(example, folder)
    (folder / 'vectors').symlink_to(ROOT / 'tests/data/conformance')


def run_test(path, sheaf, update):
    """Runs one test file and returns its failures."""
    steps, trailing = parse(path.read_text('ascii'))
    if not steps:
        return [f'{path}: no command in it']
    by_words = any(line == '# compare: words' for step in steps for line in step.comments)
    faults = []
    with tempfile.TemporaryDirectory(prefix='sheaf-cli-') as name:
        folder = pathlib.Path(name)
        prepare(folder)
        env = environment(sheaf, folder)
        for step in steps:
            try:
                actual = run_step(step, folder, env)
            except subprocess.TimeoutExpired:
                return [*faults, f'{path}: still running after {TIMEOUT} s: {step.command[0]}']
            if agree(step.expected, actual, by_words):
                continue
            if update:
                step.expected = updated(step.expected, actual)
            else:
                faults.append('\n'.join([f'{path}:', *step.command, *difference(step.expected, actual)]))
    if update:
        path.write_text(render(steps, trailing), 'ascii')
    return faults


def difference(expected, actual):
    """Returns a diff: expected lines with -, actual lines with +, common lines unmarked."""
    top = 0
    while top < min(len(expected), len(actual)) and matches(expected[top], actual[top]):
        top += 1
    end = 0
    while end < min(len(expected), len(actual)) - top and matches(expected[-1 - end], actual[-1 - end]):
        end += 1
    yield from (f'  {line}' for line in expected[:top])
    yield from (f'- {line}' for line in expected[top:len(expected) - end])
    yield from (f'+ {line}' for line in actual[top:len(actual) - end])
    yield from (f'  {line}' for line in expected[len(expected) - end:])


def self_test():
    good = '# Says why.\n$ printf "a\\n\\n"; echo b >&2; exit 3\na\n\n2> b\n(exit status 3)\n\n$ cat <<X\n> 12 # x\n> X\n{*} # x\n'
    bad = [good.replace('2> b', '2> c'), good.replace('status 3', 'status 2'), good.replace('\na\n', '\n'), good.replace('2> b', 'b'),
           good.replace('{*} # x', '{*} # y'), good.replace('{*} # x', '{*} # x\nmore')]
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name, 'x.test')

        def outcome(text, update=False):
            path.write_text(text)
            return run_test(path, pathlib.Path('/bin/true'), update)

        assert outcome(good) == [], outcome(good)
        assert render(*parse(good)) == good
        for text in bad:
            assert text != good and outcome(text) != [], text
        assert outcome(bad[0], update=True) == [] and path.read_text() == good, path.read_text()
        assert escape(b'\x1b[1m\\x1b \xc3') == '\\x1b[1m\\x5cx1b \\xc3' and escape(b'$ x') == '\\$ x'
    print('wrong output is caught')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--self-test', action='store_true')
    parser.add_argument('names', nargs='*', type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.sheaf or not os.access(arguments.sheaf, os.X_OK):
        sys.exit('run.py: --sheaf must name the program')
    if arguments.sheaf.name != 'sheaf':  # tests find it by this name; with --update every file would be rewritten with "not found"
        sys.exit(f'run.py: the program must be called sheaf, not {arguments.sheaf.name}')
    tests = []
    for name in arguments.names or [HERE]:
        place = name if name.exists() else HERE / name
        tests += sorted(place.rglob('*.test')) if place.is_dir() else [place]
    if not tests:
        sys.exit('run.py: no tests found')
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda path: run_test(path, arguments.sheaf, arguments.update), tests))
    for fault in (fault for faults in outcomes for fault in faults):
        print(fault, end='\n\n')
    failed = sum(map(bool, outcomes))
    print(f'{len(tests) - failed} test files passed, {failed} failed')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
