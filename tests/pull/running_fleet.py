#!/usr/bin/env python3
"""`sheaf pull URL` while `sheaf pull --list` holds the same store: the running process makes the pull.

usage: running_fleet.py --sheaf PROGRAM
"""
import argparse, contextlib, json, os, pathlib, queue, signal, socket, stat, subprocess, sys, tempfile, threading

from pull_kit import TIMEOUT, BadServer, Puller, Site

SAME = ['--allow-private', '--timeout', '100', '--tries', '2', '--delay', '0']  # given to both processes


def check(condition, what):
    if not condition:
        sys.exit(f'FAILED: {what}')


class Asker(Puller):
    """Pulls with the options of the fleet."""

    def pull(self, *arguments):
        done = subprocess.run([self.sheaf, 'pull', *map(str, arguments), '--store', self.store, '--json', *SAME], capture_output=True, text=True, timeout=TIMEOUT)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


class Lines:
    """Reads lines of a pipe, each with a time limit, so that a hang is a failure."""

    def __init__(self, pipe):
        self.lines, self.pipe = queue.Queue(), pipe
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.pipe:
            self.lines.put(line)
        self.lines.put('')

    def next(self):
        return self.lines.get(timeout=TIMEOUT)

    def until(self, text):
        while line := self.next():
            if text in line:
                return line
        sys.exit(f'FAILED: nothing says {text!r}')


class Fleet:
    def __init__(self, sheaf, store, sites, *options):
        self.store = pathlib.Path(store)
        listed = self.store.parent / 'sites.txt'
        listed.write_text('\n'.join(sites) + '\n')
        self.process = subprocess.Popen([sheaf, 'pull', '--list', listed, '--store', self.store, '--every', '1d', '--json', *SAME, *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.out, self.complaints = Lines(self.process.stdout), Lines(self.process.stderr)

    def report(self):
        return json.loads(self.out.next())

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(TIMEOUT)

    @property
    def socket(self):
        return self.store / 'control.sock'

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)


class Client:
    """A client that is observed while it waits."""

    def __init__(self, sheaf, store, *arguments):
        self.process = subprocess.Popen([sheaf, 'pull', *arguments, '--store', store, '--json', *SAME], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.complaints = Lines(self.process.stderr)

    def end(self):
        return self.process.wait(TIMEOUT), self.process.stdout.read()


class Gate:
    """A server that answers requests for robots.txt only when the gate is open."""

    def __init__(self, server):
        self.asked, self.opened, self.server = threading.Semaphore(0), threading.Event(), server
        server.routes['/robots.txt'] = self.answer

    def answer(self, request):
        self.asked.release()
        self.opened.wait(TIMEOUT)
        request.server.static(request)

    def wait_asked(self):
        check(self.asked.acquire(timeout=TIMEOUT), 'robots.txt is asked for')


@contextlib.contextmanager
def published(sheaf, folder, pages=3):
    """Returns a site with collections, and its server."""
    with BadServer() as server:
        site = Site(sheaf, folder, server.url)
        for number in range(pages):
            site.write(f'{number}.html', f'Version one of {number}')
        site.publish()
        server.folder = site.public
        yield site, server


def check_pulls(sheaf, folder):
    with published(sheaf, folder / 'a', 30) as (site, server), published(sheaf, folder / 'b') as (other, _):
        store = folder / 'store'
        client = Asker(sheaf, store)
        with Fleet(sheaf, store, [site.base]) as fleet:
            check(fleet.report()['ok'], 'the first pull')
            other.write('index.html', 'The first page', links=[f'/{number}.html' for number in range(3)])
            check(stat.S_IMODE(fleet.socket.stat().st_mode) == 0o600, 'the socket is for its owner alone')

            site.write('1.html', 'Version two of 1')
            site.publish()
            code, reports, complaints = client.pull(site.base)
            check(code == 0 and len(reports) == 1 and reports[0]['sections'][0]['changed'] == 1, f'a pull through the fleet: {code} {reports} {complaints}')
            check(f'is in use by process {fleet.process.pid}, which makes the pull' in complaints, complaints)
            check(fleet.report() == reports[0], 'the fleet reports it as well')
            check(client.pages() == site.pages(), 'the copy is that of the site')

            text = subprocess.run([sheaf, 'pull', site.base, '--store', store], capture_output=True, text=True, timeout=TIMEOUT)
            check(text.returncode == 0 and text.stdout.startswith(f'{site.base}\n  all: 30 pages, up to date\n'), f'as text: {text}')
            fleet.report()

            code, reports, _ = client.pull(other.base, site.base)
            check(code == 0 and [report['site'] for report in reports] == [other.base, site.base], f'two sites, one of them not on the list: {reports}')
            fleet.report(), fleet.report()
            status = json.loads(client.run('status', '--json', '--list', store.parent / 'sites.txt').stdout)
            check([entry['failures'] for entry in status['sites']] == [0], f'the schedule: {status}')

            code, reports, _ = client.pull('http://127.0.0.1:1')
            check(code == 1 and reports[0]['failureCode'] != 'none', f'nobody there: {code} {reports}')
            fleet.report()
            code, reports, _ = client.pull(site.base, '--section', 'missing')
            check(code == 1 and not reports[0]['ok'], f'a section that is not there: {code} {reports}')
            fleet.report()
            status = json.loads(client.run('status', '--json', '--list', store.parent / 'sites.txt').stdout)
            check([entry['failures'] for entry in status['sites']] == [0], 'a pull of one section says nothing about the site')
            code, reports, _ = client.pull(other.base, '--html', 'only')
            check(code == 0 and reports[0]['html']['pages'] == 4, f'--html only: {code} {reports}')
            fleet.report()

            check_shrink(site, client, fleet)
            check_refusals(sheaf, site, client, fleet)
        check(client.pull(site.base)[0] == 0, 'with a dead process and its socket left behind the store is opened as ever')


def check_shrink(site, client, fleet):
    for number in range(5, 30):
        (site.public / f'{number}.html').unlink()
    site.publish('--allow-shrink')
    code, reports, _ = client.pull(site.base)
    check(code == 1 and reports[0]['failureCode'] == 'shrink-held', f'held back: {code} {reports}')
    fleet.report()
    code, reports, _ = client.pull(site.base, '--allow-shrink')
    check(code == 0 and client.pages('--site', site.base) == site.pages(), f'--allow-shrink: {code} {reports}')
    fleet.report()


def check_refusals(sheaf, site, client, fleet):
    code, reports, complaints = client.pull(site.base, '--max-depth', '300')
    check((code, reports) == (2, []) and '--max-depth 300 was not given to the process that holds the store' in complaints, f'{code} {complaints}')
    code, _, complaints = client.pull('--list', client.store.parent / 'sites.txt')
    check(code == 2 and f'is in use by process {fleet.process.pid} (sheaf pull)' in complaints, f'{code} {complaints}')
    code, reports, _ = client.pull(site.base, '--plan')
    check(code == 0, f'a plan needs nobody: {code} {reports}')
    done = client.run('gc')
    check(done.returncode != 0 and 'in use' in done.stderr, f'gc: {done}')
    check(fleet.process.poll() is None, 'the fleet runs')


def check_waiting(sheaf, folder):
    """Clients that wait: behind a pull of the same site, and until they are stopped."""
    with published(sheaf, folder / 'a') as (site, server):
        gate = Gate(server)
        with Fleet(sheaf, folder / 'store', [site.base]) as fleet:
            gate.wait_asked()
            client = Client(sheaf, fleet.store, site.base)
            client.complaints.until('is being pulled right now; this pull comes after it')
            gate.opened.set()
            code, out = client.end()
            first, second = fleet.report(), fleet.report()
            check(code == 0 and json.loads(out) == second and first['sections'][0]['added'] == 3 and second['sections'][0]['added'] == 0, f'one after the other: {code} {out}')

            gate.opened.clear()
            gate.wait_asked()
            client = Client(sheaf, fleet.store, site.base)
            client.complaints.until('makes the pull')
            gate.wait_asked()
            client.process.send_signal(signal.SIGINT)
            code, out = client.end()
            check((code, out) == (2, ''), f'interrupted: {code} {out}')
            client.complaints.until('stopped waiting; the pull continues in the process that holds the store')
            gate.opened.set()
            check(fleet.report()['ok'], 'the pull goes on')

            gate.opened.clear()
            client = Client(sheaf, fleet.store, site.base)
            gate.wait_asked()
            fleet.process.send_signal(signal.SIGTERM)
            check(client.end() == (2, ''), 'a client of a process that was stopped')
            client.complaints.until('was stopped before the pull was done; pull again')
            gate.opened.set()
            check(fleet.process.wait(TIMEOUT) == 0 and not fleet.socket.exists(), 'stopped in good order')

        gate.opened.set()
        check(Asker(sheaf, fleet.store).pull(site.base)[0] == 0, 'the store is free')


def check_killed(sheaf, folder):
    with published(sheaf, folder / 'a') as (site, server):
        gate = Gate(server)
        with Fleet(sheaf, folder / 'store', [site.base]) as fleet:
            gate.opened.set()
            check(fleet.report()['ok'], 'the first pull')
            gate.wait_asked()
            gate.opened.clear()
            client = Client(sheaf, fleet.store, site.base)
            gate.wait_asked()
            pid = fleet.process.pid
            fleet.stop(signal.SIGKILL)
            check(client.end() == (2, ''), 'a client of a process that was killed')
            client.complaints.until(f'process {pid}, which held the store, ended before the pull was done')
        gate.opened.set()
        check(fleet.socket.exists(), 'the socket stays behind')
        with Fleet(sheaf, fleet.store, [site.base]) as fleet:
            code, reports, complaints = Asker(sheaf, fleet.store).pull(site.base)
            check(code == 0, f'the next process replaces the socket: {code} {complaints}')


def connect(path):
    """Connects through the folder, because the path is longer than a socket's name may be."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(TIMEOUT)
    folder = os.open(path.parent, os.O_PATH)
    client.connect(f'/proc/self/fd/{folder}/{path.name}')
    os.close(folder)
    return client


def answer(client):
    data = b''
    with contextlib.suppress(ConnectionError):
        while more := client.recv(65536):
            data += more
    return data


def check_strangers(sheaf, folder):
    """Data sent to the socket cannot harm the process, and is limited. The store's path is longer than the name of a socket may be."""
    deep = folder.joinpath(*['a-folder-with-a-name-of-its-own'] * 5)
    deep.mkdir(parents=True)
    with published(sheaf, folder / 'a') as (site, _), Fleet(sheaf, deep / 'store', [site.base]) as fleet:
        check(len(str(fleet.socket)) > 108 and fleet.report()['ok'], 'a long path')
        for bytes_sent in [b'\xff\xff\xff\xff', b'\x01\x00\x01\x00', b'\x00\x00\x00\x00', b'\x02\x00\x00\x00xx', b'\x08\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\x7f']:
            with connect(fleet.socket) as client:
                client.sendall(bytes_sent)
                client.shutdown(socket.SHUT_WR)
                check(b'message of' in (got := answer(client)) or b'another version' in got or b'cannot be read' in got, f'{bytes_sent} gets {got}')
        idle = [connect(fleet.socket) for _ in range(8)]
        with connect(fleet.socket) as client:
            check(b'8 pulls are already waiting' in answer(client), 'a ninth client')
        for client in idle:
            client.shutdown(socket.SHUT_WR)
            answer(client)
            client.close()
        if os.geteuid() == 0:
            check_other_user(folder, fleet)
        code, reports, complaints = Asker(sheaf, fleet.store).pull(site.base)
        check(code == 0 and 'which makes the pull' in complaints, f'it goes on: {code} {complaints}')


def check_other_user(folder, fleet):
    """Another user is refused even if the file modes permit access."""
    for each in [folder, *fleet.socket.relative_to(folder).parents, fleet.socket.relative_to(folder)]:
        (folder / each).chmod(0o777)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            os.chdir(fleet.store)
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            client.connect(fleet.socket.name)
            os.write(theirs, answer(client))
        os._exit(0)
    os.waitpid(child, 0)
    os.close(theirs)
    with open(ours, 'rb') as pipe:
        check(b'process of another user' in (got := pipe.read()), f'another user: {got}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    sheaf = str(pathlib.Path(parser.parse_args().sheaf).resolve())
    for part in [check_pulls, check_waiting, check_killed, check_strangers]:
        with tempfile.TemporaryDirectory(prefix='sheaf-fleet-') as name:
            part(sheaf, pathlib.Path(name))
    print('pulls through a running process: good')


if __name__ == '__main__':
    main()
