#!/usr/bin/env python3
"""Regular expressions: `sheaf grep` against exporting or decompressing the pages into ripgrep.

    bench/grep_bench.py --sheaf PROGRAM --lines FILE [--pages N] [--rounds N] [--work FOLDER] [--json FILE]

FILE has pages, one per line, without a metadata line (bench/make_corpus.py). They are pulled into a store. Both sides may use all
processors, so times are of the clock; the sides take turns, and the best of the rounds counts. ripgrep prints matching pages where
`sheaf grep` prints matching lines, which is less work for it; `--count` keeps printing out of both. A compressed file is one stream:
it cannot be searched before it is decompressed, so the time of decompression alone (`zstd -t`) is the limit, and a row of its own.
"""
import argparse, pathlib, subprocess, sys, time

import figures
import stored_pages

GOAL = 3
PATTERNS = [('a rare text', 'transaction isolation level'), ('a text, any case', '(?i)isolation level'), ('a class and a text', 'max_[a-z]+_size'), ('two alternatives', 'deadlock|two-phase'), ('no text at all', r'\b[A-Z]{5}[0-9]{2}\b')]


def seconds(command):
    """Of a shell command that may find nothing."""
    start = time.monotonic()
    done = subprocess.run(['bash', '-o', 'pipefail', '-c', command], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f'{command}: {done.stderr[-2000:]}')
    return time.monotonic() - start


def best(commands, rounds):
    """The shortest time of each."""
    times = [[seconds(command) for command in commands] for _ in range(rounds)]
    return [min(column) for column in zip(*times)]


def race(rows, options, store, packed):
    for name, pattern in PATTERNS:
        case, plain = ('-i', pattern[4:]) if pattern.startswith('(?i)') else ('', pattern)
        ours, ours_file, exported, cat, limit = best(
            [f"{options.sheaf} grep -c {case} '{plain}' --store {store}", f"{options.sheaf} grep -c {case} '{plain}' {packed}",
             f"{options.sheaf} export --store {store} | rg -c {case} '{plain}'", f"zstdcat {packed} | rg -c {case} '{plain}'", f'zstd -qt {packed}'], options.rounds)
        rows.at_least(f'grep over a store against export | rg, {name}', GOAL, exported / ours, detail=f'{ours * 1e3:,.0f} ms against {exported * 1e3:,.0f} ms')
        rows.note(f'grep over a store against zstdcat | rg, {name}', cat / ours, detail=f'{ours * 1e3:,.0f} ms against {cat * 1e3:,.0f} ms')
        rows.at_least(f'grep over .scp.zst against zstdcat | rg, {name}', GOAL, cat / ours_file, detail=f'{ours_file * 1e3:,.0f} ms against {cat * 1e3:,.0f} ms')
        rows.note(f'limit: zstdcat | rg against decompression alone, {name}', cat / limit, detail=f'{limit * 1e3:,.0f} ms')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=pathlib.Path, required=True)
    parser.add_argument('--lines', type=pathlib.Path, required=True)
    parser.add_argument('--pages', type=int, default=100_000)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--json', type=pathlib.Path)
    options = parser.parse_args()
    options.sheaf = options.sheaf.resolve()
    rows = figures.Figures('grep')
    with stored_pages.filled_store(options.sheaf, options.lines, options.pages, options.work) as stored:
        race(rows, options, stored.folder, stored.public / 'all.scp.zst')
    rows.print()
    rows.append_to(options.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
