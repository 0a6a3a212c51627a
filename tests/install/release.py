#!/usr/bin/env python3
"""Makes the files of a release from a build, and tests them as on a user's machine.

usage: release.py --build FOLDER [--files FOLDER] [--bare CACHE]

Always: a second time they have the same bytes; checksums and signature; the list of parts names every library; the image is what its manifest says; the
tarball runs from another folder. --files tests files that were made before instead. With --bare, as root: in a bare Debian 12 and 13 (debootstrap; CACHE
keeps them) the tarball publishes, serves and pulls, the wheel reads, extracts and opens a store, and the image runs; packages.py tests the packages.
"""
import argparse, hashlib, io, json, os, pathlib, platform, re, shutil, subprocess, sys, tarfile, tempfile, zipfile

from example_programs import ROOT, call, check
from packages import SKIPPED, Bare, free_port, owner_of

MAKE = ROOT / 'tools/release/make_release'
GLIBC = re.compile(r'^(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|util|mvec|anl)\.so.*)$')


def make(build, folder):
    """Makes the files with a key of its own, in an environment that differs each time."""
    folder.mkdir()
    call('minisign', '-G', '-W', '-f', '-p', folder / 'key.pub', '-s', folder / 'key')
    call(sys.executable, MAKE, '--build', build, '--out', folder / 'files', '--key', folder / 'key', env={**os.environ, 'TZ': 'Asia/Tokyo', 'TMPDIR': str(folder)})
    return folder / 'files'


def check_same(first, second):
    names = sorted(path.name for path in first.iterdir() if path.suffix != '.minisig')
    check(names == sorted(path.name for path in second.iterdir() if path.suffix != '.minisig'), f'{names}, then other files')
    for name in names:
        check((first / name).read_bytes() == (second / name).read_bytes(), f'{name} has other bytes the second time')


def check_checksums(files, key=None):
    call('sha256sum', '--check', '--strict', '--quiet', 'SHA256SUMS', cwd=files)
    listed = {line.split()[1] for line in (files / 'SHA256SUMS').read_text().splitlines()}
    there = {path.name for path in files.iterdir() if not path.name.startswith('SHA256SUMS')}
    check(listed == there, f'SHA256SUMS does not list the files: {sorted(listed ^ there)}')
    if key:
        call('minisign', '-V', '-p', key, '-m', files / 'SHA256SUMS')
        wrong = subprocess.run(['minisign', '-V', '-p', key, '-x', files / 'SHA256SUMS.minisig', '-m', next(files.glob('*.json'))], capture_output=True)
        check(wrong.returncode != 0, 'the signature fits another file')


def only(files, pattern):
    [file] = files.glob(pattern)
    return file


def check_tarball(files, folder):
    with tarfile.open(only(files, 'sheaf-*-linux-*.tar.gz')) as archive:
        check(len({member.name.split('/')[0] for member in archive}) == 1, 'the tarball has more than one folder')
        check(all((member.uid, member.gid) == (0, 0) for member in archive), 'files of the tarball have owners')
        archive.extractall(folder)
    [top] = folder.iterdir()
    moved = folder / 'moved to another folder'
    top.rename(moved)
    call(moved / 'bin/sheaf', 'validate', ROOT / 'examples/monday.scp')
    check('sheaf doctor' not in call(moved / 'bin/sheaf', 'doctor', '--list'), 'a part of the program is missing')
    [libraries] = moved.glob('lib/*/sheaf')
    for library in libraries.iterdir():
        for line in call('objdump', '-p', library).splitlines():
            if match := re.match(r'\s+NEEDED\s+(\S+)', line):
                check((libraries / match[1]).exists() or GLIBC.match(match[1]), f'{library.name} needs {match[1]}, which is not in the tarball')
    return {path.name for path in libraries.iterdir()}


def check_parts_list(files, libraries):
    document = json.loads(only(files, '*.spdx.json').read_text())
    check(document['spdxVersion'] == 'SPDX-2.3' and document['documentNamespace'], 'the list of parts is no SPDX 2.3')
    named = {package['name'] for package in document['packages']}
    check({entry['relatedSpdxElement'] for entry in document['relationships']} == {package['SPDXID'] for package in document['packages']} - {'SPDXRef-sheaf'},
          'the list of parts has packages without a relationship')
    for library in libraries:
        if not library.startswith(('libscp', 'libsheaf')):
            owner = owner_of(f'/usr/lib/{platform.machine()}-linux-gnu/{library}')
            check(owner in named, f'the list of parts has no {owner}, which has {library}')
    check({'libcli11-dev', 'libc6'} <= named, 'the list of parts lacks what is compiled in, or glibc')


def check_wheel(files):
    wheel = only(files, 'sheaf-*.whl')
    check(re.search(r'-py3-none-manylinux_2_\d+_\w+\.whl$', wheel.name), f'{wheel.name} is no wheel for manylinux')
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        check(archive.testzip() is None and all(not name.startswith('sheaf/lib/lib') or re.match(r'sheaf/lib/lib(scp|sheaf)', name) for name in names),
              'the wheel has libraries under the names of the system')


def check_image(files, folder):
    """Unpacks the image, following its digests. Returns the root of the container."""
    with tarfile.open(only(files, '*-oci.tar')) as archive:
        archive.extractall(folder / 'image')

    def blob(entry):
        data = (folder / 'image/blobs' / entry['digest'].replace(':', '/')).read_bytes()
        check(len(data) == entry['size'] and entry['digest'] == f'sha256:{hashlib.sha256(data).hexdigest()}', f'{entry} is not what the image has')
        return data

    check(json.loads((folder / 'image/oci-layout').read_text()) == {'imageLayoutVersion': '1.0.0'}, 'the layout of the image is unknown')
    [index] = json.loads((folder / 'image/index.json').read_text())['manifests']
    manifest = json.loads(blob(index))
    config, [layer] = json.loads(blob(manifest['config'])), manifest['layers']
    check(config['config']['User'] == '10001:10001' and config['config']['Entrypoint'] == ['/usr/bin/sheaf'], f'the image runs {config["config"]}')
    with tarfile.open(fileobj=io.BytesIO(blob(layer)), mode='r:gz') as archive:
        archive.extractall(folder / 'root')
    if os.getuid() == 0:
        shutil.copytree(ROOT / 'examples/site', folder / 'root/site/public')
        (folder / 'root/proc').mkdir()  # as in every container
        run = lambda *words: call('unshare', '--mount', 'sh', '-ec', 'mount -t proc proc "$0/proc"; exec env -i PATH=/usr/bin "$(command -v chroot)" "$0" /usr/bin/sheaf "$@"',
                                  folder / 'root', *words)
        check('64 new' in run('publish', '/site/public', '--base', 'https://tarnvane.example', '--out', '/site/public/scp'), 'the image does not publish')
        check('tls-certificate' in run('doctor', '--list'), 'a part of the program is missing in the image')


def check_in_bare_debian(files, cache, suite):
    with Bare(cache, suite) as bare:
        for file in (only(files, 'sheaf-*-linux-*.tar.gz'), only(files, 'sheaf-*.whl')):
            shutil.copy(file, bare.root / 'home')
        shutil.copytree(ROOT / 'examples', bare.root / 'home/examples')
        bare.run('sh', '-ec', 'cd /home; tar xf sheaf-*.tar.gz; rm sheaf-*.tar.gz; mv sheaf-*-linux-* "a folder"')
        path = 'PATH="/home/a folder/bin:$PATH"; cd /home/examples; '
        check('valid' in bare.run('sh', '-ec', path + 'sheaf validate monday.scp'), 'the tarball does not validate')
        out = bare.run('sh', '-ec', path + 'cp -r site own; sheaf publish own --base https://tarnvane.example --out own/scp; sheaf validate --strict own/scp/*')
        check('all: 64 pages: 64 new' in out and out.count(': valid\n') == 2, f'publishing and validating said:\n{out}')
        out = bare.run('sh', '-ec', path + f'./make-store /home/copy {free_port()} >/dev/null 2>&1; sheaf verify --store /home/copy; sheaf index --store /home/copy')
        check('64 pages in 1 section, 64 changes: no faults\n' in out, f'pulling said:\n{out}')
        bare.install('python3', 'python3-pip')
        bare.run('sh', '-c', 'python3 -m pip install --no-index --no-deps --break-system-packages --target /home/python /home/*.whl 2>&1 || '
                             'python3 -m pip install --no-index --no-deps --target /home/python /home/*.whl')
        said = bare.run('sh', '-c', 'cd /home/examples; PYTHONPATH=/home/python python3 -c "import sheaf, ssl, hashlib, sqlite3; '
                                    'print(sheaf.validate(\'monday.scp\')[\'valid\'], sheaf.extract(\'<title>T</title><p>Words.\', url=\'https://a.example/\').title, '
                                    'len(list(sheaf.Store(\'/home/copy\').pages())))"')
        check(said == 'True T 64\n', f'the wheel said {said}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path)
    parser.add_argument('--files', type=pathlib.Path)
    parser.add_argument('--bare', type=pathlib.Path)
    arguments = parser.parse_args()
    missing = [tool for tool in ('minisign', 'dpkg-shlibdeps', 'objdump') if not shutil.which(tool)]
    if missing:
        print(f'skipped: {", ".join(missing)} not installed')
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix='sheaf-release-') as name:
        folder = pathlib.Path(name)
        files, key = arguments.files, None
        if not files:
            files, key = make(arguments.build.resolve(), folder / 'first'), folder / 'first/key.pub'
            check_same(files, make(arguments.build.resolve(), folder / 'second'))
        files = files.resolve()
        check_checksums(files, key)
        for part in ('tarball', 'image'):
            (folder / part).mkdir()
        check_parts_list(files, check_tarball(files, folder / 'tarball'))
        check_wheel(files)
        check_image(files, folder / 'image')
        if arguments.bare:
            for suite in ('bookworm', 'trixie'):
                check_in_bare_debian(files, arguments.bare.resolve(), suite)
    print('the files of the release are right' + (', and work in bare Debian 12 and 13' if arguments.bare else ''))


if __name__ == '__main__':
    main()
