"""npm packages that tests use, fetched once into a folder of the build."""
import fcntl
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
