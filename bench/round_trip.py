#!/usr/bin/env python3
"""The round trip of real documentation sites: publish, serve with nginx, pull, edit, pull again. Compared with crawlers that fetch page by page.

    bench/round_trip.py --sheaf PROGRAM --docs FOLDER [--sites NAME,...] [--peers SITE] [--json FILE]

FOLDER is where tools/fetch_docs unpacked its packages. For each site: pages per second of `publish` against extraction alone, the second publish
with nothing changed and with one page in a hundred changed, bytes against every page packed by gzip, requests and bytes of a pull and of an
update, and the time to read a collection against the time to get the same pages from HTML. Requests and bytes are what nginx logged. --peers names
the site that wget and scrapy also mirror, if they are installed. --json adds the rows to a file (bench/figures.py).
"""
import argparse, gzip, json, os, pathlib, re, resource, shutil, socket, subprocess, sys, tempfile, time

import figures

SITES = {
    'rust': 'usr/share/doc/rust-doc/html',
    'cppreference': 'usr/share/cppreference/doc/html',
    'python': 'usr/share/doc/python3*/html',
    'postgresql': 'usr/share/doc/postgresql-doc-*/html',
}
# (promise of draft 1, the least percentage, what it is a percentage of)
PROMISES = [
    ('fewer bytes', 60, lambda row: row['pull bytes'] / row['gzip html bytes']),
    ('fewer bytes of an update', 95, lambda row: row['update bytes'] / row['gzip html bytes']),
    ('fewer requests', 90, lambda row: row['pull requests'] / row['pages']),
    ('less time to parse', 90, lambda row: row['parse : html']),
]
PUBLISH_GOAL = 0.8  # of the speed of extraction alone
AGAIN_GOAL = 3  # times as quick with nothing changed
ROUNDS = 2
LXML_SAMPLE = 60
PEERS = ['wget --mirror', 'scrapy', 'sheaf pull, page by page']
NGINX = '''daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.err; events {{}}
http {{ log_format bench '$status $body_bytes_sent $uri'; access_log {work}/access.log bench; sendfile on; gzip on; gzip_types application/xml; gzip_comp_level 6;
 types {{ text/html html; application/xml xml; text/plain txt; }} default_type application/octet-stream; keepalive_requests 1000000;
 client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3; uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
 server {{ listen 127.0.0.1:{port}; root {root}; }} }}'''


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, root, work):
        self.port, self.log = free_port(), work / 'access.log'
        (work / 'nginx.conf').write_text(NGINX.format(work=work, root=root, port=self.port))
        self.process = subprocess.Popen([shutil.which('nginx') or '/usr/sbin/nginx', '-c', work / 'nginx.conf', '-p', work])
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(('127.0.0.1', self.port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit('nginx does not answer')

    def take_log(self):
        """Returns (requests, bytes) since the last call."""
        time.sleep(0.2)
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        os.truncate(self.log, 0)
        return len(lines), sum(int(line.split()[1]) for line in lines)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def timed(command, **more):
    start = time.monotonic()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)
    if done.returncode not in (0, 123):  # xargs: an input that is not a page
        sys.exit(f'{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}')
    return time.monotonic() - start, done.stdout


class Bench:
    def __init__(self, sheaf, docs, name, work):
        self.sheaf, self.name, self.work = sheaf, name, work
        source = sorted(docs.glob(SITES[name]))[0].resolve()
        self.public = work / 'public'
        for file in sorted(source.rglob('*.html')):
            target = self.public / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copyfile(file.resolve(), target)
        self.files = sorted(self.public.rglob('*.html'))
        self.row = {'site': name, 'pages': len(self.files), 'html bytes': sum(file.stat().st_size for file in self.files)}
        self.server = Server(self.public, work)
        self.base = f'http://127.0.0.1:{self.server.port}'
        (self.public / 'robots.txt').write_text(f'User-agent: *\nAllow: /\nSitemap: {self.base}/sitemap.xml\n')

    def forget(self):
        """Removes all that was published."""
        for folder in (self.public / 'scp', self.work / 'public.sheaf'):
            shutil.rmtree(folder, ignore_errors=True)
        (self.public / 'sitemap.xml').unlink(missing_ok=True)

    def first_publish(self):
        self.forget()
        return self.publish()

    def publish(self, *options):
        seconds, out = timed([self.sheaf, 'publish', 'public', '--base', self.base, '--out', 'public/scp', '--json', *options], cwd=self.work)
        return seconds, json.loads(out)

    def extract_all(self, threads):
        """Returns the seconds that extraction of all files takes, with output to /dev/null."""
        (self.work / 'list').write_text('\0'.join(str(file.relative_to(self.public)) for file in self.files))
        with open(self.work / 'list') as names:
            return timed(['sh', '-c', f'xargs -0 -n 8000 {self.sheaf} extract --base {self.base}/ --threads {threads} > /dev/null'], stdin=names, cwd=self.public)[0]

    def codec_seconds(self):
        """Returns the processor time that gzip and zstd take for the bytes of the snapshot at our levels."""
        plain = self.work / 'plain.scp'
        timed([self.sheaf, 'convert', next((self.public / 'scp').glob('*.zst')), plain])
        total = 0
        for command in (['zstd', '-9', '-q', '--single-thread', '-c'], ['gzip', '-6', '-c']):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(plain) as source:
                subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            total += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        plain.unlink()
        return total

    def lxml_seconds_a_page(self):
        """Returns the seconds per page of readability-lxml on a sample; None if it is not installed."""
        python = '/usr/bin/python3'  # other interpreters do not find Debian's package
        if subprocess.run([python, '-c', 'import readability'], capture_output=True).returncode != 0:
            return None
        sample = self.files[::max(1, len(self.files) // LXML_SAMPLE)]
        (self.work / 'sample').write_text('\n'.join(map(str, sample)) + '\n')
        result = json.loads(timed([python, pathlib.Path(__file__).resolve().parent / 'peers/readability_lxml.py', self.work / 'sample'])[1])
        return result['seconds'] / result['pages']

    def pull(self, *options):
        seconds, out = timed([self.sheaf, 'pull', self.base, '--store', 'store', '--allow-private', '--json', *options], cwd=self.work)
        requests, size = self.server.take_log()
        return seconds, requests, size, json.loads(out.splitlines()[0])

    def edit(self):
        """Changes one page in a hundred, in its middle, where the content is. Returns how many it changed."""
        edited = 0
        for file in self.files[::100]:
            text = file.read_bytes()
            ends = [found.start() for found in re.finditer(b'</p>', text)]
            if ends:
                at = ends[len(ends) // 2]
                file.write_bytes(text[:at] + b' This sentence is new and tells the reader something that was not there.' + text[at:])
                edited += 1
        return edited

    def run(self):
        row = self.row
        extraction = min(self.extract_all(2) for _ in range(ROUNDS))
        first, report = min((self.first_publish() for _ in range(ROUNDS)), key=lambda run: run[0])
        row['published'] = sum(section['pages'] for section in report['sections'])
        row['publish pages/s'] = row['pages'] / first
        row['publish : extraction'] = extraction / first
        row['publish : parts'] = (extraction + self.codec_seconds() / 2) / first
        files = [file for section in report['sections'] for file in section['files']]
        row['snapshot bytes'] = next(file['bytes'] for file in files if file['name'].endswith('.zst'))
        row['gzip html bytes'] = sum(len(gzip.compress(file.read_bytes(), 6)) for file in self.files)
        row['second publish : first'] = min(self.publish()[0] for _ in range(ROUNDS)) / first
        self.server.take_log()
        row['pull s'], row['pull requests'], row['pull bytes'], report = self.pull()
        row['pulled pages'] = report['sections'][0]['pages']
        there = next((self.public / 'scp').glob('*.zst'))  # of the last repetition of the first publish, which need not be the fastest one
        validate = min(timed([self.sheaf, 'validate', '--threads', '1', there])[0] for _ in range(ROUNDS))
        row['parse : html'] = validate / min(self.extract_all(1) for _ in range(ROUNDS))
        lxml = self.lxml_seconds_a_page()
        row['parse : readability-lxml'] = lxml and validate / row['pages'] / lxml
        edited = self.edit()
        row['1 % publish : first'] = self.publish()[0] / first
        row['update s'], row['update requests'], row['update bytes'], report = self.pull()
        row['update changed'] = report['sections'][0]['changed']
        if row['update changed'] < edited / 2:  # some pages are skipped or have another structure
            sys.exit(f'{self.name}: {edited} pages were edited, but the update brought {row["update changed"]}')
        return row

    def run_peers(self):
        """Returns (name, seconds, requests, bytes, pages) of other crawlers that mirror the same pages from the same server."""
        peers = []
        if shutil.which('wget'):
            folder = self.work / 'wget'
            folder.mkdir()
            start = time.monotonic()  # its exit status is not 0 if a page has a dead link
            subprocess.run(['wget', '--mirror', '-q', '--compression=auto', '--accept-regex', r'(\.html|/)$', self.base + '/'], cwd=folder)
            peers.append(('wget --mirror', time.monotonic() - start, *self.server.take_log(), sum(1 for _ in folder.rglob('*.html'))))
        if shutil.which('scrapy'):
            folder = self.work / 'scrapy'
            folder.mkdir()
            spider = pathlib.Path(__file__).resolve().parent / 'peers/mirror_spider.py'
            start = time.monotonic()
            subprocess.run(['scrapy', 'runspider', '--loglevel', 'ERROR', spider, '-a', f'start={self.base}/', '-a', f'folder={folder}'], cwd=folder, check=True)
            peers.append(('scrapy', time.monotonic() - start, *self.server.take_log(), sum(1 for _ in folder.iterdir())))
        shutil.rmtree(self.work / 'store', ignore_errors=True)
        seconds, requests, size, report = self.pull('--html', 'only', '--delay', '0', '--connections', '8')
        peers.append(('sheaf pull, page by page', seconds, requests, size, report['html']['pages']))
        return peers


def saved(share):
    return 100 * (1 - share)


def print_table(rows):
    print(f'{"site":<14}{"pages":>7}{"publish/s":>10}{": extract":>10}{"2nd : 1st":>10}{"1 % : 1st":>10}{"pull s":>8}{"update s":>9}')
    for row in rows:
        print(f'{row["site"]:<14}{row["pages"]:>7}{row["publish pages/s"]:>10.0f}{row["publish : extraction"]:>10.2f}{row["second publish : first"]:>10.2f}'
              f'{row["1 % publish : first"]:>10.2f}{row["pull s"]:>8.2f}{row["update s"]:>9.2f}')
    print('\nthe four promises, against a crawl of each page with gzip (goals: 60, 95, 90 and 90 %)')
    print(f'{"site":<14}{"bytes":>10}{"update":>10}{"requests":>10}{"parsing":>10}')
    for row in rows:
        print(f'{row["site"]:<14}' + ''.join(f'{saved(share(row)):>8.1f} %' for _, _, share in PROMISES))


def figures_of(rows, failed, peers, peers_site):
    """Returns the results as rows of the book. `failed` is {site: reason}."""
    publish, promises, pull = figures.Figures('publish'), figures.Figures('promises'), figures.Figures('pull')
    for row in rows:
        site = f'{row["site"]} ({row["pages"]:,} pages)'
        publish.at_least(f'publish : extraction alone, {site}', PUBLISH_GOAL, row['publish : extraction'], detail=f'{row["publish pages/s"]:,.0f} pages/s')
        publish.note(f'publish : extraction, zstd 9 and gzip 6 alone, {site}', row['publish : parts'])
        publish.at_least(f'publish again, nothing changed: times as quick, {site}', AGAIN_GOAL, 1 / row['second publish : first'])
        publish.note(f'publish again, one page in a hundred changed: times as quick, {site}', 1 / row['1 % publish : first'])
        pull.note(f'pull, {site}', row['pull s'], 's', detail=f'{row["pull requests"]:,} requests, {row["pull bytes"]:,} bytes')
        pull.note(f'pull of an update, {site}', row['update s'], 's', detail=f'{row["update changed"]:,} pages changed, {row["update requests"]:,} requests, {row["update bytes"]:,} bytes')
    for site, reason in failed.items():
        publish.at_least(f'publish : extraction alone, {site}', PUBLISH_GOAL, None, detail=reason)
        publish.at_least(f'publish again, nothing changed: times as quick, {site}', AGAIN_GOAL, None, detail=reason)
    for promise, goal, share in PROMISES:
        for row in rows:
            promises.at_least(f'{promise}, {row["site"]}', goal, saved(share(row)), '%',
                              plot={'picture': 'promises', 'series': promise, 'x': row['site']})
        for site, reason in failed.items():
            promises.at_least(f'{promise}, {site}', goal, None, '%', detail=reason)
    for row in rows:
        lxml = row['parse : readability-lxml']
        promises.note(f'less time to parse, against readability-lxml, {row["site"]}', lxml and saved(lxml), '%',
                      **({} if lxml else {'detail': 'readability-lxml is not installed'}))
    for name, seconds, requests, size, pages in peers:
        for quantity, value, unit in (('time', seconds, 's'), ('requests', requests, 'requests'), ('transferred', size, 'bytes')):
            pull.note(f'{peers_site}: {name}, {quantity}', value, unit, detail=f'{pages:,} pages' if quantity == 'time' else '',
                      plot={'picture': 'pull', 'series': quantity, 'x': name})
    if peers:
        for name in sorted(set(PEERS) - {peer[0] for peer in peers}):
            pull.note(f'{peers_site}: {name}, time', None, 's', detail='not installed')
    return [publish, promises, pull]


def measure(bench, with_peers):
    """Returns the row of the site and the results of other crawlers."""
    try:
        row = bench.run()
        if not with_peers:
            return row, []
        return row, [('sheaf pull, collections', row['pull s'], row['pull requests'], row['pull bytes'], row['pulled pages']), *bench.run_peers()]
    finally:
        bench.server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--docs', type=pathlib.Path, required=True)
    parser.add_argument('--sites', default=','.join(SITES))
    parser.add_argument('--peers', default='rust')
    parser.add_argument('--json')
    options = parser.parse_args()
    sheaf = str(pathlib.Path(options.sheaf).resolve())
    rows, peers, failed = [], [], {}
    for name in options.sites.split(','):
        with tempfile.TemporaryDirectory(prefix='sheaf-round-') as work:
            pathlib.Path(work).chmod(0o755)
            try:
                row, beside = measure(Bench(sheaf, options.docs.resolve(), name, pathlib.Path(work)), name == options.peers)
                rows.append(row)
                peers += beside
            except (SystemExit, OSError, IndexError, subprocess.CalledProcessError) as error:  # the other sites are still measured
                failed[name] = f'{type(error).__name__}: {error}'[:300]
                print(f'{name}: {failed[name]}', file=sys.stderr)
    print_table(rows)
    if peers:
        print(f'\n{options.peers}: {"":<22}{"seconds":>9}{"requests":>10}{"bytes":>14}{"pages":>8}')
        for name, seconds, requests, size, pages in peers:
            print(f'  {name:<28}{seconds:>9.1f}{requests:>10}{size:>14}{pages:>8}')
    for part in figures_of(rows, failed, peers, options.peers):
        part.append_to(options.json)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
