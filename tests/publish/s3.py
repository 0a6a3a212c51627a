#!/usr/bin/env python3
"""Publishes to a real S3-compatible server, checks the bucket with rclone, and injects failures.

usage: s3.py --sheaf PROGRAM --tools FOLDER [NAME...]     FOLDER: where s3rver is, or will be installed
Exit status 77 if s3rver or rclone is not available.
"""
import argparse
import base64
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from s3_server import ACCESS, SECRET, Proxy, S3Server, find_s3rver, free_port

ENVIRONMENT = {"PATH": os.environ["PATH"], "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET,
               **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


class Site:
    """A site in a folder, and the bucket that it is delivered to."""

    def __init__(self, sheaf, folder, port, bucket="site"):
        self.sheaf, self.folder, self.bucket = sheaf, pathlib.Path(folder), bucket
        self.endpoint = f"http://127.0.0.1:{port}"
        (self.folder / "public").mkdir(parents=True)
        for name in ("one", "two", "three"):
            self.write(name, f"The page called {name}")
        self.configure()

    def write(self, name, text):
        (self.folder / "public" / f"{name}.html").write_text(
            f"<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{text} says this in a sentence that is "
            f"long enough.</p></main>")

    def configure(self, delivery="", top="", source='type = "html"\nfolder = "public"'):
        (self.folder / "sheaf.toml").write_text(
            f'base = "https://example.com"\nout = "public/scp"\nsitemap = "public/sitemap.xml"\n{top}\n'
            f'[retention]\nsnapshots = 1\ndelta_days = 1\n'
            f'[delivery]\ntype = "s3"\nbucket = "{self.bucket}"\nendpoint = "{self.endpoint}"\n{delivery}\n'
            f'[[section]]\nname = "blog"\nupdate = "weekly"\n[[section.source]]\n{source}\n')

    def start(self, *arguments, **environment):
        return subprocess.Popen([self.sheaf, "publish", "--json", *arguments], cwd=self.folder, text=True,
                                env={**ENVIRONMENT, "HOME": str(self.folder), **environment},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def publish(self, *arguments, status=0, **environment):
        process = self.start(*arguments, **environment)
        out, error = process.communicate(timeout=300)
        check(process.returncode == status, f"exit status {process.returncode}, not {status}:", out, error)
        return json.loads(out) if status == 0 else error

    def here(self):
        return sorted(path.name for path in (self.folder / "public/scp").iterdir() if not path.name.startswith("."))


class Reader:
    """Reads the content of a bucket with rclone."""

    def __init__(self, port):
        self.options = ["--config", "/dev/null", "--s3-provider", "Other", "--s3-endpoint", f"http://127.0.0.1:{port}",
                        "--s3-access-key-id", ACCESS, "--s3-secret-access-key", SECRET, "--s3-region", "us-east-1"]

    def run(self, *arguments):
        done = subprocess.run(["rclone", *arguments, *self.options], capture_output=True, env={"PATH": os.environ["PATH"]})
        check(done.returncode == 0, "rclone", arguments, done.stderr.decode())
        return done.stdout

    def objects(self, bucket):
        listing = json.loads(self.run("lsjson", "-R", "--files-only", "--metadata", f":s3:{bucket}"))
        return {entry["Path"]: entry.get("Metadata", {}) for entry in listing}

    def bytes(self, bucket, name):
        return self.run("cat", f":s3:{bucket}/{name}")


class World:
    def __init__(self, options, proxy, reader, folder):
        self.options, self.proxy, self.reader, self.folder = options, proxy, reader, pathlib.Path(folder)
        self.count = 0
        proxy.faults, proxy.requests, proxy.heads = [], [], []

    def site(self, bucket):
        self.count += 1
        return Site(self.options.sheaf, self.folder / f"{bucket}-{self.count}", self.proxy.port, bucket)

    def puts(self):
        return [line for line in self.proxy.requests if line.startswith("PUT")]

    def check_complete(self, site, collections="scp/"):
        """Checks that every file listed in the bucket's sitemap is in the bucket and identical to the local file."""
        objects = self.reader.objects(site.bucket)
        sitemap = self.reader.bytes(site.bucket, "sitemap.xml").decode()
        named = re.findall(r'url="https://example.com/([^"]+)"', sitemap)
        check(named, "the sitemap names nothing:", sitemap)
        for name in named:
            check(name in objects, name, "is named and not there")
            there = self.reader.bytes(site.bucket, name)
            check(there == (site.folder / "public" / name).read_bytes(), name, "is another")
        check(sorted(name for name in objects if name.startswith(collections)) == sorted(named), "too much there", objects, named)
        return objects


def test_labels_deltas_and_cleaning(world):
    site = world.site("labels")
    report = site.publish()
    check(report["sent"] == 3, report)
    objects = world.check_complete(site)
    for name, meta in objects.items():
        if name == "sitemap.xml":
            check(meta["content-type"] == "application/xml", meta)
            check("content-encoding" not in meta, meta)
            continue
        check(meta["content-type"] == "application/scp", name, meta)
        check(meta["content-encoding"] == ("zstd" if name.endswith("zst") else "gzip"), name, meta)
        check(meta["cache-control"] == "public, max-age=604800, stale-while-revalidate=25200", name, meta)
    # Nothing changed: nothing is sent.
    world.proxy.requests.clear()
    check(site.publish()["sent"] == 0 and not world.puts(), world.proxy.requests)
    site.write("two", "Another text")
    site.publish()
    deltas = {name: meta for name, meta in world.check_complete(site).items() if "-delta-" in name}
    check(len(deltas) == 2, deltas)
    for meta in deltas.values():
        check(meta["cache-control"] == "public, max-age=25200, must-revalidate", meta)
    # One snapshot is kept: the old one is deleted both locally and in the bucket.
    site.write("two", "Yet another text")
    check(site.publish("--snapshot")["cleaned"] == 2)
    objects = world.check_complete(site)
    check(len([name for name in objects if "-snapshot-" in name]) == 2, objects)


def test_odd_names(world):
    site = world.site("names")
    site.configure('prefix = "a b/ä+(1)/"', top='collections_url = "https://example.com/scp/"')
    site.publish()
    objects = world.reader.objects(site.bucket)
    check(len([name for name in objects if name.startswith("a b/ä+(1)/blog-snapshot-")]) == 2, objects)


def test_large_files_go_in_parts(world):
    site = world.site("parts")
    noise = random.Random(1)
    with open(site.folder / "pages.jsonl", "w") as out:
        for number in range(14):
            text = base64.b64encode(noise.randbytes(750_000)).decode()
            out.write(json.dumps({"url": f"https://example.com/{number}", "title": str(number), "description": "Noise", "language": "en",
                                  "modified": "2026-01-01T00:00:00Z", "content": [{"type": "text", "text": text}]}) + "\n")
    site.configure("part_size = 5", source='type = "jsonl"\nfile = "pages.jsonl"')
    # The upload of the second part is interrupted once and refused once.
    world.proxy.faults = [(r"partNumber=2", "cut", 1), (r"partNumber=2", 503, 1)]
    site.publish()
    parts = sorted(set(re.findall(r"partNumber=(\d)", " ".join(world.puts()))))
    check(parts == ["1", "2", "3"], world.proxy.requests)
    check(len(re.findall("partNumber=2&", " ".join(world.puts()))) == 4, world.puts())
    for name, meta in world.check_complete(site).items():
        if name.endswith(".gz"):
            check(meta["content-encoding"] == "gzip" and meta["content-type"] == "application/scp", meta)
    # An upload that fails permanently is aborted, and the next run sends it again.
    site.configure("part_size = 5\ntries = 1", source='type = "jsonl"\nfile = "pages.jsonl"')
    world.proxy.requests.clear()
    world.proxy.faults = [(r"partNumber=3", 500, 1)]
    before = world.reader.bytes(site.bucket, "sitemap.xml")
    message = site.publish("--snapshot", status=2)
    check("cannot put scp/blog-delta" not in message and "500" in message, message)
    check([line for line in world.proxy.requests if line.startswith("DELETE") and "uploadId=" in line], world.proxy.requests)
    check(world.reader.bytes(site.bucket, "sitemap.xml") == before, "the sitemap names what is not there")
    check(site.publish()["resumed"], "the next run does not go on")
    world.check_complete(site)


def test_busy_server_is_asked_again(world):
    site = world.site("busy")
    world.proxy.faults = [("PUT", 503, 2), ("sitemap", 429, 1)]
    site.publish()
    check(len(world.puts()) == 5, world.proxy.requests)
    world.check_complete(site)


def test_cut_connection(world):
    site = world.site("cut")
    world.proxy.faults = [("PUT", "cut", 1)]
    site.publish()
    world.check_complete(site)


def test_server_that_stays_busy(world):
    site = world.site("stuck")
    site.publish()
    before = world.reader.bytes(site.bucket, "sitemap.xml")
    site.write("one", "A changed text")
    site.configure("tries = 2")
    world.proxy.faults = [("PUT", 503, 1000)]
    message = site.publish(status=2)
    check("503" in message and "scp/blog-delta" in message, message)
    check(world.reader.bytes(site.bucket, "sitemap.xml") == before)
    world.proxy.faults = []
    check(site.publish()["resumed"])
    check("-delta-" in world.reader.bytes(site.bucket, "sitemap.xml").decode())
    world.check_complete(site)


def test_server_that_is_down(world):
    site = world.site("down")
    site.endpoint = f"http://127.0.0.1:{free_port()}"
    site.configure("tries = 2")
    message = site.publish(status=2)
    check("cannot reach s3://down" in message, message)
    check(not (site.folder / "public/sitemap.xml").exists(), "a sitemap that lists files that cannot be fetched")
    site.endpoint = f"http://127.0.0.1:{world.proxy.port}"
    site.configure()
    check(site.publish()["resumed"])
    world.check_complete(site)


def test_wrong_keys(world):
    site = world.site("keys")
    for environment in ({"AWS_SECRET_ACCESS_KEY": "wrong-secret-0123456789"}, {"AWS_ACCESS_KEY_ID": "WRONGACCESSKEY"}):
        message = site.publish(status=2, **environment)
        check("403" in message and "check the keys" in message, message)
        for secret in environment.values():
            check(secret not in message, "a key is in the message:", message)
    check(len(world.puts()) == 2, "a refusal must not be retried", world.proxy.requests)
    message = site.publish(status=2, AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")
    check("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in message, message)
    message = site.publish(status=2, AWS_SECRET_ACCESS_KEY="")
    check("is set; set both or none" in message, message)
    site.publish()
    world.check_complete(site)


def test_keys_from_files(world):
    site = world.site("files")
    (site.folder / ".aws").mkdir()
    (site.folder / ".aws/credentials").write_text(
        f"[default]\naws_access_key_id = nobody\naws_secret_access_key = nothing\n"
        f"[work]\naws_access_key_id={ACCESS}\naws_secret_access_key={SECRET}\naws_session_token = a-token-of-a-session\n")
    (site.folder / ".aws/config").write_text("[default]\nregion = eu-west-1\n[profile work]\nregion = ap-south-1\n")
    none = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
    message = site.publish(status=2, **none)
    check("nobody" not in message and "nothing" not in message, message)
    site.publish(AWS_PROFILE="work", **none)
    check("/ap-south-1/s3/aws4_request" in world.proxy.heads[-1], world.proxy.heads[-1])
    check("x-amz-security-token" in re.search("SignedHeaders=([^,]+)", world.proxy.heads[-1])[1], world.proxy.heads[-1])
    site.configure('profile = "work"')
    site.publish(AWS_REGION="sa-east-1")
    check("/sa-east-1/s3/aws4_request" in world.proxy.heads[-1], world.proxy.heads[-1])
    world.check_complete(site)


def test_no_such_bucket(world):
    site = world.site("nowhere")
    message = site.publish(status=2)
    check("404 NoSuchBucket" in message, message)


def test_killed_while_sending(world):
    site = world.site("killed")
    world.proxy.hanging.clear()
    world.proxy.faults = [("PUT .*zst", "hang", 1)]
    process = site.start()
    check(world.proxy.hanging.wait(120), "it never came to send")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    check(site.publish()["resumed"])
    world.check_complete(site)


def test_sitemap_here_is_the_original(world):
    site = world.site("original")
    sitemap = site.folder / "public/sitemap.xml"
    own = ('<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
           '<url><loc>https://example.com/one.html</loc></url></urlset>\n')
    sitemap.write_text(own)
    site.publish()
    world.check_complete(site)
    check(sitemap.read_bytes() == world.reader.bytes(site.bucket, "sitemap.xml"), "here and there differ")
    check("<loc>https://example.com/one.html</loc>" in sitemap.read_text())
    # The upload of the site puts the generator's sitemap into the bucket.
    plain = site.folder / "plain.xml"
    plain.write_text(own)
    world.reader.run("copyto", str(plain), f":s3:{site.bucket}/sitemap.xml")
    report = site.publish()
    check(report["sent"] == 1 and report["sitemapChanged"], report)
    world.check_complete(site)


def test_sitemap_there_only(world):
    site = world.site("there")
    own = site.folder / "own.xml"
    own.write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/x</loc></url></urlset>')
    world.reader.run("copyto", str(own), f":s3:{site.bucket}/sitemap.xml")
    site.publish()
    check("<loc>https://example.com/x</loc>" in world.reader.bytes(site.bucket, "sitemap.xml").decode())
    check(not (site.folder / "public/sitemap.xml").exists(), "a copy here would be taken for the original")
    world.check_complete(site)


def test_sitemap_index(world):
    site = world.site("index")
    (site.folder / "public/sitemap.xml").write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/posts.xml</loc></sitemap>'
        '</sitemapindex>')
    site.publish()
    check("sitemap-scp.xml" in world.reader.bytes(site.bucket, "sitemap.xml").decode())
    check("-snapshot-" in world.reader.bytes(site.bucket, "sitemap-scp.xml").decode())
    check(site.publish()["sent"] == 0)


def test_sitemap_stays_here(world):
    site = world.site("stays")
    site.configure("sitemap = false")
    site.publish()
    check("sitemap.xml" not in world.reader.objects(site.bucket))
    check("-snapshot-" in (site.folder / "public/sitemap.xml").read_text())


def test_another_bucket_gets_everything(world):
    site = world.site("first")
    site.publish()
    site.write("one", "A changed text")
    site.publish()
    site.bucket = "second"
    site.configure()
    check(site.publish()["sent"] == 5)
    world.check_complete(site)
    check(site.publish()["sent"] == 0)


def test_dry_run_needs_no_keys(world):
    site = world.site("dry")
    site.publish("--dry-run", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")
    check(not world.proxy.requests, world.proxy.requests)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    arguments.add_argument("--tools", required=True)
    arguments.add_argument("names", nargs="*")
    options = arguments.parse_args()
    program = find_s3rver(options.tools)
    if program is None or not shutil.which("rclone"):
        print("skipped: needs s3rver (npm) and rclone (Debian)")
        return 77
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    buckets = ["labels", "names", "parts", "busy", "cut", "stuck", "down", "keys", "files", "killed", "original", "there", "index",
               "stays", "first", "second", "dry"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        server = S3Server(program, pathlib.Path(folder) / "data", buckets)
        proxy, beside = Proxy(server.port), Proxy(server.port)
        try:
            for name, test in tests.items():
                if options.names and name not in options.names:
                    continue
                try:
                    test(World(options, proxy, Reader(beside.port), pathlib.Path(folder) / name))
                    print("ok", name, flush=True)
                except AssertionError as fault:
                    failed += 1
                    print("FAILED", name, fault, flush=True)
        finally:
            proxy.stop()
            beside.stop()
            server.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
