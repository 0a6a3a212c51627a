#!/usr/bin/env python3
"""Runs the steps of ci/Containerfile in a bare Debian, then its program as a container engine would: as an ordinary user without capabilities,
with everything except the site read-only. Also runs `sheaf-ci all` as root in another bare Debian, as a CI job in a Debian image does.

usage: container.py --packages FOLDER --bare CACHE
FOLDER has the Debian packages, which the first stage of the file would build again: `./dev package` runs that stage's command before this test.
Needs root (for chroot and mount) and debootstrap; skipped otherwise.
"""
import argparse, fnmatch, functools, hashlib, http.server, json, os, pathlib, shlex, shutil, sys, tempfile, threading

from example_programs import ROOT, call, check
from packages import SKIPPED, Bare

USER = 12345  # the owner of the site, a user that does not exist in the image


def read_stages(text):
    """[[(instruction, rest)...]...], a list for each FROM."""
    lines = [line for line in text.replace('\\\n', ' ').splitlines() if line.strip() and not line.startswith('#')]
    stages = []
    for word, rest in (line.split(maxsplit=1) for line in lines):
        if word == 'FROM':
            stages.append([])
        stages[-1].append((word, rest.strip()))
    return stages


class Image:
    """The last stage of the file, built in a bare Debian from the packages of the first."""

    def __init__(self, bare, packages):
        self.bare, self.packages = bare, packages
        self.user, self.folder, self.entry, self.arguments, self.volumes = '0:0', '/', [], [], []

    def build(self, steps):
        for word, rest in steps:
            check(hasattr(self, f'do_{word.lower()}'), f'ci/Containerfile: this test does not know {word}')
            getattr(self, f'do_{word.lower()}')(rest)

    def do_from(self, rest):
        check(rest == 'docker.io/library/debian:12-slim', f'the image is made from {rest}')

    def do_copy(self, rest):
        origin, source, target = rest.split()
        check(origin == '--from=build' and source.startswith('/src/build/packages/'), f'COPY {rest}')
        files = [file for file in self.packages.iterdir() if fnmatch.fnmatch(file.name, pathlib.PurePath(source).name)]
        check(len(files) == 1, f'{source} is {files}')
        inside = self.bare.root / target.lstrip('/')
        inside.mkdir(parents=True)
        shutil.copy(files[0], inside)

    def do_run(self, rest):
        self.bare.run('sh', '-c', rest)

    def do_user(self, rest):
        self.user = rest

    def do_workdir(self, rest):
        self.folder = rest

    def do_volume(self, rest):
        self.volumes.append(rest)

    def do_entrypoint(self, rest):
        self.entry = json.loads(rest)

    def do_cmd(self, rest):
        self.arguments = json.loads(rest)

    def run(self, *arguments, volume=None, user=None, entry=None):
        """`podman run --read-only --cap-drop=all`. Not even /tmp can be written."""
        root = shlex.quote(str(self.bare.root))
        user, group = (user or self.user).split(':')
        mounts = ['mount --make-rprivate /', f'mount --rbind {root} {root}', f'mount -o remount,bind,ro {root}']
        if volume:
            mounts.append(f'mount --bind {shlex.quote(str(volume))} {root}{self.volumes[0]}')
        inside = ['setpriv', f'--reuid={user}', f'--regid={group}', '--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all',
                  'env', f'--chdir={self.folder}', *(entry or self.entry), *(arguments or self.arguments)]
        return call('unshare', '--mount', 'sh', '-ec', '\n'.join([*mounts, 'exec ' + shlex.join(self.bare.command(*inside))]))


def check_image(image, folder):
    check(image.user.split(':')[0] not in ('0', 'root'), f'the container runs as {image.user}')
    check('Usage: sheaf' in (said := image.run()), f'without arguments it said:\n{said}')
    state = image.run('/proc/self/status', entry=['cat'])
    check('CapEff:\t0000000000000000' in state and 'CapBnd:\t0000000000000000' in state, f'this test does not drop the capabilities:\n{state}')
    refused = image.run('-c', 'touch /usr/x /tmp/x 2>&1 || true', entry=['sh'])
    check(refused.count('Read-only file system') == 2, f'this test does not make the root read-only:\n{refused}')
    for name, user in (('own', None), ('mapped', f'{USER}:{USER}')):
        site = folder / name
        shutil.copytree(ROOT / 'examples/site', site / 'public')
        call('chown', '-R', user or image.user, site)
        publish = lambda: image.run('publish', 'public', '--base', 'https://tarnvane.example', '--out', 'public/scp', volume=site, user=user)
        check('all: 64 pages: 64 new' in (said := publish()), f'publishing said:\n{said}')
        files = [f'public/scp/{file.name}' for file in (site / 'public/scp').iterdir()]
        check(image.run('validate', '--strict', *files, volume=site, user=user).count(': valid\n') == 2, f'{files} are not valid')
        check('nothing changed' in (said := publish()), f'publishing again said:\n{said}')
        owners = {file.stat().st_uid for file in site.rglob('*')}
        check(owners == {int((user or image.user).split(':')[0])}, f'the files belong to {owners}')


def check_image_steps(packages, cache, folder):
    first, last = read_stages((ROOT / 'ci/Containerfile').read_text())
    check(first[0][1].endswith(' AS build') and ('COPY', '. /src') in first, f'the first stage is {first}')
    # This command makes the packages, and also installs what it needs.
    check(first[-1] == ('RUN', './dev package --no-bare'), f'the first stage ends with {first[-1]}')
    with Bare(cache) as bare:
        image = Image(bare, packages)
        image.build(last)
        check_image(image, folder)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def prepare_ci_job(bare, package, base):
    """Puts the sources of a site, the package and the script into /home."""
    shutil.copy(package, bare.root / 'home/sheaf.deb')
    shutil.copy(ROOT / 'ci/sheaf-ci', bare.root / 'home')
    shutil.copytree(ROOT / 'examples/site', bare.root / 'home/public')
    for file in (bare.root / 'home/public').rglob('*.*'):
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(b'https://tarnvane.example', base.encode()))
    (bare.root / 'home/sheaf.toml').write_text(f'base = "{base}"\nout = "public/scp"\n[[section]]\nname = "all"\n'
                                               '[[section.source]]\ntype = "html"\nfolder = "public"\n')


def check_ci_as_root(packages, cache):
    """install, restore, publish and upload by root in a Debian that has neither curl nor certificates; then in an empty working folder again."""
    with Bare(cache) as bare:
        [package] = packages.glob('sheaf_*.deb')
        live = bare.root / 'srv'
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=str(live)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        prepare_ci_job(bare, package, f'http://127.0.0.1:{server.server_port}')
        digest = hashlib.sha256(package.read_bytes()).hexdigest()
        job = ('env', '--chdir=/home', 'SHEAF_PACKAGE=sheaf.deb', f'SHEAF_SHA256={digest}', 'SHEAF_UPLOAD=cp -r public/. /srv/', './sheaf-ci', 'all')
        said = bare.run(*job)
        check('using /usr/bin/sheaf' in said and 'restored 0 collections' in said and '64 new' in said, f'sheaf-ci said:\n{said}')
        check(len(list((live / 'scp').glob('all-snapshot-*'))) == 2, f'sheaf-ci uploaded {os.listdir(live)}')
        for folder in ('public/scp', '.sheaf'):
            shutil.rmtree(bare.root / 'home' / folder)
        said = bare.run(*job)
        check('restored 2 collections' in said and 'nothing changed' in said, f'the second time sheaf-ci said:\n{said}')
        server.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--packages', required=True, type=pathlib.Path)
    parser.add_argument('--bare', required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    reason = 'not root' if os.getuid() != 0 else 'debootstrap is not installed' if not shutil.which('debootstrap') else ''
    if reason:
        print(f'skipped: {reason}')
        sys.exit(SKIPPED)
    packages, cache = arguments.packages.resolve(), arguments.bare.resolve()
    with tempfile.TemporaryDirectory(prefix='sheaf-container-') as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        check_image_steps(packages, cache, folder)
    check_ci_as_root(packages, cache)
    print('the container file and the CI script work in a bare Debian')


if __name__ == '__main__':
    main()
