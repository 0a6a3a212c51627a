#!/usr/bin/env python3
"""Checks the documents: every relative link leads to a file of the tree and every #anchor to a heading, and every page of docs/ can be
reached from docs/README.md.

usage: doc_links.py [--root FOLDER]
       doc_links.py --self-test
"""
import argparse, pathlib, re, sys, tempfile, urllib.parse

LINK = re.compile(r'\[[^\]]*\]\(([^)\s]+)\)')
CONTENTS = 'docs/README.md'


def without_code(text):
    text = re.sub(r'^```.*?^```', '', text, flags=re.S | re.M)
    return re.sub(r'`[^`\n]*`', lambda code: re.sub(r'[\[\]()]', '', code.group(0)), text)


def anchors(text):
    """Returns the anchors that GitHub makes for headings: lower case, no punctuation, hyphens for blanks, -1 for a repeated name."""
    seen, names = {}, set()
    for title in re.findall(r'^#+ +(.*?) *#*$', re.sub(r'^```.*?^```', '', text, flags=re.S | re.M), re.M):
        title = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', title).replace('`', '').lower()
        name = re.sub(r'[^\w\- ]', '', title).replace(' ', '-')
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f'{name}-{count}' if count else name)
    return names


def documents_of(root):
    return [path for path in sorted(root.rglob('*.md')) if not {'build', 'data', 'seeds', 'node_modules', '.git'} & set(path.relative_to(root).parts[:-1])]


def faults(root):
    documents = {path: path.read_text() for path in documents_of(root)}
    reached, names = {}, {path: anchors(text) for path, text in documents.items()}
    for path, text in documents.items():
        reached[path] = set()
        for link in LINK.findall(without_code(text)):
            if re.match(r'[a-z]+:', link):
                continue
            address, _, anchor = urllib.parse.unquote(link).partition('#')
            goal = (path.parent / address).resolve() if address else path
            if not goal.exists() or not goal.is_relative_to(root):
                yield f'{path.relative_to(root)}: {link} leads nowhere'
            elif anchor and anchor not in names.get(goal, ()):
                yield f'{path.relative_to(root)}: {link}: there is no such heading'
            reached[path].add(goal)
    todo, seen = [root / CONTENTS], set()
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += reached.get(path, ())
    for path in documents:
        if path.is_relative_to(root / 'docs') and path not in seen:
            yield f'{path.relative_to(root)}: cannot be reached from {CONTENTS}'


def self_test():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        (root / 'docs').mkdir()
        good = '# The `book`, in *full*\n[a](a.md#some-words) [self](#the-book-in-full) [b](a.md#some-words-1) [x](https://x.example/y)\n```\n[no](no.md)\n```\n'

        def outcome(contents, page='## Some words\n## Some words\n'):
            (root / 'docs/README.md').write_text(contents)
            (root / 'docs/a.md').write_text(page)
            return len(list(faults(root)))

        assert outcome(good) == 0, list(faults(root))
        for old, new in [('a.md#some-words)', 'c.md)'), ('#some-words)', '#other)'), ('#the-book-in-full', '#the-book'), ('words-1', 'words-2'),
                         ('[x](https://x.example/y)', '[x](../../y)')]:
            assert outcome(good.replace(old, new)) == 1, (old, new)
        assert outcome('# Nothing\n') == 1
    print('wrong links are caught')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent.parent)
    parser.add_argument('--self-test', action='store_true')
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    found = list(faults(arguments.root.resolve()))
    print('\n'.join(found) or 'every link leads somewhere')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
