#!/usr/bin/env python3
"""Republishes sites after adding one page, and fails if any other page changes.

usage: stability.py --sheaf PROGRAM [--docs FOLDER] [--pages N]

Publishes a generated site, and every set of documentation that tools/fetch_docs has put into FOLDER (of each at most N pages, all unless
given). To a copy of each, one page is added: once with the state of the last run, by a delta and by a snapshot, and once with no state at
all. Prints a line for each. Sets that are not there are named as not run, and the exit status is 77 if --docs was given and none was there.
"""
import argparse, hashlib, json, pathlib, shutil, subprocess, sys, tempfile

SETS = {
    'python': 'usr/share/doc/python3*/html',
    'postgresql': 'usr/share/doc/postgresql-doc-*/html',
    'git': 'usr/share/doc/git-doc',
    'apache': 'usr/share/doc/apache2-doc/manual/en',
    'cppreference': 'usr/share/cppreference/doc/html',
    'rust': 'usr/share/doc/rust-doc/html',
    'django': 'usr/share/doc/python-django-doc/html',
    'sqlite': 'usr/share/doc/sqlite3',
    'gtk': 'usr/share/gtk-doc/html/gtk3',
}
MENU = ''.join(f'<li><a href="/{name}">{name}</a></li>' for name in ('Home', 'Our walks', 'Maps of the region', 'How to get here', 'Contact'))
NEW_PAGE = ('<!doctype html><html lang=en><title>A page that was added</title><body><div><h1>A page that was added</h1><p>It has a text of '
            'its own, which no other page of this site has, and two sentences of it. This is the second one.</p></div></body></html>')


def generated_site(folder, pages):
    """A site of an unknown generator: a menu and a notice on every page, in elements whose names do not tell their role."""
    for number in range(pages):
        text = ' '.join(f'Walk {number} has a stage {stage} of {stage + number} kilometres, which leads along the river.' for stage in range(6))
        (folder / f'walk-{number}.html').write_text(
            f'<!doctype html><html lang=en><title>Walk {number}</title><body><div><ul>{MENU}</ul><h1>Walk {number}</h1><p>{text}</p>'
            '<p>Our walks are described to the best of our knowledge, but nobody can promise that every path is open.</p></div></body></html>')


def copy_pages(source, folder, most):
    """Copies pages of a set in the order of the hashes of their names, so that they come from all parts of it."""
    files = [file for file in source.rglob('*') if file.suffix in ('.html', '.htm', '.xhtml') and file.is_file()]
    files.sort(key=lambda file: hashlib.sha256(str(file.relative_to(source)).encode()).digest())
    for file in files[:most]:
        target = folder / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    return len(files[:most])


class Run:
    """A site in a separate folder, published into that folder."""

    def __init__(self, sheaf, folder):
        self.sheaf, self.folder = sheaf, folder
        self.site = folder / 'site'
        self.site.mkdir()

    def publish(self, *options, out='out'):
        done = subprocess.run([self.sheaf, 'publish', 'site', '--base', 'https://docs.example', '--out', out, '--state', f'{out}.state', '--json',
                               *options], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f'publish failed: {done.stderr}')
        (self.site / 'sitemap.xml').unlink(missing_ok=True)  # the next publish, into another folder, makes its own
        return json.loads(done.stdout)['sections'][0]

    def pages(self, out):
        """Returns {URL: page without `modified`} of the newest snapshot."""
        snapshot = max((self.folder / out).glob('*-snapshot-*.scp.zst'), key=lambda file: file.name)
        done = subprocess.run([self.sheaf, 'inspect', str(snapshot), '--pages', '--content', '--json', '--limit', '100000000'], capture_output=True, text=True)
        found = {}
        for line in done.stdout.splitlines():
            page = json.loads(line)
            if 'url' in page:
                page.pop('modified', None)
                found[page['url']] = page
        return found


def check(name, run, menu):
    first = run.publish()
    before = run.pages('out')
    if not before or len(before) != first['pages']:
        sys.exit(f'{name}: {first["pages"]} pages were published, and {len(before)} read')
    (run.site / 'a-page-that-was-added.html').write_text(NEW_PAGE)
    delta = run.publish()
    snapshot = run.publish('--snapshot')
    # Without a state: published into separate folders.
    fresh = run.publish(out='fresh')
    after = run.pages('fresh')
    different = sorted(url for url, page in before.items() if after.get(url) != page)
    with_menu = sum(menu in json.dumps(page) for page in after.values()) if menu else 0
    print(f'{name}: {first["pages"]} pages; one added: {delta["added"]} new, {delta["changed"]} changed, {delta["removed"]} removed; snapshot: '
          f'{snapshot["changed"]} changed; without a state: {fresh["pages"]} pages, {len(different)} differ {" ".join(different[:3])}')
    faults = []
    if (delta['added'], delta['changed'], delta['removed']) != (1, 0, 0):
        faults.append(f'{name}: one page was added, and {delta["added"]} are new, {delta["changed"]} changed, {delta["removed"]} removed')
    if (snapshot['added'], snapshot['changed'], snapshot['removed']) != (0, 0, 0):
        faults.append(f'{name}: a snapshot of the same pages changes {snapshot["changed"]}')
    if different:
        faults.append(f'{name}: without a state {len(different)} other pages differ: {different[:5]}')
    if with_menu:
        faults.append(f'{name}: {with_menu} pages have the menu')
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--docs', type=pathlib.Path)
    parser.add_argument('--pages', type=int)
    arguments = parser.parse_args()
    sheaf = str(pathlib.Path(arguments.sheaf).resolve())
    faults, absent, ran = [], [], 0
    for pages in (40, 400):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(sheaf, pathlib.Path(folder))
            generated_site(run.site, pages)
            faults += check(f'generated, {pages} pages', run, 'nobody can promise')
    for name, pattern in SETS.items() if arguments.docs else ():
        source = next(iter(sorted(arguments.docs.glob(pattern))), None)
        with tempfile.TemporaryDirectory() as folder:
            run = Run(sheaf, pathlib.Path(folder))
            if source is None or copy_pages(source, run.site, arguments.pages) == 0:
                absent.append(name)
                continue
            ran += 1
            faults += check(name, run, None)
    if absent:
        print(f'not run, since their packages are not in {arguments.docs}: {", ".join(absent)}')
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    if arguments.docs and ran == 0:
        print(f'skipped the documentation: there is none in {arguments.docs}; tools/fetch_docs fetches it')
        sys.exit(77)


if __name__ == '__main__':
    main()
