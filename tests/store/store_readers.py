#!/usr/bin/env python3
"""Readers in other processes concurrent with a writer: each must see one complete state, never a part of a change.

usage: store_readers.py --sheaf PROGRAM --fill PROGRAM [--rounds N]

A writer applies one delta after the other; each replaces every page of a section by a version with a new time. Meanwhile
readers list, export and verify: all pages that one of them sees must be of the same version, and no earlier than what was
seen before. A follower of the change feed must get every change once, in order.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

SITE = "https://example.com"
PAGES = 200


def time_of(version):
    return f"2026-01-01T00:{version // 60:02d}:{version % 60:02d}Z"


def write_version(path, version):
    head = {"id": "x", "section": "blog", "type": "delta" if version else "snapshot", "generated": time_of(version), "version": "0.1"}
    if version:
        head["since"] = time_of(version - 1)
    with path.open("w") as out:
        out.write(json.dumps({"collection": head}) + "\n")
        for number in range(PAGES):
            # Every fifth version is so large that its pages are ingested as files.
            text = f"version {version} " * (2000 if version % 5 == 0 else 1) + str(number)
            out.write(json.dumps({"url": f"{SITE}/{number}", "title": "T", "description": "D", "modified": time_of(version),
                                  "language": "en", "content": [{"type": "text", "text": text}]}) + "\n")


class Readers:
    def __init__(self, sheaf, store, rounds):
        self.sheaf, self.store, self.rounds = sheaf, store, rounds
        self.written = threading.Event()
        self.faults = []
        self.looks = 0

    def run(self, *arguments):
        result = subprocess.run([self.sheaf, *arguments, "--store", str(self.store)], capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"{arguments}: {result.stdout}{result.stderr}")
        return result.stdout

    def look(self, newest, *arguments):
        """Returns the version that a reader sees. It must be a single version, and not older than the last one."""
        pages = [json.loads(line) for line in self.run(*arguments).splitlines()]
        versions = {page["modified"] for page in pages}
        if len(versions) != 1 or len(pages) != PAGES:
            raise RuntimeError(f"{arguments}: {len(pages)} pages of the versions {sorted(versions)}")
        if versions.copy().pop() < newest:
            raise RuntimeError(f"{arguments}: {versions} after {newest}")
        self.looks += 1
        return versions.pop()

    def watch(self, *arguments):
        newest = ""
        try:
            while not self.written.is_set():
                newest = self.look(newest, *arguments)
            if self.look(newest, *arguments) != time_of(self.rounds):
                raise RuntimeError(f"{arguments}: the last version is not there at the end")
        except RuntimeError as error:
            self.faults.append(str(error))

    def verify(self):
        try:
            while not self.written.is_set():
                self.run("verify")
        except RuntimeError as error:
            self.faults.append(str(error))

    def follow(self):
        wanted = PAGES * (self.rounds + 1)
        lines = self.run("changes", "--follow", "--json", "--limit", str(wanted)).splitlines()
        sequences = [json.loads(line)["sequence"] for line in lines]
        if sequences != list(range(1, wanted + 1)):
            self.faults.append(f"a follower saw {len(sequences)} changes, not {wanted} in their order")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("sheaf", "fill"):
        arguments.add_argument(f"--{name}", required=True, type=lambda text: str(pathlib.Path(text).resolve()))
    arguments.add_argument("--rounds", type=int, default=30)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = [folder / f"{version}.scp" for version in range(options.rounds + 1)]
        for version, file in enumerate(files):
            write_version(file, version)
        store = folder / "store"

        def fill(*which):
            subprocess.run([options.fill, store, SITE, *which], check=True, stdout=subprocess.DEVNULL)

        fill(files[0])
        before = sorted(path.name for path in store.iterdir())
        readers = Readers(options.sheaf, store, options.rounds)
        threads = [threading.Thread(target=readers.watch, args=("list", "--json")), threading.Thread(target=readers.watch, args=("export",)),
                   threading.Thread(target=readers.verify), threading.Thread(target=readers.follow)]
        for thread in threads:
            thread.start()
        # Half of it by one process that stays, half by one for each.
        half = options.rounds // 2
        fill(*files[1:half])
        for file in files[half:]:
            fill(file)
        readers.written.set()
        for thread in threads:
            thread.join()
        if sorted(path.name for path in store.iterdir()) != before:
            readers.faults.append("something else lies in the store's folder now")
        for fault in readers.faults:
            print(fault)
        print(f"{readers.looks} looks beside a writer")
        return 1 if readers.faults else 0


if __name__ == "__main__":
    sys.exit(main())
