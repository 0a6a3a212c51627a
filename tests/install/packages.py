#!/usr/bin/env python3
"""Makes the Debian packages of a build and tests them as on a user's machine.

usage: packages.py --build FOLDER [--out FOLDER] [--bare CACHE]

Always: cpack, lintian (any error is a fault, on Debian 12 any warning too), what is in them, what they depend on, the flags of the program.
With --bare, as root: a bare Debian of this machine's release (debootstrap; CACHE keeps it and what apt fetched for the next time) gets them by apt. There the program
publishes, validates, serves and pulls, and the example programs are built with CMake and with pkg-config and run. Then they are removed again.
"""
import argparse, os, pathlib, platform, re, shutil, socket, subprocess, sys, tempfile

from example_programs import PUBLIC_HEADERS, call, check, check_programs

NEEDED_FILES = {
    'sheaf': ['/usr/bin/sheaf', '/usr/share/man/man1/sheaf.1.gz', '/usr/share/man/man1/sheaf-pull.1.gz', '/usr/share/bash-completion/completions/sheaf',
              '/usr/share/zsh/vendor-completions/_sheaf', '/usr/share/fish/vendor_completions.d/sheaf.fish', '/usr/lib/systemd/system/sheaf-serve.service',
              '/usr/share/doc/sheaf/docs/README.md', '/usr/share/doc/sheaf/docs/commands/pull.md', '/usr/share/doc/sheaf/examples/site/index.html',
              'LIB/sheaf/libscp.so', 'LIB/sheaf/libsheaf.so', 'LIB/sheaf/libsheaf_commands.so'],
    'sheaf-shared-store': ['LIB/sheaf/libsheaf_shared_store.so'],
    'sheaf-sql-sources': ['LIB/sheaf/libsheaf_sql_sources.so'],
    'sheaf-browse': ['LIB/sheaf/libsheaf_browse.so'],
    'sheaf-doctor': ['LIB/sheaf/libsheaf_doctor.so'],
    'python3-sheaf': ['/usr/lib/python3/dist-packages/sheaf/__init__.py', '/usr/lib/python3/dist-packages/sheaf/py.typed'],
    'libscp-dev': ['/usr/include/sheaf/reader.h', '/usr/include/sheaf/extract.h', 'LIB/libscp.a', 'LIB/pkgconfig/scp.pc'],
    'libsheaf-dev': ['LIB/libsheaf.a', 'LIB/libsheaf_shared_store.a', 'LIB/libsheaf_sql_sources.a', 'LIB/pkgconfig/sheaf-shared-store.pc','/usr/include/sheaf/sheaf.h', '/usr/include/sheaf/store.h', '/usr/share/doc/libsheaf-dev/examples/collect.cpp'],
}
PARTS = ('sheaf-shared-store', 'sheaf-sql-sources', 'sheaf-browse', 'sheaf-doctor')
SKIPPED = 77
MOUNTS = ('dev/pts', 'dev/shm', 'sys', 'proc')


def make_packages(build, out):
    shutil.rmtree(out, ignore_errors=True)
    call('cpack', '--config', build / 'CPackConfig.cmake', '-B', out)
    packages = {name: sorted(out.glob(f'{name}_*.deb')) for name in NEEDED_FILES}
    for name, files in packages.items():
        check(len(files) == 1, f'cpack made {files} for {name}')
    return {name: files[0] for name, files in packages.items()}


def check_contents(packages, is_release):
    public = set()
    for name, package in packages.items():
        listing = call('dpkg-deb', '--contents', package)
        files = set(re.findall(r' \.(/\S*)', listing))
        for file in NEEDED_FILES[name]:
            file = file.replace('LIB/', f'/usr/lib/{platform.machine()}-linux-gnu/')
            check(file in files, f'{package.name} has no {file}')
        headers = {file.removeprefix('/usr/include/') for file in files if file.endswith('.h')}
        check(name in ('libscp-dev', 'libsheaf-dev') or not headers, f'{package.name} has the headers {sorted(headers)}')
        check(not headers & public, f'{package.name} and another package have the headers {sorted(headers & public)}')
        public |= headers
        for line in listing.splitlines():
            check(' root/root ' in line, f'{package.name}: not owned by root: {line}')
        # Other versions of lintian have other warnings, which the packages do not consider.
        fail_on = 'error,warning' if 'VERSION_ID="12"' in pathlib.Path('/etc/os-release').read_text() else 'error'
        lintian = subprocess.run(['lintian', '--allow-root', '--fail-on', fail_on, package], capture_output=True, text=True)
        check(lintian.returncode == 0, f'lintian {package.name}:\n{lintian.stdout}{lintian.stderr}')
    check(public == PUBLIC_HEADERS, f'the packages have other headers than the project: {sorted(public ^ PUBLIC_HEADERS)}')
    with tempfile.TemporaryDirectory() as folder:
        # All in one folder: the parts look for the libraries of `sheaf` in their own.
        for name in ('sheaf', *PARTS):
            call('dpkg-deb', '--extract', packages[name], folder)
        for name in ('sheaf', *PARTS):
            check_dependencies(packages[name], pathlib.Path(folder))
        for program in [pathlib.Path(folder) / 'usr/bin/sheaf', *pathlib.Path(folder).glob('usr/lib/*/sheaf/*.so')]:
            if is_release:
                check_hardening(program)


def check_dependencies(package, folder):
    """Checks that the package depends on one package for each library that its files link, and on no other."""
    paths = [folder / name.lstrip('./') for name in re.findall(r' (\./usr/(?:bin|lib/[^/]*/sheaf)/\S*[^/])$', call('dpkg-deb', '--contents', package), re.M)]
    ours = {path.name for path in folder.glob('usr/lib/*/sheaf/*.so')}
    owners = set()
    for path in paths:
        found = dict(re.findall(r'(\S+) => (\S+)', call('ldd', path)))
        for library in set(re.findall(r'\(NEEDED\).*\[(.*)\]', call('readelf', '--dynamic', path))) - ours:
            owners.add('libc6' if library.startswith('ld-linux') else owner_of(found[library]))
    depends = call('dpkg-deb', '--field', package, 'Depends').strip()
    named = {re.split(r'[ (:]', each.strip())[0] for each in depends.split(',')} - {'sheaf'}
    check(named == owners, f'{package.name} depends on {sorted(named)}, and is linked with {sorted(owners)}')


def owner_of(path):
    for spelling in (path, os.path.realpath(path), path.removeprefix('/usr'), '/usr' + path):
        found = subprocess.run(['dpkg-query', '--search', spelling], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(':')[0]
    sys.exit(f'no package has {path}')


def check_hardening(program):
    check('Type:' in (head := call('readelf', '--file-header', program)) and 'DYN' in head, 'the program is not position independent')
    dynamic = call('readelf', '--dynamic', '--wide', program)
    check('BIND_NOW' in dynamic or 'NOW' in dynamic, 'the program binds its symbols late')
    check('GNU_RELRO' in call('readelf', '--program-headers', '--wide', program), 'the program has no read-only relocations')
    symbols = call('readelf', '--dyn-syms', '--wide', program)
    check('__stack_chk_fail' in symbols, f'{program} has no stack protector')
    check(program.suffix == '.so' or re.search(r'__\w+_chk@', symbols.replace('__stack_chk_fail', '')), 'the program has no fortified functions')


class Bare:
    """A Debian with nothing in it, of the release that the packages were made on unless another is named."""

    def __init__(self, cache, suite=None):
        self.cache, self.root, self.bound = cache, pathlib.Path(tempfile.mkdtemp(prefix='sheaf-bare-')), []
        self.suite = suite or platform.freedesktop_os_release()['VERSION_CODENAME']

    def __enter__(self):
        try:
            self.prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def prepare(self):
        archive = self.cache / f'{self.suite}.tar'
        self.archives.mkdir(parents=True, exist_ok=True)
        if not archive.exists():
            call('debootstrap', '--variant=minbase', self.suite, self.root)
            call('tar', '-C', self.root, '-cf', f'{archive}.tmp', '.')
            os.replace(f'{archive}.tmp', archive)
        else:
            call('tar', '-C', self.root, '-xpf', archive)
        self.root.chmod(0o755)
        shutil.copy('/etc/resolv.conf', self.root / 'etc/resolv.conf')
        call('mount', '-t', 'proc', 'proc', self.root / 'proc')
        for name, kind in (('dev/shm', 'tmpfs'), ('dev/pts', 'devpts')):
            (self.root / name).mkdir(exist_ok=True)
            call('mount', '-t', kind, kind, self.root / name)
        for file in self.archives.glob('*.deb'):
            shutil.copy(file, self.root / 'var/cache/apt/archives')
        self.run('apt-get', 'update', '-qq')

    def __exit__(self, *_):
        for file in (self.root / 'var/cache/apt/archives').glob('*.deb'):
            shutil.copy(file, self.archives)
        for mount in [*self.bound, *MOUNTS]:
            subprocess.run(['umount', '--lazy', self.root / mount], capture_output=True)
        subprocess.run(['rm', '-rf', '--one-file-system', self.root], check=True)

    @property
    def archives(self):
        return self.cache / f'archives-{self.suite}'

    def command(self, *words):
        return ['chroot', str(self.root), 'env', '-i', 'HOME=/root', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive',
                *map(str, words)]

    def run(self, *words):
        return call(*self.command(*words))

    def install(self, *packages):
        return self.run('apt-get', 'install', '-y', '-qq', '-o', 'APT::Keep-Downloaded-Packages=true', '-o', 'APT::Sandbox::User=root',
                        '--no-install-recommends', *packages)

    def bind(self, folder):
        """Mounts the folder under the same name inside the root."""
        inside = self.root / folder.relative_to('/')
        inside.mkdir(parents=True, exist_ok=True)
        call('mount', '--bind', folder, inside)
        self.bound.append(inside.relative_to(self.root))

    def program(self, folder, path):
        """Returns a program on this machine that runs the one inside the root."""
        wrapper = folder / path.replace('/', '-')
        wrapper.write_text('#!/bin/sh\nexec ' + ' '.join(self.command(path)) + ' "$@"\n')
        wrapper.chmod(0o755)
        return wrapper


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def check_program(bare, version):
    said = bare.run('sheaf', '--version')
    check(re.match(rf'sheaf {re.escape(version)}\nwith simdjson \S+, zstd \S+,', said), f'sheaf --version said {said}')
    bare.run('sh', '-c', 'cp -r /usr/share/doc/sheaf/examples /home/examples')
    out = bare.run('sh', '-ec', 'cd /home/examples; cp -r site own; sheaf publish own --base https://tarnvane.example --out own/scp; sheaf validate --strict own/scp/*')
    check('all: 64 pages: 64 new' in out and out.count(': valid\n') == 2, f'publishing and validating said:\n{out}')
    out = bare.run('sh', '-ec', f'cd /home/examples; ./make-store /home/copy {free_port()}; sheaf verify --store /home/copy')
    check(out == '64 pages in 1 section, 64 changes: no faults\n', f'pulling said:\n{out}')


def check_library(bare):
    examples = '/usr/share/doc/libsheaf-dev/examples'
    bare.install('g++', 'cmake', 'make')
    bare.run('sh', '-ec', f'cmake -S {examples} -B /home/by-cmake && cmake --build /home/by-cmake -j2')
    bare.run('sh', '-ec', f'g++ -std=c++23 {examples}/collect.cpp -o /home/collect $(pkg-config --cflags --libs --static sheaf)')
    with tempfile.TemporaryDirectory(prefix='sheaf-programs-') as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        bare.bind(folder)
        (folder / 'work').mkdir()
        programs = [bare.program(folder, path) for path in ('/home/collect', '/home/by-cmake/pack', '/usr/bin/sheaf')]
        check_programs(*programs, folder / 'work')
        call('umount', bare.root / folder.relative_to('/'))


def check_in_bare_debian(packages, cache, version):
    with Bare(cache) as bare:
        for package in packages.values():
            shutil.copy(package, bare.root / 'home')
        bare.install(f'/home/{packages["sheaf"].name}')
        check_program(bare, version)
        missing = bare.run('sh', '-c', 'sheaf doctor --list 2>&1 || true')
        check('apt-get install sheaf-doctor' in missing, f'without its package, doctor said {missing}')
        bare.install(*(f'/home/{packages[name].name}' for name in PARTS))
        check('browse' in bare.run('sheaf', 'browse', '--help') and bare.run('sheaf', 'doctor', '--list'), 'the parts do not work')
        bare.install(f'/home/{packages["python3-sheaf"].name}')
        bare.run('env', 'PYTHONDONTWRITEBYTECODE=1', 'python3', '-c', 'import sheaf; assert sheaf.Store("/home/copy").sections(); print(sheaf.extract("<h1>A page", url="https://a.example/"))')
        bare.install(*(f'/home/{packages[name].name}' for name in ('libscp-dev', 'libsheaf-dev')))
        check_library(bare)
        bare.run('apt-get', 'purge', '-y', '-qq', *packages)
        left = bare.run('find', '/usr', '/etc', '/var/lib', '-path', '/var/lib/apt', '-prune', '-o', '-name', '*sheaf*', '-print').strip()
        check(not left, f'the packages left behind:\n{left}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, type=pathlib.Path)
    parser.add_argument('--out', type=pathlib.Path, help='where the packages go; nowhere unless given')
    parser.add_argument('--bare', type=pathlib.Path)
    arguments = parser.parse_args()
    missing = [tool for tool in ('lintian', 'dpkg-deb', 'dpkg-shlibdeps') if not shutil.which(tool)]
    if missing:
        print(f'skipped: {", ".join(missing)} not installed')
        sys.exit(SKIPPED)
    cache = (arguments.build / 'CMakeCache.txt').read_text()
    version = re.search(r'CMAKE_PROJECT_VERSION:\w+=(\S+)', cache)[1]
    with tempfile.TemporaryDirectory(prefix='sheaf-packages-') as folder:
        out = (arguments.out or pathlib.Path(folder) / 'out').resolve()
        packages = make_packages(arguments.build.resolve(), out)
        check_contents(packages, 'CMAKE_BUILD_TYPE:STRING=Release' in cache)
        if arguments.bare:
            check_in_bare_debian(packages, arguments.bare.resolve(), version)
    print('the packages are right' + (', and work in a bare Debian' if arguments.bare else ''))


if __name__ == '__main__':
    main()
