#!/usr/bin/env python3
"""The memory of `sheaf pull --from-warc` does not grow with the number of pages: peaks of two archives, one four times the other."""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

MEGABYTES = (80, 320)  # both larger than the part that is sorted in memory
NOISE = 60_000  # bytes of a page that are not content, so that most of the time is not spent in extraction


def write_archive(path, size):
    chance = random.Random(1)
    comments = ["".join(chance.choices("abcdefghijklmnopqrst ", k=NOISE)) for _ in range(20)]
    with open(path, "wb") as out:
        number = 0
        while out.tell() < size:
            html = (f"<!doctype html><html lang=en><title>Page {number}</title><!--{comments[number % 20]}--><main><h1>Page {number}</h1>"
                    f"<p>Sentence {number} of a page that is long enough to be one.</p></main>")
            block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}".encode()
            out.write(f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://pears.example/{number}\r\nWARC-Date: 2026-05-01T10:00:00Z\r\n"
                      f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")
            number += 1


def peak_bytes(sheaf, folder, size):
    archive = folder / "archive.warc"
    write_archive(archive, size)
    child = subprocess.Popen([sheaf, "pull", "--from-warc", archive, "--store", folder / f"store-{size}", "--no-pack"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"the import of {size} bytes failed with status {status}")
    return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-warc-") as name:
        small, large = (peak_bytes(options.sheaf, pathlib.Path(name), size * 1_000_000) for size in MEGABYTES)
    print(f"peak of {MEGABYTES[0]} MB: {small / 2**20:.0f} MiB, of {MEGABYTES[1]} MB: {large / 2**20:.0f} MiB")
    if large > small * 1.2:
        sys.exit("the memory grows with the archive")


if __name__ == "__main__":
    main()
