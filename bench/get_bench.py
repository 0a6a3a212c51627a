#!/usr/bin/env python3
"""Random access: `sheaf get -` of many pages in random order, from a packed store in the page cache.

    bench/get_bench.py --sheaf PROGRAM --lines FILE [--pages N] [--gets N] [--rounds N] [--work FOLDER] [--json FILE]

FILE has pages, one per line, without a metadata line (bench/make_corpus.py). They are pulled into a store, which is packed. Then a
random selection of them is requested, with one thread and with two; the best round counts. The output goes to /dev/null.
"""
import argparse, pathlib, random, sys

import figures
import stored_pages

GOALS = {1: 25_000, 2: 40_000}  # pages per second
SIZE_GOAL = 1.3  # of the .scp.zst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=pathlib.Path, required=True)
    parser.add_argument('--lines', type=pathlib.Path, required=True)
    parser.add_argument('--pages', type=int, default=1_000_000)
    parser.add_argument('--gets', type=int, default=200_000)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--json', type=pathlib.Path)
    options = parser.parse_args()
    rows = figures.Figures('store')
    with stored_pages.filled_store(options.sheaf, options.lines, options.pages, options.work) as stored:
        listed = stored.urls()
        chosen = random.Random(1).sample(listed, min(options.gets, len(listed)))
        urls = stored.work / 'urls'
        urls.write_text(''.join(url + '\n' for url in chosen))
        times = {threads: min(stored.get_seconds(urls, threads) for _ in range(options.rounds)) for threads in GOALS}
        for threads, goal in GOALS.items():
            rows.at_least(f'random access, {len(listed):,} pages, {threads} thread{"s" if threads > 1 else ""}', goal, len(chosen) / times[threads], 'pages/s',
                          detail=f'{len(chosen):,} pages in {times[threads]:.2f} s')
        size = sum(file.stat().st_size for file in stored.folder.rglob('*') if file.is_file())
        packed = (stored.public / 'all.scp.zst').stat().st_size
        rows.at_most(f'packed store against .scp.zst, {len(listed):,} pages', SIZE_GOAL, size / packed, detail=f'{size / 1e6:,.1f} MB against {packed / 1e6:,.1f} MB')
    rows.print()
    rows.append_to(options.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
