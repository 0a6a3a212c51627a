"""Copies the shared libraries that programs need next to them, and writes archives whose bytes depend on their contents only."""
import gzip, hashlib, io, os, pathlib, re, shutil, subprocess, tarfile

# The libraries of glibc, which every system has in its own version.
GLIBC = re.compile(r'^(ld-linux.*|linux-vdso|lib(c|m|dl|pthread|rt|resolv|util|mvec|anl|nsl))\.so')


def call(*command, **how):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True, **how).stdout


def libraries_of(files):
    """{name: path} of the libraries outside our own that these files need, and that those need. Fails if one is missing."""
    found = {}
    for file in files:
        for line in call('ldd', file).splitlines():
            if 'not found' in line:
                raise SystemExit(f'{file}: {line.strip()}')
            if match := re.match(r'\s*(\S+) => (/\S+)', line):
                found[match[1]] = pathlib.Path(match[2])
    ours = {file.name for file in files}
    return {name: path for name, path in sorted(found.items()) if name not in ours}


def package_of(path):
    """The Debian package that has a file. The merged /usr has two names for each library."""
    names = [os.path.realpath(path), str(path)]
    for name in dict.fromkeys([*names, *(name.removeprefix('/usr') for name in names)]):
        found = subprocess.run(['dpkg', '-S', name], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split(':')[0]
    raise SystemExit(f'no package has {path}')


def bundle(ours, folder, leave, rename):
    """Copies into `folder` the libraries that `ours`, files in it, need, except those whose names match `leave`, and lets all find each other there. With
    `rename`, the copies have names of their own, so that they can be loaded next to the same libraries of the system. Returns their packages."""
    needed = {name: path for name, path in libraries_of(ours).items() if not GLIBC.match(name) and not re.match(leave, name)}
    names = {}
    for name, path in needed.items():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        names[name] = re.sub(r'\.so', f'-{digest}.so', name, count=1) if rename else name
        shutil.copyfile(os.path.realpath(path), folder / names[name])
    for file in [*ours, *(folder / name for name in names.values())]:
        file.chmod(0o755)
        options = ['--set-rpath', '$ORIGIN'] if file.parent == folder else []
        if rename:
            options += ['--set-soname', file.name] if file.name in names.values() else []
            wanted = call('patchelf', '--print-needed', file).split()
            options += [word for name in wanted if name in names for word in ('--replace-needed', name, names[name])]
        if options:
            call('patchelf', *options, file)
    return sorted({package_of(path) for path in needed.values()})


def tree(folder):
    """Every file and folder below, in the order of their names."""
    return sorted(folder.rglob('*'), key=lambda path: path.relative_to(folder).as_posix())


def write_tar(out, entries, epoch):
    """`entries`: (name in the archive, path). Owners and times are those of every build."""
    def normal(info):
        info.uid = info.gid = 0
        info.uname = info.gname = 'root'
        info.mtime = epoch
        info.mode = 0o777 if info.issym() else 0o755 if info.isdir() or info.mode & 0o100 else 0o644
        return info
    with tarfile.open(fileobj=out, mode='w', format=tarfile.GNU_FORMAT) as archive:
        for name, path in entries:
            archive.add(path, name, recursive=False, filter=normal)


def gzipped_tar(entries, epoch):
    plain = io.BytesIO()
    write_tar(plain, entries, epoch)
    packed = io.BytesIO()
    with gzip.GzipFile(filename='', mode='wb', fileobj=packed, mtime=epoch, compresslevel=9) as file:
        file.write(plain.getbuffer())
    return packed.getvalue(), plain.getvalue()
