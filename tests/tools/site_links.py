#!/usr/bin/env python3
"""Checks a folder of rendered pages: every URL within the site leads to a file, every fragment to an id, and the sitemap names
the public pages.

usage: site_links.py FOLDER BASE
       site_links.py --self-test
"""
import html.parser, pathlib, re, sys, tempfile

ADDRESSES = {'href', 'src', 'poster'}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.no_alt = [], set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get('id'))
        self.no_alt += tag == 'img' and 'alt' not in values
        self.links += [value for name, value in attributes if name in ADDRESSES]
        self.links += [part.split()[0] for part in values.get('srcset', '').split(',') if part.strip()]


def faults(folder, base):
    pages = {file: Page(file.read_text()) for file in sorted(folder.rglob('*.html'))}

    def target(address):
        path = address.removeprefix(base)
        return folder / ((path + 'index.html' if path.endswith('/') else path).lstrip('/'))

    for file, page in pages.items():
        name = file.relative_to(folder)
        if page.no_alt:
            yield f'{name}: {page.no_alt} images without alt'
        for link in page.links:
            address, _, fragment = link.partition('#')
            if not address.startswith(('/', base)) and address:
                yield f'{name}: {link} is neither of this site nor absolute within it'
                continue
            goal = target(address) if address else file
            if not goal.is_file():
                yield f'{name}: {link} leads nowhere'
            elif fragment and fragment not in pages[goal].ids:
                yield f'{name}: {link}: there is no such id'
    named = re.findall(r'<loc>([^<]*)</loc>', (folder / 'sitemap.xml').read_text())
    yield from (f'sitemap.xml: {url} leads nowhere' for url in named if not target(url).is_file())
    if len(set(named)) != len(named):
        yield 'sitemap.xml: an address twice'


def self_test():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good = '<p id=a><a href="/#a">x</a><a href="https://x.example/">y</a><img src="/i.svg" alt=""></p>'
        (folder / 'i.svg').write_text('<svg/>')
        (folder / 'sitemap.xml').write_text('<loc>https://x.example/</loc>')

        def outcome(text):
            (folder / 'index.html').write_text(text)
            return len(list(faults(folder, 'https://x.example')))

        assert outcome(good) == 0
        for old, new in [('/#a', '/#b'), ('"/#a"', '"/c.html"'), ('i.svg', 'j.svg'), (' alt=""', ''), ('x.example', 'y.example')]:
            assert outcome(good.replace(old, new)) == 1, (old, new)
        (folder / 'sitemap.xml').write_text('<loc>https://x.example/gone.html</loc>')
        assert outcome(good) == 1
    print('wrong links are caught')


if __name__ == '__main__':
    if sys.argv[1:] == ['--self-test']:
        sys.exit(self_test())
    found = list(faults(pathlib.Path(sys.argv[1]), sys.argv[2]))
    print('\n'.join(found) or 'every link leads somewhere')
    sys.exit(bool(found))
