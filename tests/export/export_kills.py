#!/usr/bin/env python3
"""Kills a Parquet export to a folder between any two changes to the file system, and checks that the next run repairs it.

usage: export_kills.py --sheaf PROGRAM --fill PROGRAM --shim LIBRARY [--points N] [--seed N]

A first export, one of changed pages over an earlier one, and one with a dataset card are killed before the Nth call that changes
the file system, for N points chosen by the seed. The next export must leave the same files with the same content as one that was
not disturbed, and must keep foreign files. The same with a disk that is full from a write on.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import tempfile

SITE = "https://example.com"
FOREIGN = {"mine.txt": b"mine", ".mine.parquet.tmp-0123abcd": b"mine"}


def write_snapshot(path, day, seed):
    with path.open("w") as out:
        head = {"id": "x", "section": "all", "type": "snapshot", "generated": f"2026-01-{day:02d}T00:00:00Z", "version": "0.1"}
        out.write(json.dumps({"collection": head}) + "\n")
        for page in range(60):
            text = random.Random(f"{seed} {page}" if page < 30 else page).randbytes(50_000).hex()
            out.write(json.dumps({"url": f"{SITE}/{page + seed}", "title": "T", "description": "D", "language": "en",
                                  "modified": f"2026-01-{day:02d}T00:00:00Z", "content": [{"type": "text", "text": text}]}) + "\n")


def content(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Kills:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def export(self, store, out, layout, **environment):
        env = {"PATH": "/usr/bin:/bin", **environment}
        if environment:
            env["LD_PRELOAD"] = self.options.shim
        return subprocess.run([self.options.sheaf, "export", "--store", str(store), "--format", "parquet", "--shard-size", "1MiB",
                               "--threads", "1", "--layout", layout, "-o", str(out)], env=env, capture_output=True, text=True)

    def check(self, name, store, layout, ready, wanted):
        count_file, trial = self.folder / "count", self.folder / "trial"

        def fresh():
            shutil.rmtree(trial, ignore_errors=True)
            shutil.copytree(ready, trial)

        fresh()
        self.export(store, trial, layout, SHEAF_FAULT_COUNT=str(count_file))
        calls = int(count_file.read_text())
        points = sorted(random.Random(self.options.seed).sample(range(1, calls + 1), min(calls, self.options.points)))
        faults = [({"SHEAF_FAULT_KILL_AT": str(point)}, (0, -9)) for point in points]
        faults += [({"SHEAF_FAULT": f"write /trial/ {point}+ ENOSPC"}, (0, 2)) for point in points]
        hits = 0
        for fault, statuses in faults:
            fresh()
            code = self.export(store, trial, layout, **fault).returncode
            if code not in statuses:
                raise SystemExit(f"{name}, {fault}: ended with {code}")
            hits += code != 0
            again = self.export(store, trial, layout)
            left = content(trial)
            if again.returncode != 0 or left != wanted:
                raise SystemExit(f"{name}, {fault}: exit status {again.returncode} {again.stderr} {sorted(set(left) ^ set(wanted))}")
        if hits == 0:
            raise SystemExit(f"{name}: no fault was met")
        print(f"{name}: {hits} kills and full disks survived, of {calls} points")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("sheaf", "fill", "shim"):
        arguments.add_argument(f"--{name}", required=True, type=lambda text: str(pathlib.Path(text).resolve()))
    arguments.add_argument("--points", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kills = Kills(options, folder)
        for number in (1, 2):
            write_snapshot(folder / f"{number}.scp", number, number)
            subprocess.run([options.fill, str(folder / f"store{number}"), SITE, str(folder / f"{number}.scp")], check=True,
                           stdout=subprocess.DEVNULL)
        new, old = folder / "new", folder / "old"
        new.mkdir()
        for file, data in FOREIGN.items():
            (new / file).write_bytes(data)
        shutil.copytree(new, old)
        if kills.export(folder / "store1", old, "plain").returncode != 0:
            raise SystemExit("the first export failed")
        for name, layout, ready in (("new folder", "plain", new), ("over an earlier export", "plain", old), ("dataset", "huggingface", new)):
            wanted = folder / f"wanted {name}"
            shutil.copytree(new, wanted)
            if kills.export(folder / "store2", wanted, layout).returncode != 0:
                raise SystemExit(f"{name}: failed undisturbed")
            kills.check(name, folder / "store2", layout, ready, content(wanted))


if __name__ == "__main__":
    main()
