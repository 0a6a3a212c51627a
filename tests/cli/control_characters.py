#!/usr/bin/env python3
"""No command prints a control character from outside on a terminal: every command, in every form, is run on pages, sites, files and
arguments that contain all of them, and every byte of its output is checked.

usage: control_characters.py --sheaf PROGRAM --fill STORE_FILL
"""
import argparse, json, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile, unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'pull'))
import pull_kit

SHEAF = FILL = None
TIMEOUT = 120  # seconds: only a hang takes that long
C0 = [*range(0x20)]
DEL_AND_C1 = [*range(0x7f, 0xa0)]
BIDI = [*range(0x202a, 0x202f), *range(0x2066, 0x206a)]
MARKS = [0x061c, 0x200e, 0x200f]
NASTY = 'a' + ''.join(map(chr, [*C0, *DEL_AND_C1, *BIDI, *MARKS])) + '\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m\u009b31mz'
WITHOUT_LINES = re.sub('[\n\r\x00]', '', NASTY)
URL_NASTY = 'https://test.example/' + ''.join(c for c in NASTY if ord(c) > 0x20 and ord(c) != 0x7f)  # C0 and DEL are refused in URLs
# File names may contain any bytes, including invalid UTF-8.
NASTY_NAME = re.sub('[\x00/]', '', NASTY).encode() + bytes(range(0x80, 0xa0))
FORBIDDEN = {*C0, *DEL_AND_C1, *BIDI, *MARKS} - {0x0a, 0x09}
OWN_COLOURS = re.compile('\x1b\\[(?:31|33|32|1|2|0)m')

BROKEN = ['broken.scp', 'content.scp', 'id.scp', 'section.scp', 'time.scp']


def faults_of(output, allowed=frozenset()):
    """Returns a message about forbidden characters in the output of a command; empty if there are none."""
    try:
        text = output.decode('utf-8')
    except UnicodeDecodeError as error:
        return f'not UTF-8: {error}'
    found = sorted({ord(c) for c in text} & (FORBIDDEN - set(allowed)))
    return f'has {[f"U+{c:04X}" for c in found]}' if found else ''


def page(number, **members):
    return {'url': f'https://test.example/{number}', 'title': f'Page {number}', 'description': 'About', 'modified': '2026-01-01T00:00:00Z',
            'language': 'en', 'content': [{'type': 'text', 'text': 'Words.'}], **members}


def media(kind):
    return {'type': kind, 'url': URL_NASTY, 'name': NASTY, 'title': NASTY, 'transcript': NASTY}


BLOCKS = [{'type': 'text', 'text': NASTY}, {'type': 'heading', 'level': 2, 'text': NASTY}, {'type': 'link', 'url': URL_NASTY, 'text': NASTY},
          {'type': 'image', 'url': URL_NASTY, 'alt': NASTY, 'caption': NASTY},
          {'type': 'list', 'ordered': False, 'items': [NASTY, ' - ' + NASTY]}, {'type': 'code', 'language': NASTY, 'code': NASTY},
          {'type': 'table', 'rows': [[NASTY, NASTY], [NASTY, NASTY]]}, {'type': 'quote', 'text': NASTY, 'citation': NASTY},
          media('video'), media('audio'), {'type': 'structured', 'format': NASTY, 'data': {NASTY: NASTY}}, {'type': NASTY, 'text': NASTY}]
PAGES = [page(1, title=NASTY, description=NASTY, author=NASTY, content=BLOCKS, **{'x-' + NASTY: NASTY}),
         page(2, url=URL_NASTY), page(10, url='https://test.example/' + NASTY), page(3, language=NASTY), page(4, url=NASTY), page(5, modified=NASTY),
         page(6, url='https://test.example/%1b%9b%e2%80%ae'), page(7, canonical=NASTY, published=NASTY)]


def collection(pages, since=None, generated='2026-01-10T00:00:00Z', removed=None, **head):
    head = {'id': 'test', 'section': 'all', 'type': 'delta' if since else 'snapshot', 'generated': generated, 'version': '0.1', NASTY: NASTY, **head}
    if since:
        head.update(since=since, removed=removed or [])
    lines = [{'collection': head}, *pages]
    # Raw characters if JSON allows them: all except C0.
    return ''.join(json.dumps(line, ensure_ascii=False, separators=(',', ':')) + '\n' for line in lines).encode()


FILLER = 'Plain words of a page. ' * 1200  # a file with a control character in every hundred bytes is no text
HTML = f'''<!doctype html><html lang="en"><head><title>{WITHOUT_LINES}</title><meta name=author content="{WITHOUT_LINES}"></head><body><main>
<h1 id="{WITHOUT_LINES}">{WITHOUT_LINES}</h1><p>{WITHOUT_LINES} is said here in a sentence that is long enough to be a paragraph of text.</p>
<pre>{WITHOUT_LINES}</pre><a{WITHOUT_LINES.replace(" ", "")} href="x">y</a><p>{FILLER}</p></main></body></html>'''.encode()
MARKDOWN = f'---\ntitle: "{WITHOUT_LINES}"\n---\n# {WITHOUT_LINES}\n\n{WITHOUT_LINES}\n\n{FILLER}\n'.encode()
ROBOTS = ''.join(f'{line}\n' for line in [f'User-agent: *{WITHOUT_LINES}', f'Disallow: /{WITHOUT_LINES}', f'{WITHOUT_LINES}', f'Crawl-delay: {WITHOUT_LINES}',
                                          'User-agent: *', f'Disallow: /private/{WITHOUT_LINES}', 'Disallow: /private/',
                                          f'Sitemap: {WITHOUT_LINES}']).encode() + b'Disallow: /raw' + bytes(range(0x80, 0xa0)) + b'\n'
XML_NASTY = ''.join(c for c in WITHOUT_LINES if ord(c) >= 0x20)  # XML has no C0


class ControlCharacters(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-controls-')
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.commands_run = set()
        cls.write('all.scp', collection(PAGES))
        cls.write('newer.scp', collection([page(1, title=NASTY, modified='2026-01-12T00:00:00Z'), *PAGES[1:]], generated='2026-01-13T00:00:00Z'))
        cls.write('delta.scp', collection([page(9, title=NASTY, modified='2026-01-12T00:00:00Z')], since='2026-01-10T00:00:00Z',
                                          generated='2026-01-14T00:00:00Z', removed=['https://test.example/6', URL_NASTY + 'x']))
        cls.write('broken.scp', collection([NASTY]))
        cls.write('content.scp', collection([page(8, content=NASTY)]))
        cls.write('id.scp', collection(PAGES, id=NASTY))
        cls.write('time.scp', collection(PAGES, generated=NASTY))
        cls.write('section.scp', collection([page(1)], section=NASTY))
        cls.write(NASTY_NAME + b'.scp', collection(PAGES))
        cls.write('page.html', HTML)
        cls.write('page.md', MARKDOWN)
        cls.write(NASTY_NAME + b'.html', HTML)
        cls.write('robots.txt', ROBOTS)
        subprocess.run([FILL, 'store', 'https://test.example', 'all.scp', 'delta.scp'], cwd=cls.folder, check=True, capture_output=True)

    @classmethod
    def write(cls, name, content):
        path = os.path.join(os.fsencode(cls.folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(content)

    def environment(self):
        return {**{name: value for name, value in os.environ.items() if name.endswith('SAN_OPTIONS')}, 'PATH': os.environ['PATH'], 'HOME': str(self.folder),
                'LC_ALL': 'C.UTF-8', 'TERM': 'xterm'}

    def run_sheaf(self, *arguments, statuses=(0,), content=False, stdin=b''):
        """Checks both outputs, and returns standard output. Content for people may have the direction marks of Arabic and Hebrew text."""
        arguments = [os.fsencode(str(part)) if not isinstance(part, bytes) else part for part in arguments]
        done = subprocess.run([os.fsencode(SHEAF), *arguments], cwd=self.folder, env=self.environment(), input=stdin, capture_output=True, timeout=TIMEOUT)
        self.commands_run.add(arguments[0].decode('latin-1'))
        for stream, output in [('standard output', done.stdout), ('standard error', done.stderr)]:
            self.assertEqual(faults_of(output, MARKS if content else ()), '', f'{arguments}: {stream}: {output[:2000]!r}')
        self.assertIn(done.returncode, statuses, f'{arguments}: {done.stderr[:2000]!r}')
        return done.stdout

    def run_json(self, *arguments, **more):
        """The same for a command that prints lines of JSON."""
        output = self.run_sheaf(*arguments, **more)
        self.assertTrue(output, arguments)
        return [json.loads(line) for line in output.splitlines()]

    def test_files(self):
        for file in ['all.scp', 'delta.scp', NASTY_NAME + b'.scp']:
            self.run_sheaf('validate', file)
            self.run_sheaf('validate', '--strict', file, statuses=[0, 1])
            self.run_sheaf('inspect', file)
            self.run_sheaf('inspect', '--pages', file)
            self.run_sheaf('inspect', '--content', file, content=True)
            self.run_json('validate', '--json', '--findings', '1000', file)
            self.run_json('inspect', '--json', file)
            pages = self.run_json('inspect', '--json', '--pages', file)
            self.assertIn(NASTY, [each['title'] for each in pages], 'JSON has every character as it is')
        for file in BROKEN:
            for command in [['validate'], ['validate', '--json'], ['inspect'], ['inspect', '--pages'], ['inspect', '--json']]:
                self.run_sheaf(*command, file, statuses=[0, 1])

    def test_files_written(self):
        nasty = NASTY_NAME + b'-out.scp'
        for output in ['out.scp', nasty]:
            for options in [[], ['--json']]:
                self.run_sheaf('convert', 'all.scp', output, *options)
                self.run_sheaf('diff', 'all.scp', 'newer.scp', '-o', output, *options, statuses=[0, 1])
                self.run_sheaf('diff', 'all.scp', 'newer.scp', '-o', output, '--skip-stale', *options, statuses=[0, 1])
                self.run_sheaf('merge', 'all.scp', 'delta.scp', '-o', output, *options)
                self.run_sheaf('export', '--store', 'store', '-o', output, *options)
        for bad in [*BROKEN, NASTY_NAME + b'-none.scp']:
            self.run_sheaf('convert', bad, 'out2.scp', statuses=[0, 1, 2])
            self.run_sheaf('diff', bad, 'all.scp', '-o', 'out2.scp', statuses=[0, 1, 2])
            self.run_sheaf('merge', 'all.scp', bad, '-o', 'out2.scp', statuses=[0, 1, 2])
        self.run_sheaf('convert', 'all.scp', NASTY_NAME, statuses=[2])

    def test_collections_are_exported_as_they_were(self):
        self.run_sheaf('export', '--store', 'store', '-o', 'true.scp')
        titles = [json.loads(line).get('title') for line in (self.folder / 'true.scp').read_bytes().splitlines()[1:]]
        self.assertIn(NASTY, titles)
        self.assertIn('\u009b31m'.encode(), (self.folder / 'true.scp').read_bytes(), 'raw, not escaped')

    def test_extract(self):
        for file in ['page.html', 'page.md', NASTY_NAME + b'.html']:
            for form in [[], ['--text'], ['--markdown'], ['--explain']]:
                self.run_sheaf('extract', '--url', 'https://test.example/x', *form, file, content=bool(form))
            self.run_sheaf('extract', '--base', 'https://test.example/', '--text', file, 'page.html', content=True)
            self.run_json('extract', '--base', 'https://test.example/', file)
        self.run_sheaf('extract', '--url', 'https://' + WITHOUT_LINES, 'page.html', statuses=[2])
        self.run_sheaf('extract', 'page.html', NASTY_NAME, statuses=[2])
        self.run_sheaf('extract', '--select', WITHOUT_LINES, 'page.html', statuses=[2])

    def test_html(self):
        for file in ['page.html', NASTY_NAME + b'.html']:
            self.run_sheaf('html', file, content=True)
            self.run_sheaf('html', '--select', '*', file)
        self.run_sheaf('html', '--select', WITHOUT_LINES, 'page.html', statuses=[2])
        self.run_sheaf('html', NASTY_NAME + b'.none', statuses=[2])

    def test_commands_around_stores_and_servers(self):
        self.run_sheaf('store', 'copy', 'store', 'copied')
        self.run_sheaf('list', '--store', 'copied')
        for arguments in [['store', 'info', WITHOUT_LINES], ['store', 'create', 'postgresql://' + WITHOUT_LINES], ['store', 'copy', NASTY_NAME, 'copied2'],
                          ['store', WITHOUT_LINES], ['lab', WITHOUT_LINES], ['browse', '--store', NASTY_NAME], ['browse', '--publish', NASTY_NAME],
                          ['browse', '--store', 'store', '--listen', WITHOUT_LINES], ['doctor', WITHOUT_LINES]]:
            self.run_sheaf(*arguments, statuses=[2])
        self.run_sheaf('lab', '--list')

    def test_robots(self):
        for options in [[], ['--json']]:
            self.run_sheaf('robots', 'robots.txt', '--agent', 'ExampleBot', *options)
            self.run_sheaf('robots', 'robots.txt', '--agent', 'ExampleBot', 'https://test.example/private/' + WITHOUT_LINES, '/' + WITHOUT_LINES,
                           '/private/', b'/raw' + bytes(range(0x80, 0xa0)), *options, statuses=[0, 1])
        self.run_sheaf('robots', 'robots.txt', '--agent', 'ExampleBot', WITHOUT_LINES, statuses=[2])
        self.run_sheaf('robots', 'robots.txt', '--agent', WITHOUT_LINES, statuses=[0, 2])
        self.run_sheaf('robots', NASTY_NAME, '--agent', 'x', statuses=[2])

    def test_keys_and_identities(self):
        self.run_sheaf('keys', 'create', '--out', NASTY_NAME + b'.key', '--no-passphrase')
        self.run_sheaf('keys', 'create', '--out', NASTY_NAME + b'.key', '--no-passphrase', statuses=[2])
        self.run_sheaf('keys', 'rotate', NASTY_NAME + b'.key', '--out', NASTY_NAME + b'.new', '--no-passphrase')
        self.run_sheaf('keys', 'show', NASTY_NAME + b'.new')
        self.run_sheaf('keys', 'show', NASTY_NAME + b'.html', statuses=[1])
        self.run_sheaf('keys', 'revoke', NASTY_NAME, statuses=[2])
        self.run_sheaf('validate', '--key', WITHOUT_LINES, 'all.scp', statuses=[2])
        self.run_sheaf('pull', 'https://test.example', '--store', 'keys', '--key', 'https://test.example=' + WITHOUT_LINES, statuses=[2])
        self.run_sheaf('identity', 'create', NASTY_NAME + b'-me', '--agent', 'https://crawler.example')
        self.run_sheaf('identity', 'show', NASTY_NAME + b'-me')
        self.run_sheaf('identity', 'show', NASTY_NAME, statuses=[2])
        self.run_sheaf('identity', 'create', 'other', '--agent', WITHOUT_LINES, statuses=[2])

    def test_report(self):
        nasty = json.dumps({'time': '2026-11-17T12:00:00Z', 'method': 'GET', 'target': '/scp/all-snapshot-20261115T000000Z.scp.zst', 'status': 200,
                            'bytes': 1, 'agent': NASTY + 'bot', 'identity': NASTY})
        self.write('access.log', nasty.encode() + b'\n' + bytes(range(256)) + b'\n')
        self.write(NASTY_NAME + b'.log', nasty.encode() + b'\n')
        self.run_sheaf('report', 'access.log', NASTY_NAME + b'.log', '--html', 'report.html')
        self.run_json('report', 'access.log', '--json')
        self.run_sheaf('report', NASTY_NAME, statuses=[2])
        self.assertEqual(faults_of((self.folder / 'report.html').read_bytes(), MARKS), '')

    def test_store(self):
        store = ['--store', 'store']
        nasty_url = URL_NASTY
        self.run_sheaf('list', *store)
        listed = [each['url'] for each in self.run_json('list', '--json', *store)]
        self.assertIn('https://test.example/1', listed)
        self.assertIn(URL_NASTY, listed)
        for form in [[], ['--json'], ['--text'], ['--markdown']]:
            self.run_sheaf('get', 'https://test.example/1', *store, *form, content=bool(form))
            self.run_sheaf('get', nasty_url, *store, *form, statuses=[0, 1])
        self.assertEqual(self.run_json('get', 'https://test.example/1', *store)[0]['title'], NASTY)
        self.assertEqual(self.run_json('get', 'https://test.example/1', '--json', *store)[0]['page']['title'], NASTY)
        for form in ['jsonl', 'markdown', 'text']:
            for output in [[], ['-o', f'{form}-out'], ['-o', f'{form}-out', '--json'], ['-o', NASTY_NAME + form.encode()]]:
                self.run_sheaf('export', '--format', form, *store, *output, content=form != 'jsonl')
        self.assertIn(NASTY, [each.get('title', each.get('page', {}).get('title')) for each in self.run_json('export', *store)])
        for command in ['changes', 'status', 'verify']:
            self.run_sheaf(command, *store)
            self.run_json(command, '--json', *store)

    def test_grep(self):
        for where in [['--store', 'store'], ['all.scp']]:
            self.run_sheaf('grep', '', *where, content=True)
            self.run_sheaf('grep', '-l', '', *where)
            lines = self.run_json('grep', '', '--json', *where)
            self.assertIn(NASTY, [each['title'] for each in lines])
            self.run_json('grep', '-l', '', '--json', *where)
            for pattern in [WITHOUT_LINES, '(' + WITHOUT_LINES]:
                self.run_sheaf('grep', *where, '--', pattern, statuses=[0, 1, 2], content=True)
        self.write('damaged.jsonl', b'{"url":"https://test.example/1"}\n{"' + NASTY.encode('utf-8', 'surrogatepass') + b'":\n')
        self.run_sheaf('grep', '', NASTY_NAME, 'damaged.jsonl', statuses=[2])

    def test_search(self):
        store = ['--store', shutil.copytree(self.folder / 'store', self.folder / 'searched')]
        self.run_json('index', '--json', *store)
        self.run_sheaf('index', *store)
        for query in ['site:test.example', 'page OR words OR text', WITHOUT_LINES + ' words', '"' + WITHOUT_LINES]:
            self.run_sheaf('search', *store, '--limit', '100', '--', query, statuses=[0, 1, 2], content=True)
        found = self.run_json('search', 'site:test.example', '--json', '--limit', '100', *store)[0]['results']
        self.assertIn(NASTY, [each['title'] for each in found])
        for option in ['--site', '--section', '--lang', '--since', '--cursor', '--limit']:
            self.run_sheaf('search', 'words', option, WITHOUT_LINES, *store, statuses=[1, 2])
        call = {'jsonrpc': '2.0', 'id': NASTY, 'method': 'tools/call', 'params': {'name': 'get_page', 'arguments': {'url': 'https://test.example/1'}}}
        answer = self.run_json('mcp', *store, stdin=json.dumps(call).encode() + b'\n')[0]
        self.assertEqual(answer['id'], NASTY)
        self.assertEqual(answer['result']['structuredContent']['title'], NASTY)
        self.run_sheaf('mcp', *store, stdin=NASTY.encode('utf-8', 'surrogatepass') + b'\n')
        self.run_sheaf('mcp', *store, '--listen', WITHOUT_LINES, statuses=[2])

    def test_files_exported_for_people(self):
        for form in ['markdown', 'text']:
            self.run_sheaf('export', '--format', form, '--store', 'store', '-o', f'{form}-files')
            files = [file for file in (self.folder / f'{form}-files').rglob('*') if file.is_file()]
            self.assertGreater(len(files), 3)
            for file in files:
                self.assertEqual(faults_of(file.read_bytes(), MARKS), '', file)
                self.assertEqual(faults_of(os.fsencode(file)), '')

    def test_damaged_store(self):
        damaged = shutil.copytree(self.folder / 'store', self.folder / 'damaged')
        subprocess.run([FILL, damaged, 'https://test.example', '--damage', 'page'], check=True, capture_output=True)
        self.run_sheaf('verify', '--store', damaged, statuses=[1])
        self.run_sheaf('verify', '--store', damaged, '--json', statuses=[1])
        self.run_sheaf('export', '--store', damaged, statuses=[1])
        for options in [[], ['--json']]:
            self.run_sheaf('gc', '--store', shutil.copytree(self.folder / 'store', self.folder / f'gc{len(options)}'), *options)

        for options in [['--dry-run'], ['--json'], []]:
            store = shutil.copytree(self.folder / 'store', self.folder / f'drop{len(options)}', dirs_exist_ok=True)
            self.run_sheaf('drop', '--store', store, '--site', 'test.example', *options)

    def test_arguments(self):
        for arguments in [[NASTY_NAME], ['--' + WITHOUT_LINES], ['list', '--' + WITHOUT_LINES], ['list', '--store', NASTY_NAME], ['list', '--store'],
                          ['list', '--store', 'store', '--site', WITHOUT_LINES], ['list', '--store', 'store', '--since', WITHOUT_LINES],
                          ['list', '--store', 'store', '--limit', WITHOUT_LINES], ['export', '--store', 'store', '--format', WITHOUT_LINES],
                          ['export', '--store', 'store', '-o', NASTY_NAME + b'/none/x.scp'], ['get', WITHOUT_LINES, '--store', NASTY_NAME],
                          ['status', '--store', 'store', '--list', NASTY_NAME], ['verify', '--store', NASTY_NAME], ['gc', '--store', NASTY_NAME],
                          ['drop', '--store', 'store', '--site', WITHOUT_LINES], ['drop', '--store', 'store', '--site', 'test.example', '--section', WITHOUT_LINES],
                          ['changes', '--store', 'store', '--since', WITHOUT_LINES], ['manual', WITHOUT_LINES], ['completion', WITHOUT_LINES],
                          ['pull', WITHOUT_LINES, '--store', 's2'], ['pull', '--list', NASTY_NAME, '--store', 's2'],
                          ['pull', 'https://test.example', '--store', 's2', '--user-agent', '\x1b'], ['pull', '--every', WITHOUT_LINES, '--list', 'page.md', '--store', 's2'],
                          ['publish', NASTY_NAME, '--base', WITHOUT_LINES, '--out', 'o'], ['publish', '--config', NASTY_NAME], ['publish', '--recipe', WITHOUT_LINES],
                          ['serve', NASTY_NAME], ['serve', '.', '--listen', WITHOUT_LINES], ['validate', NASTY_NAME + b'/'], ['inspect', '--since', WITHOUT_LINES, 'all.scp']]:
            self.run_sheaf(*arguments, statuses=[1, 2])
        self.run_sheaf('list', '--store', 'store', '--section', WITHOUT_LINES)
        for name in ['completion', 'manual']:
            self.run_sheaf(*{'completion': ['completion', 'bash'], 'manual': ['manual', 'pull']}[name])
        self.commands_run.add('completion')

    def test_publish(self):
        self.write('public/' + 'page.html', HTML)
        self.write(b'public/' + NASTY_NAME + b'.html', HTML)
        self.write(b'public/' + NASTY_NAME + b'/empty.html', b'')
        self.write('public/robots.txt', ROBOTS)
        for out in [b'public/scp', NASTY_NAME + b'-scp']:
            for options in [['--dry-run'], ['--dry-run', '--json'], [], ['--json'], ['--recipe', 'nginx'], ['--recipe', 'cron'], ['--recipe', 'systemd']]:
                self.run_sheaf('publish', 'public', '--base', 'https://test.example', '--out', out, *options, statuses=[0, 1, 2])
        self.write('project/sheaf.toml', f'base = "https://test.example"\n"{XML_NASTY}" = 1\n'.encode())
        self.run_sheaf('publish', '--config', 'project/sheaf.toml', statuses=[2])
        self.write(b'init/' + NASTY_NAME + b'/index.html', HTML)
        self.run_sheaf('publish', '--init', 'init', '--base', 'https://test.example', statuses=[0, 2])
        self.run_sheaf('serve', '--check', 'public', statuses=[0, 1])
        self.run_json('serve', '--check', '--json', 'public', statuses=[0, 1])

    def test_serve(self):
        self.write(b'served/' + NASTY_NAME + b'/x.scp', collection(PAGES))
        self.write('served/robots.txt', ROBOTS)
        for log_format in ['combined', 'json']:
            child = subprocess.Popen([SHEAF, 'serve', 'served', '--listen', '127.0.0.1:0', '--access-log', '-', '--log-format', log_format, '--user', 'root'],
                                     cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            report = b''
            while not (address := re.search(rb'http://127\.0\.0\.1:(\d+)', report)):
                report += os.read(child.stderr.fileno(), 65536)
            for request in [b'GET /%s HTTP/1.1\r\nHost: x\r\nUser-Agent: %s\r\nReferer: %s\r\n\r\n' % (3 * (WITHOUT_LINES.encode('utf-8'),)),
                            b'GET /x HTTP/1.1\r\nHost: x\r\nUser-Agent: \xc2\x9b\x9b\xe2\x80\xae\r\nConnection: close\r\n\r\n',
                            b'GET /%9b%1b HTTP/1.1\r\nHost: x\r\nUser-Agent: a\tb\r\nConnection: close\r\n\r\n']:
                with socket.create_connection(('127.0.0.1', int(address[1])), timeout=TIMEOUT) as connection:
                    connection.sendall(request)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
            child.send_signal(signal.SIGTERM)
            output, errors = child.communicate(timeout=TIMEOUT)
            self.assertEqual(faults_of(output), '', output)
            self.assertEqual(faults_of(report + errors), '', errors)
            self.assertIn(b'GET', output)
        self.commands_run.add('serve')

    def test_pull(self):
        with pull_kit.BadServer() as server:
            sitemap = (f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
                       f'xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0"><scp:version>{XML_NASTY}</scp:version>'
                       f'<scp:section name="all" updateFreq="{XML_NASTY}" pages="1"/><scp:section name="{XML_NASTY}" updateFreq="daily" pages="1"/>'
                       f'<scp:collection section="all" type="snapshot" url="{server.url}/all.scp" generated="2026-01-10T00:00:00Z" expires="2036-01-01T00:00:00Z"/>'
                       f'<scp:collection section="{XML_NASTY}" type="snapshot" url="{server.url}/{XML_NASTY}" generated="2026-01-10T00:00:00Z"/>'
                       f'<scp:collection section="all" type="{XML_NASTY}" url="{XML_NASTY}" generated="{XML_NASTY}"/>'
                       f'<url><loc>{server.url}/page.html</loc></url><url><loc>{XML_NASTY}</loc><lastmod>{XML_NASTY}</lastmod></url>'
                       f'<url><loc>{server.url}/{XML_NASTY}</loc></url></urlset>').encode()
            local = [{**each, 'url': each['url'].replace('https://test.example', server.url)} for each in PAGES]
            server.routes = {'/robots.txt': ROBOTS + f'Sitemap: {server.url}/sitemap.xml\n'.encode(), '/sitemap.xml': sitemap,
                             '/all.scp': collection(local), '/page.html': lambda request: request.send(200, HTML, Content_Type='text/html; charset=utf-8'),
                             '/gone': lambda request: request.send(404, b'')}
            for extra in [[], ['--json']]:
                self.run_sheaf('doctor', server.url, '--allow-private', '--allow-http', *extra, statuses=[1, 2])
            self.write('sites.txt', f'{server.url}\n'.encode())
            options = ['--allow-private', '--delay', '0', '--tries', '1', '--timeout', '2']
            for number, extra in enumerate([[], ['--json'], ['--plan'], ['--plan', '--json'], ['--html', 'only'], ['--html', 'only', '--json']]):
                store = f'pulled{number}'
                self.run_sheaf('pull', server.url, '--store', store, *options, *extra, statuses=[0, 1])
                if '--plan' in extra:
                    continue
                for command in ['status', 'list', 'changes', 'export', 'verify']:
                    self.run_sheaf(command, '--store', store)
                    if command != 'export':
                        self.run_sheaf(command, '--json', '--store', store)
            for extra in [[], ['--json']]:
                self.run_sheaf('pull', '--list', 'sites.txt', '--once', '--store', f'listed{len(extra)}', *options, *extra, statuses=[0, 1])
                self.run_sheaf('status', '--list', 'sites.txt', '--store', f'listed{len(extra)}', *extra)
            server.routes['/all.scp'] = collection(local, generated=NASTY)
            server.routes['/sitemap.xml'] = sitemap.replace(b'2026-01-10', b'2026-01-11')
            for extra in [[], ['--json']]:
                self.run_sheaf('pull', server.url, '--store', 'pulled0', *options, *extra, statuses=[0, 1])

    def test_on_a_terminal(self):
        """On a terminal, only our own colours are used, and none from a page."""
        for arguments in [['inspect', 'all.scp'], ['inspect', '--pages', 'all.scp'], ['inspect', '--content', 'all.scp'], ['validate', 'all.scp'],
                          ['status', '--store', 'store'], ['list', '--store', 'store'], ['get', 'https://test.example/1', '--store', 'store'],
                          ['get', 'https://test.example/1', '--text', '--store', 'store'], ['export', '--format', 'markdown', '--store', 'store'],
                          ['changes', '--store', 'store']]:
            done = subprocess.run([HERE / 'bin/on-terminal', SHEAF, *arguments], cwd=self.folder, env=self.environment(), capture_output=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, arguments)
            text = done.stdout.decode('utf-8')
            self.assertEqual(faults_of(OWN_COLOURS.sub('', text).encode(), MARKS), '', arguments)
            self.assertNotIn('\x1b[31mred', text, arguments)

    def test_prints_in_one_place(self):
        """One module replaces control characters and prints; no other code may print."""
        for file in sorted((ROOT / 'src/sheaf/cli').rglob('*.[ch]*')):
            if file.name != 'terminal.cpp':
                found = re.findall(r'fmt::print\b|\bf?printf\(|\bf?puts\(|\bfwrite\(|std::c(?:out|err)\b', file.read_text())
                self.assertEqual(found, [], file)

    def test_zz_every_command_was_run(self):
        """Runs last because of its name."""
        listed = subprocess.run([SHEAF, 'manual'], capture_output=True, text=True, check=True).stdout
        commands = {name.replace('\\', '') for name in re.findall(r'^\.BR sheaf\\-([a-z]+)', listed, re.M)}
        self.assertGreater(len(commands), 15)
        self.assertEqual(commands - self.commands_run, set())


def main():
    global SHEAF, FILL
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('--sheaf', '--fill'):
        parser.add_argument(name, required=True, type=lambda text: pathlib.Path(text).resolve())
    arguments, rest = parser.parse_known_args()
    SHEAF, FILL = arguments.sheaf, arguments.fill
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == '__main__':
    main()
