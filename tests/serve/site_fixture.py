"""A folder to serve, the same in every run, and a running `sheaf serve`; shared by the tests in this folder."""
import os, pathlib, re, resource, signal, socket, subprocess, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / 'examples'
TIMEOUT = 30  # seconds: only a hang takes that long
MODIFIED_NS = 1_767_225_600 * 10**9  # 2026-01-01T00:00:00Z, of every ordinary file

FILES = {
    'robots.txt': b'User-agent: *\nAllow: /\n',
    'index.html': b'<!doctype html><title>Home</title>\n',
    'alphabet.txt': b'abcdefghijklmnopqrstuvwxyz',
    'empty.txt': b'',
    'folder/index.html': b'<!doctype html><title>Folder</title>\n',
    'bare/file.txt': b'bare\n',
    'space name.txt': b'space\n',
    'a+b.txt': b'plus\n',
    '100%.txt': b'percent\n',
    'question?.txt': b'question\n',
    '\u00fcmlaut.txt': b'umlaut\n',
    'PICTURE.PNG': b'\x89PNG\r\n\x1a\n',
    'unknown.kind': b'?\n',
    'noextension': b'?\n',
    '.hidden': b'secret\n',
    '.git/config': b'secret\n',
    '.well-known/security.txt': b'Contact: mailto:security@site.example\n',
    '.blog.scp.tmp-0123abcd': b'half a collection',
    'draft.txt~': b'secret\n', 'sheaf.toml': b'secret\n', 'public.sheaf/000004.log': b'secret\n',
    'upload.tmp': b'secret\n',
    'download.part': b'secret\n',
    'unreadable.txt': b'secret\n',
    'broken.scp.gz': b'\x1f\x8b\x08\x00 this is no gzip data',
    'headless.scp': b'{"url":"https://site.example/"}\n',
}

SITEMAP = '''<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">
<scp:version>0.1</scp:version>
<scp:section name="all" updateFreq="daily" pages="6"/>
<scp:section name="news" updateFreq="hourly" pages="6"/>
<scp:section name="docs" updateFreq="weekly" pages="6"/>
<scp:section name="archive" updateFreq="monthly" pages="6"/>
<scp:collection section="all" type="snapshot" url="https://site.example/all.scp.zst" generated="2026-03-03T22:00:00Z"
 expires="2036-03-04T22:00:00Z" pages="6" size="{size}"/>
<scp:delta section="all" period="day1" url="https://site.example/delta.scp.zst" generated="2026-03-03T22:00:00Z"
 expires="2036-03-04T22:00:00Z" pages="2" size="{delta_size}" since="2026-03-02T22:00:00Z"/>
</urlset>
'''


def sheaf_run(sheaf, *arguments, cwd):
    subprocess.run([sheaf, *arguments], cwd=cwd, check=True, capture_output=True, timeout=TIMEOUT)


def make_collections(sheaf, folder):
    tuesday = (EXAMPLES / 'tuesday.scp').read_text('utf-8')
    (folder / 'src').mkdir()
    for section in ['news', 'docs', 'archive', 'unnamed']:
        (folder / 'src' / f'{section}.scp').write_text(tuesday.replace('"section":"all"', f'"section":"{section}"', 1), 'utf-8')
        sheaf_run(sheaf, 'convert', f'src/{section}.scp', f'{section}.scp.zst', cwd=folder)
    (folder / 'src' / 'future.scp').write_text(re.sub(r'"generated":"[^"]*"', '"generated":"2999-01-01T00:00:00Z"', tuesday, count=1), 'utf-8')
    sheaf_run(sheaf, 'convert', 'src/future.scp', 'future.scp', cwd=folder)
    sheaf_run(sheaf, 'convert', EXAMPLES / 'tuesday.scp', 'all.scp', 'all.scp.gz', 'all.scp.zst', cwd=folder)
    sheaf_run(sheaf, 'diff', EXAMPLES / 'monday.scp', 'all.scp', '-o', 'delta.scp.zst', cwd=folder)
    for path in (folder / 'src').iterdir():
        path.unlink()
    (folder / 'src').rmdir()


def make_site(sheaf, folder):
    """Fills the folder. The server may run as another user."""
    folder.chmod(0o755)
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    make_collections(sheaf, folder)
    (folder / 'sitemap.xml').write_text(SITEMAP.format(size=(folder / 'all.scp.zst').stat().st_size, delta_size=(folder / 'delta.scp.zst').stat().st_size))
    (folder / 'link-inside.txt').symlink_to('alphabet.txt')
    (folder / 'link-outside.txt').symlink_to('/etc/hostname')
    (folder / 'link-up.txt').symlink_to('../outside.txt')
    (folder / 'link-root').symlink_to('/')
    (folder / 'link-loop').symlink_to('link-loop')
    os.mkfifo(folder / 'pipe')
    (folder.parent / 'outside.txt').write_text('secret\n')
    for path in sorted(folder.rglob('*')):
        if path.is_file() and not path.is_symlink():
            os.utime(path, ns=(MODIFIED_NS, MODIFIED_NS))
    (folder / 'unreadable.txt').chmod(0)


class Server:
    """A running `sheaf serve` on a port that the system chooses."""

    def __init__(self, sheaf, folder, *options, env=None, pass_fds=(), listen=('--listen', '127.0.0.1:0'), open_files=None):
        """`open_files` is the process's limit on descriptors, which it cannot raise."""
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))) if open_files else None
        self.errors = tempfile.TemporaryFile(mode='w+')
        self.process = subprocess.Popen([sheaf, 'serve', folder, *listen, *options], stdout=subprocess.PIPE, stderr=self.errors, text=True, env=env, pass_fds=pass_fds, preexec_fn=limit)
        self.report, self.address, self.metrics = '', None, None
        for line in self.process.stdout:
            self.report += line
            if found := re.fullmatch(r'(metrics on )?https?://(?:127\.0\.0\.1|localhost|\[::1?\]|0\.0\.0\.0):(\d+)\n', line):
                address = ('127.0.0.1', int(found[2]))
                if found[1]:
                    self.metrics = address
                else:
                    self.address = self.address or address
            if self.address and (self.metrics or '--metrics' not in options):
                break
        if not self.address:
            self.process.wait(TIMEOUT)
            raise RuntimeError(f'sheaf serve did not start ({self.process.returncode}): {self.report}{self.complaints()}')

    @property
    def url(self):
        return f'http://127.0.0.1:{self.address[1]}'

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read()

    def connect(self):
        return socket.create_connection(self.address, TIMEOUT)

    def send_signal(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        """Stops the server and returns its exit status. Fails if the server does not end."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(TIMEOUT)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def wait_until(condition, what):
    """Returns once the condition holds; only a fault takes until the timeout."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f'waited {TIMEOUT} s for: {what}')
        time.sleep(0.02)


def read_answer(stream, method='GET'):
    """(status line, headers as a list of lines, body) of one answer from a socket's file; None at its end."""
    status = stream.readline()
    if not status:
        return None
    headers = []
    while (line := stream.readline()) not in (b'\r\n', b''):
        headers.append(line)
    if not re.fullmatch(rb'HTTP/1\.1 \d{3} [A-Z][^\r\n]*\r\n', status):
        return status, headers, stream.read()
    fields = {line.split(b':')[0].lower(): line.split(b':', 1)[1].strip() for line in headers}
    code = int(status.split()[1])
    body = b''
    if method != 'HEAD' and code >= 200 and code not in (204, 304):
        body = stream.read(int(fields[b'content-length'])) if b'content-length' in fields else stream.read()
    return status, headers, body
