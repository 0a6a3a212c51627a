"""npm packages that tests use, fetched once into a folder of the build."""
import fcntl
import json
import pathlib
import shutil
import subprocess


def fetch(folder, *packages):
    """The folder with node_modules, which contains `packages` (NAME@VERSION). None without node, or if npm cannot fetch them.

    Tests that need the same packages at the same time wait for the first one. Without a network npm gives up after seconds.
    """
    folder = pathlib.Path(folder).absolute()
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(f"{folder.name}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted, complete = "\n".join(packages), folder / "complete"
        if complete.exists() and complete.read_text() == wanted:
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--prefix", str(folder)]
        try:
            done = subprocess.run([*command, *packages], capture_output=True, timeout=300)
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode != 0:
            return None
        complete.write_text(wanted)  # an npm that was killed leaves half of its packages
        return folder


def unpack_program(folder, package, may_fetch, timeout=3000):
    """The folder `package` of a program that is installed as its own project, with its dependencies. None if it is not there and may not or
    cannot be fetched.

    For programs whose dependencies are partly files in their own archive, which `npm install NAME` cannot resolve. Optional ones, which are
    native modules, and those for developers are left out.
    """
    folder = pathlib.Path(folder).absolute()
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    complete = folder / "complete"
    if complete.exists() and complete.read_text() == package:
        return folder / "package"
    if not may_fetch:
        return None
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, timeout=timeout)
        shutil.unpack_archive(next(folder.glob("*.tgz")), folder, "gztar")
        settings = folder / "package/package.json"
        project = {name: value for name, value in json.loads(settings.read_text()).items() if name not in ("devDependencies", "optionalDependencies")}
        settings.write_text(json.dumps(project))
        # It would make npm ask another registry.
        (folder / "package/yarn.lock").unlink(missing_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"], cwd=folder / "package",
                       check=True, capture_output=True, timeout=timeout)
    except (OSError, StopIteration, shutil.ReadError, subprocess.SubprocessError):
        return None
    complete.write_text(package)
    return folder / "package"
