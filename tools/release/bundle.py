"""Copies the shared libraries that programs need next to them, and writes archives whose bytes depend on their contents only."""
import gzip, io, os, pathlib, re, shutil, struct, subprocess, tarfile

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


def rename_needed(file, names):
    """Gives the libraries that an ELF file names, and itself if it is one of them, other names of the same length: only bytes of its table of
    names change."""
    data = bytearray(file.read_bytes())
    if data[:6] != b'\x7fELF\x02\x01':
        raise SystemExit(f'{file} is no ELF file of 64 bits in little-endian order')
    headers, size, count = struct.unpack_from('<Q', data, 32)[0], *struct.unpack_from('<HH', data, 54)
    segments = [struct.unpack_from('<IIQQQQQQ', data, headers + i * size) for i in range(count)]  # type, flags, offset, address, _, bytes in the file, _, _
    [dynamic] = [segment for segment in segments if segment[0] == 2]
    entries = dict(struct.unpack_from('<QQ', data, dynamic[2] + 16 * i) for i in range(dynamic[5] // 16))
    address, length = entries[5], entries[10]
    [begin] = [segment[2] + address - segment[3] for segment in segments if segment[0] == 1 and segment[3] <= address < segment[3] + segment[5]]
    table = bytes(data[begin:begin + length])
    for old, new in names.items():
        table = table.replace(b'\0' + old.encode() + b'\0', b'\0' + new.encode() + b'\0')
    data[begin:begin + length] = table
    file.write_bytes(data)


def bundle(ours, folder, leave, rename):
    """Copies into `folder` the libraries that `ours` need, except those whose names match `leave`. Our libraries are in `folder` and search it for what
    they and the copies need. With `rename`, the copies have names of their own, so that they can be loaded next to the same libraries of the system.
    Returns their packages."""
    needed = {name: path for name, path in libraries_of(ours).items() if not GLIBC.match(name) and not re.match(leave, name)}
    names = {name: name.replace('lib', 'shf', 1) if rename else name for name in needed}
    for name, path in needed.items():
        shutil.copyfile(os.path.realpath(path), folder / names[name])
        (folder / names[name]).chmod(0o755)
    for file in [*ours, *(folder / name for name in names.values())]:
        if rename:
            rename_needed(file, names)
        listing = call('objdump', '-p', file)
        if file not in ours and 'RUNPATH' in listing:
            raise SystemExit(f'{file} has a path of its own, so it would not search {folder}')
        for name in re.findall(r'NEEDED\s+(\S+)', listing):
            if not (folder / name).exists() and not GLIBC.match(name) and not re.match(leave, name):
                raise SystemExit(f'{file.name} would not find {name}')
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
