#!/usr/bin/env python3
"""A shared store on a separate PostgreSQL server, on this machine and with fsync: how many sites a worker records, what PostgreSQL and disk
take for it, how the rate grows with the number of workers, and how soon the sites of a killed worker continue.

    bench/shared_bench.py --sheaf PROGRAM --bench PROGRAM --lines FILE [--only PART,...] [--quick] [--work FOLDER] [--json FILE]

FILE has pages, one a line, without a metadata line (bench/make_corpus.py); a collection is made of it. Parts: record, apply, workers, resume, scheduled. Rates are given twice: as the clock saw them, with the load
of the machine, and by the processor time that this program and PostgreSQL took, as if two cores had nothing else to do. Where other
programs run beside it, only the second says something. --json adds the rows to a file (bench/figures.py).
"""
import argparse, asyncio, json, os, pathlib, shutil, signal, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'store'))
import figures
import postgres_kit

CORES = 2
TICKS = os.sysconf('SC_CLK_TCK')
LATENCY = 0.2
SETTINGS = ('shared_buffers=256MB', 'max_wal_size=4GB', 'max_connections=300')


def stat_of(pid):
    """Returns the fields of /proc/PID/stat after the name; the state is number 0."""
    return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()


def children_of(pid):
    return [int(child) for task in pathlib.Path(f'/proc/{pid}/task').iterdir() for child in (task / 'children').read_text().split()]


def processor_of(pid, with_ended_children=True):
    fields = stat_of(pid)
    return sum(map(int, fields[11:15 if with_ended_children else 13])) / TICKS


class Server(postgres_kit.Postgres):
    def processor(self):
        """Returns the CPU time in seconds of all its processes so far, including processes that have ended."""
        total = processor_of(self.process.pid)
        for child in children_of(self.process.pid):
            try:
                total += processor_of(child)
            except FileNotFoundError:
                pass
        return total

    def wal(self, database):
        return int(self.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint", database))

    def size(self, database):
        return int(self.execute("SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                                "WHERE n.nspname = 'sheaf' AND c.relkind = 'r'", database))


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.rows = figures.Figures('shared')
        self.server = Server(work / 'pg', *SETTINGS)
        self.env = {**os.environ, 'XDG_CACHE_HOME': str(work / 'cache')}

    def sheaf(self, *words):
        return subprocess.run([self.options.sheaf, *map(str, words)], check=True, capture_output=True, text=True, env=self.env).stdout

    def store(self, *more):
        name = self.server.new_database()
        self.sheaf('store', 'create', self.server.url(name), *more)
        return name, self.server.url(name)

    def run(self, name, location, *words):
        """Runs bench_shared. Returns its result and what it cost PostgreSQL."""
        self.server.execute('CHECKPOINT', name)
        load, processor, wal = os.getloadavg()[0], self.server.processor(), self.server.wal(name)
        done = json.loads(subprocess.run([self.options.bench, location, *map(str, words)], check=True, capture_output=True, text=True, env=self.env).stdout)
        done['server'] = self.server.processor() - processor
        done['wal'] = self.server.wal(name) - wal
        done['load'] = load
        return done

    def rate(self, figure, goal, done, unit='sites/s'):
        number = done['count']
        detail = (f'{number:,} in {done["seconds"]:.1f} s = {number / done["seconds"]:,.0f} {unit} by the clock at a load of {done["load"]:.0f}; '
                  f'processor: worker {done["processor"]:.2f} s, PostgreSQL {done["server"]:.2f} s')
        measured = CORES * number / (done['processor'] + done['server'])
        if goal is None:
            self.rows.note(figure, measured, unit, detail=detail)
        else:
            self.rows.at_least(figure, goal, measured, unit, detail=detail)

    def costs(self, what, done, number):
        self.rows.note(f'PostgreSQL, processor time per {what}', done['server'] * 1e6 / number, 'µs')
        self.rows.note(f'write-ahead log per {what}', done['wal'] / 1e3 / number, 'kB')

    def record(self):
        sites = 3_000 if self.options.quick else 30_000
        changed = max(sites // 10, 300)
        name, url = self.store()
        self.list_sites(url, sites)
        self.run(name, url, '--unchanged', sites)  # inserts the notes; from then on they are updated
        done = self.run(name, url, '--unchanged', sites)
        self.rate('unchanged sites recorded, one worker', 3_000, done)
        self.costs('unchanged site', done, sites)
        done = self.run(name, url, '--changed', changed)
        self.rate('sites with ten new pages recorded, one worker', None, done)
        time.sleep(1.1)  # collections are dated in seconds
        done = self.run(name, url, '--changed', changed)
        self.rate('sites with ten changed pages recorded, one worker', 500, done)
        self.costs('site with ten changed pages', done, changed)
        done = self.run(name, url, '--looked-at', sites // 3)
        self.rate('unchanged sites, with all that a pull reads', None, done)
        self.costs('unchanged site, with all that a pull reads', done, sites // 3)

    def apply(self):
        subprocess.run([self.options.bench, self.options.lines, '--collect', self.work / 'corpus'], check=True)
        corpus = self.work / 'corpus.scp.zst'
        size = corpus.stat().st_size
        local = self.work / 'local'
        alone = json.loads(subprocess.run([self.options.bench, local, '--apply', corpus], check=True, capture_output=True, text=True, env=self.env).stdout)
        pages = int(self.sheaf('list', '--store', local, '--count').split()[0])
        for objects in (False, True):
            folder = self.work / 'objects'
            name, url = self.store(*(['--objects', folder] if objects else []))
            done = self.run(name, url, '--apply', corpus)
            self.server.execute('VACUUM', name)  # PostgreSQL does it by itself, within minutes: the rows that were staged are gone
            kept = sum(file.stat().st_size for file in folder.rglob('*') if file.is_file()) if objects else 0
            how = 'with objects' if objects else 'without objects'
            self.rows.at_least(f'applying a snapshot : local store, {how}', 0.25, alone['processor'] / (done['processor'] + done['server']),
                               detail=f'{pages:,} pages, {size / 1e6:,.0f} MB of .scp.zst; processor {alone["processor"]:.1f} s against {done["processor"]:.1f} s and '
                               f'PostgreSQL {done["server"]:.1f} s; clock {alone["seconds"]:.1f} s against {done["seconds"]:.1f} s')
            self.rows.at_most(f'disk : .scp.zst, {how}', 1.6 if objects else 2.2, (self.server.size(name) + kept) / size,
                              detail=f'{self.server.size(name) / 1e6:,.1f} MB in PostgreSQL, {kept / 1e6:,.1f} MB of objects, {size / 1e6:,.1f} MB of .scp.zst')
            self.costs(f'page of a snapshot, {how}', done, pages)
            self.rows.note(f'PostgreSQL, disk per page, {how}', self.server.size(name) / pages, 'bytes')
            self.server.execute(f'DROP DATABASE {name}')
        shutil.rmtree(local)

    def start_worker(self, url, *more):
        log = open(self.work / 'workers.log', 'ab')
        return subprocess.Popen([self.options.sheaf, 'pull', '--store', url, '--every', '1h', '--delay', '0', '--allow-private', '--allow-http', *map(str, more)],
                                stdout=log, stderr=log, env=self.env)

    def wait(self, what, condition, seconds=300):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f'{what} does not happen: ' + (self.work / 'workers.log').read_text()[-1000:])
            time.sleep(0.1)

    def stop(self, workers):
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        for worker in workers:
            worker.wait()

    def fleet_rate(self, count, site):
        """Returns the sites per second in the middle of a run with `count` workers, and how much of a core each worker and PostgreSQL use."""
        total = count * (24 if self.options.quick else 60)
        name, url = self.store('--buckets', 256)
        workers = [self.start_worker(url, '--sites', 4) for _ in range(count)]
        try:
            share = 256 // count
            self.wait('an even share', lambda: [row for row in self.server.execute("SELECT buckets FROM sheaf.worker WHERE fleet", name).split()
                                                if int(row) >= share * 0.8] and
                      len(self.server.execute('SELECT buckets FROM sheaf.worker WHERE fleet', name).split()) == count and
                      int(self.server.execute('SELECT count(*) FROM sheaf.bucket WHERE owner IS NOT NULL', name)) == 256)
            time.sleep(6)  # a renewal: everyone has counted everyone
            listed = self.work / 'list.txt'
            listed.write_text(''.join(f'http://{site.address(number)}\n' for number in range(total)))
            self.sheaf('store', 'sites', 'add', url, '--list', listed)
            done = lambda: int(self.server.execute('SELECT count(*) FROM sheaf.section', name))  # noqa: E731
            self.wait('the first tenth', lambda: done() >= total // 10)
            start, first, busy = time.monotonic(), done(), self.server.processor() + sum(processor_of(worker.pid) for worker in workers)
            self.wait('the last tenth', lambda: done() >= total * 8 // 10)
            seconds, last = time.monotonic() - start, done()
            busy = self.server.processor() + sum(processor_of(worker.pid) for worker in workers) - busy
            return (last - first) / seconds, busy / seconds
        finally:
            self.stop(workers)
            self.server.execute(f'DROP DATABASE {name} WITH (FORCE)')

    def workers(self):
        site, base = SlowSites(), None
        for count in (1, 2, 4, 8):
            rate, cores = self.fleet_rate(count, site)
            base = base or rate
            detail = f'{rate:,.1f} sites/s, {cores:.2f} cores for workers and PostgreSQL, load {os.getloadavg()[0]:.0f}; 4 sites at once for each worker'
            if count == 1:
                self.rows.note('one worker, servers with 200 ms latency', rate, 'sites/s', detail=detail)
            else:
                self.rows.at_least(f'{count} workers : {count} times one worker, servers with 200 ms latency', 0.9, rate / (count * base), detail=detail)

    def resume(self):
        """Kills a worker. Returns the seconds until the other one has its buckets."""
        name, url = self.store('--buckets', 64)
        workers = [self.start_worker(url) for _ in range(2)]
        owned = lambda: {owner: int(number) for owner, number in (line.split('|') for line in self.server.execute(  # noqa: E731
            'SELECT owner, count(*) FROM sheaf.bucket WHERE owner IS NOT NULL GROUP BY owner', name).splitlines())}
        try:
            self.wait('an even share', lambda: sorted(owned().values()) == [32, 32])
            workers[0].kill()
            start = time.monotonic()
            self.wait('the other one has everything', lambda: sorted(owned().values()) == [64])
            self.rows.at_most('until the sites of a killed worker go on', 20, time.monotonic() - start, 's', detail=f'load {os.getloadavg()[0]:.0f}')
        finally:
            self.stop(workers)

    def list_sites(self, url, sites):
        """Lists the sites that bench_shared pulls. Returns the seconds and the memory that it took."""
        listed = self.work / 'many.txt'
        with open(listed, 'w') as out:
            out.writelines(f'https://site{number}.example\n' for number in range(sites))
        start = time.monotonic()
        program = subprocess.Popen([self.options.sheaf, 'store', 'sites', 'add', url, '--list', listed], stdout=subprocess.DEVNULL, env=self.env)
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        if program.returncode != 0:
            raise RuntimeError('the sites cannot be listed')
        return time.monotonic() - start, used.ru_maxrss * 1024

    def memory_with(self, sites):
        name, url = self.store()
        seconds, memory = self.list_sites(url, sites)
        self.rows.note(f'listing {sites:,} sites', sites / seconds, 'sites/s', detail=f'{seconds:.1f} s; {memory / 1e6:,.0f} MB of memory at most')
        # All were pulled a moment ago, and none is due while this is measured.
        self.server.execute("UPDATE sheaf.site SET last = extract(epoch FROM now())::bigint, due = extract(epoch FROM now())::bigint + 1200 + (random() * 2000)::bigint", name)
        worker = self.start_worker(url)
        try:
            self.wait('all sites are taken in', lambda: self.server.execute('SELECT coalesce(max(sites), 0) FROM sheaf.worker WHERE fleet', name) == str(sites), 600)
            time.sleep(6)
            self.counting(worker, name, sites)
            status = pathlib.Path(f'/proc/{worker.pid}/status').read_text()
            return int(next(line for line in status.splitlines() if line.startswith('VmRSS')).split()[1]) * 1024
        finally:
            self.stop([worker])
            self.server.execute(f'DROP DATABASE {name} WITH (FORCE)')

    def counting(self, worker, name, sites):
        """Measures the cost of an idle worker."""
        seconds = 10
        busy, server = processor_of(worker.pid), self.server.processor()
        time.sleep(seconds)
        self.rows.note(f'an idle worker with {sites:,} sites', (processor_of(worker.pid) - busy + self.server.processor() - server) / seconds, 'cores',
                       detail=f'of which PostgreSQL {(self.server.processor() - server) / seconds:.3f}')

    def scheduled(self):
        few, many = (10_000, 100_000) if self.options.quick else (100_000, 1_000_000)
        small, large = self.memory_with(few), self.memory_with(many)
        self.rows.note(f'memory of a worker with {few:,} sites', small, 'bytes')
        self.rows.note(f'memory of a worker with {many:,} sites', large, 'bytes')
        self.rows.at_most(f'memory per site, {few:,} to {many:,} sites', 64, (large - small) / (many - few), 'bytes')


class SlowSites:
    """Sites with one page, on addresses of the loopback network, that answer each request after 200 ms."""

    def __init__(self):
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    def address(self, number):
        return f'127.1.{number // 250}.{number % 250 + 1}:{self.port}'

    async def serve(self, ready):
        server = await asyncio.start_server(self.talk, '0.0.0.0', 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        async with server:
            await server.serve_forever()

    async def talk(self, reader, writer):
        try:
            while head := await reader.readuntil(b'\r\n\r\n'):
                lines = head.decode('latin-1').split('\r\n')
                path = lines[0].split()[1]
                host = next(line[6:] for line in lines if line.lower().startswith('host: '))
                await asyncio.sleep(LATENCY)
                kind, body = self.answer(host, path)
                writer.write(f'HTTP/1.1 {200 if body else 404} -\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n'.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    @staticmethod
    def answer(host, path):
        if path == '/robots.txt':
            return 'text/plain', f'Sitemap: http://{host}/sitemap.xml\n'.encode()
        if path == '/sitemap.xml':
            return 'application/xml', f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://{host}/</loc></url></urlset>'.encode()
        return 'text/html', f'<!doctype html><html lang=en><title>{host}</title><main><h1>{host}</h1><p>A page that says where it is from: {host}.</p></main>'.encode()


PARTS = ('record', 'apply', 'workers', 'resume', 'scheduled')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('--sheaf', '--bench', '--lines'):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument('--only', default=','.join(PARTS))
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--work', type=pathlib.Path)
    parser.add_argument('--json', type=pathlib.Path)
    options = parser.parse_args()
    if postgres_kit.programs() is None:
        print('PostgreSQL is not installed', file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix='sheaf-shared-', dir=options.work) as folder:
        os.chmod(folder, 0o755)
        bench = Bench(options, pathlib.Path(folder))
        try:
            for part in options.only.split(','):
                try:
                    getattr(bench, part)()
                except (RuntimeError, subprocess.CalledProcessError) as error:
                    bench.rows.note(f'{part} did not finish', None, detail=str(error)[:300] + str(getattr(error, 'stderr', ''))[:300])
                print(f'{part} done', file=sys.stderr, flush=True)
        finally:
            bench.server.stop()
    bench.rows.print()
    bench.rows.append_to(options.json)
    return 0


if __name__ == '__main__':
    sys.exit(main())
