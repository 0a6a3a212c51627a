#!/usr/bin/env python3
"""A packed store against a ZIM file of the same pages: random reads, size and the time it takes to make them.

    bench/zim_bench.py --sheaf PROGRAM --lines FILE [--pages N] [--gets N] [--rounds N] [--work FOLDER] [--json FILE]

FILE has pages, one per line, without a metadata line (bench/make_corpus.py). The same JSON texts go into both: into a store by
`sheaf convert`, a pull over loopback and `sheaf gc`, and into a ZIM file by zimwriterfs without a full-text index, from one HTML file
per page with the JSON in a script element. Then some pages are read in random order: by `sheaf get -`, which prints them to /dev/null, and
by zimbench, which reads the first ones in the order of their names, and these are random. Both read from the page cache; the best round
counts.
"""
import argparse, itertools, pathlib, random, re, struct, sys, zlib

import figures
import stored_pages
from stored_pages import timed


def png(size):
    """Returns a picture of one colour, which zimwriterfs requires."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = (b'\0' + b'\x40\x80\xc0' * size) * size
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', size, size, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')


def write_files(lines, number, folder, chance):
    """One HTML file per page, with a random name. zimwriterfs keeps other files open until its end, and runs out of descriptors."""
    folder.mkdir()
    (folder / 'index.html').write_text('<!doctype html><html lang="en"><title>Pages</title><p>Pages')
    (folder / 'illustration.png').write_bytes(png(48))
    with open(lines) as text:
        for line in itertools.islice(text, number):
            script = line.rstrip('\n').replace('</', '<\\/')
            (folder / f'{chance.getrandbits(64):016x}.html').write_text(f'<!doctype html><title>Page</title><script type="application/json">{script}</script>')


def make_zim(folder, zim):
    return timed(['zimwriterfs', '--welcome=index.html', '--illustration=illustration.png', '--language=eng', '--title=Pages', '--description=Pages', '--creator=sheaf',
                  '--publisher=sheaf', '--name=pages', '--withoutFTIndex', folder, zim])[0]


def zim_rate(zim, number):
    """Pages per second of zimbench. Its own random access asks for random names, which current ZIM files do not have."""
    out = timed(['zimbench', '-n', number, '-r', 0, '-d', 0, zim])[1]
    found = re.search(r'^linear:.*?([0-9.e+]+) articles/s', out, re.MULTILINE)
    if not found:
        sys.exit(f'zimbench printed no rate: {out[-500:]}')
    return float(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=pathlib.Path, required=True)
    parser.add_argument('--lines', type=pathlib.Path, required=True)
    parser.add_argument('--pages', type=int, default=100_000)
    parser.add_argument('--gets', type=int, default=10_000)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--json', type=pathlib.Path)
    options = parser.parse_args()
    rows, chance = figures.Figures('store'), random.Random(1)
    with stored_pages.filled_store(options.sheaf, options.lines, options.pages, options.work) as stored:
        listed = stored.urls()
        chosen = chance.sample(listed, min(options.gets, len(listed)))
        urls, folder, zim = stored.work / 'urls', stored.work / 'files', stored.work / 'pages.zim'
        urls.write_text(''.join(url + '\n' for url in chosen))
        write_files(options.lines, options.pages, folder, chance)
        zim_seconds = make_zim(folder, zim)
        rates = [(len(chosen) / stored.get_seconds(urls, threads=1), zim_rate(zim, len(chosen))) for _ in range(options.rounds)]
        ours, theirs = max(rate for rate, _ in rates), max(rate for _, rate in rates)
        size, zim_size = sum(file.stat().st_size for file in stored.folder.rglob('*') if file.is_file()), zim.stat().st_size
        seconds = stored.convert_seconds + stored.pull_seconds + stored.pack_seconds
        name = f'{len(listed):,} pages'
        rows.at_least(f'random access against ZIM, one thread, {name}', 1, ours / theirs, detail=f'{ours:,.0f} against {theirs:,.0f} pages per second')
        rows.at_most(f'packed store against ZIM, {name}', 1, size / zim_size, detail=f'{size / 1e6:,.1f} MB against {zim_size / 1e6:,.1f} MB')
        rows.at_most(f'making a packed store against a ZIM file, {name}', 1, seconds / zim_seconds, detail=f'{seconds:.1f} s against {zim_seconds:.1f} s')
    rows.print()
    rows.append_to(options.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
