#!/usr/bin/env python3
"""Tests that the benchmark book is generated from figures only.

usage: benchmark_book.py --bench FOLDER              renders made-up figures and checks the result
       benchmark_book.py --bench FOLDER --book BOOK  checks that the committed book matches its figures; exit status 77 without one
"""
import argparse, copy, json, pathlib, sys, tempfile, unittest
import xml.etree.ElementTree as ElementTree

HOSTILE = '<script>&"\' | `x` [a](b)\x00\x1b\ud800 ]]>'
MACHINE = {'processor': 'A | B <C>', 'cores': 2}


def row(figure, goal, direction, measured, group='validate', **more):
    return {'group': group, 'figure': figure, 'goal': goal, 'direction': direction, 'measured': measured, 'unit': '',
            'verdict': figures.verdict(direction, goal, measured), 'run': 0, **more}


def made_up():
    rows = [row('quick enough', 0.8, '>=', 0.81), row('too slow', 0.8, '>=', 0.79), row('small enough', 2.5, '<=', 2.5),
            row('too large', 2.5, '<=', 2.51), row('lacks a peer', 50, '>=', None, detail='not installed'), row('just so', None, None, 7),
            row('nothing', 1, '<=', 0), row(HOSTILE, 1, '>=', 0.5, detail=HOSTILE, group=HOSTILE)]
    for pages in (1000, 10_000, 10_000_000):
        rows.append(row(f'memory of {pages}', 1e8, '<=', 5e7 + pages, 'curves', unit='bytes', plot={'picture': 'memory', 'series': HOSTILE, 'x': pages}))
        for picture in ('size', 'size per page', 'time'):
            rows.append(row(f'{picture} of {pages}', None, None, 3.5 * pages, 'curves', plot={'picture': picture, 'series': 'publish', 'x': pages}))
    for site, saved in (('rust', 92.1), (HOSTILE, 58.6)):
        rows.append(row(f'fewer bytes, {site}', 60, '>=', saved, 'promises', unit='%', plot={'picture': 'promises', 'series': 'fewer bytes', 'x': site}))
    rows.append(row('rust: wget, time', None, None, 12.5, 'pull', unit='s', plot={'picture': 'pull', 'series': 'time', 'x': 'wget'}))
    run = {'date': '2026-01-01T00:00:00Z', 'commit': 'abc', 'quick': False, 'seconds': 90, 'parts': ['validate'], 'machine': MACHINE}
    return {'runs': [run], 'rows': rows}


class Rendering(unittest.TestCase):
    def setUp(self):
        self.book = made_up()
        self.files = book.render(self.book)

    def test_every_picture_is_there_and_is_xml(self):
        self.assertEqual(set(self.files), {'README.md', 'goals.svg', 'promises.svg', 'size.svg', 'memory.svg', 'time.svg', 'pull.svg'})
        for name, text in self.files.items():
            if name.endswith('.svg'):
                root = ElementTree.fromstring(text.encode())
                self.assertEqual(root.tag, '{http://www.w3.org/2000/svg}svg', name)
                tags = {element.tag.partition('}')[2] for element in root.iter()}
                self.assertLessEqual(tags, {'svg', 'rect', 'text', 'polyline', 'circle', 'title'}, name)
                self.assertIn('2026-01-01T00:00:00Z, commit abc, A | B &lt;C&gt;, 2 cores', text)
                self.assertNotRegex(text, r'\b(nan|inf)\b')
                self.assertIn(f'({name})', self.files['README.md'])

    def test_every_goal_is_in_the_picture_and_every_one_that_is_not_met_in_the_table(self):
        lines = self.files['README.md'].splitlines()
        texts = [element.text for element in ElementTree.fromstring(self.files['goals.svg'].encode()).iter() if element.text]
        for row in [row for row in self.book['rows'] if row['goal'] is not None]:
            self.assertEqual(sum(f'| {book.cell(row["figure"])} |' in line for line in lines), int(row['verdict'] != 'met'), row['figure'])
            self.assertIn(drawing.NOT_XML.sub('\ufffd', row['figure']), texts)

    def test_verdicts(self):
        for figure, verdict in (('quick enough', None), ('too slow', 'NOT MET'), ('small enough', None), ('too large', 'NOT MET'),
                                ('lacks a peer', 'not measured'), ('nothing', None)):
            line = next((line for line in self.files['README.md'].splitlines() if f'| {figure} |' in line), None)
            self.assertEqual(line is None, verdict is None, figure)
            self.assertIn(f'| {verdict} |', line or '| None |')
        self.assertIn('**7 of 12 goals are met, 4 are not, 1 could not be measured.**', self.files['README.md'])

    def test_hostile_text_stays_text(self):
        page = self.files['README.md']
        self.assertNotIn('<script', page)
        tables = [line for line in page.splitlines() if line.startswith('| validate |') or 'script' in line]
        columns = {line.replace('\\|', '').count('|') for line in tables if '≥' in line or '≤' in line}
        self.assertEqual(columns, {7})
        self.assertNotIn('[a](b)', page)

    def test_the_same_figures_give_the_same_book(self):
        again = json.loads(json.dumps(copy.deepcopy(self.book)))
        self.assertEqual(book.render(again), self.files)

    def test_a_picture_names_only_the_runs_that_it_shows(self):
        other = {**self.book['runs'][0], 'date': '2026-02-02T00:00:00Z', 'commit': 'def', 'parts': ['curves', 'sites']}
        self.book['runs'].append(other)
        for figure in self.book['rows']:
            if figure['group'] == 'promises':
                figure['run'] = 1
        files = book.render(self.book)
        for name, runs in (('memory.svg', ['abc']), ('promises.svg', ['def']), ('pull.svg', ['abc']), ('goals.svg', ['abc', 'def'])):
            self.assertEqual([run for run in ('abc', 'def') if f'commit {run},' in files[name]], runs, name)
        self.assertIn('| 2 | 2026-02-02T00:00:00Z | def | 1.5 | promises |', files['README.md'])

    def test_no_figures_give_a_book_without_pictures(self):
        self.assertEqual(set(book.render({'runs': [], 'rows': []})), {'README.md'})


class Keeping(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.book = made_up()

    def test_what_is_written_is_what_the_figures_give(self):
        book.write(self.book, self.folder)
        self.assertEqual(book.load(self.folder / 'figures.json'), self.book)
        self.assertEqual(list(book.faults(self.folder)), [])

    def test_a_typed_figure_is_found(self):
        book.write(self.book, self.folder)
        page = self.folder / 'README.md'
        page.write_text(page.read_text().replace('0.79', '0.81'))
        self.assertEqual(len(list(book.faults(self.folder))), 1)

    def test_a_picture_too_many_is_found_and_taken_away(self):
        book.write(self.book, self.folder)
        (self.folder / 'old.svg').write_text('<svg/>')
        self.assertEqual(len(list(book.faults(self.folder))), 1)
        book.write(self.book, self.folder)
        self.assertEqual(list(book.faults(self.folder)), [])

    def test_a_later_run_replaces_its_groups_alone(self):
        later = {**self.book['runs'][0], 'date': '2026-02-02T00:00:00Z'}
        merged = book.merge(self.book, later, [row('new', 1, '>=', 2, 'promises')], ['promises', 'pull'])
        self.assertEqual([run['date'] for run in merged['runs']], ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z'])
        self.assertEqual({(row['group'], row['run']) for row in merged['rows']}, {('validate', 0), ('curves', 0), (HOSTILE, 0), ('promises', 1)})
        all_new = book.merge(merged, later, [row('new', 1, '>=', 2)], ['validate', 'curves', 'promises', HOSTILE])
        self.assertEqual((len(all_new['runs']), [row['run'] for row in all_new['rows']]), (1, [0]))
        self.assertIn('2026-02-02', book.render(merged)['README.md'])

    def test_single_rows_replace_those_of_the_same_figure(self):
        later = {**self.book['runs'][0], 'date': '2026-02-02T00:00:00Z', 'seconds': None}
        merged = book.replace_rows(self.book, later, [row('too slow', 0.8, '>=', 0.9), row('more', None, None, 3)])
        self.assertEqual(len(merged['rows']), len(self.book['rows']) + 1)
        found = {row['figure']: (row['measured'], row['run']) for row in merged['rows'] if row['group'] == 'validate'}
        self.assertEqual((found['quick enough'], found['too slow'], found['more']), ((0.81, 0), (0.9, 1), (3, 1)))
        self.assertIn('| 2 | 2026-02-02T00:00:00Z | abc | - | validate |', book.render(merged)['README.md'])


class Feeding(unittest.TestCase):
    """The pages of the curves."""

    def test_as_many_lines_as_asked_for_each_once_from_all_over(self):
        lines = list(range(1234))
        for number in (1, 50, 51, 100, 777, 1233):
            chosen = curves.spread(lines, number)
            self.assertEqual((len(chosen), len(set(chosen))), (number, number))
            self.assertEqual(chosen, sorted(chosen))
        self.assertGreater(curves.spread(lines, 100)[-1], 1100)
        self.assertEqual(curves.spread(lines, 5000), lines)


def main():
    global book, curves, drawing, figures
    parser = argparse.ArgumentParser()
    parser.add_argument('--bench', required=True)
    parser.add_argument('--book', type=pathlib.Path)
    options = parser.parse_args()
    sys.path.insert(0, options.bench)
    sys.dont_write_bytecode = True
    import book, curves, drawing, figures
    if options.book is None:
        unittest.main(argv=[sys.argv[0]])
    if not options.book.exists():
        print(f'{options.book} is not there; ./dev bench makes it')
        return 77
    found = list(book.faults(options.book))
    print('\n'.join(found))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
