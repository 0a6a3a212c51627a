"""What the site builders share: files, programs, npm packages, a picture."""
import os
import random
import shutil
import struct
import subprocess
import zlib


class Missing(Exception):
    pass


def png(width=320, height=200):
    """Returns a picture of noise, so that it stays large: generators put small pictures into the page itself."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + random.Random(row).randbytes(width) for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)


def run(command, folder, given=None, **environment):
    """Runs a program and waits for it. `given` is its standard input."""
    result = subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, timeout=600,
                            env={**os.environ, "CI": "1", "NO_COLOR": "1", **environment})
    if result.returncode != 0:
        raise Missing(f"{command[0]} failed: {(result.stderr or result.stdout).strip()[-400:]}")


def need(program):
    if shutil.which(program) is None:
        raise Missing(f"{program} is not installed")


def link_modules(folder, node, name, *packages):
    """Links the generator's packages into the folder of the site, as if npm had installed them there."""
    modules = os.path.join(node or "", name, "node_modules")
    for package in packages:
        if not os.path.isdir(os.path.join(modules, package)):
            raise Missing(f"npm package {package} is not in {modules}")
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, "node_modules")
    if not os.path.islink(target):
        os.symlink(os.path.abspath(modules), target)
