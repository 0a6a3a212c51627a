#!/usr/bin/env python3
"""Tests sheaf mcp with the official client from npm over standard input and HTTP, and with hand-written messages for other cases.

usage: sdk_clients.py --sheaf PROGRAM --fill PROGRAM --sdk FOLDER    FOLDER: where the client is, or will be installed
Exit status 77 if node is missing or npm cannot fetch the client; the tests with hand-written messages still run.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import http.server

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import npm_packages  # noqa: E402

SDK = "@modelcontextprotocol/sdk@1.32.2"
TOKEN = "a-token-of-some-length"
SAFE = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}


def check(condition, *complaint):
    if not condition:
        raise SystemExit("not as it should be: " + " ".join(map(str, complaint)))


class HttpServer:
    def __init__(self, sheaf, store, *options, address="127.0.0.1:0"):
        self.process = subprocess.Popen([sheaf, "mcp", "--store", store, "--listen", address, *options], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"listening on http://\S+?:(\d+)/mcp", line)
        check(found, "the server says", line)
        self.port = int(found[1])

    def request(self, body, method="POST", path="/mcp", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        headers.update({name.replace("_", "-"): value for name, value in fields.items()})
        connection.request(method, path, body=body if isinstance(body, (str, bytes)) else json.dumps(body), headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def stop(self):
        self.process.terminate()
        check(self.process.wait(timeout=60) == 0, "it ended with", self.process.returncode)


def ask(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def by_hand_http(sheaf, store, folder):
    server = HttpServer(sheaf, store)
    ping = ask(1, "ping")
    check(server.request(ping) == (200, '{"jsonrpc":"2.0","id":1,"result":{}}'), server.request(ping))
    # DNS rebinding, and pages of other sites.
    for name, value in (("Host", "attacker.example"), ("Origin", "https://attacker.example"), ("Origin", "null"), ("Origin", "http://127.0.0.1.attacker.example")):
        status, text = server.request(ping, **{name: value})
        check(status == 403, name, value, status, text)
    check(server.request(ping, Origin=f"http://127.0.0.1:{server.port}")[0] == 200, "our own origin")
    check(server.request(ping, Origin=f"http://127.0.0.1:{server.port + 1}")[0] == 403, "another server of this machine")
    check(server.request({"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, ""), "a notification")
    check(server.request("", method="GET")[0] == 405, "GET")
    check(server.request("", method="DELETE")[0] == 405, "DELETE")
    check(server.request(ping, path="/")[0] == 404, "another path")
    check(server.request(ping, MCP_Protocol_Version="1999-01-01")[0] == 400, "an unknown version")
    check(server.request(ping, MCP_Protocol_Version="2025-06-18")[0] == 200, "a known version")
    check(server.request(ping, Content_Type="text/plain")[0] == 415, "another type")
    check(server.request("x" * 100_000)[0] == 413, "a large body")
    for body, code in (("{", -32700), ("[]", -32600), ('"x"', -32600), ('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
                       ('{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601), ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                       ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602), ("\xff".encode("latin-1"), -32700)):
        status, text = server.request(body)
        check(status == 200 and json.loads(text)["error"]["code"] == code, body, status, text)
    status, text = server.request([ping, {"jsonrpc": "2.0", "method": "notifications/x"}, ask(2, "ping")])
    check([answer["id"] for answer in json.loads(text)] == [1, 2], text)
    server.stop()
    # A token, and the addresses that need one.
    token = folder / "token"
    token.write_text(TOKEN + "\n")
    server = HttpServer(sheaf, store, "--token-file", token)
    check(server.request(ping)[0] == 401, "without the token")
    check(server.request(ping, Authorization="Bearer " + TOKEN + "x")[0] == 401, "with another")
    check(server.request(ping, Authorization="Bearer " + TOKEN)[0] == 200, "with the token")
    server.stop()
    refused = subprocess.run([sheaf, "mcp", "--store", store, "--listen", "0.0.0.0:0"], capture_output=True, text=True)
    check(refused.returncode == 2 and "can be reached from other machines" in refused.stderr, refused.stderr)
    token.write_text("short\n")
    refused = subprocess.run([sheaf, "mcp", "--store", store, "--listen", "127.0.0.1:0", "--token-file", token], capture_output=True, text=True)
    check(refused.returncode == 2 and "at least 16 characters" in refused.stderr, refused.stderr)


def converse(sheaf, store, *messages, options=()):
    """Sends messages on standard input and returns the answers; a string is sent unchanged."""
    lines = "".join((message if isinstance(message, str) else json.dumps(message)) + "\n" for message in messages)
    done = subprocess.run([sheaf, "mcp", "--store", store, *options], input=lines, capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_hand_stdio(sheaf, store):
    for wanted, given in (("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-11-25")):
        answers = converse(sheaf, store, ask(1, "initialize", protocolVersion=wanted, capabilities={}, clientInfo={"name": "x", "version": "1"}))
        check(answers[0]["result"]["protocolVersion"] == given, answers)
    answers = converse(sheaf, store, "", "nonsense", "x" * 2_000_000, ask(7, "ping"), "[" * 100_000)
    check([answer.get("error", {}).get("code") for answer in answers] == [-32700, -32600, None, -32700], answers)
    answers = converse(sheaf, store, ask(1, "tools/call", name="pull_site", arguments={"url": "https://test.example"}))
    check(answers[0]["error"]["code"] == -32602, "pull_site without --allow-pull", answers)
    # Control characters of pages stay escaped in the output.
    raw = subprocess.run([sheaf, "mcp", "--store", store], input=json.dumps(ask(1, "tools/call", name="get_page", arguments={"url": "https://test.example/evil"})) + "\n",
                         capture_output=True, text=True).stdout
    check("\x1b" not in raw and "needle" in raw, raw)


class QuietSite(http.server.BaseHTTPRequestHandler):
    PAGE = "<!doctype html><html lang=en><title>Fresh page</title><main><h1>Fresh</h1><p>A marmalade sentence that is long enough to be kept.</p></main>"

    def do_GET(self):
        body = {"/": self.PAGE, "/robots.txt": "", "/sitemap.xml":
                f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://127.0.0.1:{self.server.server_address[1]}/</loc></url></urlset>'}.get(self.path)
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "text/plain" if self.path == "/robots.txt" else "application/xml")
        self.end_headers()
        self.wfile.write((body or "").encode())

    def log_message(self, *_):
        pass


def pulls(sheaf, store):
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), QuietSite)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{site.server_address[1]}"
    pull = ask(1, "tools/call", name="pull_site", arguments={"url": url})
    # The usual safeguards: private addresses are refused unless they are allowed.
    answers = converse(sheaf, store, pull, options=["--allow-pull"])
    check(answers[0]["result"].get("isError"), answers)
    find = ask(2, "tools/call", name="search", arguments={"query": "marmalade"})
    answers = converse(sheaf, store, pull, find, options=["--allow-pull", "--allow-private"])
    check(not answers[0]["result"].get("isError"), answers)
    check(answers[1]["result"]["structuredContent"]["total"] == 1, answers)
    answers = converse(sheaf, store, ask(1, "tools/call", name="pull_site", arguments={"url": "--help"}), options=["--allow-pull"])
    check(answers[0]["result"]["isError"], answers)
    site.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sheaf", "fill", "sdk"):
        parser.add_argument("--" + name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-mcp-") as name:
        folder = pathlib.Path(name)
        shutil.copy(HERE.parent.parent / "examples" / "monday.scp", folder)
        path = f"{options.fill.parent}:{HERE.parent / 'cli' / 'bin'}:{os.environ['PATH']}"
        evil = "collection --section evil --text \"$(printf 'needle \\033]0;owned\\007')\" evil > evil.scp; store_fill crawl https://test.example evil.scp > /dev/null"
        store = folder / "crawl"
        subprocess.run(["bash", "-ec", "fill-example"], cwd=folder, env={**SAFE, "PATH": path}, check=True)
        subprocess.run([options.sheaf, "index", "--store", store], check=True, capture_output=True)
        has_sdk = npm_packages.fetch(options.sdk, SDK) is not None
        if has_sdk:
            client = ["node", HERE / "sdk_client.mjs", options.sdk]
            subprocess.run([*client, "stdio", options.sheaf, store], check=True, timeout=300)
            server = HttpServer(options.sheaf, store)
            subprocess.run([*client, "http", f"http://127.0.0.1:{server.port}/mcp"], check=True, timeout=300)
            server.stop()
            (folder / "secret").write_text(TOKEN + "\n")
            server = HttpServer(options.sheaf, store, "--token-file", folder / "secret")
            subprocess.run([*client, "http", f"http://127.0.0.1:{server.port}/mcp", TOKEN], check=True, timeout=300)
            server.stop()
        subprocess.run(["bash", "-ec", evil], cwd=folder, env={**SAFE, "PATH": path}, check=True)
        by_hand_http(options.sheaf, store, folder)
        by_hand_stdio(options.sheaf, store)
        pulls(options.sheaf, store)
    if not has_sdk:
        print(f"skipped the official client: needs node, and npm to fetch {SDK}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
