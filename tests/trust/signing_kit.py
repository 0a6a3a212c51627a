"""Helpers for tests of signatures: a hand-made site whose collections Debian's minisign signs, and a store that pulls it."""
import base64, json, pathlib, shutil, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'pull'))
import pull_kit

NOW = int(time.time())
DAY = 86400
TIMES = [NOW - 3 * DAY, NOW - 2 * DAY, NOW - DAY]  # a snapshot and two deltas


def stamp(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(seconds))


def has_minisign():
    return shutil.which('minisign') is not None


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=pull_kit.TIMEOUT, **more)
    if done.returncode != 0:
        raise AssertionError(f'{words}: {done.stdout}{done.stderr}')
    return done.stdout


def minisign(key, file, comment, signature=None, *options):
    """Signs with the program minisign."""
    signature = signature or file.with_name(file.name + '.minisig')
    run('minisign', '-S', '-s', key, '-m', file, '-x', signature, '-t', comment, *options)
    return signature


def make_key(sheaf, file):
    run(sheaf, 'keys', 'create', '--out', file, '--no-passphrase')
    return file


def public(key):
    return pathlib.Path(f'{key}.pub').read_text().splitlines()[1]


class Collection:
    def __init__(self, section, kind, generated, since=None, pages=()):
        self.section, self.kind, self.generated, self.since, self.pages = section, kind, generated, since, list(pages)

    @property
    def name(self):
        return f'{self.section}-{self.kind}-{self.generated}.scp.zst'


CONVERTED = {}  # text of a collection -> the compressed file, its checksum and its state: most cases begin with the same files


class SignedSite:
    """Two sections, `blog` and `docs`, each with a snapshot and deltas, in `folder`; signed with `key`."""

    def __init__(self, sheaf, folder, base, key, steps=3):
        self.sheaf, self.folder, self.base, self.key = sheaf, pathlib.Path(folder), base, key
        self.collections = []
        for section in ('blog', 'docs'):
            for step in range(steps):
                pages = [self.page(section, number, step) for number in (range(3) if step == 0 else [step])]
                self.collections.append(Collection(section, 'delta' if step else 'snapshot', TIMES[step],
                                                   TIMES[step - 1] if step else None, pages))
        self.folder.mkdir(parents=True, exist_ok=True)
        for collection in self.collections:
            self.write(collection)
            self.sign(collection)
        (self.folder / 'robots.txt').write_text(f'User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n')
        self.write_keys([])
        self.write_sitemap()

    def page(self, section, number, step):
        return {'url': f'{self.base}/{section}/{number}', 'title': f'{section} {number}', 'description': 'a page', 'language': 'en',
                'modified': stamp(TIMES[step]), 'content': [{'type': 'text', 'text': f'step {step}'}]}

    def file(self, collection):
        return self.folder / collection.name

    def signature(self, collection):
        return self.folder / (collection.name + '.minisig')

    def write(self, collection):
        head = {'id': f'{collection.section}-{collection.generated}', 'section': collection.section, 'type': collection.kind,
                'generated': stamp(collection.generated), 'version': '0.1'}
        if collection.since:
            head['since'] = stamp(collection.since)
        text = ''.join(json.dumps(line) + '\n' for line in [{'collection': head}, *collection.pages])
        if text not in CONVERTED:
            plain = self.folder / 'plain.scp'
            plain.write_text(text)
            run(self.sheaf, 'convert', plain, self.file(collection))
            plain.unlink()
            shown = json.loads(run(self.sheaf, 'inspect', '--json', self.file(collection)))
            CONVERTED[text] = self.file(collection).read_bytes(), shown['collection']['checksum'], shown['collection'].get('state')
        converted, collection.checksum, collection.state = CONVERTED[text]
        self.file(collection).write_bytes(converted)

    def statement(self, collection, **changes):
        """Returns the trusted comment; changing a member to None omits it."""
        members = {'origin': self.base, 'section': collection.section, 'type': collection.kind, 'generated': stamp(collection.generated),
                   'since': stamp(collection.since) if collection.since else None, 'checksum': collection.checksum,
                   'state': collection.state, **changes}
        return ' '.join(['scp-collection', *(f'{name}={value}' for name, value in members.items() if value is not None)])

    def sign(self, collection, key=None, comment=None, *options, **changes):
        minisign(key or self.key, self.file(collection), comment or self.statement(collection, **changes), None, *options)

    def write_keys(self, history, key=None):
        folder = self.folder / '.well-known'
        folder.mkdir(exist_ok=True)
        self.history = history
        (folder / 'scp-keys').write_text('\n'.join(['scp-keys 1', f'key {public(key or self.key)}', *history]) + '\n')

    def write_sitemap(self, collections=None, key='', statements=None, key_url=None, times=None):
        """`key`: the key to state, or None. `times`: the stated `generated` of files, by name."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>',
                 '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">',
                 '<scp:version>0.1</scp:version>']
        if key is not None:
            count = len(self.history) if statements is None else statements
            lines.append(f'<sheaf:key xmlns:sheaf="urn:x-sheaf:sitemap:1" publicKey="{key or public(self.key)}" url="{key_url or self.base + "/.well-known/scp-keys"}" statements="{count}"/>')
        listed = self.collections if collections is None else collections
        for section in sorted({collection.section for collection in listed}):
            lines.append(f'<scp:section name="{section}" updateFreq="daily" pages="3"/>')
        for collection in listed:
            file = self.folder / collection.name
            times_text = f'generated="{stamp((times or {}).get(collection.name, collection.generated))}" expires="{stamp(NOW + DAY)}"'
            size = f'pages="{len(collection.pages)}" size="{file.stat().st_size if file.exists() else 1}"'
            url = f'url="{self.base}/{collection.name}"'
            if collection.since:
                lines.append(f'<scp:delta section="{collection.section}" period="x" {url} {times_text} {size} since="{stamp(collection.since)}"/>')
            else:
                lines.append(f'<scp:collection section="{collection.section}" type="snapshot" {url} {times_text} {size}/>')
        lines.append(f'<url><loc>{self.base}/index.html</loc></url></urlset>')
        (self.folder / 'sitemap.xml').write_text('\n'.join(lines) + '\n')


def edit_line(file, number, change):
    """Replaces line `number` (from 1) of a text file by change(line)."""
    lines = file.read_text().split('\n')
    lines[number - 1] = change(lines[number - 1])
    file.write_text('\n'.join(lines))


def edit_bytes(line, at, new):
    """Replaces bytes inside a Base64 text."""
    data = bytearray(base64.b64decode(line))
    data[at:at + len(new)] = new
    return base64.b64encode(bytes(data)).decode()
