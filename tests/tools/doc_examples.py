#!/usr/bin/env python3
"""Runs the examples of the documents, so that commands that a reader copies work and print what the document shows.

usage: doc_examples.py --sheaf PROGRAM [--cxx COMPILER] [--root FOLDER]
       doc_examples.py --self-test

Every ```console block of README.md, CONTRIBUTING.md and docs/ is run: `$ ` starts a command (`> ` continues it), and the
following lines are its standard output and error together. A line `...` stands for any lines, `(exit status N)`
for a status other than 0. The blocks of one document run in order in one folder with copies of the files of examples/.
Sizes and ratios of compressed files may differ by a tenth: they depend on the version of the library. A port that an example serves
on (127.0.0.1:8478) stands for one that is free.

Every ```cpp block with a `main` must compile, together with the blocks before it that have no `main`.
"""
import argparse, os, pathlib, random, re, shutil, socket, subprocess, sys, tempfile

WITH_COMMANDS = ['README.md', 'docs/findings.md', 'docs/serving.md', 'docs/start-publisher.md',
                 'docs/start-data-team.md']  # at least one ```console block
WITH_PROGRAMS = ['docs/library.md', 'README.md']  # at least one ```cpp block with a main; they use public headers only
TIMEOUT = 300  # seconds for one command: only a hang takes that long

NUMBER = re.compile(r'\d+(?:\.\d+)?(?= (?:bytes|KiB|MiB)\b|:1\b)')  # "1.5 KiB", "2.4:1"
COMPRESSED = re.compile(r'^wrote \S+\.(?:gz|zst|parquet): |^  (?:gzip|zstd): |^  file +.* (?:gzip|zstd), |^  used \d+ requests and |^    as a \S+ file: |^  section ')


class Command:
    def __init__(self, line, text):
        self.line, self.text, self.expected = line, text, []


def blocks(text, language):
    """Yields (line number, body) of each block fenced with that language."""
    lines = text.splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith('```'):
            start, kind = number, line[3:].strip()
        elif start is not None and line.startswith('```'):
            if kind == language:
                yield start + 1, lines[start:number - 1]
            start = None


def commands(text):
    for first, body in blocks(text, 'console'):
        current = None
        for number, line in enumerate(body, first):
            if line.startswith('$ '):
                if current:
                    yield current
                current = Command(number, line[2:])
            elif current and line.startswith('> ') and not current.expected:
                current.text += '\n' + line[2:]
            elif current:
                current.expected.append(line)
            else:
                raise ValueError(f'line {number}: a console block must start with a command: {line}')
        if current:
            yield current


def is_near(expected, actual):
    return abs(float(expected) - float(actual)) <= 0.1 * max(float(expected), float(actual)) + 0.1


def same_line(expected, actual):
    if expected == actual:
        return True
    if not (COMPRESSED.match(expected) and NUMBER.sub('N', expected) == NUMBER.sub('N', actual)):
        return False
    return all(map(is_near, NUMBER.findall(expected), NUMBER.findall(actual)))


def same(expected, actual):
    """Returns whether the lines agree; `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == '...':
        return any(same(expected[1:], actual[start:]) for start in range(len(actual) + 1))
    return bool(actual) and same_line(expected[0], actual[0]) and same(expected[1:], actual[1:])


def run(command, folder, env):
    done = subprocess.run(['bash', '-c', command.text], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=TIMEOUT)
    lines = done.stdout.decode(errors='replace').splitlines()
    return lines + ([f'(exit status {done.returncode})'] if done.returncode else [])


def is_free(port):
    with socket.socket() as listener:
        try:
            listener.bind(('127.0.0.1', port))
        except OSError:
            return False
    return True


def with_free_ports(text):
    """Replaces ports, so that two test runs on one machine do not conflict. New ports have as many digits, since sizes are printed."""
    for port in sorted(set(re.findall(r'\b(?:127\.0\.0\.1:|make-store copy )(8[45]\d\d)\b', text))):
        text = re.sub(rf'\b{port}\b', str(next(free for free in iter(lambda: random.randint(2000, 8399), None) if is_free(free))), text)
    return text


def check_commands(document, root, sheaf):
    env = {**os.environ, 'PATH': f'{sheaf.parent}:{os.environ["PATH"]}', 'LC_ALL': 'C'}
    with tempfile.TemporaryDirectory(prefix='sheaf-doc-') as folder:
        os.chmod(folder, 0o755)  # started as root, `sheaf serve` becomes another user
        for example in sorted((root / 'examples').glob('*')):
            (shutil.copytree if example.is_dir() else shutil.copy)(example, pathlib.Path(folder) / example.name)
        for command in commands(with_free_ports((root / document).read_text())):
            actual = run(command, folder, env)
            if not same(command.expected, actual):
                yield '\n'.join([f'{document}:{command.line}: $ {command.text}', *(f'- {line}' for line in command.expected),
                                 *(f'+ {line}' for line in actual)])


def programs(text):
    """Yields (line number, source) of each program: a block with a main and the blocks before it without one."""
    parts, first = [], None
    for number, body in blocks(text, 'cpp'):
        first = first or number
        parts += body
        if any(re.search(r'\bint main\(', line) for line in body):
            yield first, '\n'.join(parts) + '\n'
            parts, first = [], None
    if parts:
        yield first, '\n'.join(parts) + '\n'


def check_programs(document, root, compiler):
    for line, source in programs((root / document).read_text()):
        folders = ['include'] if document in WITH_PROGRAMS else ['src', 'include']
        done = subprocess.run([compiler, '-std=c++23', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', *(f'-I{root / folder}' for folder in folders),
                               '-x', 'c++', '-'],
                              input=source, capture_output=True, text=True, timeout=TIMEOUT)
        if done.returncode != 0:
            yield f'{document}:{line}: does not compile:\n{done.stderr}'


def faults(root, sheaf, compiler, with_commands, with_programs):
    documents = [path for path in ('README.md', 'CONTRIBUTING.md') if (root / path).exists()]
    documents += sorted(str(path.relative_to(root)) for path in (root / 'docs').rglob('*.md'))
    for document in sorted({*with_commands, *with_programs} - set(documents)):
        yield f'{document}: listed as having examples, but there is no such document'
    for document in documents:
        text = (root / document).read_text()
        if document in with_commands and not any(commands(text)):
            yield f'{document}: listed as having examples, but has no ```console block with a command'
        if document in with_programs and not any('int main(' in source for _, source in programs(text)):
            yield f'{document}: listed as having programs, but has no ```cpp block with a main'
        yield from check_commands(document, root, sheaf)
        if compiler:
            yield from check_programs(document, root, compiler)


def self_test(compiler):
    good = '# T\n```sh\nfalse\n```\n```console\n$ printf "a\\nb\\n"\na\nb\n$ cat <<X; exit 3\n> one\n> X\none\n(exit status 3)\n$ seq 9\n1\n...\n9\n```\n'
    wrong = [good.replace('\na\n', '\nx\n'), good.replace('status 3', 'status 2'), good.replace('...\n', ''), good.replace('\n9\n', '\n8\n'),
             good.replace('(exit status 3)\n', ''), good.replace('b\n$ cat', 'b\nc\n$ cat'), good.replace('```console', '```sh')]
    program = '```cpp\n#include <cstdio>\nstruct Thing {};\n```\nand\n```cpp\nint main() { Thing thing; (void)thing; return std::puts("x") < 0; }\n```\n'
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / 'docs').mkdir()

        def outcome(readme, library=program):
            (root / 'README.md').write_text(readme)
            (root / 'docs/library.md').write_text(library)
            return list(faults(root, pathlib.Path('/bin/true'), compiler, ['README.md'], ['docs/library.md']))

        assert outcome(good) == [], outcome(good)
        for text in wrong:
            assert text != good and len(outcome(text)) == 1, text
        assert len(outcome(good, program.replace('Thing thing', 'Thin thing'))) == 1
        assert len(outcome(good, '# nothing\n')) == 1
        (root / 'README.md').unlink()
        assert len(list(faults(root, pathlib.Path('/bin/true'), None, ['README.md'], []))) == 1
    assert same_line('wrote a.scp.zst: 6 pages, 1.5 KiB (2.4:1)', 'wrote a.scp.zst: 6 pages, 1.6 KiB (2.3:1)')
    assert not same_line('wrote a.scp.zst: 6 pages, 1.5 KiB (2.4:1)', 'wrote a.scp.zst: 6 pages, 2.5 KiB (2.4:1)')
    assert not same_line('wrote a.scp.zst: 6 pages, 1.5 KiB (2.4:1)', 'wrote a.scp.zst: 7 pages, 1.5 KiB (2.4:1)')
    assert not same_line('wrote a.scp: 6 pages, 3.5 KiB', 'wrote a.scp: 6 pages, 3.6 KiB')
    moved = with_free_ports('$ serve 127.0.0.1:8478\n$ get http://127.0.0.1:8478/8478 127.0.0.1:8479\n')
    ports = re.findall(r'\d{4}', moved)
    assert ports[0] == ports[1] == ports[2] not in ('8478', ports[3]) and ports[3] != '8479', moved
    print('wrong examples are caught')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument('--cxx', default='c++')
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent.parent)
    parser.add_argument('--self-test', action='store_true')
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.cxx)
    if not arguments.sheaf:
        parser.error('--sheaf is needed')
    found = list(faults(arguments.root, arguments.sheaf, arguments.cxx, WITH_COMMANDS, WITH_PROGRAMS))
    for fault in found:
        print(fault, end='\n\n')
    print(f'{len(found)} examples are wrong' if found else 'every example is right')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
