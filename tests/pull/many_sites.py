#!/usr/bin/env python3
"""Many sites on loopback in one process, a tenth of which misbehave.

usage: many_sites.py --sheaf PROGRAM [--sites N] [--any-memory]

Every site has its own port. Each pull of the list must fetch every correct site and report that every other site failed; no site may be
delayed by sites that hang. A tenth of the sites and all sites are pulled into separate stores, and the larger pull may not need much more
memory than the small one (--any-memory skips this check, because sanitizers keep freed memory). After SIGTERM and a restart it continues. A pull
that keeps running follows changes of the list.
"""
import argparse, asyncio, gzip, json, os, pathlib, signal, socket, subprocess, sys, tempfile, threading, time, urllib.request

PAGES = 20
SITEMAP = '''<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">
<scp:version>0.1</scp:version><scp:section name="all" updateFreq="daily" pages="{pages}"/>
<scp:collection section="all" type="snapshot" url="{base}/all.scp.gz" generated="2026-01-15T00:00:00Z" expires="2036-01-01T00:00:00Z" pages="{pages}" size="{size}"/>
</urlset>'''


def collection(base):
    lines = ['{"collection":{"id":"all","section":"all","type":"snapshot","generated":"2026-01-15T00:00:00Z","version":"0.1"}}']
    lines += ['{"url":"%s/%d","title":"T","description":"D","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"%s"}]}'
              % (base, number, f'Page {number} of {base}. ' * 20) for number in range(PAGES)]
    return gzip.compress('\n'.join(lines).encode() + b'\n')


class Sites:
    """Servers on ports of the system's choice, all in one thread."""

    def __init__(self, count):
        self.loop, self.bases, self.bad, self.requests = asyncio.new_event_loop(), [], set(), 0
        ready = threading.Event()
        threading.Thread(target=self.run, args=(count, ready), daemon=True).start()
        ready.wait()

    def run(self, count, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.start(count))
        ready.set()
        self.loop.run_forever()

    async def start(self, count):
        for number in range(count):
            kind = ['hang', 'error', 'garbage', 'reset', 'loop'][number // 10 % 5] if number % 10 == 3 else 'good'
            server = await asyncio.start_server(lambda r, w, n=number, k=kind: self.serve(n, k, r, w), '127.0.0.1', 0)
            self.bases.append(f'http://127.0.0.1:{server.sockets[0].getsockname()[1]}')
            if kind != 'good':
                self.bad.add(self.bases[-1])

    async def serve(self, number, kind, reader, writer):
        try:
            while request := await reader.readuntil(b'\r\n\r\n'):
                self.requests += 1
                path = request.split()[1].decode()
                base = self.bases[number]
                if kind == 'hang':
                    await asyncio.sleep(3600)
                if kind == 'reset':
                    writer.transport.abort()
                    return
                body, status, more = b'', '200 OK', ''
                if kind == 'loop' and path != '/robots.txt':
                    status, more = '302 Found', f'Location: {path}x\r\n'
                elif kind == 'error' and path != '/robots.txt':
                    status = '500 Internal Server Error'
                elif path == '/robots.txt':
                    body = f'Sitemap: {base}/sitemap.xml\n'.encode()
                elif path == '/sitemap.xml':
                    body = SITEMAP.format(base=base, pages=PAGES, size=len(collection(base))).encode()
                elif path == '/all.scp.gz':
                    body = b'garbage' if kind == 'garbage' else collection(base)
                else:
                    status = '404 Not Found'
                writer.write(f'HTTP/1.1 {status}\r\n{more}Content-Length: {len(body)}\r\n\r\n'.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


class Run:
    """One `sheaf pull --list`."""

    def __init__(self, sheaf, folder, bases, *options):
        listed = folder / f'sites-{len(bases)}.txt'
        listed.write_text('# sites\n' + '\n'.join(bases) + '\n')
        self.store = folder / f'store-{len(bases)}'
        self.out = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen([sheaf, 'pull', '--list', listed, '--store', self.store, '--allow-private', '--json', '--timeout', '2', '--tries', '2',
                                         '--sites', '24', *options], stdout=self.out, stderr=subprocess.PIPE, text=True)

    def wait(self):
        """Returns (exit status, reports, peak memory in MiB). The summary, the last line, is in `summary`."""
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.out.seek(0)
        reports = [json.loads(line) for line in self.out.read().splitlines()]
        self.summary = reports.pop()['summary']
        return self.process.returncode, reports, used.ru_maxrss / 1024


def check(condition, what):
    if not condition:
        sys.exit(f'FAILED: {what}')


def pages_in(sheaf, store):
    done = subprocess.run([sheaf, 'status', '--json', '--store', store], capture_output=True, text=True, check=True)
    return sum(section['pages'] for section in json.loads(done.stdout)['sections'])


def until(question, what):
    """Calls the function until it returns true."""
    for _ in range(600):
        if question():
            return
        time.sleep(0.1)
    sys.exit(f'FAILED: {what}')


def check_metrics(now):
    """Checks the metrics after one pull that succeeded and one that failed."""
    failures = {name: value for name, value in now.items() if name.startswith('sheaf_pull_failures_total{') and value}
    check(len(failures) == 1 and 'code="none"' not in str(failures) and sum(failures.values()) == 1, f'one failure, with its code: {failures}')
    buckets = [value for name, value in now.items() if name.startswith('sheaf_pull_duration_seconds_bucket{')]
    check(buckets == sorted(buckets) and buckets[-1] == 2 == now['sheaf_pull_duration_seconds_count'], f'two durations: {buckets}')
    check(now['sheaf_pull_duration_seconds_sum'] > 0, 'they took some time')
    check(now['sheaf_store_pages'] == PAGES and now['sheaf_store_sections'] == 1 and now['sheaf_store_bytes'] > 1000, 'the size of the store')


def check_running(sheaf, folder, sites):
    """A run without --once follows changes of the list, and serves metrics about its sites."""
    good = [base for base in sites.bases if base not in sites.bad]
    bad = sorted(sites.bad)[0]
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]

    def gauges():
        try:
            text = urllib.request.urlopen(f'http://127.0.0.1:{port}/metrics', timeout=5).read().decode()
        except OSError:
            return {}
        return {line.rsplit(' ', 1)[0]: float(line.rsplit(' ', 1)[1]) for line in text.splitlines() if not line.startswith('#')}

    def fares(listed, failing, pulls):
        now = gauges()
        return (now.get('sheaf_pull_sites'), now.get('sheaf_pull_sites_failing'), now.get('sheaf_pulls_total')) == (listed, failing, pulls)

    (folder / 'running').mkdir()
    run = Run(sheaf, folder / 'running', good[:1] + [bad], '--metrics', f'127.0.0.1:{port}')
    listed = folder / 'running' / 'sites-2.txt'
    until(lambda: fares(2, 1, 2), f'two sites, one of them failing: {gauges()}')
    check(gauges()['sheaf_pull_next_due_timestamp_seconds'] > time.time(), 'the next one is due later')
    check_metrics(gauges())
    listed.write_text('no site at all/\\ and more\n')
    time.sleep(3)
    check(fares(2, 1, 2), f'a list that cannot be read changes nothing: {gauges()}')
    listed.write_text('\n'.join(good[:3]) + '\n')
    until(lambda: fares(3, 0, 4), f'three sites, none of them failing: {gauges()}')
    run.process.send_signal(signal.SIGTERM)
    complaints = run.process.stderr.read()
    code, reports, _ = run.wait()
    check(code == 0, f'exit status {code} after SIGTERM')
    check([report['site'] for report in reports].count(good[0]) == 1, 'a site that stays on the list is not pulled anew')
    check('the sites are unchanged' in complaints and 'it now lists 3 sites' in complaints, f'what was said: {complaints}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--sites', type=int, default=200)
    parser.add_argument('--any-memory', action='store_true')
    options = parser.parse_args()
    sheaf = str(pathlib.Path(options.sheaf).resolve())
    sites = Sites(options.sites)
    with tempfile.TemporaryDirectory(prefix='sheaf-many-') as name:
        folder = pathlib.Path(name)
        few = sites.bases[:max(20, options.sites // 10)]
        code, reports, small = Run(sheaf, folder, few, '--once').wait()
        check(code == 1, f'exit status {code}: some sites failed')
        check(len(reports) == len(few), f'{len(reports)} reports of {len(few)} sites')

        # The pull is stopped in the middle, and continued.
        begun = time.monotonic()
        run = Run(sheaf, folder, sites.bases, '--once')
        while sites.requests < 3 * len(few) + options.sites and run.process.poll() is None:
            time.sleep(0.01)
        run.process.send_signal(signal.SIGTERM)
        code, early, _ = run.wait()
        check(code == 2 and 0 < len(early) < len(sites.bases), f'stopped in the middle: {code}, {len(early)} reports')
        code, late, large = Run(sheaf, folder, sites.bases, '--once').wait()
        check(code == 1, f'exit status {code}')
        check({report['site'] for report in early} & {report['site'] for report in late} == set(), 'a site was pulled twice')
        good = {report['site'] for report in early + late if report['ok']}
        bad = {report['site']: report for report in early + late if not report['ok']}
        check(good == set(sites.bases) - sites.bad, f'{len(good)} sites are good, expected {len(sites.bases) - len(sites.bad)}')
        check(set(bad) == sites.bad, f'{len(bad)} sites failed, expected {len(sites.bad)}')
        check(all(report['failure'] for report in bad.values()), 'every failure says why')
        pages = pages_in(sheaf, folder / f'store-{len(sites.bases)}')
        check(pages == len(good) * PAGES, f'{pages} pages in the store, expected {len(good) * PAGES}')

        # Nothing is due now, but the failed sites are still reported.
        run = Run(sheaf, folder, sites.bases, '--once')
        code, again, _ = run.wait()
        check(code == 0 and again == [], f'nothing is due: {code}, {len(again)} reports')
        check(run.summary == {'sites': len(sites.bases), 'pulled': 0, 'failed': 0, 'notDue': len(sites.bases), 'stillFailing': len(sites.bad),
                              'unfinished': 0}, f'nothing was attempted: {run.summary}')
        check(options.any_memory or large < small * 1.5 + 24, f'memory: {small:.0f} MiB for {len(few)} sites, {large:.0f} MiB for {len(sites.bases)}')
        check_running(sheaf, folder, sites)
        print(f'{len(sites.bases)} sites, {len(sites.bad)} of them bad: {time.monotonic() - begun:.1f} s; memory {small:.0f} MiB for {len(few)} sites, {large:.0f} MiB for all')


if __name__ == '__main__':
    main()
