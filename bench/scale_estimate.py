#!/usr/bin/env python3
"""Extrapolates the measured figures of the shared store to many sites: a table in docs/scale.md, computed from docs/benchmarks/figures.json.

    bench/scale_estimate.py --write     puts the table between the two comments of docs/scale.md
    bench/scale_estimate.py --check     checks that the table is up to date; exit status 1 if not

Nothing here is measured at that size. The assumptions are in the table's text; change them at the top of this file.
"""
import argparse, json, pathlib, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES, PAGE = ROOT / 'docs' / 'benchmarks' / 'figures.json', ROOT / 'docs' / 'scale.md'
BEGIN, END = '<!-- computed by bench/scale_estimate.py -->', '<!-- end of what is computed -->'
SITES = (100_000, 1_000_000, 10_000_000)
PULLS_A_DAY = 1
CHANGED = 0.05  # of the pulls find ten changed pages
PAGES = 100  # of a site
REQUESTS, LATENCY = 3, 0.2
DAY = 86_400

COSTS = {
    'unchanged_us': 'PostgreSQL, processor time per unchanged site, with all that a pull reads',
    'unchanged_wal': 'write-ahead log per unchanged site',
    'changed_us': 'PostgreSQL, processor time per site with ten changed pages',
    'changed_wal': 'write-ahead log per site with ten changed pages',
    'disk': 'PostgreSQL, disk per page, without objects',
    'disk_beside': 'PostgreSQL, disk per page, with objects',
}
MEMORY = 'memory of a worker with 1,000,000 sites'  # the same for any number


def measured():
    rows = [row for row in json.loads(FIGURES.read_text(encoding='utf-8'))['rows'] if row['group'] == 'shared']
    by_name = {row['figure']: row['measured'] for row in rows}
    if missing := [name for name in COSTS.values() if by_name.get(name) is None]:
        raise SystemExit(f'{FIGURES.name} lacks: {"; ".join(missing)}. Run bench/run --only shared first.')
    found = {key: by_name[name] * (1e3 if key.endswith('_wal') else 1) for key, name in COSTS.items()}
    found['memory'] = by_name.get(MEMORY)
    return found


def amount(value, unit):
    """Rounds to two digits: more would suggest a precision that is not there."""
    for factor, prefix in ((1e12, 'T'), (1e9, 'G'), (1e6, 'M'), (1e3, 'k')):
        if value >= factor:
            value, unit = value / factor, prefix + unit
            break
    digits = f'{value:.2g}' if value < 100 else f'{round(value, -1):.0f}'
    return f'{float(digits):g} {unit}'


def line(cells):
    return '| ' + ' | '.join(cells) + ' |'


def table():
    cost = measured()
    rates = [sites * PULLS_A_DAY / DAY for sites in SITES]
    processor = [rate * ((1 - CHANGED) * cost['unchanged_us'] + CHANGED * cost['changed_us']) / 1e6 for rate in rates]
    wal = [sites * PULLS_A_DAY * ((1 - CHANGED) * cost['unchanged_wal'] + CHANGED * cost['changed_wal']) for sites in SITES]
    rows = [
        ('pulls per second', [f'{float(f"{rate:.2g}"):g}' for rate in rates]),
        ('sites under way at the same time', [f'{max(1, round(rate * REQUESTS * LATENCY))}' for rate in rates]),
        ('cores that PostgreSQL keeps busy', [f'{float(f"{cores:.2g}"):g}' for cores in processor]),
        ('write-ahead log per day', [amount(value, 'B') for value in wal]),
        ('pages', [amount(sites * PAGES, '').strip() for sites in SITES]),
        ('disk of PostgreSQL, pages in it', [amount(sites * PAGES * cost['disk'], 'B') for sites in SITES]),
        ('disk of PostgreSQL, pages in objects', [amount(sites * PAGES * cost['disk_beside'], 'B') for sites in SITES]),
    ]
    if cost['memory'] is not None:
        rows.append(('memory of a worker that waits', [amount(cost['memory'], 'B') for _ in SITES]))
    head = [line(['computed, not measured', *(f'{sites:,} sites' for sites in SITES)]), line(['---'] * (1 + len(SITES)))]
    text = (f'Assumed: each site is pulled {PULLS_A_DAY} time a day, {CHANGED:.0%} of the pulls find ten changed pages, a site has {PAGES} pages\n'
            f'like those of the benchmark, a pull of {REQUESTS} requests takes {REQUESTS * LATENCY:g} s. Search, replicas, backups and the feed\n'
            'beyond its first copy are not included; neither is what vacuum and caches that are too small cost.\n')
    return '\n'.join([BEGIN, '', text, *head, *(line([name, *cells]) for name, cells in rows), '', END])


def replaced(page):
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f'{PAGE} lacks the comments that the table goes between')
    return before + table() + after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument('--write', action='store_true')
    what.add_argument('--check', action='store_true')
    options = parser.parse_args()
    page = PAGE.read_text(encoding='utf-8')
    new = replaced(page)
    if options.write:
        PAGE.write_text(new, encoding='utf-8')
    elif new != page:
        print(f'{PAGE.name} is not what the figures give: run bench/scale_estimate.py --write', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
