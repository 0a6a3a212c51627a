#!/usr/bin/env python3
"""Real clients with a running `sheaf serve`: each writes the file to disk, or its decoded form if the client decodes.

usage: clients.py --sheaf PROGRAM

curl, wget, Python's urllib, and nginx in front as a caching reverse proxy. A client that is not installed is skipped.
"""
import argparse, gzip, hashlib, pathlib, random, shutil, socket, subprocess, sys, tempfile, unittest, urllib.error, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import site_fixture
from site_fixture import TIMEOUT, wait_until

SHEAF = None
NAMES = ['big.scp', 'big.scp.gz', 'big.scp.zst', 'all.scp', 'all.scp.gz', 'all.scp.zst', 'alphabet.txt', 'empty.txt', 'space%20name.txt']


def make_big(folder):
    """About 3 MB, so that a download takes many packets; half of it compresses badly."""
    lines = ['{"collection":{"id":"big","section":"all","type":"snapshot","generated":"2026-01-02T00:00:00Z","version":"0.1"}}']
    for page in range(150):
        lines.append('{"url":"https://site.example/%d","title":"T","description":"D","modified":"2026-01-01T00:00:00Z","language":"en",'
                     '"content":[{"type":"text","text":"%s"}]}' % (page, random.Random(page).randbytes(10_000).hex()))
    source = folder.parent / 'source.scp'
    source.write_text('\n'.join(lines) + '\n')
    site_fixture.sheaf_run(SHEAF, 'convert', source, folder / 'big.scp', folder / 'big.scp.gz', folder / 'big.scp.zst', cwd=folder)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-clients-')
        cls.addClassCleanup(holder.cleanup)
        cls.base = pathlib.Path(holder.name)
        cls.base.chmod(0o755)
        cls.folder = cls.base / 'site'
        cls.folder.mkdir()
        site_fixture.make_site(SHEAF, cls.folder)
        make_big(cls.folder)
        cls.server = cls.enterClassContext(site_fixture.Server(SHEAF, cls.folder))

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='case-', dir=self.base)
        self.addCleanup(holder.cleanup)
        self.out = pathlib.Path(holder.name)

    def need(self, program):
        if not shutil.which(program):
            self.skipTest(f'{program} is not installed')

    def run_client(self, *command, status=0):
        done = subprocess.run(command, cwd=self.out, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertIn(done.returncode, status if isinstance(status, tuple) else (status,), (command, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def file(self, name):
        return (self.folder / urllib.request.unquote(name)).read_bytes()

    def decoded(self, name):
        return (self.folder / name.removesuffix('.gz').removesuffix('.zst')).read_bytes()


class Curl(Case):
    def setUp(self):
        super().setUp()
        self.need('curl')

    def curl(self, *arguments, status=0):
        return self.run_client('curl', '-sS', '--fail', '--max-time', str(TIMEOUT), *arguments, status=status)

    def test_the_file_as_it_is(self):
        for name in NAMES:
            self.curl('-o', 'x', f'{self.server.url}/{name}')
            self.assertEqual((self.out / 'x').read_bytes() if (self.out / 'x').exists() else b'', self.file(name), name)
            (self.out / 'x').unlink(missing_ok=True)

    def test_decoded_where_it_promises_that(self):
        codings = ['gz'] + (['zst'] if 'zstd' in self.run_client('curl', '-V') else [])
        for coding in codings:
            for name in [f'big.scp.{coding}', f'all.scp.{coding}']:
                self.curl('--compressed', '-o', 'x', f'{self.server.url}/{name}')
                self.assertEqual((self.out / 'x').read_bytes(), self.decoded(name), name)

    def test_an_interrupted_download_goes_on(self):
        for name in ['big.scp', 'big.scp.gz', 'big.scp.zst']:
            (self.out / 'x').write_bytes(self.file(name)[:100_001])
            self.curl('-C', '-', '-o', 'x', f'{self.server.url}/{name}')
            self.assertEqual((self.out / 'x').read_bytes(), self.file(name), name)

    def test_one_that_is_complete_has_no_more(self):
        (self.out / 'x').write_bytes(self.file('big.scp.gz'))
        # Newer versions of curl do not report a failure.
        answer = self.curl('-C', '-', '-o', 'x', '-w', '%{http_code}', f'{self.server.url}/big.scp.gz', status=(0, 22))
        self.assertTrue(answer.startswith('416'), answer)
        self.assertEqual((self.out / 'x').read_bytes(), self.file('big.scp.gz'))

    def test_nothing_is_sent_twice(self):
        url = f'{self.server.url}/big.scp.zst'
        self.curl('--etag-save', 'tag', '-o', 'x', url)
        self.assertIn('304', self.curl('--etag-compare', 'tag', '-o', 'y', '-w', '%{http_code} %{size_download}', url))
        self.assertFalse((self.out / 'y').exists())
        self.assertEqual(self.curl('-z', 'Fri, 02 Jan 2026 00:00:00 GMT', '-o', 'y', '-w', '%{http_code} %{size_download}', url), '304 0')

    def test_the_old_version(self):
        self.curl('--http1.0', '-o', 'x', f'{self.server.url}/big.scp.gz')
        self.assertEqual((self.out / 'x').read_bytes(), self.file('big.scp.gz'))

    def test_many_on_one_connection(self):
        arguments = [part for i in range(20) for part in ('-o', f'x{i}', f'{self.server.url}/big.scp.gz')]
        self.assertEqual(self.curl('-w', '%{num_connects} ', *arguments).split(), ['1'] + ['0'] * 19)
        for i in range(20):
            self.assertEqual((self.out / f'x{i}').read_bytes(), self.file('big.scp.gz'))

    def test_an_upload_is_refused_in_words(self):
        (self.out / 'up').write_bytes(bytes(5_000_000))
        answer = self.run_client('curl', '-sS', '-i', '-T', 'up', f'{self.server.url}/up')
        self.assertIn('HTTP/1.1 405 Method Not Allowed', answer)
        self.assertIn('Allow: GET, HEAD, OPTIONS', answer)


class Wget(Case):
    def setUp(self):
        super().setUp()
        self.need('wget')

    def wget(self, *arguments, status=0):
        return self.run_client('wget', '--tries=1', f'--timeout={TIMEOUT}', *arguments, status=status)

    def test_the_file_as_it_is(self):
        for name in NAMES:
            self.wget('-O', 'x', f'{self.server.url}/{name}')
            self.assertEqual((self.out / 'x').read_bytes(), self.file(name), name)

    def test_an_interrupted_download_goes_on(self):
        (self.out / 'big.scp.zst').write_bytes(self.file('big.scp.zst')[:77_777])
        self.assertIn('206 Partial Content', self.wget('-c', f'{self.server.url}/big.scp.zst'))
        self.assertEqual((self.out / 'big.scp.zst').read_bytes(), self.file('big.scp.zst'))

    def test_the_time_is_that_of_the_collection(self):
        self.wget(f'{self.server.url}/big.scp.gz')
        self.assertEqual((self.out / 'big.scp.gz').stat().st_mtime, 1767312000)  # 2026-01-02T00:00:00Z
        self.assertIn('304 Not Modified', self.wget('-N', f'{self.server.url}/big.scp.gz'))


class Urllib(Case):
    def test_the_file_as_it_is(self):
        for name in NAMES:
            with urllib.request.urlopen(f'{self.server.url}/{name}', timeout=TIMEOUT) as answer:
                self.assertEqual(answer.read(), self.file(name), name)
                self.assertEqual(int(answer.headers['Content-Length']), len(self.file(name)))

    def test_the_coding_is_named_and_true(self):
        with urllib.request.urlopen(f'{self.server.url}/big.scp.gz', timeout=TIMEOUT) as answer:
            self.assertEqual(answer.headers['Content-Encoding'], 'gzip')
            self.assertEqual(gzip.decompress(answer.read()), self.decoded('big.scp.gz'))

    def test_not_modified(self):
        with urllib.request.urlopen(f'{self.server.url}/big.scp.zst', timeout=TIMEOUT) as answer:
            tag = answer.headers['ETag']
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(urllib.request.Request(f'{self.server.url}/big.scp.zst', headers={'If-None-Match': tag}), timeout=TIMEOUT)
        with caught.exception as answer:
            self.assertEqual((answer.code, answer.headers['ETag'], answer.headers['Content-Length']), (304, tag, None))


NGINX = '''daemon off; pid {out}/pid; error_log {out}/error.log; worker_processes 1; {user}
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {out}/body; proxy_temp_path {out}/proxy; fastcgi_temp_path {out}/f; uwsgi_temp_path {out}/u; scgi_temp_path {out}/s;
  proxy_cache_path {out}/cache keys_zone=sheaf:1m;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass {origin}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_cache sheaf; proxy_cache_revalidate on;
      add_header X-Cache $upstream_cache_status always;
    }}
    location /short/ {{
      proxy_pass {origin}/; proxy_http_version 1.1; proxy_cache sheaf; proxy_cache_revalidate on; proxy_cache_key short$uri;
      proxy_ignore_headers Cache-Control; proxy_cache_valid 200 1s; add_header X-Cache $upstream_cache_status always;
    }}
  }}
}}
'''


class NginxInFront(Case):
    def setUp(self):
        super().setUp()
        self.need('nginx')
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        self.url = f'http://127.0.0.1:{port}'
        config = self.out / 'nginx.conf'
        config.write_text(NGINX.format(out=self.out, port=port, origin=self.server.url, user='user root;' if not __import__('os').geteuid() else ''))
        process = subprocess.Popen(['nginx', '-c', config, '-p', self.out, '-e', self.out / 'error.log'])
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_until(lambda: process.poll() is not None or not self.is_refused(port), 'nginx to listen')
        self.assertIsNone(process.poll(), (self.out / 'error.log').read_text() if (self.out / 'error.log').exists() else '')

    @staticmethod
    def is_refused(port):
        with socket.socket() as probe:
            return probe.connect_ex(('127.0.0.1', port)) != 0

    def get(self, path, **headers):
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=TIMEOUT) as answer:
            return answer.status, answer.headers, answer.read()

    def test_bytes_and_headers_come_through_and_are_kept(self):
        for name in NAMES:
            _, first, body = self.get(f'/{name}')
            self.assertEqual((first['X-Cache'], body), ('MISS', self.file(name)), name)
            _, second, again = self.get(f'/{name}')
            self.assertEqual((second['X-Cache'], again), ('HIT', body), name)
            for header in ['Content-Type', 'Content-Encoding', 'ETag', 'Last-Modified', 'Cache-Control', 'Content-Length']:
                self.assertEqual(first[header], second[header], (name, header))

    def test_a_range_of_what_is_kept(self):
        self.get('/big.scp.gz')
        status, headers, body = self.get('/big.scp.gz', Range='bytes=1000-1999')
        self.assertEqual((status, headers['X-Cache'], body), (206, 'HIT', self.file('big.scp.gz')[1000:2000]))

    def test_what_is_stale_is_asked_for_again_and_not_sent_again(self):
        _, _, body = self.get('/short/big.scp.zst')
        wait_until(lambda: self.get('/short/big.scp.zst')[1]['X-Cache'] == 'REVALIDATED', 'a revalidation')
        self.assertEqual(self.get('/short/big.scp.zst')[2], body)

    def test_a_decoding_client_behind_it(self):
        self.need('curl')
        for name in ['big.scp.gz', 'big.scp.zst']:
            if name.endswith('zst') and 'zstd' not in self.run_client('curl', '-V'):
                continue
            for _ in range(2):
                self.run_client('curl', '-sS', '--fail', '--compressed', '-o', 'x', f'{self.url}/{name}')
                self.assertEqual(hashlib.sha256((self.out / 'x').read_bytes()).digest(), hashlib.sha256(self.decoded(name)).digest(), name)

    def test_errors_come_through(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.get('/nothing')
        with caught.exception as answer:
            self.assertEqual((answer.code, answer.read()), (404, b'404 Not Found: no such file\n'))


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = arguments.sheaf
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
