#!/usr/bin/env python3
"""Compares docs/commands with the program: every command has a page, and its options and exit statuses are those that the
program prints.

usage: command_pages.py --sheaf PROGRAM [--write] [--root FOLDER]      --write corrects the pages
       command_pages.py --self-test

The text between `<!-- options -->` and `<!-- /options -->`, and likewise `exit status`, comes from `sheaf manual --markdown COMMAND`.
Options named elsewhere on a page must be options of some command: of its own, unless the page names the other one.
"""
import argparse, pathlib, re, subprocess, sys, tempfile

PARTS = ('options', 'exit status')
OPTION = re.compile(r'(?<![\w-])--?[a-z][a-z-]*')


def ask(sheaf, *arguments):
    return subprocess.run([sheaf, *arguments], capture_output=True, text=True, check=True).stdout


def part_of(text, name):
    return re.compile(rf'<!-- {name} -->\n(.*?)<!-- /{name} -->\n', re.S).search(text)


def options_of(help_text):
    """Returns the options that --help lists: lines that begin with two spaces and a dash."""
    return set(re.findall(r'(?:^  |, )(--?[a-z][a-z-]*)', '\n'.join(re.findall(r'^  -.*', help_text, re.M)), re.M))


def commands_of(sheaf):
    listed = re.findall(r'^  ([a-z]+) {2,}', ask(sheaf, '--help').split('Subcommands:')[1], re.M)
    return sorted({*listed, 'html'})  # which the short help does not list


def faults_of_page(page, name, said, known, every, write):
    """`said`: the output of the program; `known`: the options of --help; `every`: the options of all commands."""
    right = text = page.read_text()
    for part in PARTS:
        here, there = part_of(text, part), part_of(said, part)
        if not here:
            yield f'{page.name}: there is no part <!-- {part} -->'
        elif here.group(1) != there.group(1):
            yield f'{page.name}: {part} are not what the program says; command_pages.py --write puts that right'
            right = right.replace(here.group(0), there.group(0))
    if write:
        page.write_text(right)
    table = part_of(text, 'options')
    rows = '\n'.join(re.findall(r'^\| `([^`]*)`', table.group(1), re.M)) if table else ''
    for option in sorted(known - set(OPTION.findall(rows))):
        yield f'{page.name}: --help has {option}, the page has not'
    for option in sorted(set(OPTION.findall(rows)) - known):
        yield f'{page.name}: the page has {option}, which --help does not know'
    prose = re.sub(r'```.*?```', '', text.replace(table.group(0), '') if table else text, flags=re.S)
    for code in re.findall(r'`([^`]*)`', prose):
        for option in OPTION.findall(code):
            if option.startswith('--') and option not in every:
                yield f'{page.name}: {option} is an option of no command'
    if not re.search(rf'^\$ .*sheaf {name}\b', text, re.M):
        yield f'{page.name}: there is no example of sheaf {name}'


def faults(root, sheaf, write=False):
    pages = root / 'docs/commands'
    commands = commands_of(sheaf)
    known = {name: options_of(ask(sheaf, name, '--help')) for name in commands}
    every = set().union(*known.values(), {'--version'})
    index = (pages / 'README.md').read_text()
    for extra in sorted({page.stem for page in pages.glob('*.md')} - {*commands, 'README'}):
        yield f'{extra}.md: there is no such command'
    for name in commands:
        if not (pages / f'{name}.md').exists():
            yield f'{name}.md: there is no page for this command'
            continue
        if f']({name}.md)' not in index:
            yield f'README.md: {name} is not listed'
        yield from faults_of_page(pages / f'{name}.md', name, ask(sheaf, 'manual', '--markdown', name), known[name], every, write)


FAKE = r'''#!/bin/sh
case "$*" in
  --help) printf 'Subcommands:\n  one                   does it\n' ;;
  "html --help") printf '  -h, --help  help\n' ;;
  *--help) printf '  -o, --output FILE  where\n  --json  for programs\n  -h, --help  help\n' ;;
  *html) printf '<!-- options -->\n| `-h, --help` | help |\n<!-- /options -->\n<!-- exit status -->\n0.\n<!-- /exit status -->\n' ;;
  *) printf '<!-- options -->\n| `-o, --output FILE` | where |\n| `--json` | for programs |\n| `-h, --help` | help |\n<!-- /options -->\n<!-- exit status -->\n0 yes.\n<!-- /exit status -->\n' ;;
esac
'''


def self_test():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        pages = root / 'docs/commands'
        pages.mkdir(parents=True)
        sheaf = root / 'sheaf'
        sheaf.write_text(FAKE)
        sheaf.chmod(0o755)
        good = '# sheaf one\n\n```console\n$ sheaf one\n```\n' + ask(sheaf, 'manual', '--markdown', 'one') + 'See `--json`.\n'
        html = '```console\n$ sheaf html\n```\n' + ask(sheaf, 'manual', '--markdown', 'html')

        def outcome(page, index='[one](one.md) [html](html.md)\n', write=False):
            (pages / 'one.md').write_text(page)
            (pages / 'html.md').write_text(html)
            (pages / 'README.md').write_text(index)
            return list(faults(root, sheaf, write))

        assert outcome(good) == [], outcome(good)
        for old, new in [('for programs', 'for people'), ('0 yes', '0 no'), ('`--json`.', '`--jsom`.'), ('$ sheaf one', '$ sheaf two'),
                         ('<!-- exit status -->', '')]:
            assert len(outcome(good.replace(old, new))) == 1, (old, new, outcome(good.replace(old, new)))
        assert len(outcome(good.replace('| `--json` | for programs |\n', ''))) == 2  # not the same, and one missing
        assert len(outcome(good.replace('`--json` |', '`--jsom` |'))) == 3
        assert len(outcome(good, '[html](html.md)\n')) == 1
        outcome(good.replace('for programs', 'for people'), write=True)
        assert (pages / 'one.md').read_text() == good
        (pages / 'two.md').write_text(good)
        assert len(outcome(good)) == 1
        (pages / 'one.md').unlink()
        (pages / 'two.md').unlink()
        assert len(list(faults(root, sheaf))) == 1
    print('wrong pages are caught')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf')
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent.parent)
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--self-test', action='store_true')
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.sheaf:
        parser.error('--sheaf is needed')
    found = list(faults(arguments.root, arguments.sheaf, arguments.write))
    print('\n'.join(found) or 'every command has its page')
    sys.exit(bool(found) and not arguments.write)


if __name__ == '__main__':
    main()
