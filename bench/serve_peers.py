#!/usr/bin/env python3
"""Compares `sheaf serve` with nginx: the same files, the same machine, one run.

    bench/serve_peers.py --sheaf build/release/sheaf [--seconds N] [--rounds N] [--large-mb N] [--json FILE]

Measured with wrk: answers 304 per second, bytes per second of 8 MB and of 1 GB files; without it: memory for a thousand idle
connections, and whether five thousand can be held. nginx runs with sendfile, tcp_nopush, open_file_cache and no access
log, and one worker per processor, which is a usual configuration for speed; `sheaf serve` with no options but the number of
connections. The servers take turns, and the best round of each counts, so other load on the machine affects both.
"""
import argparse
import http.client
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import figures

GOALS = {  # of sheaf serve : nginx
    "304s a second": (">=", 0.9),
    "8 MB bodies, bytes per second": (">=", 0.8),
    "one large body, bytes per second": (">=", 0.8),
    "memory of 1,000 idle connections": ("<=", 1.5),
    "connections held": (">=", 5000),
}
NGINX = """
worker_processes auto;
worker_rlimit_nofile 65536;
daemon off;
pid {work}/nginx.pid;
error_log {work}/error.log;
events {{ worker_connections 16384; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 600;
  keepalive_requests 1000000000;
  open_file_cache max=1000 inactive=600s;
  open_file_cache_valid 600s;
  client_body_temp_path {work}/body; proxy_temp_path {work}/proxy; fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi; scgi_temp_path {work}/scgi;
  server {{ listen 127.0.0.1:{port} backlog=16384; root {root}; }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing answers on port {port}")


class Running:
    """A server and the processes it started."""

    def __init__(self, name, command, port):
        self.name, self.port = name, port
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(port)

    def processes(self):
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return [str(self.process.pid), *children]

    def memory(self):
        """Returns its memory in bytes. Memory shared by processes counts once."""
        total = 0
        for process in self.processes():
            rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
            total += int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1]) * 1024
        return total

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def start(name, sheaf, root, work):
    port = free_port()
    if name == "nginx":
        configuration = work / f"nginx-{port}.conf"
        configuration.write_text(NGINX.format(work=work, port=port, root=root))
        return Running(name, [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(configuration), "-e", "stderr"], port)
    return Running(name, [sheaf, "serve", str(root), "--listen", f"127.0.0.1:{port}", "--max-connections", "20000", "--timeout", "600"], port)


def ask(server, path):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("HEAD", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def wrk(server, path, seconds, connections, headers=()):
    """Returns (answers per second, bytes per second, errors)."""
    command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", f"http://127.0.0.1:{server.port}{path}"]
    for header in headers:
        command += ["-H", header]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    units = {"B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30}
    size, unit = re.search(r"Transfer/sec:\s+([\d.]+)([KMG]?B)", output).groups()
    errors = re.search(r"Socket errors: (.*)", output)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), float(size) * units[unit], errors[1] if errors else ""


def download(server, path):
    """Returns the bytes per second of one file that curl downloads to /dev/null."""
    output = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{speed_download}", f"http://127.0.0.1:{server.port}{path}"],
                            check=True, capture_output=True, text=True).stdout
    return float(output)


def hold(server, count):
    """Opens `count` connections and gets one response on each."""
    held = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", server.port), 30)
        connection.sendall(b"GET /small.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{server.name} did not answer connection {len(held) + 1}")
        held.append(connection)
    return held


def best_of(rounds, servers, measure):
    best = {server.name: 0.0 for server in servers}
    for _ in range(rounds):
        for server in servers:
            best[server.name] = max(best[server.name], measure(server))
    return best


def make_files(sheaf, root, large_mb):
    (root / "small.txt").write_text("small\n")
    (root / "medium.bin").write_bytes(os.urandom(8 * 10**6))
    with open(root / "large.bin", "wb") as large:
        for _ in range(large_mb):
            large.write(os.urandom(10**6))
    example = pathlib.Path(__file__).resolve().parent.parent / "examples" / "monday.scp"
    subprocess.run([sheaf, "convert", str(example), str(root / "site.scp.zst")], check=True, capture_output=True)
    for path in [root, *root.iterdir()]:
        path.chmod(0o755)


def add(rows, figure, measured, detail):
    direction, goal = GOALS[figure]
    name = f"sheaf serve, {figure}" if figure == "connections held" else f"sheaf serve : nginx, {figure}"
    (rows.at_least if direction == ">=" else rows.at_most)(name, goal, measured, detail=detail)


def measure(servers, options, rows):
    sheaf, nginx = servers
    fast = 2 * os.cpu_count() * 16

    def not_modified(server):
        tag = ask(server, "/site.scp.zst").getheader("ETag")
        rate, _, errors = wrk(server, "/site.scp.zst", options.seconds, fast, [f"If-None-Match: {tag}"])
        if errors:
            print(f"{server.name}: {errors}", file=sys.stderr)
        return rate

    rates = best_of(options.rounds, servers, not_modified)
    add(rows, "304s a second", rates["sheaf"] / rates["nginx"], f"{rates['sheaf']:,.0f} : {rates['nginx']:,.0f} /s")
    medium = best_of(options.rounds, servers, lambda server: wrk(server, "/medium.bin", options.seconds, 8)[1])
    add(rows, "8 MB bodies, bytes per second", medium["sheaf"] / medium["nginx"], f"{medium['sheaf'] / 1e6:,.0f} : {medium['nginx'] / 1e6:,.0f} MB/s")
    large = best_of(options.rounds, servers, lambda server: download(server, "/large.bin"))
    add(rows, "one large body, bytes per second", large["sheaf"] / large["nginx"],
        f"{options.large_mb} MB; {large['sheaf'] / 1e6:,.0f} : {large['nginx'] / 1e6:,.0f} MB/s")


def measure_connections(sheaf_program, root, work, rows):
    """Measures on new servers, so that their memory has nothing from earlier runs."""
    cost = {}
    for name in ("sheaf", "nginx"):
        server = start(name, sheaf_program, root, work)
        for connection in hold(server, 100):  # what is allocated once
            connection.close()
        time.sleep(0.5)
        before = server.memory()
        held = hold(server, 1000)
        cost[name] = max(server.memory() - before, 1)
        if name == "sheaf":
            held += hold(server, 4000)
            count, memory = len(held), server.memory()
            print(f"sheaf holds {count} connections, {memory / 2**20:.1f} MiB in all")
        for connection in held:
            connection.close()
        server.stop()
    add(rows, "memory of 1,000 idle connections", cost["sheaf"] / cost["nginx"], f"{cost['sheaf'] / 2**20:.2f} : {cost['nginx'] / 2**20:.2f} MiB")
    add(rows, "connections held", count, f"{memory / 2**20:.1f} MiB in all")


def measure_all(options, work, rows):
    work.chmod(0o755)
    root = work / "site"
    root.mkdir()
    make_files(options.sheaf, root, options.large_mb)
    servers = [start("sheaf", options.sheaf, root, work), start("nginx", options.sheaf, root, work)]
    try:
        measure(servers, options, rows)
    finally:
        for server in servers:
            server.stop()
    measure_connections(options.sheaf, root, work, rows)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True)
    arguments.add_argument("--seconds", type=int, default=4)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--large-mb", type=int, default=1000)
    arguments.add_argument("--json")
    options = arguments.parse_args()
    rows = figures.Figures("serve")
    missing = [program for program in ("nginx", "wrk", "curl") if not (shutil.which(program) or shutil.which(program, path="/usr/sbin"))]
    if missing:
        for figure in GOALS:
            add(rows, figure, None, f"{', '.join(missing)}: not installed")
        rows.append_to(options.json)
        raise SystemExit(f"not installed: {', '.join(missing)}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (20000, max(20000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    try:
        with tempfile.TemporaryDirectory() as folder:
            measure_all(options, pathlib.Path(folder), rows)
    finally:  # also writes the rows that were measured before a failure
        rows.print()
        rows.append_to(options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
