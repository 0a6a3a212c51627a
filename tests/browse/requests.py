#!/usr/bin/env python3
"""sheaf browse over bare sockets: memory stays constant over many requests, streams and uploads obey the limits of the server, and tokens and host names are
checked at start.

usage: requests.py --sheaf PROGRAM --fill PROGRAM [--requests N] [--any-memory]
"""
import argparse
import concurrent.futures
import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

SITE = "https://many.example"
GROWTH = 16 << 20  # bytes that a warm process may still grow: thread caches, and the heap of four threads


def check(condition, *complaint):
    if not condition:
        raise SystemExit("not as it should be: " + " ".join(map(str, complaint)))


def start(sheaf, *arguments, command="browse"):
    process = subprocess.Popen([sheaf, command, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    found = re.search(r"listening on http://\S+?:(\d+)/", line)
    check(found, "the server says", line)
    return process, int(found[1])


def stop(process):
    process.terminate()
    check(process.wait(timeout=60) == 0, "it ended with", process.returncode)


def resident(process):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) * 1024


def request(port, path, method="GET", body=None, **fields):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body=body, headers={name.replace("_", "-"): value for name, value in fields.items()})
    answer = connection.getresponse()
    return answer.status, answer.read(), answer


def make_store(fill, folder, pages):
    path = folder / "many.scp"
    with path.open("w") as out:
        out.write(json.dumps({"collection": {"id": "x", "section": "all", "type": "snapshot", "generated": "2026-01-03T00:00:00Z", "version": "0.1"}}) + "\n")
        for i in range(pages):
            blocks = [{"type": "text", "text": f"Paragraph {j} of page {i} with some words."} for j in range(990 if i == 0 else 3)]
            out.write(json.dumps({"url": f"{SITE}/{i}", "title": f"Page {i}", "description": "", "modified": "2026-01-01T00:00:00Z", "language": "en", "content": blocks}) + "\n")
    done = subprocess.run([fill, str(folder / "store"), SITE, str(path)], capture_output=True, text=True)
    check(done.returncode == 0, done.stdout, done.stderr)
    return folder / "store"


def ask_many(port, paths, count):
    """Sends requests on one connection, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for i in range(count):
        connection.request("GET", paths[i % len(paths)])
        answer = connection.getresponse()
        answer.read()
        check(answer.status in (200, 404), paths[i % len(paths)], answer.status)
    connection.close()


def memory_is_flat(sheaf, store, count, any_memory):
    process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0")
    page = "/page?" + urllib.parse.urlencode({"url": f"{SITE}/7"})
    paths = [page, "/", page + "&tab=json", "/search.json?q=paragraph", "/site?site=" + SITE, page + "&tab=markdown", "/nothing", "/pages?rows=5", "/asset?name=app.js", page + "&tab=source"]
    ask_many(port, paths, max(count // 10, 500))
    warm = resident(process)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(ask_many, port, paths, count // 4) for _ in range(4)]:
            done.result()
    grown = resident(process) - warm
    print(f"{count} requests: {warm >> 20} MiB, {grown >> 10} KiB more at the end")
    check(any_memory or grown < GROWTH, "memory grew by", grown)
    stop(process)


def large_lists(sheaf, store):
    process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0")
    _, body, _ = request(port, "/pages?rows=10000")
    check(body.count(b"<a data-row") == 10_000, "rows of the list:", body.count(b"<a data-row"))
    _, body, _ = request(port, "/page?" + urllib.parse.urlencode({"url": f"{SITE}/0"}))
    check(body.count(b"<p dir=\"auto\">") >= 990, "blocks of the page:", body.count(b"<p dir=\"auto\">"))
    seen, path = 0, "/pages?rows=1000"
    while path:
        _, body, _ = request(port, path)
        seen += body.count(b"<a data-row")
        following = re.search(rb'<a rel="next" href="([^"]+)"', body)
        path = following[1].decode().replace("&amp;", "&") if following else None
    check(seen == 10_000, "pages on all lists:", seen)
    stop(process)


def streams_and_uploads(sheaf, store):
    process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0", "--max-connections", "100")
    # A feed from the beginning: all changes arrive, in pieces, and the server still answers other clients.
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/changes/stream?since=0")
    feed = connection.getresponse()
    check(feed.status == 200 and feed.headers["Content-Type"] == "text/event-stream" and feed.headers["Transfer-Encoding"] == "chunked", feed.headers)
    events = 0
    while events < 10_000:
        line = feed.readline()
        check(line, "the feed ended after", events)
        events += line.startswith(b"event: change")
    check(request(port, "/")[0] == 200, "beside a feed")
    # Feeds whose clients do not read block no other client, and their number is limited.
    idle = []
    for _ in range(70):
        one = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        one.request("GET", "/changes/stream?since=0")
        idle.append(one)
    statuses = [one.getresponse().status for one in idle]
    check(statuses.count(200) == 63 and statuses.count(503) == 7, "feeds:", statuses)
    check(request(port, "/")[0] == 200, "beside idle feeds")
    for one in [*idle, connection]:
        one.close()
    # HTTP/1.0 has no chunks; HEAD has no body.
    check(request(port, "/changes/stream", "HEAD")[0] == 200, "HEAD of a feed")
    # An upload of megabytes, an upload that is too large, a body that is not a form, and a request from another site.
    boundary = {"Content_Type": "multipart/form-data; boundary=abc"}
    head = b'--abc\r\nContent-Disposition: form-data; name="file"; filename="x.scp"\r\n\r\n'
    status, _, answer = request(port, "/inspect/upload", "POST", head + b"x" * (8 << 20) + b"\r\n--abc--\r\n", **boundary)
    check(status == 303 and answer.headers["Location"].startswith("/inspect/result?id="), status)
    check(request(port, "/inspect/upload", "POST", b"x" * 100_000, **boundary)[0] == 400, "not a form")
    check(request(port, "/inspect/upload", "POST", head, Origin="https://attacker.example", **boundary)[0] == 403, "of another site")
    check(request(port, "/inspect/open", "POST", b"name=" + b"x" * 100_000)[0] == 413, "a large form without a file")
    large = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    large.putrequest("POST", "/inspect/upload")
    large.putheader("Content-Type", "multipart/form-data; boundary=abc")
    large.putheader("Content-Length", str(300 << 20))
    large.endheaders()
    check(large.getresponse().status == 413, "an upload of 300 MiB")
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        check(request(port, "/pages", method)[0] == 405, method)
    # When the server stops, it ends its feeds.
    feed = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    feed.request("GET", "/changes/stream")
    feed = feed.getresponse()
    stop(process)


def signals_are_for_the_main_thread(sheaf, store):
    """If a thread did not block SIGTERM, the signal could end the process before the main thread waits for it."""
    for command, path in (("browse", "/"), ("mcp", "/mcp")):
        process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0", command=command)
        request(port, path)
        threads = []
        give_up = time.monotonic() + 60
        while len(threads) <= 4 and time.monotonic() < give_up:  # the first answers while others still start
            threads = [entry for entry in pathlib.Path(f"/proc/{process.pid}/task").iterdir() if entry.name != str(process.pid)]
        blocked = [int(re.search(r"SigBlk:\s+(\w+)", (entry / "status").read_text())[1], 16) for entry in threads]
        check(len(blocked) > 4 and all(mask >> (signal.SIGTERM - 1) & 1 for mask in blocked), command, "has threads that block", [f"{mask:x}" for mask in blocked])
        stop(process)


def a_pull_ends_with_its_server(sheaf, store):
    """The site never answers: without a signal the pull would continue until its timeouts."""
    with socket.create_server(("127.0.0.1", 0)) as site:
        process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0", "--allow-pull", "--allow-private", command="mcp")
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "pull_site", "arguments": {"url": f"http://127.0.0.1:{site.getsockname()[1]}"}}}
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(request, port, "/mcp", "POST", json.dumps(call), Content_Type="application/json", Accept="application/json, text/event-stream")
            site.accept()  # the pull has requested robots.txt
            process.terminate()
            check(process.wait(timeout=20) == 0, "mcp with a pull under way ended with", process.returncode)
            answer.exception()


def who_may_ask(sheaf, store, folder):
    process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0")
    for name, value in (("Host", "attacker.example"), ("Origin", "https://attacker.example"), ("Origin", "null"), ("Host", "127.0.0.1.attacker.example")):
        status, body, _ = request(port, "/", **{name: value})
        check(status == 403 and b"many.example" not in body, name, value, status)
    stop(process)
    token = folder / "token"
    token.write_text("a-token-of-some-length\n")
    process, port = start(sheaf, "--store", store, "--listen", "127.0.0.1:0", "--token-file", token, "--host", "sheaf.example")
    check(request(port, "/")[0] == 401, "without the token")
    check(request(port, "/", Authorization="Bearer a-token-of-some-length")[0] == 200, "with it")
    check(request(port, "/", Authorization="Bearer a-token-of-some-length", Host="sheaf.example")[0] == 200, "by its name")
    status, body, _ = request(port, "/inspect/open", "POST", f"name={token}", Authorization="Bearer a-token-of-some-length")
    check(status == 409 and b"by name" in body, "a path where others reach it", status)
    stop(process)
    for arguments, sentence in ((["--listen", "0.0.0.0:0"], "can be reached from other machines"), (["--host", "x", "--listen", "127.0.0.1:0"], "give a --token-file"),
                                (["--listen", "nonsense"], "nonsense")):
        done = subprocess.run([sheaf, "browse", "--store", str(store), *arguments], capture_output=True, text=True, timeout=60)
        check(done.returncode == 2 and sentence in done.stderr, arguments, done.returncode, done.stderr)
    done = subprocess.run([sheaf, "browse"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 2 and "give --store" in done.stderr, done.stderr)
    done = subprocess.run([sheaf, "browse", "--store", str(folder / "none")], capture_output=True, text=True, timeout=60)
    check(done.returncode == 2, done.stderr)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--sheaf", "--fill"):
        parser.add_argument(name, required=True)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--any-memory", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        store = make_store(options.fill, folder, 10_000)
        subprocess.run([options.sheaf, "index", "--store", str(store)], check=True, capture_output=True)
        signals_are_for_the_main_thread(options.sheaf, store)
        a_pull_ends_with_its_server(options.sheaf, store)
        who_may_ask(options.sheaf, store, folder)
        streams_and_uploads(options.sheaf, store)
        large_lists(options.sheaf, store)
        memory_is_flat(options.sheaf, store, options.requests, options.any_memory)


if __name__ == "__main__":
    sys.exit(main())
