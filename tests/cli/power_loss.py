#!/usr/bin/env python3
"""Cuts the power at many moments of runs of sheaf, and checks what is left.

usage: power_loss.py --sheaf PROGRAM --record LIBRARY --shim LIBRARY [--states N | --minutes M] [--seed N] [--jobs N] [--keep FOLDER]
       power_loss.py ... --self-test     prove that a missing sync is found

record_shim.cpp records what the program does to the file system while it
- pulls a site with two sections into a store: snapshots, several deltas in one run, a large collection, a snapshot with removals;
  then drops a section, and packs the store (gc);
- publishes a site again and again: first, with deltas, with a snapshot, with the other outputs (llms.txt, Markdown files, a feed);
- pulls a site page by page, twice;
- makes the search index of a store, and brings it up to date.
Half of the runs, chosen by the seed, are killed first and then run again: what a killed run leaves may not be synced.

power_model.py then builds folders that a power loss may leave behind on a file system that keeps only what was synced. Which ones,
is chosen by the seed. In each of them
- a store opens and verifies; it is exactly in a state that was committed, and in none that is older than what a finished run had
  reported; its change feed, read from the beginning, gives its pages; and the next pull ends with `ok` and the whole site. After a
  pull page by page each page is as before or as after that run; and the search index finds what the store has once it is updated;
- a published folder has only complete files under their names; the sitemap is complete, and names only files that are there, which
  add up to an edition of the site no older than what a finished run had reported; the next run publishes exactly the site.
"""
import argparse, collections, concurrent.futures, hashlib, http.server, json, pathlib, random, re, shutil, subprocess, sys, tempfile, threading, time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / 'pull')]
import power_model, publish_kills, pull_kit, raw_site

TIMEOUT = 300  # seconds: only a hang takes that long


class Fault(Exception):
    pass


class Site:
    """A web server with the collections of a site. Later steps offer more of them; `step` is the current one."""

    def __init__(self):
        self.step, self.offers, self.states, self.pages = 0, [], [{}], None
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = site.answer(self.path)
                self.send_response(200 if body is not None else 404)
                if site.pages and self.path.endswith('.html'):
                    self.send_header('Content-Type', 'text/html')
                self.send_header('Content-Length', str(len(body or b'')))
                self.end_headers()
                try:
                    self.wfile.write(body or b'')
                except OSError:
                    pass  # the client was killed

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.base = f'http://127.0.0.1:{self.server.server_address[1]}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path):
        if path == '/robots.txt':
            return f'User-agent: *\nAllow: /\nSitemap: {self.base}/sitemap.xml\n'.encode()
        if self.pages:
            return self.answer_page(path, self.pages[self.step])
        offered = [offer for offer in self.offers if offer['step'] <= self.step]
        if path == '/sitemap.xml':
            elements = ''.join(f'<scp:{"delta" if offer["since"] else "collection"} section="{offer["section"]}" url="{self.base}/{offer["name"]}" '
                               f'generated="{offer["generated"]}"' + (f' since="{offer["since"]}"' if offer['since'] else '') + '/>' for offer in offered)
            return ('<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
                    f'xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0"><scp:version>0.1</scp:version>{elements}</urlset>').encode()
        return next((offer['body'] for offer in offered if path == '/' + offer['name']), None)

    def answer_page(self, path, pages):
        if path == '/sitemap.xml':
            urls = ''.join(f'<url><loc>{self.base}{page}</loc><lastmod>{modified}</lastmod></url>' for page, modified in pages.items())
            return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()
        return pull_kit.page_html(path, f'{path} as of {pages[path]}').encode() if path in pages else None

    def add(self, step, section, put, removed=(), snapshot=False, text='Words.'):
        """Adds a collection, and the state that the store has once it is applied. The time of each is a minute later."""
        day = raw_site.moment(days=-2)[:11]
        number = len(self.states)
        generated = f'{day}{number // 60:02d}:{number % 60:02d}:00Z'
        before = self.states[-1]
        urls = {f'{self.base}/{section}/{name}': generated for name in put}
        gone = {f'{self.base}/{section}/{name}' for name in removed}
        mine = {url: modified for (of, url), modified in before.items() if of == section and url not in gone} | urls
        pages = mine if snapshot else urls
        past = [offer for offer in self.offers if offer['section'] == section]
        head = {'id': 'x', 'section': section, 'type': 'snapshot' if snapshot else 'delta', 'generated': generated, 'version': '0.1',
                'state': raw_site.state_of(mine)}
        if not snapshot:
            head |= {'since': past[-1]['generated'], 'removed': sorted(gone)}
        chance = random.Random(number)
        lines = [{'collection': head}]
        for url, modified in pages.items():
            # Noise, so that large files are not refused for compressing too well.
            words = text if len(text) < 100 else ''.join(chance.choices('abcdefgh ', k=len(text)))
            lines.append({'url': url, 'title': 'A page', 'description': '', 'modified': modified, 'language': 'en',
                          'content': [{'type': 'text', 'text': words}]})
        body = ''.join(json.dumps(line) + '\n' for line in lines).encode()
        self.offers.append({'step': step, 'section': section, 'generated': generated, 'since': head.get('since'), 'body': body, 'name': f'{number}.scp'})
        others = {key: modified for key, modified in before.items() if key[0] != section}
        self.states.append(others | {(section, url): modified for url, modified in mine.items()})


class Programs:
    def __init__(self, options):
        self.sheaf, self.record, self.shim = (str(pathlib.Path(path).resolve()) for path in (options.sheaf, options.record, options.shim))

    def run(self, *arguments, folder=None, **environment):
        """Runs sheaf. `environment`: variables of the two libraries that are loaded for them."""
        env = {'PATH': '/usr/bin:/bin', 'TZ': 'UTC', **environment}
        if environment:
            env['LD_PRELOAD'] = ':'.join([self.record] * ('SHEAF_RECORD_LOG' in environment) + [self.shim])
        return subprocess.run([self.sheaf, *map(str, arguments)], cwd=folder, env=env, capture_output=True, text=True, timeout=TIMEOUT)


class Case:
    """Some runs of sheaf that change one folder, and what must hold after a power loss. `runs`: of each the number of records before
    it, the states that it may leave, of which the first was reported before and the last is what it makes, and whether it reported
    that."""

    def __init__(self, programs, folder, chance):
        self.programs, self.folder, self.chance, self.runs, self.logs, self.length = programs, folder, chance, [], [], 0
        (folder / 'recorded').mkdir(parents=True)

    def recorded_run(self, states, *arguments, **more):
        """Runs sheaf. Every other run is killed first, without a power loss: what it leaves is not all synced, and the next run must not
        take it for safe."""
        if not self.runs:
            recorded = self.folder / 'recorded'
            self.given = {str(path.relative_to(recorded)): path.stat().st_ino for path in recorded.rglob('*') if path.is_dir()}
        if self.chance.random() < 0.5:
            self.record(states, *arguments, SHEAF_FAULT_KILL_AT=str(self.chance.randint(1, 80)), **more)
        result = self.record(states, *arguments, **more)
        # A run that was killed may have dropped the section already.
        if result.returncode != 0 and not (arguments[0] == 'drop' and 'the store has no section' in result.stderr):
            raise SystemExit(f'{self.name}: {arguments} failed undisturbed: {result.stdout}{result.stderr}')
        self.runs[-1][-1] = True

    def record(self, states, *arguments, **more):
        self.runs.append([self.length, states, False])
        self.logs.append(self.folder / f'log{len(self.logs)}')
        self.logs[-1].touch()
        result = self.programs.run(*arguments, SHEAF_RECORD_FOLDER=str((self.folder / 'recorded').resolve()), SHEAF_RECORD_LOG=str(self.logs[-1]), **more)
        self.length += sum(1 for _ in power_model.read_records(self.logs[-1]))
        return result

    def is_ours(self, path):
        return True

    def load(self, ignored):
        self.recording = power_model.Recording(self.logs, self.given, ignored)

    def check_recording(self):
        missed = self.recording.missed(self.folder / 'recorded', random.Random(1), self.is_ours)
        if missed:
            raise SystemExit(f'{self.name}: not everything was recorded: {missed[:5]}')

    def states_at(self, moment):
        """Returns the run that was interrupted, and the states that may be left."""
        number = max((i for i, (begin, *_) in enumerate(self.runs) if begin < moment), default=0)
        _, states, has_reported = self.runs[number]
        is_over = moment == (self.runs[number + 1][0] if number + 1 < len(self.runs) else self.length)
        return number, states[-1:] if is_over and has_reported else states


class StoreCase(Case):
    name = 'store'

    def __init__(self, programs, folder, chance):
        super().__init__(programs, folder, chance)
        self.site = Site()
        self.make(self.site)

    def make(self, site):
        few = [f'p{number}' for number in range(30)]
        site.add(1, 'blog', few, snapshot=True)
        site.add(2, 'blog', ['p1', 'new'], removed=['p2'])
        site.add(2, 'blog', ['p3', 'new'])
        site.add(2, 'blog', ['p4', 'p5'], removed=['p6', 'p7'])
        # Over 2 MiB of pages and of index: they are written to files, which the database ingests.
        many = [f'a-name-of-some-length-that-fills-the-index-of-the-store-sooner/page-{number}' for number in range(self.many)]
        site.add(3, 'docs', many, snapshot=True, text='x' * 400)
        site.add(4, 'docs', many[10:], removed=many[:10], snapshot=True)
        site.add(5, 'blog', few[:5], removed=few[20:], snapshot=True)
        states = site.states
        self.pull([states[0], states[1]], 1)
        self.pull(states[1:5], 2)
        self.pull(states[4:6], 3)
        self.pull(states[5:7], 4)
        self.pull(states[6:8], 5)
        self.recorded_run([states[7]] * 2, 'gc', '--store', self.store)
        without = {key: modified for key, modified in states[7].items() if key[0] != 'blog'}
        self.recorded_run([states[7], without], 'drop', '--store', self.store, '--site', site.base, '--section', 'blog')
        self.pull([without, states[7]], 5)

    many = 4000
    pulls_to_the_end = 1

    @property
    def store(self):
        return self.folder / 'recorded/store'

    def pull(self, states, step):
        self.site.step = step
        self.recorded_run(states, 'pull', self.site.base, '--store', self.store, '--allow-private', '--delay', '0', '--json')

    def is_ours(self, path):
        return '/pages/LOG' not in path  # text for people, which RocksDB writes with stdio

    def state(self, store):
        """The pages of a store by section and URL, nothing where there is none; and whether the feed says the same."""
        result = self.programs.run('list', '--store', store, '--json')
        if result.returncode != 0 and 'there is no store' in result.stderr:
            return {}
        if result.returncode != 0:
            raise Fault(f'list: {result.stdout[-500:]}{result.stderr}')
        pages = {(page['section'], page['url']): page['modified'] for page in map(json.loads, result.stdout.splitlines())}
        feed = self.programs.run('changes', '--store', store, '--json')
        replayed = {}
        for change in map(json.loads, feed.stdout.splitlines()):
            key = change['section'], change['url']
            if replayed.get(key) != change['oldModified']:
                raise Fault(f'change {change["sequence"]} does not follow from those before it')
            replayed[key] = change['newModified']
        if feed.returncode != 0 or {key: modified for key, modified in replayed.items() if modified} != pages:
            raise Fault(f'the feed does not give the pages: {feed.stderr}')
        return pages

    def check_state(self, state, allowed):
        if state not in allowed:
            nearest = min(allowed, key=lambda other: len(set(other.items()) ^ set(state.items())))
            raise Fault(f'{len(state)} pages, which is no state that was committed: {sorted(set(nearest.items()) ^ set(state.items()))[:4]}')

    def final_state(self):
        return self.site.states[-1]

    def check(self, folder, run, allowed):
        store = folder / 'store'
        result = self.programs.run('verify', '--store', store)
        if result.returncode != 0 and not ('there is no store' in result.stderr and not allowed[0]):
            raise Fault(f'verify: {result.stdout}{result.stderr}')
        state = self.state(store)
        self.check_state(state, allowed)
        # After the last run the site offers everything.
        for _ in range(self.pulls_to_the_end):
            result = self.programs.run('pull', self.site.base, '--store', store, '--allow-private', '--delay', '0', '--json', '--allow-shrink')
            if result.returncode != 0 or not json.loads(result.stdout)['ok']:
                raise Fault(f'the next pull: {result.stdout}{result.stderr}')
        differs = set(self.state(store).items()) ^ set(self.final_state().items())
        if differs:
            raise Fault(f'the next pull says `ok`, but does not give the site: {sorted(differs)[:4]}')
        result = self.programs.run('verify', '--store', store)
        if result.returncode != 0:
            raise Fault(f'verify after the next pull: {result.stdout}{result.stderr}')


class IndexCase(StoreCase):
    """The search index of a store."""
    name = 'index'

    def make(self, site):
        few = [f'p{number}' for number in range(40)]
        site.add(1, 'blog', few, snapshot=True, text='yesterday')
        site.add(2, 'blog', few[:20] + ['new'], removed=few[30:], text='today')
        self.pull(site.states[:2], 1)
        self.recorded_run([site.states[1]] * 2, 'index', '--store', self.store)
        self.indexed = self.runs[-1][0]
        self.pull(site.states[1:3], 2)
        self.recorded_run([site.states[2]] * 2, 'index', '--store', self.store)

    def is_ours(self, path):
        return super().is_ours(path) and not path.endswith('/flintlock')

    def has_indexed(self, run):
        """Whether a run before this one has made the index, and said so."""
        return any(begin == self.indexed for begin, *_ in self.runs[:run])

    def found(self, store, word):
        result = self.programs.run('search', word, '--store', store, '--limit', '100', '--json')
        if result.returncode not in (0, 1):
            raise Fault(f'search {word}: {result.stderr}')
        return {('blog', hit['url']): hit['modified'] for hit in json.loads(result.stdout)['results']}

    def check(self, folder, run, allowed):
        super().check(folder, run, allowed)
        store, pages = folder / 'store', self.site.states[-1]
        result = self.programs.run('index', '--store', store)
        # While an index is being made for the first time, it may be left in pieces.
        if result.returncode == 1 and '--rebuild' in result.stderr and not self.has_indexed(run):
            result = self.programs.run('index', '--store', store, '--rebuild')
        if result.returncode != 0:
            raise Fault(f'the next index: {result.stderr}')
        newest = max(pages.values())
        for word in ('today', 'yesterday'):
            wanted = {key: modified for key, modified in pages.items() if (modified == newest) == (word == 'today')}
            if self.found(store, word) != wanted:
                raise Fault(f'{word} finds something else than the store has')


class CrawlCase(StoreCase):
    """A site that is pulled page by page. Pages of the run that was interrupted may be missing, those of finished runs may not."""
    name = 'crawl'
    pulls_to_the_end = 2  # the first completes the crawl that was interrupted, with the list of pages that it began with

    def make(self, site):
        before = {f'/p{number}.html': raw_site.moment(days=-1) for number in range(20)}
        site.pages = [{}, before]
        self.states = [{('html', site.base + path): modified for path, modified in pages.items()} for pages in site.pages]
        self.pull(self.states[:2], 1)
        time.sleep(1.1)  # the pages of the second edition are newer than the first pull
        after = {path: modified for path, modified in before.items() if path not in ('/p3.html', '/p4.html')}
        after |= dict.fromkeys(('/p5.html', '/p6.html', '/new.html'), raw_site.moment())
        site.pages.append(after)
        self.states.append({('html', site.base + path): modified for path, modified in after.items()})
        self.pull(self.states[1:], 2)

    def state(self, store):
        """The pages of a store by section and URL, with what they say of their version. The `modified` of a page that changes while it
        is crawled may be that of its older version."""
        super().state(store)
        exported = self.programs.run('export', '--store', store)
        if exported.returncode != 0 and 'there is no store' not in exported.stderr:
            raise Fault(f'export: {exported.stderr}')
        return {('html', page['url']): re.search(r' as of ([^,]*),', json.dumps(page))[1] for page in map(json.loads, exported.stdout.splitlines())}

    def check_state(self, state, allowed):
        for key in {*allowed[0], *allowed[-1], *state}:
            if state.get(key) not in [each.get(key) for each in allowed]:
                raise Fault(f'{key[1]} is {state.get(key)}')

    def final_state(self):
        return self.states[-1]


class PublishCase(Case):
    name = 'publish'
    base = 'https://example.com/'
    editions = [{'a.html': 'One', 'b.html': 'One', 'c/index.html': 'One', 'd.html': 'One', 'e.html': 'One'},
                {'a.html': 'Two', 'b.html': 'One', 'c/index.html': 'One', 'd.html': 'One', 'e.html': 'One', 'f.html': 'Two'},
                {'a.html': 'Two', 'b.html': 'Three', 'c/index.html': 'One', 'd.html': 'One', 'f.html': 'Two'},
                {'a.html': 'Four', 'b.html': 'Three', 'c/index.html': 'Four', 'd.html': 'Four', 'f.html': 'Two'},
                {'a.html': 'Five', 'b.html': 'Three', 'c/index.html': 'Four', 'd.html': 'Five', 'f.html': 'Two'}]
    config = '''base = "https://example.com"
out = "public/scp"
[outputs]
llms_txt = true
markdown = true
feed = true
[[section]]
name = "all"
[[section.source]]
type = "html"
folder = "public"
'''

    def __init__(self, programs, folder, chance):
        super().__init__(programs, folder, chance)
        self.checker = publish_kills.Runner(programs.sheaf, programs.shim)
        self.versions = collections.defaultdict(set)  # of each file that visitors and clients get
        self.now = int(time.time()) // 86_400 * 86_400 - 86_400
        for number, edition in enumerate(self.editions):
            self.write_pages(folder / 'recorded', edition)
            self.recorded_run([number - 1, number] if number else [None, 0], *self.command(snapshot=number == 3))

    def time_of(self, run):
        return str(int(self.now + 600 * run))

    def record(self, states, *arguments, **more):
        site = self.folder / 'recorded'
        result = super().record(states, *arguments, folder=site, SHEAF_FAULT_DATE=self.time_of(len(self.runs)), **more)
        for path, file in self.served(site):
            self.versions[path].add(file.read_bytes())
        return result

    def command(self, snapshot=False):
        return ['publish', '--json', '--threads', '1', '-c', 'sheaf.toml'] + ['--snapshot'] * snapshot

    def write_pages(self, site, edition):
        """Writes the pages of an edition, which are the user's and were written long ago."""
        (site / 'sheaf.toml').write_text(self.config)
        for name in self.editions[0] | self.editions[-1]:
            (site / 'public' / name).unlink(missing_ok=True)
        for name, text in edition.items():
            publish_kills.write_page(site, name, text)

    @staticmethod
    def served(site):
        """Yields the files that sheaf made and a web server serves, which are those without a dot in front."""
        for file in sorted((site / 'public').rglob('*')):
            path = str(file.relative_to(site / 'public'))
            if file.is_file() and not path.endswith('.html') and not re.search(r'(^|/)\.', path):
                yield path, file

    def is_ours(self, path):
        return path not in ('public', 'public/c', 'sheaf.toml') and not path.endswith('.html')

    def edition_of(self, site):
        """The number of the edition that the sitemap offers; None if there is no sitemap."""
        if not (site / 'public/sitemap.xml').exists():
            return None
        pages = {name.removesuffix('index.html') if name.endswith('/index.html') else name: text.split(',')[0] for name, text in self.checker.pages(site).items()}
        editions = [{name.removesuffix('index.html'): text for name, text in edition.items()} for edition in self.editions]
        return editions.index(pages) if pages in editions else f'no edition: {pages}'

    def look(self, site):
        """Checks what visitors and clients see, and returns the edition."""
        for name in self.checker.advertised(site):
            if not (site / 'public/scp' / name).is_file():
                raise Fault(f'the sitemap names {name}, which is not there')
        files = list((site / 'public/scp').glob('[!.]*.scp.*'))
        result = self.programs.run('validate', '--strict', *files)
        if files and result.returncode != 0:
            raise Fault(f'a collection is not whole: {result.stdout}{result.stderr}')
        return self.edition_of(site)

    def check(self, folder, run, allowed):
        wanted = self.runs[run][1][-1]
        self.write_pages(folder, self.editions[wanted])
        for path, file in self.served(folder):
            if file.read_bytes() not in self.versions[path]:
                raise Fault(f'{path} is neither the old file nor the new one')
        edition = self.look(folder)
        if edition not in allowed:
            raise Fault(f'edition {edition} is offered instead of {allowed}')
        result = self.programs.run(*self.command(), folder=folder, SHEAF_FAULT_DATE=self.time_of(run + 0.5))
        if result.returncode != 0:
            raise Fault(f'the next run: {result.stdout}{result.stderr}')
        if self.look(folder) != wanted:
            raise Fault(f'the next run published edition {self.edition_of(folder)} instead of {wanted}')
        there = {path.name for path in (folder / 'public/scp').glob('[!.]*')}
        if there != set(self.checker.advertised(folder)):
            raise Fault(f'files that nothing names: {there ^ set(self.checker.advertised(folder))}')


CASES = (StoreCase, PublishCase, CrawlCase, IndexCase)


class Losses:
    """Power losses in one case."""

    def __init__(self, case, options):
        self.case, self.options, self.seen, self.chance = case, options, set(), random.Random(options.seed)
        self.figures, self.number = collections.Counter(), 0

    def next(self):
        """Returns a state that was not there before: its name, the interrupted run, allowed states and content. None if there
        seem to be no more."""
        recording = self.case.recording
        for _ in range(200):
            self.number += 1
            # Every other moment is next to a sync, a rename or a removal, where most of what can go wrong shows.
            moment = self.chance.choice(recording.steps) + self.chance.randint(0, 1) if self.number % 2 else self.chance.randint(1, recording.length)
            if self.number % 16 == 0:
                moment = self.chance.choice([begin for begin, *_ in self.case.runs[1:]] + [recording.length])  # as soon as a run has reported
            kind = self.chance.choice(power_model.KINDS)
            content = recording.after_loss(moment, kind, random.Random(f'{self.options.seed} {self.number}'))
            run, allowed = self.case.states_at(moment)
            digest = hashlib.sha256(repr((run, len(allowed), sorted(content.items()))).encode()).digest()
            if digest not in self.seen:
                self.seen.add(digest)
                return f'{self.case.name} {self.number}: power lost at record {moment} of {recording.length}, {kind} left', run, allowed, content
        return None

    def try_state(self, state):
        """Returns a sentence on what is wrong; empty if nothing is."""
        name, run, allowed, content = state
        with tempfile.TemporaryDirectory(dir=self.options.folder) as folder:
            folder = pathlib.Path(folder)
            power_model.write_folder(folder, content)
            try:
                self.case.check(folder, run, allowed)
            except (Fault, SystemExit) as fault:
                if self.options.keep:
                    kept = pathlib.Path(self.options.keep) / name.split(':')[0].replace(' ', '-')
                    shutil.rmtree(kept, ignore_errors=True)
                    power_model.write_folder(kept, content)
                return f'{name}, during run {run + 1}: {fault}'
        return ''


def try_states(losses, states, until, jobs):
    """Tries so many states of each case, or until that time. Returns the faults, and the number of states."""
    faults, tried, waiting = [], 0, set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        turn = 0
        while tried < states and time.monotonic() < until and len(faults) < 5:
            loss = losses[turn % len(losses)]
            turn += 1
            state = loss.next()
            if state is None:
                losses = [each for each in losses if each is not loss]
                if not losses:
                    break
                continue
            tried += 1
            waiting.add(pool.submit(loss.try_state, state))
            if len(waiting) >= jobs:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                faults += [future.result() for future in done if future.result()]
        faults += [future.result() for future in waiting if future.result()]
    return faults, tried


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--record', required=True)
    parser.add_argument('--shim', required=True)
    parser.add_argument('--states', type=int, default=10**9, help='how many folders to check; with --minutes as many as there is time for')
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--case', choices=[case.name for case in CASES])
    parser.add_argument('--keep', help='keep folders with faults here')
    parser.add_argument('--self-test', action='store_true')
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='sheaf-power-') as folder:
        options.folder = folder
        programs = Programs(options)
        cases = [case(programs, pathlib.Path(folder) / case.name, random.Random(options.seed)) for case in (CASES[:2] if options.self_test and not options.case else CASES)
                 if options.case in (None, case.name)]
        for case in cases:
            case.load(None)
            case.check_recording()
        until = begun + options.minutes * 60
        if options.self_test:
            for case in cases:
                for ignored in ('files', 'folders'):
                    case.load(ignored)
                    faults, tried = try_states([Losses(case, options)], min(options.states, 400), until, options.jobs)
                    if not faults:
                        print(f'{case.name}: nobody noticed in {tried} states that {ignored} are not synced')
                        return 1
                    print(f'{case.name}, {ignored} not synced: found after {tried} states: {faults[0][:300]}')
            return 0
        faults, tried = try_states([Losses(case, options) for case in cases], options.states, until, options.jobs)
        for fault in faults:
            print(f'{fault}\n')
        records = ', '.join(f'{case.recording.length} records of {case.name}' for case in cases)
        print(f'{time.monotonic() - begun:.0f} s: {tried} power losses, {len(faults)} faults; {records}; --seed {options.seed}')
        return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
