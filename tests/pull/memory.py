#!/usr/bin/env python3
"""A page of 100 MiB must not take more than 300 MB, regardless of its content and the command; nor must many such pages at a time.

usage: memory.py --sheaf PROGRAM

The peak of each process is measured by the system (ru_maxrss).
"""
import argparse, json, os, pathlib, random, subprocess, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer

SHEAF = None
LINE = 100 << 20
PEAK = 300_000_000
STAMP = '2026-01-10T00:00:00Z'


# The system counts the parent's memory as the child's, and this process holds large files, so a small process starts the command.
STARTER = 'import os,sys;p=os.spawnv(os.P_NOWAIT,sys.argv[2],sys.argv[2:]);_,s,u=os.wait4(p,0);open(sys.argv[1],"w").write(f"{os.waitstatus_to_exitcode(s)} {u.ru_maxrss}")'


def run(*arguments):
    """Returns (exit status, standard output, standard error, peak memory in bytes)."""
    with tempfile.NamedTemporaryFile('r') as result:
        done = subprocess.run([sys.executable, '-S', '-c', STARTER, result.name, SHEAF, *map(str, arguments)], capture_output=True, text=True)
        status, peak = map(int, result.read().split())
    return status, done.stdout, done.stderr, peak * 1024


def page(url, before, unit, after, size=LINE):
    """Returns the pieces of a line of about `size` bytes that repeats `unit`."""
    head = (f'{{"url":"{url}","title":"Large","description":"","modified":"2026-01-01T00:00:00Z","language":"en",' + before).encode()
    tail = (after + '}\n').encode()
    count = (size - len(head) - len(tail)) // len(unit)
    yield head
    for begin in range(0, count, 1 << 20):
        yield unit * min(1 << 20, count - begin)
    yield tail


def empties(url, size=LINE):
    return page(url, '"content":[],"x":[[]', b',[]', ']', size)


def tiny_strings(url, size=LINE):
    return page(url, '"content":[{"type":"table","rows":[[""', b',""', ']]}]', size)


def large_text(url, size=LINE):
    words = ''.join(random.Random(1).choices('abcdefghijklmnop ,:', k=100_000))
    block = json.dumps({'type': 'text', 'text': words}, separators=(',', ':')).encode()
    return page(url, '"content":[' + block.decode(), b',' + block, ']', min(size, 999 * len(block)))


def write_collection(path, *pages):
    with path.open('wb') as out:
        out.write(json.dumps({'collection': {'id': 'x', 'section': 'all', 'type': 'snapshot', 'generated': STAMP, 'version': '0.1'}}).encode() + b'\n')
        for pieces in pages:
            out.writelines(pieces)


def small(url):
    return [json.dumps({'url': url, 'title': 'Small', 'description': '', 'modified': '2026-01-01T00:00:00Z', 'language': 'en',
                        'content': [{'type': 'text', 'text': 'ok'}]}).encode() + b'\n']


class Memory(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-memory-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.server = self.enterContext(BadServer(self.folder))

    def offer(self, *kinds, size=LINE):
        """A site with a small page between large ones."""
        pages = [small(f'{self.server.url}/small')]
        for number, kind in enumerate(kinds):
            pages += [kind(f'{self.server.url}/large{number}', size), small(f'{self.server.url}/small{number}')]
        file = self.folder / 'all.scp'
        write_collection(file, *pages)
        (self.folder / 'robots.txt').write_text(f'User-agent: *\nSitemap: {self.server.url}/sitemap.xml\n')
        (self.folder / 'sitemap.xml').write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
            'xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0"><scp:version>0.1</scp:version>'
            '<scp:section name="all" updateFreq="daily"/>'
            f'<scp:collection section="all" type="snapshot" url="{self.server.url}/all.scp" generated="{STAMP}" '
            f'expires="2099-01-01T00:00:00Z" pages="{len(pages)}" size="{file.stat().st_size}"/></urlset>\n')
        return file

    def run_bounded(self, *arguments, status=0, peak=PEAK):
        code, out, errors, used = run(*arguments)
        self.assertEqual(code, status, (arguments, out[-500:], errors[-500:]))
        self.assertLess(used, peak, f'{arguments[0]} took {used >> 20} MiB')
        return out

    def pull(self, **more):
        out = self.run_bounded('pull', self.server.url, '--store', self.folder / 'store', '--allow-private', '--json', '--delay', '0', **more)
        return json.loads(out)

    def check_hostile(self, kind):
        file = self.offer(kind)
        validated = json.loads(self.run_bounded('validate', '--json', file))
        self.assertEqual((validated['pages'], validated['counts']), (2, {'too-many-values': 1}))
        self.run_bounded('convert', file, self.folder / 'copy.scp.zst')
        self.run_bounded('inspect', file)
        report = self.pull(status=1)
        self.assertEqual(report['failureCode'], 'unreadable-page')  # its URL is not known, so it cannot be fetched as HTML
        section = report['sections'][0]
        self.assertEqual((section['pages'], section['findings']), (2, {'too-many-values': 1}), section)
        self.run_bounded('verify', '--store', self.folder / 'store')

    def test_nested_empties(self):
        self.check_hostile(empties)

    def test_many_tiny_strings(self):
        self.check_hostile(tiny_strings)

    def test_large_text(self):
        file = self.offer(large_text)
        self.assertEqual(json.loads(self.run_bounded('validate', '--json', file))['pages'], 3)
        self.assertEqual(self.pull()['sections'][0]['pages'], 3)
        self.run_bounded('verify', '--store', self.folder / 'store')
        out = self.run_bounded('get', f'{self.server.url}/large0', '--store', self.folder / 'store', peak=2 * PEAK)
        self.assertEqual(out.encode(), b''.join(large_text(f'{self.server.url}/large0')))
        self.run_bounded('convert', file, self.folder / 'copy.scp', peak=2 * PEAK)

    def test_large_pages_one_after_the_other(self):
        self.offer(large_text, large_text, empties, large_text, size=40 << 20)
        report = self.pull(status=1)
        self.assertEqual(report['failureCode'], 'unreadable-page')  # its URL is not known, so it cannot be fetched as HTML
        section = report['sections'][0]
        self.assertEqual((section['pages'], section['findings']), (8, {'too-many-values': 1}), section)
        self.run_bounded('verify', '--store', self.folder / 'store')


class Extraction(unittest.TestCase):
    """A file of 60 MB that contains only markup must not take gigabytes; text over the limit is dropped and reported."""

    def test_markup_of_many_nodes(self):
        with tempfile.TemporaryDirectory(prefix='sheaf-memory-') as name:
            for file, unit in (('list.md', '- a\n'), ('emphasis.md', '*a* '), ('lines.md', 'word text\n'), ('words.md', 'word '), ('p.html', '<p>a'), ('b.html', '<b>x</b> ')):
                path = pathlib.Path(name) / file
                path.write_text(unit * (60_000_000 // len(unit)))
                code, _, errors, used = run('extract', path, '--url', 'https://example.com/x')
                self.assertEqual(code, 0, errors)
                self.assertIn('nodes', errors)
                self.assertLess(used, 900_000_000, f'{file} took {used >> 20} MiB')


class ManySites(unittest.TestCase):
    def test_sites_in_parallel(self):
        with tempfile.TemporaryDirectory(prefix='sheaf-memory-') as name:
            folder, sites = pathlib.Path(name), []
            for number in range(6):
                case = Memory()
                case.folder = folder / str(number)
                case.folder.mkdir()
                case.server = self.enterContext(BadServer(case.folder))
                case.offer([empties, tiny_strings, large_text][number % 3], size=60 << 20)
                sites.append(case.server.url)
            (folder / 'sites.txt').write_text('\n'.join(sites) + '\n')
            code, out, errors, used = run('pull', '--list', folder / 'sites.txt', '--once', '--sites', '6', '--store', folder / 'store',
                                          '--allow-private', '--delay', '0', '--json')
            self.assertEqual(code, 1, (out, errors))  # four sites have a page that cannot be read
            # One large line at a time, plus the other memory of each site's pull.
            self.assertLess(used, PEAK + 6 * 16_000_000, f'{used >> 20} MiB')


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--sheaf', required=True)
    options, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(options.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
