#!/usr/bin/env python3
"""Measures the cost of trust: pulls of signed sites, requests of verified crawlers, floods of bad signatures, and reports on logs.

    bench/trust_bench.py --sheaf PROGRAM --lines small.jsonl [--only pull,serve,report] [--pages N] [--seconds N] [--rounds N] [--log-mb N]
                         [--json FILE]

- pull: the same site, signed and unsigned, into empty stores; pages a second of the best rounds, which take turns.
- serve: 304s a second of one server thread on one processor, with wrk on another: every request is signed, and the server verifies it or
  not. The signature has no nonce and is the same in all requests, so the server remembers it; one with a nonce costs a verification each. Then the same 304s without signatures, alone and beside 100,000 requests a minute with bad signatures of several kinds (wrong, with a
  key that the server knows; expired; of agents that do not exist; malformed).
- report: a log in the combined format and one in JSON, lines of a few dozen crawlers and browsers; and the memory for a log and for one four
  times as long.
"""
import argparse
import base64
import hashlib
import http.client
import http.server
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import figures
from curves import CONFIGURATION
from serve_peers import Running, ask, free_port, wrk

BAD_PER_SECOND = 100_000 / 60
DIRECTORY = "/.well-known/http-message-signatures-directory"
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")  # before the 32 bytes of an Ed25519 key


def run(command, work, stdin=subprocess.DEVNULL):
    """Runs a command and returns its output."""
    done = subprocess.run(list(map(str, command)), cwd=work, stdin=stdin, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


# Signed and unsigned pulls.

class SignedSites:
    def __init__(self, options, work):
        self.sheaf, self.work, self.pages = options.sheaf, work, options.pages
        self.lines = options.lines.resolve()
        run([self.sheaf, "keys", "create", "--out", work / "site.key", "--no-passphrase"], work)

    def publish(self, name, *more):
        port = free_port()
        folder = self.work / name
        (folder / "site").mkdir(parents=True)
        base = f"http://127.0.0.1:{port}"
        (folder / "sheaf.toml").write_text(CONFIGURATION.format(base=base))
        feed = subprocess.Popen([sys.executable, pathlib.Path(__file__).with_name("curves.py"), "--feed", str(self.pages), "--lines", self.lines, "--base", base],
                                stdout=subprocess.PIPE)
        run([self.sheaf, "publish", *more], folder, stdin=feed.stdout)
        feed.wait()
        for path in [self.work, folder, folder / "site"]:
            path.chmod(0o755)
        server = Running(name, [self.sheaf, "serve", str(folder / "site"), "--listen", f"127.0.0.1:{port}"], port)
        return base, server

    def pull(self, base):
        store = self.work / "store"
        shutil.rmtree(store, ignore_errors=True)
        output = run([self.sheaf, "pull", base, "--store", store, "--allow-private", "--no-pack", "--json"], self.work)
        report = json.loads(output.splitlines()[0])
        if not report["ok"] or report["sections"][0]["pages"] != self.pages:
            sys.exit(f"the pull of {base} failed: {report.get('failure')}")
        return self.pages / report["seconds"]


def measure_pull(options, work, rows):
    sites = SignedSites(options, work)
    named = {"unsigned": sites.publish("unsigned"), "signed": sites.publish("signed", "--sign-key", work / "site.key")}
    best = dict.fromkeys(named, 0.0)
    try:
        for _ in range(options.rounds):
            for name, (base, _) in named.items():
                best[name] = max(best[name], sites.pull(base))
    finally:
        for _, server in named.values():
            server.stop()
    rows.at_least("pull, signed : unsigned, pages per second", 0.97, best["signed"] / best["unsigned"],
                  detail=f"{options.pages:,} pages; {best['signed']:,.0f} : {best['unsigned']:,.0f} pages/s")


# Verified requests.

class Agent:
    """An identity of `sheaf identity`, its directory on a port, and signed requests without a nonce, so that one signature serves a whole run."""

    def __init__(self, sheaf, work):
        self.work = work
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path == DIRECTORY else 404)
                body = outer.directory if self.path == DIRECTORY else b""
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        run([sheaf, "identity", "create", work / "me", "--agent", self.url], work)
        self.directory = (work / "me" / "directory.json").read_bytes()
        self.key_id = json.loads(self.directory)["keys"][0]["kid"]
        secret = json.loads((work / "me" / "key.jwk").read_text())["d"]
        der = PKCS8 + base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
        (work / "key.pem").write_text(f"-----BEGIN PRIVATE KEY-----\n{base64.b64encode(der).decode()}\n-----END PRIVATE KEY-----\n")

    def sign(self, authority, created=None):
        created = int(time.time()) if created is None else created
        parameters = f'("@authority" "signature-agent");created={created};expires={created + 3600};keyid="{self.key_id}";alg="ed25519";tag="web-bot-auth"'
        signed = f'"@authority": {authority}\n"signature-agent": "{self.url}"\n"@signature-params": {parameters}'
        (self.work / "signed.txt").write_text(signed)
        signature = subprocess.run(["openssl", "pkeyutl", "-sign", "-inkey", self.work / "key.pem", "-rawin", "-in", self.work / "signed.txt"],
                                   check=True, capture_output=True).stdout
        return {"Signature-Agent": f'"{self.url}"', "Signature-Input": f"sig1={parameters}",
                "Signature": f"sig1=:{base64.b64encode(signature).decode()}:"}

    def bad(self, authority, number):
        """Returns the kinds of requests that differ in cost."""
        headers = dict(self.sign(authority)) if not hasattr(self, "good") else dict(self.good)
        self.good = dict(headers)
        wrong = base64.b64encode(hashlib.sha512(str(number).encode()).digest()).decode()
        headers["Signature"] = f"sig1=:{wrong}:"
        kind = number % 4
        if kind == 1:
            headers["Signature-Input"] = headers["Signature-Input"].replace("created=", "created=1;x=")
        elif kind == 2:
            headers["Signature-Agent"] = f'"https://agent{number % 50_000}.invalid"'
        elif kind == 3:
            headers["Signature-Input"] = 'sig1=("@authority" "signature-agent";created=x'
        return headers


class Flood:
    """Sends bad signatures at a steady rate over one connection during a measurement."""

    def __init__(self, server, agent):
        authority = f"127.0.0.1:{server.port}"
        self.requests = []
        for number in range(4_000):
            lines = [f"HEAD /small.txt HTTP/1.1\r\nHost: {authority}"] + [f"{name}: {value}" for name, value in agent.bad(authority, number).items()]
            self.requests.append(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.address, self.sent, self.stopping = ("127.0.0.1", server.port), 0, False
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        connection = socket.create_connection(self.address, 30)
        reader = threading.Thread(target=self.drain, args=(connection,), daemon=True)
        reader.start()
        begin, requests = time.monotonic(), itertools.cycle(self.requests)
        while not self.stopping:
            due = int((time.monotonic() - begin) * BAD_PER_SECOND) - self.sent
            if due > 0:
                connection.sendall(b"".join(itertools.islice(requests, due)))
                self.sent += due
            time.sleep(0.01)
        self.seconds = time.monotonic() - begin
        connection.close()

    def drain(self, connection):
        try:
            while connection.recv(1 << 20):
                pass
        except OSError:
            pass

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping = True
        self.thread.join()


def start_on_one_core(options, root, *more):
    port = free_port()
    command = [options.sheaf, "serve", str(root), "--listen", f"127.0.0.1:{port}", "--threads", "1", *more]
    return Running(" ".join(more) or "plain", ["taskset", "-c", "0", *command], port)


def measure_serve(options, work, rows):
    root = work / "site"
    root.mkdir()
    (root / "small.txt").write_text("small\n")
    example = pathlib.Path(__file__).resolve().parent.parent / "examples" / "monday.scp"
    run([options.sheaf, "convert", example, root / "site.scp.zst"], work)
    for path in [work, root, *root.iterdir()]:
        path.chmod(0o755)
    agent = Agent(options.sheaf, work)
    log = work / "access.log"
    plain = start_on_one_core(options, root)
    verifying = start_on_one_core(options, root, "--verify-agents", "--allow-private")
    checked = start_on_one_core(options, root, "--verify-agents", "--allow-private", "--access-log", str(log), "--log-format", "json")
    others = sorted(os.sched_getaffinity(0) - {0})
    if others:
        os.sched_setaffinity(0, others)  # for wrk and the flood
    try:
        wait_until_verified(checked, agent, log)
        checked.stop()
        measure_verified(options, rows, plain, verifying, agent)
        measure_flood(options, rows, verifying, agent)
    finally:
        for server in (plain, verifying):
            server.stop()


def wait_until_verified(server, agent, log):
    """Checks that the signatures are accepted: otherwise the figure would mean nothing."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/small.txt", headers=agent.sign(f"127.0.0.1:{server.port}"))
        connection.getresponse().read()
        connection.close()
        time.sleep(0.3)
        if agent.url in log.read_text():
            return
    sys.exit("the signed requests of this benchmark are not verified")


def measure_304(options, server, headers):
    tag = ask(server, "/site.scp.zst").getheader("ETag")
    lines = [f"If-None-Match: {tag}", *(f"{name}: {value}" for name, value in headers.items())]
    return wrk(server, "/site.scp.zst", options.seconds, 32, lines)[0]


def measure_verified(options, rows, plain, verifying, agent):
    best = {"plain": 0.0, "verifying": 0.0}
    signed = {server: agent.sign(f"127.0.0.1:{server.port}") for server in (plain, verifying)}
    measure_304(argparse.Namespace(seconds=1), verifying, signed[verifying])  # the server fetches the keys
    for _ in range(options.rounds):
        best["plain"] = max(best["plain"], measure_304(options, plain, signed[plain]))
        best["verifying"] = max(best["verifying"], measure_304(options, verifying, signed[verifying]))
    rows.at_least("serve, 304s of signed requests without nonces on one processor, verified : not verified", 0.6, best["verifying"] / best["plain"],
                  detail=f"{best['verifying']:,.0f} : {best['plain']:,.0f} /s")


def measure_flood(options, rows, server, agent):
    alone = beside = 0.0
    sent = seconds = 0.0
    for _ in range(options.rounds):
        alone = max(alone, measure_304(options, server, {}))
        with Flood(server, agent) as flood:
            beside = max(beside, measure_304(options, server, {}))
        sent, seconds = sent + flood.sent, seconds + flood.seconds
    rows.at_least("serve, 304s beside 100,000 bad signatures a minute : alone", 0.8, beside / alone,
                  detail=f"{beside:,.0f} : {alone:,.0f} /s; {sent / seconds * 60:,.0f} bad signatures a minute")


# Reports.

AGENTS = [f"Bot{number}/1.{number} (+https://bot{number}.example/)" for number in range(40)] + \
         [f"Mozilla/5.0 (X11; Linux x86_64; rv:{number}.0) Gecko/20100101 Firefox/{number}.0" for number in range(90, 130)]


def log_lines(is_json):
    """Writes some thousand different lines again and again. A million different ones would only measure the generator."""
    choose = random.Random(7)
    for number in range(20_000):
        target = choose.choice([f"/docs/page-{number % 5_000}.html", f"/scp/docs-snapshot-202611{number % 28 + 1:02}T000000Z.scp.zst", "/robots.txt",
                                f"/scp/docs-delta-202611{number % 28 + 1:02}T120000Z.scp.zst", "/sitemap.xml", f"/img/{number}.png?v={number}"])
        agent, status, size = choose.choice(AGENTS), choose.choice([200, 200, 200, 304, 404]), choose.randrange(200, 90_000)
        day = number % 28 + 1
        if is_json:
            yield json.dumps({"time": f"2026-11-{day:02}T12:00:00Z", "client": f"192.0.2.{number % 250}", "method": "GET", "target": target,
                              "version": "HTTP/1.1", "status": status, "bytes": size, "microseconds": 1234, "complete": True, "agent": agent},
                             separators=(",", ":")) + "\n"
        else:
            yield f'192.0.2.{number % 250} - - [{day:02}/Nov/2026:12:00:00 +0000] "GET {target} HTTP/1.1" {status} {size} "-" "{agent}"\n'


def write_log(file, is_json, size):
    text = "".join(log_lines(is_json)).encode()
    with open(file, "wb") as out:
        for _ in range(max(1, size // len(text))):
            out.write(text)
    return file.stat().st_size


def report_on(options, file):
    """Returns (seconds, peak memory in bytes, processor time). Reads the peak during the run: what the system reports afterwards is at least ours."""
    begin, peak, before = time.monotonic(), 0, os.times()
    process = subprocess.Popen([options.sheaf, "report", file, "--json"], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        if found := re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text()):
            peak = int(found[1]) * 1024
        time.sleep(0.02)
    if process.returncode != 0:
        sys.exit(f"sheaf report: exit status {process.returncode}")
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - begin, peak, processor


def measure_report(options, work, rows):
    for is_json in (False, True):
        name = "JSON" if is_json else "combined"
        file = work / f"{name}.log"
        size = write_log(file, is_json, options.log_mb * 10**6)
        seconds, _, processor = min(report_on(options, file) for _ in range(options.rounds))
        rows.at_least(f"report, log in the {name} format, per minute", 1000, size / 1e6 / seconds * 60, "MB",
                      detail=f"{size / 1e6:,.0f} MB in {seconds:.1f} s, {processor:.1f} s of processor time")
    small, large = (work / "small.log", work / "combined.log")
    write_log(small, False, options.log_mb * 10**6 // 4)
    peaks = [report_on(options, file)[1] for file in (small, large)]
    rows.at_most("report, memory for four times the log", 1.1, peaks[1] / peaks[0], detail=f"{peaks[1] / figures.MIB:.1f} : {peaks[0] / figures.MIB:.1f} MiB")


PARTS = {"pull": measure_pull, "serve": measure_serve, "report": measure_report}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=pathlib.Path)
    arguments.add_argument("--lines", required=True, type=pathlib.Path)
    arguments.add_argument("--only", default=",".join(PARTS))
    arguments.add_argument("--pages", type=int, default=100_000)
    arguments.add_argument("--seconds", type=int, default=5)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--log-mb", type=int, default=1000)
    arguments.add_argument("--json")
    options = arguments.parse_args()
    options.sheaf = options.sheaf.resolve()
    rows = figures.Figures("trust")
    missing = [program for program in ("wrk", "openssl", "taskset") if not shutil.which(program)]
    if missing:
        rows.note("trust", None, detail=f"{', '.join(missing)}: not installed")
        rows.append_to(options.json)
        raise SystemExit(f"not installed: {', '.join(missing)}")
    try:
        for name in options.only.split(","):
            with tempfile.TemporaryDirectory() as folder:
                PARTS[name](options, pathlib.Path(folder), rows)
    finally:  # also writes the rows that were measured before a failure
        rows.print()
        rows.append_to(options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
