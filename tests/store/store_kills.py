#!/usr/bin/env python3
"""Kills a writer of a store between any two changes to the file system, and checks what is left.

usage: store_kills.py --sheaf PROGRAM --fill PROGRAM --shim LIBRARY [--points N] [--seed N]

Each operation (a first snapshot, a delta, a snapshot with deletions, an edit, taking a section away; small ones that are one
batch, large ones that go by files) is done to a copy of a store with SIGKILL before the Nth call that changes the file
system, for N points chosen by the seed (all of them, if there are fewer). After each kill the store must verify and be
exactly as before or as after; done once more undisturbed, it must be as after.

Then the same operations run out of disk at any write: from there on every write fails. They must end with an error that names
the disk, never by an assertion of the database, and the store must be as it was; once there is room again, it must be as after.

At last packing (gc) runs out of disk at one write after the other: it must say so, and the store must be as before.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SITE = "https://example.com"


def write_collection(path, generated, pages, since=None, removed=(), text="Words."):
    head = {"id": "x", "section": "blog", "type": "delta" if since else "snapshot", "generated": generated, "version": "0.1"}
    if since:
        head["since"] = since
    if removed:
        head["removed"] = [f"{SITE}/{name}" for name in removed]
    with path.open("w") as out:
        out.write(json.dumps({"collection": head}) + "\n")
        for name, modified in pages:
            # Noise, so that large files are not refused for compressing too well.
            words = text if len(text) < 100 else "".join(random.Random(f"{name}{modified}").choices("abcdefgh ", k=len(text)))
            out.write(json.dumps({"url": f"{SITE}/{name}", "title": f"Page {name}", "description": "About", "modified": modified,
                                  "language": "en", "content": [{"type": "text", "text": words}]}) + "\n")


def day(number):
    return f"2026-01-{number:02d}T00:00:00Z"


def collections(folder):
    """Files by name: each has a small and a large form."""
    few = [(f"p{n}", day(1)) for n in range(40)]
    write_collection(folder / "few.scp", day(2), few)
    write_collection(folder / "few-delta.scp", day(3), [("p1", day(3)), ("new", day(3))], since=day(2), removed=["p2"])
    write_collection(folder / "few-later.scp", day(4), few[:25] + [("p30", day(4))])
    # Over 2 MiB of pages and 8 MiB of index and feed.
    many = [(f"folder/with-a-name-of-some-length-to-fill-the-index-sooner/page-number-{n}", day(1)) for n in range(24000)]
    write_collection(folder / "many.scp", day(2), many)
    write_collection(folder / "many-later.scp", day(4), [(name, day(4)) for name, _ in many[:14000]])
    # Large pages, small index.
    write_collection(folder / "large.scp", day(2), few, text="x" * 100_000)


class Runner:
    def __init__(self, sheaf, fill, shim):
        self.sheaf, self.fill_program, self.shim = sheaf, fill, shim

    def fill(self, store, arguments, **environment):
        env = {"PATH": "/usr/bin:/bin", **environment}
        if environment:
            env["LD_PRELOAD"] = self.shim
        return subprocess.run([self.fill_program, str(store), SITE, *map(str, arguments)], env=env, capture_output=True, text=True)

    def read(self, store, *arguments):
        result = subprocess.run([self.sheaf, *arguments, "--store", str(store), "--json"], capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    def state(self, store):
        """Pages and their times; nothing where there is no store yet."""
        code, out, errors = self.read(store, "list")
        if "there is no store" in errors:
            return frozenset()
        if code != 0:
            raise SystemExit(f"cannot list: {errors}")
        return frozenset((page["url"], page["modified"], page["section"]) for page in map(json.loads, out.splitlines()))

    def check(self, store, what):
        code, out, errors = self.read(store, "verify")
        if code != 0 and "there is no store" not in errors:
            raise SystemExit(f"{what}: {out}{errors}")


def kill_everywhere(runner, folder, name, ready, arguments, options):
    """Returns the number of kills."""
    trial, done, count_file = folder / "trial", folder / "done", folder / "count"

    def fresh(path):
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(ready, path)

    fresh(done)
    result = runner.fill(done, arguments, SHEAF_FAULT_COUNT=str(count_file))
    if result.returncode != 0:
        raise SystemExit(f"{name}: failed undisturbed: {result.stdout}{result.stderr}")
    runner.check(done, f"{name}, undisturbed")
    before, after = runner.state(ready), runner.state(done)
    calls = int(count_file.read_text())
    kills = 0
    for point in sorted(random.Random(options.seed).sample(range(1, calls + 1), min(calls, options.points))):
        fresh(trial)
        code = runner.fill(trial, arguments, SHEAF_FAULT_KILL_AT=str(point)).returncode
        if code not in (0, -9):
            raise SystemExit(f"{name}, point {point}: ended with {code} instead of being killed")
        kills += code == -9
        # A reader runs before any writer has cleaned up.
        runner.check(trial, f"{name}, killed at {point}")
        if runner.state(trial) not in (before, after):
            raise SystemExit(f"{name}, point {point}: neither as before nor as after")
        # The next writer runs. If the operation had already taken effect, doing nothing is also correct.
        result = runner.fill(trial, arguments)
        if result.returncode == 2 or runner.state(trial) != after:
            raise SystemExit(f"{name}, point {point}: not as it should be after a second try: {result.stdout}{result.stderr}")
        runner.check(trial, f"{name}, second try after {point}")
        gc = subprocess.run([runner.sheaf, "gc", "--store", str(trial), "--json"], capture_output=True, text=True)
        if gc.returncode != 0 or runner.state(trial) != after:
            raise SystemExit(f"{name}, point {point}: gc: {gc.stdout}{gc.stderr}")
        runner.check(trial, f"{name}, gc after {point}")
    print(f"{name}: {kills} kills survived, of {calls} points")
    return kills


def fill_disk_everywhere(runner, folder, name, ready, arguments, options):
    """Returns the number of full disks."""
    trial, done, count_file = folder / "full-disk", folder / "done", folder / "count"

    def fresh(path):
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(ready, path)

    fresh(done)
    runner.fill(done, arguments, SHEAF_FAULT_COUNT=str(count_file))
    before, after = runner.state(ready), runner.state(done)
    calls = int(count_file.read_text())
    full = 0
    for point in sorted(random.Random(options.seed + 1).sample(range(1, calls + 1), min(calls, options.points))):
        fresh(trial)
        result = runner.fill(trial, arguments, SHEAF_FAULT=f"write /full-disk/ {point}+ ENOSPC")
        what = f"{name}, disk full at write {point}"
        if result.returncode not in (0, 2):
            raise SystemExit(f"{what}: ended with {result.returncode}: {result.stderr}")
        if result.returncode == 2 and "no space left on" not in result.stderr.lower():
            raise SystemExit(f"{what}: the message does not say that the disk is full: {result.stderr}")
        full += result.returncode == 2
        runner.check(trial, what)
        if runner.state(trial) not in ((before, after) if result.returncode == 2 else (after,)):
            raise SystemExit(f"{what}: neither as before nor as after")
        result = runner.fill(trial, arguments)
        if result.returncode == 2 or runner.state(trial) != after:
            raise SystemExit(f"{what}: not as it should be once there is room: {result.stdout}{result.stderr}")
        runner.check(trial, f"{what}, second try")
    print(f"{name}: {full} full disks survived")
    return full


def fill_disk_while_packing(runner, folder, ready):
    trial, before, faults = folder / "trial", runner.state(ready), 0
    for write in range(1, 9):
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(ready, trial)
        command = [runner.sheaf, "gc", "--store", str(trial)]
        env = {"PATH": "/usr/bin:/bin", "LD_PRELOAD": runner.shim, "SHEAF_FAULT": f"write .sst {write} ENOSPC"}
        gc = subprocess.run(command, env=env, capture_output=True, text=True)
        # If RocksDB can repeat the write, nothing fails.
        if gc.returncode != 0 and (gc.returncode, gc.stderr) != (2, f"sheaf: no space left on the disk of {trial}/pages\n"):
            raise SystemExit(f"packing, write {write}: {gc.returncode} {gc.stderr}")
        faults += gc.returncode == 2
        runner.check(trial, f"packing, write {write}")
        again = subprocess.run(command, capture_output=True, text=True)
        if again.returncode != 0 or runner.state(trial) != before:
            raise SystemExit(f"packing again after write {write}: {again.stderr}")
        runner.check(trial, f"packing again after write {write}")
    if faults == 0:
        raise SystemExit("packing: no write failed")
    print(f"packing: {faults} full disks survived")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("sheaf", "fill", "shim"):
        arguments.add_argument(f"--{name}", required=True, type=lambda text: str(pathlib.Path(text).resolve()))
    arguments.add_argument("--points", type=int, default=12)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    runner = Runner(options.sheaf, options.fill, options.shim)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        collections(folder)
        ready = {name: folder / f"ready-{name}" for name in ("empty", "few", "many", "edited")}
        ready["empty"].mkdir()
        for name, filling in (("few", ["few.scp"]), ("many", ["many.scp"]), ("edited", ["--edit", "html", "30", "first"])):
            result = runner.fill(ready[name], [folder / filling[0]] if len(filling) == 1 else filling)
            if result.returncode != 0:
                raise SystemExit(result.stderr)
        kills = full = 0
        for name, start, what in (
                ("first snapshot", "empty", [folder / "few.scp"]),
                ("delta", "few", [folder / "few-delta.scp"]),
                ("snapshot with deletions", "few", [folder / "few-later.scp"]),
                ("large pages", "empty", [folder / "large.scp"]),
                ("resynchronised by large pages", "few", ["--resynchronise", folder / "large.scp"]),
                ("large first snapshot", "empty", [folder / "many.scp"]),
                ("large snapshot with deletions", "many", [folder / "many-later.scp"]),
                ("large section deleted", "many", ["--drop", "blog"]),
                ("edit", "edited", ["--edit", "html", "25", "second"]),
                ("section deleted", "few", ["--drop", "blog"])):
            if options.only in name:
                kills += kill_everywhere(runner, folder, name, ready[start], what, options)
                full += fill_disk_everywhere(runner, folder, name, ready[start], what, options)
        if not options.only:
            fill_disk_while_packing(runner, folder, ready["many"])
    return 0 if kills > 0 and full > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
