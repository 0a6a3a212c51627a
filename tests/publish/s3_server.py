"""A real S3-compatible server (s3rver, from npm), and a proxy in front of it that checks signatures and injects faults.

s3rver knows the keys but does not check signatures of version 4. The proxy checks them as the AWS documentation describes, and the
hash of each body. The check is correct if it accepts rclone, whose signatures are made by Amazon's library.
"""
import hashlib
import hmac
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import npm_packages  # noqa: E402

S3RVER = "s3rver@3.7.1"
ACCESS, SECRET = "S3RVER", "S3RVER"  # the keys of s3rver
ENTRY = "node_modules/s3rver/bin/s3rver.js"


def find_s3rver(folder):
    """Returns the program, which is fetched into the folder the first time; None if it is not available."""
    fetched = npm_packages.fetch(folder, S3RVER)
    return fetched and fetched / ENTRY


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class S3Server:
    def __init__(self, program, folder, buckets):
        self.port = free_port()
        command = ["node", str(program), "-d", str(folder), "-a", "127.0.0.1", "-p", str(self.port), "--silent"]
        for bucket in buckets:
            command += ["--configure-bucket", bucket]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit("s3rver did not start")

    def stop(self):
        self.process.kill()
        self.process.wait()


def refusal(status, code, message):
    body = f"<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>{message}</Message></Error>"
    return f"HTTP/1.1 {status} No\r\nContent-Type: application/xml\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()


def signature_fault(head, body):
    """Returns the error response to a request whose signature or body is wrong; None if both are right."""
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    path, _, query = target.partition("?")
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = re.sub(" +", " ", value.strip())
    found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d+)/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)",
                         headers.get("authorization", ""))
    if not found:
        return refusal(403, "AccessDenied", "There is no signature.")
    access, day, region, signed, signature = found.groups()
    if access != ACCESS:
        return refusal(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
    parameters = sorted(part if "=" in part else part + "=" for part in query.split("&") if part)
    signed_headers = "".join(f"{name}:{headers.get(name, '')}\n" for name in signed.split(";"))
    payload = headers.get("x-amz-content-sha256", "")
    request = "\n".join([method, path, "&".join(parameters), signed_headers, signed, payload])
    scope = f"{day}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(request.encode("latin-1")).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in (*scope.split("/"), text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    must = {"host", *(name for name in headers if name.startswith("x-amz-"))}
    if key.hex() != signature or not must <= set(signed.split(";")):
        return refusal(403, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided.")
    if payload != "UNSIGNED-PAYLOAD" and payload != hashlib.sha256(body).hexdigest():
        return refusal(400, "XAmzContentSHA256Mismatch", "The provided x-amz-content-sha256 header does not match what was computed.")
    return None


class Proxy:
    """Forwards each request on a separate connection, unless a fault is planned for it.

    `faults` is a list of (pattern of the request line, what, how often); the first that matches is used up.
    what: a status to answer; "cut": the connection is reset in the middle of the body; "hang": nothing is answered; "lose": the
    request is handed on, and its answer is lost; "slow": it is handed on after a second.
    """

    def __init__(self, upstream_port):
        self.upstream_port, self.faults, self.requests, self.heads = upstream_port, [], [], []
        self.hanging = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def plan(self, request):
        for index, (pattern, what, count) in enumerate(self.faults):
            if re.search(pattern, request):
                self.faults[index] = (pattern, what, count - 1)
                self.faults = [fault for fault in self.faults if fault[2] > 0]
                return what
        return None

    def serve(self, client):
        with client:
            try:
                self.serve_request(client)
            except OSError:
                pass  # the other side closed the connection, which some tests do on purpose

    def serve_request(self, client):
        data = b""
        while b"\r\n\r\n" not in data:
            piece = client.recv(65536)
            if not piece:
                return
            data += piece
        head, body = data.split(b"\r\n\r\n", 1)
        line = head.split(b"\r\n")[0].decode()
        length = int((re.search(rb"(?i)\r\ncontent-length: *(\d+)", head) or [0, 0])[1])
        self.requests.append(line)
        self.heads.append(head.decode("latin-1"))
        what = self.plan(line)
        if what == "cut":
            client.recv(1024)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            return
        if what == "hang":
            self.hanging.set()
            client.settimeout(60)
            while client.recv(65536):
                pass
            return
        while len(body) < length:
            body += client.recv(65536)
        if what == "slow":
            time.sleep(1)
        if what not in (None, "lose", "slow"):
            client.sendall(f"HTTP/1.1 {what} Fault\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            return
        fault = signature_fault(head, body)
        if fault:
            client.sendall(fault)
            return
        with socket.create_connection(("127.0.0.1", self.upstream_port)) as upstream:
            upstream.sendall(head + b"\r\nConnection: close\r\n\r\n" + body)
            while piece := upstream.recv(65536):
                if what != "lose":
                    client.sendall(piece)
        if what == "lose":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    def stop(self):
        self.listener.close()
