"""Shared by the tests of `sheaf pull`: published sites, correct servers, a misbehaving one, and functions that read stores."""
import atexit, http.server, json, os, pathlib, re, socket, socketserver, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'serve'))
import site_fixture  # noqa: F401: the tests use its Server
TIMEOUT = 120  # seconds: only a hang takes that long


def page_html(title, text, links=(), extra=''):
    anchors = ''.join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    return (f'<!doctype html><html lang=en><head><title>{title}</title>{extra}</head><body><nav><a href="/">The front page of this site</a></nav>'
            f'<main><h1>{title}</h1><p>{text}, which is said here in a sentence that is long enough to be a paragraph.</p>{anchors}</main>'
            f'<footer>All of this was made by hand, with care, for tests.</footer></body></html>')


class Site:
    """A folder of pages, published by `sheaf publish` for the URL that it is served at."""

    def __init__(self, sheaf, folder, base):
        self.sheaf, self.folder, self.base = sheaf, pathlib.Path(folder), base.rstrip('/')
        self.public = self.folder / 'public'
        self.public.mkdir(parents=True, exist_ok=True)
        (self.public / 'robots.txt').write_text(f'User-agent: *\nAllow: /\nSitemap: {self.base}/sitemap.xml\n')
        self.folder.chmod(0o755)
        self.published = 0.0

    def write(self, name, text, **more):
        file = self.public / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page_html(name, text, **more))

    def publish(self, *options):
        time.sleep(max(0.0, self.published + 1.05 - time.time()))  # the name of a collection has its time in seconds
        done = subprocess.run([self.sheaf, 'publish', 'public', '--base', self.base, '--out', 'public/scp', '--json', *options],
                              cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        self.published = time.time()
        return json.loads(done.stdout)

    def pages(self):
        """Returns {URL: the sentence that identifies its version} of the folder's current pages."""
        found = {}
        for file in self.public.rglob('*.html'):
            name = str(file.relative_to(self.public)).removesuffix('index.html')
            found[f'{self.base}/{name}'] = re.search(r'<p>([^,]*),', file.read_text())[1]
        return found


IS_SHARED = os.environ.get('SHEAF_TEST_STORE') == 'shared'  # the same tests with a shared store


class SharedStores:
    """One PostgreSQL server for all tests of a program; a database for each store."""
    server = None

    @classmethod
    def create(cls, sheaf):
        sys.path.insert(0, str(ROOT / 'tests' / 'store'))
        import postgres_kit
        if cls.server is None:
            folder = tempfile.TemporaryDirectory(prefix='sheaf-pg-')
            os.chmod(folder.name, 0o755)
            cls.server = postgres_kit.Postgres(pathlib.Path(folder.name) / 'pg', 'fsync=off')
            atexit.register(folder.cleanup)
            atexit.register(cls.server.stop)
            os.environ['XDG_CACHE_HOME'] = folder.name + '/cache'
        url = cls.server.url(cls.server.new_database())
        subprocess.run([sheaf, 'store', 'create', url, '--buckets', '16'], check=True, capture_output=True)
        return url


class Puller:
    def __init__(self, sheaf, store, *options, env=None):
        self.sheaf, self.options, self.env = sheaf, options, env
        self.store = SharedStores.create(sheaf) if IS_SHARED else pathlib.Path(store)

    def pull(self, *arguments, **more):
        """Returns (exit status, reports, error messages)."""
        done = subprocess.run([self.sheaf, 'pull', *map(str, arguments), '--store', str(self.store), '--allow-private', '--json',
                               '--timeout', '2', '--tries', '2', '--delay', '0', *self.options],
                              capture_output=True, text=True, timeout=TIMEOUT, env=self.env, **more)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def run(self, *arguments):
        return subprocess.run([self.sheaf, *map(str, arguments), '--store', str(self.store)], capture_output=True, text=True, timeout=TIMEOUT)

    def raw_pages(self, *filters):
        done = self.run('export', '--format', 'jsonl', *filters)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def pages(self, *filters):
        """Returns {URL: the first sentence of its text}."""
        found = {}
        for page in self.raw_pages(*filters):
            texts = [block['text'] for block in page['content'] if block['type'] == 'text']
            found[page['url']] = texts[0].split(',')[0] if texts else ''
        return found

    def faults(self):
        done = self.run('verify')
        return '' if done.returncode == 0 else done.stdout + done.stderr


class BadServer:
    """Serves a table of routes: path -> function(request) that gets a Request and answers over its socket, or bytes, which are sent as a
    proper 200. Everything else is looked up in `folder`, if there is one, and otherwise 404. Keeps what was asked for in `log`."""

    def __init__(self, folder=None, tls=None):
        self.routes, self.log, self.folder, self.lock = {}, [], folder, threading.Lock()
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                outer.answer(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, allow_reuse_address, request_queue_size = True, True, 128

            def get_request(self):
                connection, address = super().get_request()
                return (tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False) if tls else connection), address

            def handle_error(self, *_):
                pass  # clients that close the connection are expected

        self.server = Server(('127.0.0.1', 0), Handler)
        self.url = f'{"https" if tls else "http"}://127.0.0.1:{self.server.server_address[1]}'
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, connection):
        connection.settimeout(20)
        data = b''
        while b'\r\n\r\n' not in data:
            more = connection.recv(65536)
            if not more:
                return
            data += more
        lines = data.split(b'\r\n\r\n')[0].decode('latin-1').split('\r\n')
        path = lines[0].split()[1]
        headers = {name.strip().lower(): value.strip() for name, value in (line.split(':', 1) for line in lines[1:])}
        with self.lock:
            self.log.append((path, headers))
        route = self.routes.get(path)
        request = Request(connection, path, headers, self)
        if route is None:
            self.static(request)
        elif callable(route):
            route(request)
        else:
            request.send(200, route)

    def static(self, request):
        name = request.path.split('?')[0].lstrip('/')
        file = self.folder / (name + 'index.html' if not name or name.endswith('/') else name) if self.folder else None
        if not file or not file.is_file():
            return request.send(404, b'not here\n')
        body = file.read_bytes()
        kind = {'.html': 'text/html; charset=utf-8', '.xml': 'application/xml', '.txt': 'text/plain'}.get(file.suffix, 'application/scp')
        etag = f'"{hash(body) & 0xFFFFFFFF:x}"'
        if request.headers.get('if-none-match') == etag:
            return request.send(304, b'', ETag=etag)
        wanted = re.fullmatch(r'bytes=(\d+)-', request.headers.get('range', ''))
        if wanted and request.headers.get('if-range') == etag and int(wanted[1]) < len(body):
            start = int(wanted[1])
            return request.send(206, body[start:], ETag=etag, Content_Range=f'bytes {start}-{len(body) - 1}/{len(body)}')
        return request.send(200, body, Content_Type=kind, ETag=etag)

    def asked(self, path):
        with self.lock:
            return [headers for each, headers in self.log if each == path]

    def forget(self):
        with self.lock:
            self.log.clear()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Request:
    def __init__(self, connection, path, headers, server):
        self.connection, self.path, self.headers, self.server = connection, path, headers, server

    def send(self, status, body, length=None, **headers):
        lines = [f'HTTP/1.1 {status} {http.server.BaseHTTPRequestHandler.responses.get(status, ("Odd",))[0]}', 'Connection: close']
        lines += [f'{name.replace("_", "-")}: {value}' for name, value in headers.items()]
        if status != 304 and length != 'none':
            lines.append(f'Content-Length: {len(body) if length is None else length}')
        self.connection.sendall('\r\n'.join(lines).encode('latin-1') + b'\r\n\r\n' + body)

    def hang_up(self):
        """Closes the connection with a reset, like a machine that is switched off."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\x01\x00\x00\x00\x00\x00\x00\x00')
        self.connection.close()
