#!/usr/bin/env python3
"""Tests how `sheaf serve` starts, reloads, stops and fails, as an operator sees it.

usage: operations.py --sheaf PROGRAM
"""
import argparse, hashlib, json, os, pathlib, pwd, re, shutil, signal, socket, ssl, subprocess, sys, tempfile, time, unittest, urllib.error, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import site_fixture
from site_fixture import TIMEOUT, Server, read_answer, wait_until

SHEAF = None
BIG = 64 << 20  # more than any socket's buffers hold


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-operations-')
        cls.addClassCleanup(holder.cleanup)
        cls.base = pathlib.Path(holder.name)
        cls.base.chmod(0o755)
        cls.site = cls.base / 'site'
        cls.site.mkdir()
        site_fixture.make_site(SHEAF, cls.site)

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='case-', dir=self.base)
        self.addCleanup(holder.cleanup)
        self.own = pathlib.Path(holder.name)
        self.own.chmod(0o755)

    def serve(self, *options, folder=None, **how):
        return self.enterContext(Server(SHEAF, folder or self.site, *options, **how))

    def serve_own(self, *options, **how):
        """Serves the folder `public` of this case."""
        (self.own / 'public').mkdir(exist_ok=True)
        return self.serve(*options, folder=self.own / 'public', **how)

    def get(self, server, path, scheme='http', context=None, **headers):
        url = f'{scheme}://127.0.0.1:{server.address[1]}{path}'
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=TIMEOUT, context=context) as answer:
            return answer.headers, answer.read()

    def begin_download(self, server, path):
        """Returns a connection whose response has begun, and the size of its body."""
        connection = server.connect()
        self.addCleanup(connection.close)
        connection.sendall(f'GET {path} HTTP/1.1\r\nHost: a\r\n\r\n'.encode())
        stream = connection.makefile('rb')
        self.addCleanup(stream.close)
        self.assertEqual(stream.readline(), b'HTTP/1.1 200 OK\r\n')
        size = 0
        while (line := stream.readline()) != b'\r\n':
            if line.startswith(b'Content-Length: '):
                size = int(line.split()[1])
        return stream, size

    def expect_failure(self, message, *arguments, status=2):
        done = subprocess.run([SHEAF, 'serve', *arguments], capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ('', message, status), arguments)


class FewDescriptors(Case):
    """With a low limit on open files, files that are kept open leave room for connections and the other way round."""
    LIMIT = 256

    def ask(self, connection, path):
        connection.sendall(f'GET {path} HTTP/1.1\r\nHost: a\r\n\r\n'.encode())
        stream = connection.makefile('rb')
        status, _, body = read_answer(stream)
        stream.close()
        return int(status.split()[1]), body

    def test_many_files_and_many_connections(self):
        (self.own / 'public').mkdir()
        for number in range(400):
            (self.own / 'public' / f'{number}.txt').write_text(str(number))
        server = self.serve_own(open_files=self.LIMIT)
        room = int(re.search(r'only (\d+) connections fit into the limit of 256 open files', server.complaints())[1])
        self.assertGreater(room, 40)
        connections = []
        for number in range(room):
            connections.append(server.connect())
            self.addCleanup(connections[-1].close)
        for number in range(400):
            self.assertEqual(self.ask(connections[number % room], f'/{number}.txt'), (200, str(number).encode()))
        # One more connection gets a 503, and is accepted once another one closes.
        with server.connect() as refused:
            self.assertEqual(self.ask(refused, '/1.txt')[0], 503)
        for connection in connections[:room // 2]:
            connection.close()

        def is_let_in():
            with server.connect() as late:
                return self.ask(late, '/1.txt') == (200, b'1')
        wait_until(is_let_in, 'a connection to be let in again')
        self.assertNotIn('Too many open files', server.complaints())


class Starting(Case):
    def test_no_such_folder(self):
        self.expect_failure('sheaf: cannot serve folder /no/such: No such file or directory\n', '/no/such', '--listen', '127.0.0.1:0', '--user', 'root')

    def test_a_file_is_no_folder(self):
        path = self.site / 'robots.txt'
        self.expect_failure(f'sheaf: cannot serve folder {path}: Not a directory\n', path, '--listen', '127.0.0.1:0', '--user', 'root')

    def test_a_port_in_use(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            address = f'127.0.0.1:{taken.getsockname()[1]}'
            self.expect_failure(f'sheaf: cannot listen on {address}: Address already in use\n', self.site, '--listen', address)

    def test_addresses_that_are_none(self):
        self.expect_failure('sheaf: nonsense is not an address to listen on; write 127.0.0.1:8080, [::1]:8080 or :8080\n', self.site, '--listen', 'nonsense')
        self.expect_failure('sheaf: 10.0.0.0/99 is not an address or network; write 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32\n',
                            self.site, '--listen', '127.0.0.1:0', '--trust-proxy', '10.0.0.0/99')

    def test_a_log_that_cannot_be_written(self):
        self.expect_failure('sheaf: cannot open access log /no/such/log: No such file or directory\n', self.site, '--listen', '127.0.0.1:0', '--access-log', '/no/such/log')

    def test_it_tells_what_it_serves(self):
        server = self.serve()
        self.assertIn('  section all (daily): 1 snapshot, 1 delta, ', server.report)
        self.assertIn('  section news (hourly): 0 snapshots, 0 deltas, 0 bytes\n', server.report)
        self.assertIn('! broken.scp.gz: ', server.report)
        self.assertIn('! all.scp.gz is named by no sitemap\n', server.report)
        self.assertIn('! link-outside.txt is a link out of the folder or to nothing; it is not served\n', server.report)
        self.assertIn('! link-root is a link out of the folder or to nothing; it is not served\n', server.report)

    def test_ipv6_and_several_addresses(self):
        if not socket.has_ipv6 or not os.path.exists('/proc/net/if_inet6'):
            self.skipTest('no IPv6 here')
        server = self.serve(listen=('--listen', '127.0.0.1:0', '--listen', '[::1]:0'))
        line = server.process.stdout.readline()
        port = int(re.fullmatch(r'http://\[::1\]:(\d+)\n', line)[1])
        with urllib.request.urlopen(f'http://[::1]:{port}/robots.txt', timeout=TIMEOUT) as answer:
            self.assertEqual(answer.read(), site_fixture.FILES['robots.txt'])
        self.assertEqual(self.get(server, '/robots.txt')[1], site_fixture.FILES['robots.txt'])

    def test_the_manager_is_told(self):
        path = self.own / 'notify'
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(path))
            path.chmod(0o777)
            manager.settimeout(TIMEOUT)
            server = self.serve(env={**os.environ, 'NOTIFY_SOCKET': str(path)})
            self.assertEqual(manager.recv(100), b'READY=1')
            server.send_signal(signal.SIGTERM)
            self.assertEqual(manager.recv(100), b'STOPPING=1')


class Privileges(Case):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest('not root')

    def status(self, server):
        return dict(line.split(':\t', 1) for line in pathlib.Path(f'/proc/{server.process.pid}/status').read_text().splitlines() if ':\t' in line)

    def test_root_is_given_up(self):
        server = self.serve()
        self.get(server, '/robots.txt')
        status = self.status(server)
        user = next(name for name in ['sheaf', 'nobody'] if name in {entry.pw_name for entry in pwd.getpwall()})
        self.assertEqual(set(status['Uid'].split()), {str(pwd.getpwnam(user).pw_uid)})
        self.assertEqual(set(status['Gid'].split()), {str(pwd.getpwnam(user).pw_gid)})
        self.assertEqual((int(status['CapEff'], 16), status['NoNewPrivs']), (0, '1'))

    def test_another_user(self):
        server = self.serve('--user', 'daemon')
        self.assertEqual(self.status(server)['Uid'].split()[0], str(pwd.getpwnam('daemon').pw_uid))

    def test_no_such_user(self):
        self.expect_failure('sheaf: there is no user nosuchuser to run as; name one with --user\n', self.site, '--listen', '127.0.0.1:0', '--user', 'nosuchuser')

    def test_a_folder_that_user_cannot_read(self):
        self.own.chmod(0o700)
        self.expect_failure(f'sheaf: cannot serve folder {self.own}: Permission denied (as user daemon; --user names another)\n',
                            self.own, '--listen', '127.0.0.1:0', '--user', 'daemon')


class SocketActivation(Case):
    def run_activated(self, *options, names=''):
        with socket.create_server(('127.0.0.1', 0)) as listener:
            port = listener.getsockname()[1]
            script = f'exec 3<&{listener.fileno()}; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES={names}; exec "$@"'
            process = subprocess.Popen(['sh', '-c', script, 'sh', SHEAF, 'serve', self.site, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[listener.fileno()])
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, port

    def test_a_socket_that_was_handed_in(self):
        process, port = self.run_activated()
        with urllib.request.urlopen(f'http://127.0.0.1:{port}/robots.txt', timeout=TIMEOUT) as answer:
            self.assertEqual(answer.read(), site_fixture.FILES['robots.txt'])
        process.terminate()
        self.assertEqual(process.wait(TIMEOUT), 0)

    def test_one_for_the_metrics(self):
        process, port = self.run_activated('--listen', '127.0.0.1:0', names='metrics')
        with urllib.request.urlopen(f'http://127.0.0.1:{port}/metrics', timeout=TIMEOUT) as answer:
            self.assertIn(b'sheaf_http_requests_total', answer.read())

    def test_by_systemd(self):
        program = shutil.which('systemd-socket-activate')
        if not program:
            self.skipTest('systemd-socket-activate is not installed')
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen([program, '-l', f'127.0.0.1:{port}', SHEAF, 'serve', self.site], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def answers():
            try:
                with urllib.request.urlopen(f'http://127.0.0.1:{port}/robots.txt', timeout=TIMEOUT) as answer:
                    return answer.read() == site_fixture.FILES['robots.txt']
            except OSError:
                return False
        wait_until(answers, 'an answer through systemd-socket-activate')

    def test_what_is_no_listening_socket(self):
        with open('/dev/null') as null:
            script = f'exec 3<&{null.fileno()}; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"'
            done = subprocess.run(['sh', '-c', script, 'sh', SHEAF, 'serve', self.site], capture_output=True, text=True, timeout=TIMEOUT, pass_fds=[null.fileno()])
        self.assertEqual((done.returncode, done.stderr), (2, 'sheaf: descriptor 3 passed by the service manager is not a listening socket; set Accept=no and ListenStream= in its socket unit\n'))


class Stopping(Case):
    def setUp(self):
        super().setUp()
        (self.own / 'public').mkdir()
        with open(self.own / 'public/big.bin', 'wb') as file:
            file.truncate(BIG)

    def test_a_download_in_flight_ends_and_new_ones_are_refused(self):
        server = self.serve_own('--metrics', '127.0.0.1:0')
        stream, size = self.begin_download(server, '/big.bin')
        server.send_signal(signal.SIGTERM)

        def is_refused():
            with socket.socket() as probe:
                return probe.connect_ex(server.address) != 0
        wait_until(is_refused, 'new connections to be refused')
        self.assertIsNone(server.process.poll())
        self.assertEqual(len(stream.read(size)), BIG)
        stream.close()
        self.assertEqual(server.process.wait(TIMEOUT), 0)
        self.assertEqual(server.complaints(), '')

    def test_the_second_signal_does_not_wait(self):
        server = self.serve_own()
        stream, size = self.begin_download(server, '/big.bin')
        server.send_signal(signal.SIGTERM)
        wait_until(lambda: server.process.poll() is not None or server.send_signal(signal.SIGTERM), 'the end')
        self.assertEqual((server.process.returncode, server.complaints()), (0, 'sheaf: stopped before every download had ended\n'))

    def test_no_grace(self):
        server = self.serve_own('--grace', '0')
        stream, size = self.begin_download(server, '/big.bin')
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.process.wait(TIMEOUT), 0)
        self.assertLess(len(stream.read()), BIG)

    def test_a_file_replaced_while_it_is_downloaded_is_delivered_whole(self):
        server = self.serve_own()
        stream, size = self.begin_download(server, '/big.bin')
        (self.own / 'new.bin').write_bytes(b'new')
        os.replace(self.own / 'new.bin', self.own / 'public/big.bin')
        self.assertEqual(self.get(server, '/big.bin')[1], b'new')
        self.assertEqual(stream.read(size), bytes(BIG))

    def test_a_file_removed_while_it_is_downloaded_too(self):
        server = self.serve_own()
        stream, size = self.begin_download(server, '/big.bin')
        (self.own / 'public/big.bin').unlink()
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.get(server, '/big.bin')
        caught.exception.close()
        self.assertEqual(stream.read(size), bytes(BIG))

    def test_files_that_are_gone_are_let_go(self):
        server = self.serve_own()
        self.get(server, '/big.bin')
        (self.own / 'public/big.bin').unlink()

        def holds_it():
            try:
                return any('big.bin' in os.readlink(fd) for fd in pathlib.Path(f'/proc/{server.process.pid}/fd').iterdir())
            except FileNotFoundError:  # closed meanwhile
                return True
        wait_until(lambda: not holds_it(), 'the file to be closed')

    def test_the_bandwidth_of_a_connection(self):
        server = self.serve_own('--bandwidth', '1MiB')
        begin = time.monotonic()
        stream, size = self.begin_download(server, '/big.bin')
        self.assertEqual(len(stream.read(4 << 20)), 4 << 20)
        self.assertGreater(time.monotonic() - begin, 1)  # a lower bound: no slow machine breaks it


class Watching(Case):
    def test_both_forms_of_the_log_and_its_rotation(self):
        for form in ['combined', 'json']:
            log = self.own / f'{form}.log'
            log.touch()
            log.chmod(0o666)
            self.own.chmod(0o777)
            server = self.serve('--access-log', log, '--log-format', form)
            self.get(server, '/robots.txt?x', **{'User-Agent': 'a "b" \\c', 'Referer': 'https://r.example/'})
            wait_until(lambda: log.read_text(), 'the first line')
            os.rename(log, log.with_suffix('.1'))
            server.send_signal(signal.SIGUSR1)
            wait_until(log.exists, 'the new file')
            self.get(server, '/robots.txt')
            self.assertEqual(server.stop(), 0)
            self.assertEqual(len(log.read_text().splitlines()), 1)
            line = log.with_suffix('.1').read_text()
            if form == 'json':
                record = json.loads(line)
                self.assertEqual({key: record[key] for key in ['client', 'method', 'target', 'status', 'bytes', 'complete', 'referer', 'agent']},
                                 {'client': '127.0.0.1', 'method': 'GET', 'target': '/robots.txt?x', 'status': 200, 'bytes': 23, 'complete': True,
                                  'referer': 'https://r.example/', 'agent': 'a "b" \\c'})
            else:
                self.assertRegex(line, r'^127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET /robots\.txt\?x HTTP/1\.1" 200 23 '
                                       r'"https://r\.example/" "a \\x22b\\x22 \\x5cc"\n$')

    def test_the_log_on_standard_output_has_it_for_itself(self):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen([SHEAF, 'serve', self.site, '--listen', f'127.0.0.1:{port}', '--access-log', '-', '--log-format', 'json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if line.startswith('http://'):
                break
        with urllib.request.urlopen(f'http://127.0.0.1:{port}/robots.txt', timeout=TIMEOUT) as answer:
            answer.read()
        process.terminate()
        out, _ = process.communicate(timeout=TIMEOUT)
        self.assertEqual(json.loads(out)['target'], '/robots.txt')

    def test_an_aborted_download_is_told_as_such(self):
        (self.own / 'public').mkdir()
        with open(self.own / 'public/big.bin', 'wb') as file:
            file.truncate(BIG)
        log = self.own / 'log'
        log.touch()
        log.chmod(0o666)
        server = self.serve_own('--access-log', log, '--log-format', 'json')
        stream, _ = self.begin_download(server, '/big.bin')
        stream.close()
        server.send_signal(signal.SIGTERM)
        wait_until(lambda: server.process.poll() is not None or server.send_signal(signal.SIGTERM), 'the end')
        record = json.loads(log.read_text())
        self.assertEqual((record['status'], record['complete']), (200, False))
        self.assertLess(record['bytes'], BIG)

    def test_metrics(self):
        server = self.serve('--metrics', '127.0.0.1:0')
        tag = self.get(server, '/all.scp.zst')[0]['ETag']
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.get(server, '/all.scp.zst', **{'If-None-Match': tag})
        caught.exception.close()

        def metrics():
            with urllib.request.urlopen(f'http://127.0.0.1:{server.metrics[1]}/metrics', timeout=TIMEOUT) as answer:
                self.assertEqual(answer.headers['Content-Type'], 'text/plain; version=0.0.4; charset=utf-8')
                return answer.read().decode()
        # The thread that answered a request counts it when it is done: not always in the order of the responses.
        wait_until(lambda: 'sheaf_http_request_seconds_count 2\n' in metrics(), 'both to be counted')
        text = metrics()
        self.assertIn('sheaf_http_requests_total{status="304"} 1\n', text)
        self.assertIn('sheaf_http_requests_total{status="200"} 1\n', text)
        self.assertIn(f'sheaf_http_body_bytes_total {(self.site / "all.scp.zst").stat().st_size}\n', text)
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) sheaf_http_\w+ .+|sheaf_http_\w+(\{\w+="[^"]*"\})? [0-9.]+)$')
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f'http://127.0.0.1:{server.metrics[1]}/', timeout=TIMEOUT)
        with caught.exception as answer:
            self.assertEqual(answer.read(), b'404 Not Found: metrics are at /metrics\n')

    def test_a_new_sitemap_changes_what_caches_are_told(self):
        shutil.copytree(self.site, self.own / 'public', symlinks=True, ignore=shutil.ignore_patterns('pipe', 'unreadable.txt', 'link-*'))
        server = self.serve_own()
        self.assertEqual(self.get(server, '/all.scp.zst')[0]['Cache-Control'], 'public, max-age=86400, stale-while-revalidate=3600')
        sitemap = self.own / 'public/sitemap.xml'
        daily = sitemap.read_text()
        # The last says nothing of the section, which is then asked for as if it changed each hour.
        for section, told in (('name="all" updateFreq="weekly"', 'public, max-age=604800, stale-while-revalidate=25200'),
                              ('name="other" updateFreq="weekly"', 'public, max-age=3600, stale-while-revalidate=150')):
            fresh = self.own / 'sitemap.new'
            fresh.write_text(daily.replace('name="all" updateFreq="daily"', section))
            os.replace(fresh, sitemap)
            wait_until(lambda: self.get(server, '/all.scp.zst')[0]['Cache-Control'] == told, told)

    def test_a_broken_collection_is_told_once_and_served(self):
        server = self.serve()
        self.get(server, '/broken.scp.gz')
        self.get(server, '/broken.scp.gz')
        self.assertEqual(server.complaints().count('broken.scp.gz: '), 1, server.complaints())
        self.assertIn('; it is served without a checksum\n', server.complaints())


class Tls(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which('openssl'):
            raise unittest.SkipTest('openssl is not installed')
        for name in ['one', 'two']:
            cls.make_certificate(cls.base / name, name)

    @staticmethod
    def make_certificate(path, name):
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', f'{path}.key', '-out', f'{path}.pem',
               '-subj', f'/CN={name}', '-addext', 'subjectAltName=IP:127.0.0.1'], check=True, capture_output=True, timeout=TIMEOUT)

    def serve_tls(self, name='one', **how):
        for kind in ['pem', 'key']:
            shutil.copy(f'{self.base / name}.{kind}', self.own / f'used.{kind}')
            (self.own / f'used.{kind}').chmod(0o644)
        (self.own / 'public').mkdir(exist_ok=True)
        with open(self.own / 'public/big.bin', 'wb') as file:
            file.write(os.urandom(8 << 20))
        return self.serve_own('--tls-cert', self.own / 'used.pem', '--tls-key', self.own / 'used.key', **how)

    def context(self, name='one'):
        return ssl.create_default_context(cafile=f'{self.base / name}.pem')

    def subject(self, server, *options):
        done = subprocess.run(['openssl', 's_client', '-connect', f'127.0.0.1:{server.address[1]}', *options], input='', capture_output=True, text=True, timeout=TIMEOUT)
        found = re.search(r'subject=CN ?= ?(\w+)', done.stdout)
        return found[1] if found else None

    def test_bytes_and_ranges(self):
        server = self.serve_tls()
        content = (self.own / 'public/big.bin').read_bytes()
        self.assertEqual(self.get(server, '/big.bin', 'https', self.context())[1], content)
        self.assertEqual(self.get(server, '/big.bin', 'https', self.context(), Range='bytes=-1000000')[1], content[-1000000:])
        self.assertIn(content[1000000:1100000], self.get(server, '/big.bin', 'https', self.context(), Range='bytes=0-9,1000000-1099999')[1])

    def test_versions(self):
        server = self.serve_tls()
        self.assertEqual(self.subject(server, '-tls1_2'), 'one')
        self.assertEqual(self.subject(server, '-tls1_3'), 'one')
        self.assertIsNone(self.subject(server, '-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'))

    def test_plain_http_is_not_answered(self):
        server = self.serve_tls()
        with server.connect() as connection:
            connection.sendall(b'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
            try:
                self.assertNotIn(b'HTTP/', connection.recv(1000))
            except ConnectionResetError:
                pass
        self.assertEqual(self.subject(server), 'one')

    def test_sighup_reads_the_certificate_anew(self):
        server = self.serve_tls()
        with socket.create_connection(server.address, TIMEOUT) as plain, self.context().wrap_socket(plain, server_hostname='127.0.0.1') as old:
            self.assertEqual(self.subject(server), 'one')
            for kind in ['pem', 'key']:
                shutil.copyfile(f'{self.base / "two"}.{kind}', self.own / f'used.{kind}')
            server.send_signal(signal.SIGHUP)
            wait_until(lambda: self.subject(server) == 'two', 'the new certificate')
            self.assertIn('new connections get the certificate in', server.complaints())
            old.sendall(b'HEAD /big.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
            self.assertTrue(old.makefile('rb').readline().startswith(b'HTTP/1.1 200'))

    def test_a_broken_one_is_refused_and_the_old_one_stays(self):
        server = self.serve_tls()
        shutil.copyfile(f'{self.base / "two"}.pem', self.own / 'used.pem')
        server.send_signal(signal.SIGHUP)
        wait_until(lambda: 'keeping the current certificate: the key in' in server.complaints(), 'a complaint')
        self.assertEqual(self.subject(server), 'one')

    def test_files_that_are_none(self):
        one, two = self.base / 'one', self.base / 'two'
        listen = [self.site, '--listen', '127.0.0.1:0']
        (self.own / 'empty').touch()
        self.expect_failure(f'sheaf: {self.own}/empty holds no certificate in PEM form (BEGIN CERTIFICATE)\n', *listen, '--tls-cert', self.own / 'empty', '--tls-key', f'{one}.key')
        self.expect_failure(f'sheaf: {one}.pem holds no private key in PEM form without a password (BEGIN PRIVATE KEY)\n', *listen, '--tls-cert', f'{one}.pem', '--tls-key', f'{one}.pem')
        self.expect_failure(f'sheaf: the key in {two}.key does not match the certificate in {one}.pem\n', *listen, '--tls-cert', f'{one}.pem', '--tls-key', f'{two}.key')
        self.expect_failure('sheaf: cannot open /no/such: No such file or directory\n', *listen, '--tls-cert', '/no/such', '--tls-key', f'{one}.key')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = arguments.sheaf
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
