#!/usr/bin/env python3
"""Measures search: the speed of indexing, the size of the index, and the speed and relevance of results.

    bench/search_bench.py --sheaf PROGRAM --bench PROGRAM --pages FILE [--many FILE...] [--queries N] [--work FOLDER] [--json FILE]

FILE has pages, one per line, without a metadata line (bench/make_corpus.py). --pages are whole pages of documentation: they are served,
pulled and indexed, and asked for by their titles and headings. A known-item query is a title, or a heading with the title of
its page, that no other page has; its score is 1 / the rank of the page, 0 beyond the tenth (the mean is the MRR). --many are small pages,
for the time of a query of two words and of a phrase; of several files, the first is compared with the text and the others with the first. At
last a hundredth of the pages of the last file changes, and the index catches up. --json adds the rows to a file (bench/figures.py).
"""
import argparse, collections, itertools, json, os, pathlib, random, re, statistics, subprocess, sys, tempfile, time

import figures
import stored_pages
from stored_pages import SITE

MRR_GOAL = 0.8
INDEX_TIME_GOAL = 2  # times that of a pull
INDEX_SIZE_GOAL = 0.5  # of the plain text
QUERY_MS_GOAL = 50
FLAT = 1.25  # as in bench/curves.py
CHANGED = 100  # one page in this many changes
CATCH_UP_GOAL = 0.05  # of the time of indexing everything, for a hundredth of the pages
SAMPLE = 3000  # pages that queries are taken from
LATER = '2026-06-02T00:00:00Z'


def read_pages(path):
    with open(path) as lines:
        for line in lines:
            yield json.loads(line)


def words_of(text):
    return re.findall(r'[A-Za-z][a-z]{2,}', text)


class IndexRun:
    """The cost of one run of `sheaf index`: wall time, CPU time and peak memory; and its report."""

    def __init__(self, sheaf, folder):
        with tempfile.TemporaryFile('w+') as output:
            start = time.monotonic()
            process = subprocess.Popen([sheaf, 'index', '--store', folder, '--json'], stdout=output)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds, self.processor, self.peak = time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f'sheaf index: exit status {process.returncode}')
            output.seek(0)
            self.summary = json.loads(output.read())


class IndexedStore:
    """The index of stored pages."""

    def __init__(self, options, stored):
        self.options, self.stored, self.folder, self.site = options, stored, stored.folder, stored.site
        self.run = IndexRun(options.sheaf, self.folder)
        self.pages, self.text = self.run.summary['pages'], self.run.summary['textBytes']
        self.index_bytes = sum(file.stat().st_size for file in (self.folder / 'search').rglob('*') if file.is_file())
        self.processor_per_page = self.run.processor / self.pages

    def ask(self, queries, limit=10):
        done = subprocess.run([self.options.bench, self.folder, '--limit', str(limit)], input='\n'.join(queries) + '\n', capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]


def known_items(path, number, seed=1):
    """[(query, url)]: half of them titles, half headings with the first word of their page's title that they lack."""
    titles, headings, texts = collections.defaultdict(list), [], {}
    for page in read_pages(path):
        title = page['title'].strip()
        titles[title.lower()].append(page['url'])
        texts[page['url']] = title
        for block in page['content']:
            if block['type'] == 'heading' and block['text'].strip().lower() != title.lower() and len(words_of(block['text'])) >= 2:
                headings.append((block['text'].strip().rstrip('\u00b6#'), page['url']))
    random.seed(seed)
    by_title = [(title, urls[0]) for title, urls in titles.items() if len(urls) == 1 and len(words_of(title)) >= 2]
    count = collections.Counter(heading.lower() for heading, _ in headings)
    by_heading = [(heading, url) for heading, url in headings if count[heading.lower()] == 1 and len(words_of(heading)) >= 3]
    plain = lambda text: ' '.join(re.findall(r"[\w.]+", text))[:300]  # noqa: E731
    chosen = random.sample(by_title, min(len(by_title), number // 2)) + random.sample(by_heading, min(len(by_heading), number - number // 2))
    return [(plain(text), url) for text, url in chosen]


def reciprocal_rank(answer, url):
    urls = answer.get('urls', [])
    return 1 / (urls.index(url) + 1) if url in urls else 0


def relevance(store, path, number, rows, verbose):
    items = known_items(path, number)
    answers = store.ask([query for query, _ in items])
    ranks = [reciprocal_rank(answer, url.replace(SITE, store.site)) for answer, (_, url) in zip(answers, items)]
    half = number // 2
    rows.at_least('known items: mean reciprocal rank', MRR_GOAL, statistics.mean(ranks),
                  detail=f'{len(items)} queries; titles {statistics.mean(ranks[:half]):.2f}, headings {statistics.mean(ranks[half:]):.2f}')
    if verbose:
        for (query, url), rank in zip(items, ranks):
            if rank < 0.3:
                print(f'{rank:.2f} {query} -> {url}', file=sys.stderr)


def sample_pages(path, number):
    """Returns pages from all over a file, in random order."""
    with open(path) as lines:
        every = max(1, sum(1 for _ in lines) // number)
        lines.seek(0)
        pages = [json.loads(line) for line in itertools.islice(lines, 0, None, every)]
    random.shuffle(pages)
    return pages


def speed(store, path, rows):
    """Searches for pairs of words from one page, so that most find something."""
    random.seed(2)
    pairs, phrases = [], []
    for page in sample_pages(path, SAMPLE):
        words = [word for block in page['content'] if block['type'] == 'text' for word in words_of(block['text'])]
        if len(words) < 6:
            continue
        at = random.randrange(len(words) - 1)
        pairs.append(' '.join(random.sample(words, 2)))
        phrases.append(f'"{words[at]} {words[at + 1]}"')
    store.ask(pairs[:50])
    times = sorted(answer['ms'] for answer in store.ask(pairs[:500]) if 'ms' in answer)
    name = f'{store.pages:,} pages'
    rows.note(f'query of two words, median, {name}', times[len(times) // 2], 'ms')
    rows.at_most(f'query of two words, 95th percentile, {name}', QUERY_MS_GOAL, times[len(times) * 95 // 100], 'ms')
    slow = sorted(answer['ms'] for answer in store.ask(phrases[:100]) if 'ms' in answer)
    rows.note(f'phrase of two words, median, {name}', slow[len(slow) // 2], 'ms')
    rows.note(f'phrase of two words, 95th percentile, {name}', slow[len(slow) * 95 // 100], 'ms')


def changed_lines(path):
    """Yields the pages of a file; one page in a hundred has another title and time."""
    with open(path) as lines:
        for number, line in enumerate(lines):
            if number % CHANGED == 0:
                line = re.sub('"modified":"[^"]*"', f'"modified":"{LATER}"', line.replace(',"title":"', ',"title":"Changed: ', 1), count=1)
            yield line


def catch_up(store, path, rows):
    store.stored.pull(changed_lines(path), LATER)
    run = IndexRun(store.options.sheaf, store.folder)
    changed = run.summary['indexed']
    if changed != -(-store.pages // CHANGED) or run.summary['everyPage']:
        sys.exit(f'{changed:,} of {store.pages:,} pages were indexed again')
    rows.at_most(f'catching up with 1 % of the pages against indexing all, {store.pages:,} pages', CATCH_UP_GOAL, run.seconds / store.run.seconds,
                 detail=f'{run.seconds:.1f} s against {store.run.seconds:.1f} s')


def size_and_time(store, key, rows):
    run, pull_seconds = store.run, store.stored.pull_seconds
    rows.at_most(f'indexing against pulling, {key}', INDEX_TIME_GOAL, run.seconds / pull_seconds,
                 detail=f'{store.pages:,} pages, {store.text / 1e6:,.1f} MB of text: {run.seconds:.1f} s against {pull_seconds:.1f} s')
    rows.note(f'indexing speed, {key}', store.text / 1e6 / run.seconds, 'MB/s')
    rows.at_most(f'index against plain text, {key}', INDEX_SIZE_GOAL, store.index_bytes / store.text,
                 detail=f'{store.index_bytes / 1e6:,.1f} MB against {store.text / 1e6:,.1f} MB')


def many_pages(options, rows):
    """Measures stores of small pages, and compares the others with the first."""
    first = None  # CPU time per page
    for path in options.many:
        with stored_pages.filled_store(options.sheaf, path, work=options.work, pack=False) as stored:
            store = IndexedStore(options, stored)
            if first is None:
                first = store.processor_per_page
                size_and_time(store, 'small pages', rows)
            else:
                rows.at_most(f'processor time of indexing per page, {store.pages:,} pages against the first', FLAT, store.processor_per_page / first,
                             detail=f'{store.processor_per_page * 1e6:.0f} us against {first * 1e6:.0f} us')
            rows.note(f'memory of indexing, {store.pages:,} pages', store.run.peak, 'bytes')
            speed(store, path, rows)
            if path == options.many[-1]:
                catch_up(store, path, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=pathlib.Path, required=True)
    parser.add_argument('--bench', type=pathlib.Path, required=True)
    parser.add_argument('--pages', type=pathlib.Path, required=True)
    parser.add_argument('--many', type=pathlib.Path, nargs='+', default=[])
    parser.add_argument('--queries', type=int, default=200)
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('--json', type=pathlib.Path)
    options = parser.parse_args()
    rows = figures.Figures('search')
    with stored_pages.filled_store(options.sheaf, options.pages, work=options.work, pack=False) as stored:
        store = IndexedStore(options, stored)
        size_and_time(store, 'documentation', rows)
        relevance(store, options.pages, options.queries, rows, options.verbose)
    many_pages(options, rows)
    rows.print()
    rows.append_to(options.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
