#!/usr/bin/env python3
"""Compares sheaf with a real JSON Schema validator on pages made by seeded mutation of good ones.

usage: schema_differential.py --sheaf PATH --schema page.schema.json [--pages 6000] [--seed 1]

A page is clean for sheaf when `validate --json` has no finding at all. That must equal the schema's verdict, except
for the reasons below, each a rule of docs/spec-readings.md. Every reason is a separate test of the
page: it says exactly for which pages the two differ, and in which direction. A difference that no reason explains, or a
reason that applies while the two agree, fails the run. Exit status: 0 equal, 1 differences, 77 no jsonschema module.
"""
import argparse
import copy
import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print('skipped: python3-jsonschema is not installed')
    sys.exit(77)

HEAD = json.dumps({'collection': {'id': 'c', 'section': 's', 'type': 'snapshot',
                                  'generated': '2026-01-15T00:00:00Z', 'version': '0.1'}})

# --- the rules of the readings, written down a second time ----------------------------------------------------------

URL = re.compile(r'(?i:https?)://([^/?#@]*@)*(\[[0-9a-fA-F:.]+\]|[^\[\]/?#@:]+)(:(\d*))?([/?#].*)?\Z', re.S)
REFUSED = re.compile(r'[\x00-\x20\x7f\\]')
TIME = re.compile(r'(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)?\Z', re.A)


def is_http_url(text):
    match = URL.match(text)
    return bool(match) and not REFUSED.search(text) and int(match.group(4) or 0) <= 65535


def time_offset(text):
    """Returns the offset of an RFC 3339 time ('' if it has none), or None for any other text."""
    match = TIME.match(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(x) for x in match.groups()[:6])
    try:
        datetime.date(year or 2000, month, day)
    except ValueError:
        return None
    offset = match.group(8) or ''
    if offset not in ('', 'Z', 'z') and (int(offset[1:3]) > 23 or int(offset[4:]) > 59):
        return None
    return offset if hour < 24 and minute < 60 and second <= 60 else None


def page_urls(page):
    """Returns all values that are URLs according to the drafts, in a page that conforms to the schema."""
    yield page['url']
    if 'canonical' in page:
        yield page['canonical']
    for block in page['content']:
        kind = block['type']
        if kind in ('link', 'image'):
            yield block['url']
        elif kind in ('video', 'audio'):
            if isinstance(block['url'], str):
                yield block['url']
            else:
                yield from (entry['href'] for entry in block['url'])
            if 'url' in block.get('icon', {}):
                yield block['icon']['url']
            if kind == 'video':
                yield from (caption['url'] for caption in block.get('captions', []))


def page_times(page):
    return [page[key] for key in ('modified', 'published') if key in page]


def depth_of(value):
    if isinstance(value, dict):
        return 1 + max((depth_of(v) for v in value.values()), default=0)
    if isinstance(value, list):
        return 1 + max((depth_of(v) for v in value), default=0)
    return 0


def says_noindex(page):
    robots = page.get('robots')
    texts = [robots] if isinstance(robots, str) else robots if isinstance(robots, list) else []
    return any(isinstance(text, str) and 'noindex' in text.lower() for text in texts)


DIRECTIVES = {'noindex', 'nofollow', 'noarchive', 'nosnippet', 'notranslate', 'noimageindex'}


def has_bad_robots(page):
    robots = page.get('robots')
    return 'robots' in page and not (isinstance(robots, list) and all(isinstance(text, str) for text in robots)
                                     and set(robots) <= DIRECTIVES and len(set(robots)) == len(robots))


def has_bad_audio_rel(page):
    return any(not isinstance(entry.get('rel', ''), str) for block in page['content'] if block['type'] == 'audio'
               and isinstance(block['url'], list) for entry in block['url'])


# The schema accepts these pages, sheaf has a finding: (name, the rule, does it apply to this schema-valid page?)
STRICTER = [
    ('url-rule', 'a URL is judged as it stands: http(s), a host, a port, no white space, control or backslash',
     lambda page, text: not all(is_http_url(url) for url in page_urls(page))),
    ('time-rule', 'modified and published must be RFC 3339 times (the schema only annotates date-time)',
     lambda page, text: any(time_offset(time) is None for time in page_times(page))),
    ('naive-time', 'a time without an offset is read as UTC, with a warning',
     lambda page, text: any(time_offset(time) == '' for time in page_times(page))),
    ('noindex', 'robots of draft 1 contains noindex: the page is skipped', lambda page, text: says_noindex(page)),
    ('robots-type', 'robots of draft 1 must be an array of its directives, each once: the field or the others are dropped',
     lambda page, text: has_bad_robots(page) and not says_noindex(page)),
    ('audio-rel', 'rel of a media link must be a string; the schema names it for video only',
     lambda page, text: has_bad_audio_rel(page)),
    ('too-many-blocks', 'over 1,000 content blocks: the page is skipped', lambda page, text: len(page['content']) > 1000),
    ('too-deep', 'JSON nested over 256 deep: the page is skipped', lambda page, text: depth_of(page) > 256),
    ('repeated-name', 'a name twice in one object: the last counts, with a warning (the schema sees only the last)',
     lambda page, text: text.repeated),
]


def lower_scheme(page):
    """The schema's pattern knows only lower-case schemes."""
    if isinstance(page.get('url'), str):
        page['url'] = re.sub(r'^(?i:https?)(?=://)', lambda match: match.group().lower(), page['url'])


def without_structured(page):
    """The newer schemas have no structured block."""
    def is_good(block):
        return (isinstance(block, dict) and block.get('type') == 'structured' and isinstance(block.get('format'), str)
                and isinstance(block.get('data'), dict))
    if isinstance(page.get('content'), list):
        page['content'] = [{'type': 'text', 'text': ''} if is_good(block) else block for block in page['content']]


# The schema rejects these pages, sheaf accepts them: (name, the rule, a change that makes the schema accept them too)
LAXER = [
    ('scheme-case', 'http:// and https:// in any case', lower_scheme),
    ('structured', 'structured of draft 1 is a known block and kept', without_structured),
]

# --- pages and what is done to them ----------------------------------------------------------------------------------

URLS = ['https://example.com/', 'http://e.com:8080/a?b#c', 'https://[::1]/x', 'https://e.com/\u00e9', 'HTTPS://E.com/']
BAD_URLS = ['', '/a', 'example.com', 'ftp://e.com/', 'javascript:x', 'data:text/html,x', 'file:///x', 'https://', 'http:///x',
            'https://e.com:99999/', 'https://a b/', 'https://e.com/\\x', 'https://e.com/\n', '//e.com/', 'https://[::1', 'http://:80/']
TIMES = ['2026-01-10T12:00:00Z', '2026-01-10t12:00:00.25z', '2026-02-28T23:59:60+05:30', '0000-01-01T00:00:00Z']
BAD_TIMES = ['', 'now', '2026-01-10', '2026-02-30T00:00:00Z', '2026-01-10 12:00:00Z', '2026-01-10T25:00:00Z',
             '2026-01-10T12:00:00+24:00', '2026-01-10T12:00Z']
NAIVE_TIMES = ['2026-01-10T12:00:00', '2026-01-10T12:00:00.5']
LANGUAGES = ['en', 'zh-Hans-CN', 'es-419', 'de-CH-1996', 'EN', 'english', 'en_US', '', 'en-', 'x']
DURATIONS = ['PT5M20S', 'PT1H', 'PT0.5S', 'PT', 'P1D', '5:20', 'PT1S1M', 'PT1.5M', '']
SCALARS = [None, True, False, 0, 1, -1, 3.0, 1.5, 99, 'text', '', [], {}, ['a'], [1], [[]], [{}], {'a': 1}, 'Image', 'video']


def good_blocks():
    return [
        {'type': 'text', 'text': 'ok'}, {'type': 'heading', 'level': 3, 'text': 'h'},
        {'type': 'link', 'url': 'https://e.com/l', 'text': 'l', 'rel': ['nofollow']},
        {'type': 'image', 'url': 'https://e.com/i.png', 'alt': 'i'},
        {'type': 'list', 'ordered': True, 'items': ['a', 'b']}, {'type': 'code', 'language': 'c', 'code': 'x'},
        {'type': 'table', 'rows': [['a', 'b'], ['c']]}, {'type': 'quote', 'text': 'q', 'citation': 'c'},
        {'type': 'video', 'name': 'v', 'url': [{'href': 'https://e.com/v.mp4', 'mediaType': 'video/mp4', 'rel': 'alternate'}],
         'duration': 'PT5M20S', 'width': 640, 'height': 480, 'icon': {'type': 'Image', 'url': 'https://e.com/p.jpg'},
         'summary': 's', 'captions': [{'language': 'en', 'url': 'https://e.com/c.vtt', 'label': 'English'}],
         'chapters': [{'time': 0, 'title': 'Start'}], 'transcript': 't'},
        {'type': 'audio', 'name': 'a', 'url': [{'href': 'https://e.com/a.mp3', 'mediaType': 'audio/mpeg'}],
         'duration': 'PT1H', 'attributedTo': 'x', 'partOf': 'y', 'chapters': [{'time': 5, 'title': 'c'}]},
        {'type': 'video', 'name': 'v', 'url': 'https://e.com/v'}, {'type': 'audio', 'name': 'a', 'url': 'https://e.com/a'},
        {'type': 'structured', 'format': 'json-ld', 'data': {'@type': 'Thing'}},
    ]


ODD_BLOCKS = [
    None, 5, 'text', [], {}, {'type': 'widget', 'x': 1}, {'type': None}, {'text': 'no type'}, {'type': 'Text', 'text': 'x'},
    {'type': 'video', 'title': 'T', 'sources': [{'url': 'https://e.com/v.mp4', 'format': 'mp4'}], 'duration': 60},
    {'type': 'audio', 'title': 'T', 'sources': [{'url': 'https://e.com/a.mp3'}], 'artist': 'A'},
    {'type': 'video', 'name': 'N', 'url': 'https://e.com/', 'title': 'T', 'sources': []},
    {'type': 'structured', 'format': 5, 'data': {}}, {'type': 'structured', 'format': 'f', 'data': []},
    {'type': 'heading', 'level': 0, 'text': ''}, {'type': 'heading', 'level': 7, 'text': ''}, {'type': 'heading', 'level': 2.0, 'text': ''},
]


class Text(str):
    repeated = False


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def page(self):
        pick = self.random
        page = {'url': pick.choice(URLS[:4]), 'title': 'T', 'description': 'D', 'modified': pick.choice(TIMES),
                'language': pick.choice(LANGUAGES[:4]),
                'content': [copy.deepcopy(pick.choice(good_blocks()[:12])) for _ in range(pick.randint(1, 3))]}
        optional = {'author': 'A', 'published': '2026-01-01T00:00:00Z', 'canonical': 'https://e.com/c',
                    'schema': {'@type': 'Article'}, 'robots': ['nofollow'], 'x-unknown': {'deep': [1, None]}}
        page.update({key: copy.deepcopy(value) for key, value in optional.items() if pick.random() < 0.3})
        return page

    def places(self, value, found):
        """Returns all (container, key) of a value, including nested containers."""
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in items:
            found.append((value, key))
            self.places(child, found)
        return found

    def mutate(self, page):
        pick = self.random
        places = self.places(page, [])
        if not places:
            return
        container, key = pick.choice(places)
        name = key if isinstance(key, str) else ''
        kind = pick.randrange(8)
        if kind == 0:
            del container[key]
        elif kind == 1:
            container[key] = copy.deepcopy(pick.choice(SCALARS))
        elif kind == 2 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        elif kind == 3:
            container[key] = pick.choice(ODD_BLOCKS) if isinstance(container, list) else copy.deepcopy(pick.choice(SCALARS))
        elif kind == 4 and isinstance(page.get('content'), list):
            block = copy.deepcopy(pick.choice(ODD_BLOCKS + good_blocks() + good_blocks()))
            page['content'].insert(pick.randint(0, len(page['content'])), block)
        elif kind == 5:
            page[pick.choice(['author', 'published', 'canonical', 'schema', 'robots'])] = copy.deepcopy(
                pick.choice(SCALARS + [['noindex'], 'noindex', ['nofollow'], 'https://e.com/', '2026-01-01T00:00:00Z']))
        elif kind == 6 and isinstance(container, dict):
            container[pick.choice(['x', 'url', 'width', 'rel', 'text', 'icon', 'captions', 'name'])] = copy.deepcopy(pick.choice(SCALARS))
        else:
            self.change_value(page, container, key, name)

    def change_value(self, page, container, key, name):
        pick = self.random
        if name in ('url', 'href', 'canonical'):
            container[key] = pick.choice(URLS + BAD_URLS)
        elif name in ('modified', 'published'):
            container[key] = pick.choice(TIMES + BAD_TIMES + NAIVE_TIMES)
        elif name == 'language':
            container[key] = pick.choice(LANGUAGES)
        elif name == 'duration':
            container[key] = pick.choice(DURATIONS)
        elif name == 'type':
            container[key] = pick.choice(['text', 'heading', 'video', 'audio', 'quote', 'image', 'Image', 'structured', 'widget'])
        elif name in ('level', 'width', 'height', 'time'):
            container[key] = pick.choice([0, 1, 6, 7, -1, 2.0, 2.5, 10**6])
        elif pick.random() < 0.5:
            page['url'] = pick.choice(URLS + BAD_URLS)
        else:
            page['modified'] = pick.choice(TIMES + BAD_TIMES + NAIVE_TIMES)

    def text(self, page):
        """Returns the page as one line; now and then a name occurs twice, first with a value that does not count."""
        text = Text(json.dumps(page, ensure_ascii=self.random.random() < 0.5))
        if self.random.random() < 0.03 and 'title' in page:
            text = Text(text.replace('{', '{"title": "first", ', 1))
            text.repeated = True
        return text

    def special(self):
        """Yields pages at and over the limits, and rare cases."""
        for rel in ('alternate', 5, None):
            link = {'href': 'https://e.com/a.mp3', 'mediaType': 'audio/mpeg', 'rel': rel}
            yield self.page() | {'content': [{'type': 'audio', 'name': 'a', 'url': [link]}]}
        for robots in (['noindex'], 'NOINDEX, nofollow', [5, 'noindex']):
            yield self.page() | {'robots': robots}
        for count in (1000, 1001):
            yield self.page() | {'content': [{'type': 'text', 'text': ''}] * count}
        for depth in (256, 257):
            nested = 1
            for _ in range(depth - 1):
                nested = [nested]
            yield self.page() | {'x': nested}

    def pages(self, count):
        made = [self.text(page) for page in self.special()]
        while len(made) < count:
            page = self.page()
            for _ in range(self.random.choice([0, 1, 1, 1, 2, 2, 3])):
                self.mutate(page)
            made.append(self.text(page))
        return made


def run_sheaf(program, texts):
    """Returns the reports of `sheaf validate --json`, one page per file, many files per process."""
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            with open(os.path.join(folder, f'{number}.scp'), 'w', encoding='utf-8') as file:
                file.write(f'{HEAD}\n{text}\n')
        for first in range(0, len(texts), 1000):
            names = [f'{number}.scp' for number in range(first, min(first + 1000, len(texts)))]
            run = subprocess.run([os.path.abspath(program), 'validate', '--json', '--threads', '1', *names], cwd=folder,
                                 capture_output=True, timeout=300, check=False)
            if run.returncode not in (0, 1):
                sys.exit(f'sheaf failed with {run.returncode}: {run.stderr.decode()[:500]}')
            reports += [json.loads(line) for line in run.stdout.splitlines()]
    return reports


def is_clean(report):
    return report['valid'] and report['fatal'] is None and not report['findings'] and report['pages'] == 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--schema', required=True)
    parser.add_argument('--pages', type=int, default=6000)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    with open(options.schema, encoding='utf-8') as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    texts = Maker(options.seed).pages(options.pages)
    reports = run_sheaf(options.sheaf, texts)
    if len(reports) != len(texts):
        sys.exit(f'{len(texts)} pages, but {len(reports)} reports')
    counts = {}
    agree = {True: 0, False: 0}
    failures = []
    for text, report in zip(texts, reports):
        page = json.loads(text)
        in_schema = validator.is_valid(page)
        reasons = []
        expected = in_schema
        if not in_schema:
            for name, _, change in LAXER:
                changed = copy.deepcopy(page)
                change(changed)
                if changed != page:
                    reasons.append(name)
                    page = changed
            expected = bool(reasons) and validator.is_valid(page)
            reasons = reasons if expected else []
        if expected:
            stricter = [name for name, _, applies in STRICTER if applies(page, text)]
            expected = not stricter
            reasons = stricter if in_schema else reasons if expected else []
        clean = is_clean(report)
        if clean != expected:
            found = report['fatal'] or report['findings']
            failures.append(f'schema {"valid" if in_schema else "invalid"}, reasons {reasons}, sheaf '
                            f'{"clean" if clean else found}:\n    {text}')
        elif clean == in_schema:
            agree[clean] += 1
        else:
            for name in reasons:
                counts[name] = counts.get(name, 0) + 1
    print(f'{len(texts)} pages: both take {agree[True]}, both refuse {agree[False]}; they differ on '
          f'{len(texts) - agree[True] - agree[False] - len(failures)} for these reasons:')
    for name, rule, _ in STRICTER + LAXER:
        print(f'  {counts.get(name, 0):6}  {name:16} {rule}')
        if not counts.get(name):
            failures.append(f'the reason {name} never applied: it is not tested')
    for failure in failures[:20]:
        print(f'UNEXPLAINED {failure}')
    print(f'{len(failures)} unexplained')
    return 1 if failures or agree[True] < 500 or agree[False] < 500 else 0


if __name__ == '__main__':
    sys.exit(main())
