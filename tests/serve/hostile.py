#!/usr/bin/env python3
"""Hostile clients: while they attack, the server answers other clients, and its memory stays constant.

usage: hostile.py --sheaf PROGRAM [--seconds N] [--seed N] [--asan]

    --seconds   of random bytes (2; ten minutes for the long run)
    --asan      the program is instrumented: AddressSanitizer keeps a small quarantine, and more memory is allowed
"""
import argparse
import http.client
import os
import pathlib
import random
import re
import resource
import socket
import sys
import tempfile
import time

from site_fixture import Server, make_site, wait_until

SLOW_CLIENTS = 1000
KNOWN = b'abcdefghijklmnopqrstuvwxyz'


def memory(server):
    status = pathlib.Path(f'/proc/{server.process.pid}/status').read_text()
    return int(re.search(r'^VmRSS:\s+(\d+)', status, re.M)[1]) * 1024


def answers_others(server, what):
    connection = http.client.HTTPConnection(*server.address, timeout=30)
    connection.request('GET', '/alphabet.txt')
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if (answer.status, body) != (200, KNOWN):
        raise SystemExit(f'{what}: another client got {answer.status} {body!r}')


def exchange(server, request, limit=65536):
    """Returns everything that the server sends until it closes the connection or stops sending."""
    with server.connect() as client:
        client.settimeout(5)
        try:
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server may already have answered and closed
        got = b''
        try:
            while len(got) < limit and (piece := client.recv(65536)):
                got += piece
        except OSError:
            pass
        return got


def status_of(answer):
    found = re.match(rb'HTTP/1\.1 (\d{3}) ', answer)
    return int(found[1]) if found else None


def slow_clients(server):
    """A thousand clients that send a byte of their request now and then."""
    clients = []
    for number in range(SLOW_CLIENTS):
        client = server.connect()
        client.sendall(b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nX-Slow: ')
        clients.append(client)
        if number % 250 == 0:
            answers_others(server, f'{number} slow clients')
    for _ in range(3):
        for client in clients:
            try:
                client.sendall(b'z')
            except OSError:
                pass
        answers_others(server, 'slow clients at work')
    # The time for the head of a request is over, regardless of how many bytes arrived.
    end = time.monotonic() + 60
    left = clients
    while left and time.monotonic() < end:
        still = []
        for client in left:
            client.settimeout(0)
            try:
                if client.recv(4096):
                    still.append(client)  # an answer (408); the end comes next
            except BlockingIOError:
                try:
                    client.sendall(b'z')
                    still.append(client)
                except OSError:
                    pass
            except OSError:
                pass
        left = still
        time.sleep(0.2)
    for client in clients:
        client.close()
    if left:
        raise SystemExit(f'{len(left)} slow clients were never shown the door')
    answers_others(server, 'after the slow clients')


def slow_readers(server):
    """Clients that request a file and read nothing."""
    clients = []
    for _ in range(100):
        client = server.connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b'GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n')
        clients.append(client)
    answers_others(server, 'slow readers')
    for client in clients:
        client.close()


# Requests that a proxy and a server might parse differently: none may get a normal response.
SMUGGLING = [
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nhello',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 6\r\n\r\nhello',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\n Continued: line\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nBad\x00Name: y\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nName: bad\x00value\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\rHost: x\r\r',
    b'GET  /alphabet.txt HTTP/1.1\r\nHost: x\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1 \r\nHost: x\r\n\r\n',
    b'GET /alphabet.txt\tHTTP/1.1\r\nHost: x\r\n\r\n',
    b'GET /alphabet.txt HTTP/1.1\r\n\r\n',
]


def smuggling(server):
    for request in SMUGGLING:
        smuggled = request + b'GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n'
        answer = exchange(server, smuggled)
        if status_of(answer) not in (400, 501):
            raise SystemExit(f'{request!r} was answered {answer[:80]!r}')
        if answer.count(b'HTTP/1.1 ') != 1:
            raise SystemExit(f'after {request!r} the connection went on: {answer!r}')
        answers_others(server, 'smuggling')


def large_heads(server):
    for request, wanted in [
        (b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nX-Large: ' + b'a' * 65536 + b'\r\n\r\n', {431}),
        (b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\n' + b'X: y\r\n' * 20000 + b'\r\n', {431}),
        (b'GET /' + b'a' * 65536 + b' HTTP/1.1\r\nHost: x\r\n\r\n', {414}),
        (b'A' * 65536, {400, 414, 431, 501}),
        (b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=' + b','.join(b'%d-%d' % (i, i) for i in range(2000)) + b'\r\n\r\n', {200, 416, 431}),
        (b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=' + b','.join([b'0-'] * 10000) + b'\r\n\r\n', {200, 416, 431}),
    ]:
        answer = exchange(server, request)
        if status_of(answer) not in wanted:
            raise SystemExit(f'{request[:60]!r}... was answered {answer[:80]!r}')
        if len(answer) > 4096:
            raise SystemExit(f'{request[:60]!r}... cost {len(answer)} bytes')
        answers_others(server, 'large heads')


def half_closed(server):
    """A client that closes its sending side still gets its response."""
    answer = exchange(server, b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\n\r\n')
    if not answer.endswith(KNOWN):
        raise SystemExit(f'a half-closed client got {answer!r}')
    for _ in range(200):  # clients that disconnect in the middle are forgotten
        client = server.connect()
        client.sendall(b'GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n')
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\x01\x00\x00\x00\x00\x00\x00\x00')
        client.close()
    answers_others(server, 'half-closed clients')


def random_request(source):
    kind = source.randrange(4)
    if kind == 0:
        return source.randbytes(source.randrange(1, 2000))
    request = bytearray(b'GET /alphabet.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=0-5,7-\r\nIf-None-Match: "a", W/"b"\r\nConnection: keep-alive\r\n\r\n' * source.randrange(1, 4))
    for _ in range(source.randrange(1, 12)):
        place = source.randrange(len(request))
        if kind == 1:
            request[place] = source.randrange(256)
        elif kind == 2:
            del request[place:place + source.randrange(20)]
            request = request or bytearray(b'\r\n')
        else:
            request[place:place] = source.choice([b'\r\n', b'\x00', b' ', b'%', b':', b'bytes=', b'Content-Length: 3\r\n', b'/../', b'HTTP/1.0'])
    return bytes(request)


def random_bytes(server, seconds, seed, check_memory):
    """One connection at a time, so that the seed reproduces a fault."""
    source = random.Random(seed)
    end = time.monotonic() + seconds
    count, settled = 0, None
    while time.monotonic() < end:
        with server.connect() as client:
            client.settimeout(0.05)
            try:
                client.sendall(random_request(source))
                client.recv(65536)
            except OSError:
                pass
        count += 1
        if count % 500 == 0:
            answers_others(server, f'random bytes, request {count} of seed {seed}')
            if settled is None:
                settled = memory(server)
    answers_others(server, f'random bytes, request {count} of seed {seed}')
    if settled is not None:
        check_memory(settled, f'{count} random requests')
    return count


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    arguments.add_argument('--sheaf', required=True)
    arguments.add_argument('--seconds', type=float, default=2)
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--asan', action='store_true')
    options = arguments.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, max(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / 'site'
        pathlib.Path(folder).chmod(0o755)
        root.mkdir()
        make_site(options.sheaf, root)
        (root / 'large.bin').write_bytes(bytes(20_000_000))
        # ASan keeps freed memory for a while, by default 256 MiB, which would look like a leak.
        environment = {**os.environ, 'ASAN_OPTIONS': 'quarantine_size_mb=8'} if options.asan else None
        with Server(options.sheaf, root, '--timeout', '3', '--max-connections', '3000', env=environment) as server:
            allowed = 64 << 20 if options.asan else 4 << 20

            def check_memory(before, what):
                grown = memory(server) - before
                if grown > allowed:
                    raise SystemExit(f'{what}: memory grew by {grown / 2**20:.1f} MiB')

            answers_others(server, 'nobody else')
            half_closed(server)
            before = memory(server)
            for attack in (slow_readers, half_closed, smuggling, large_heads):
                attack(server)
                check_memory(before, attack.__name__)
            slow_clients(server)
            wait_until(lambda: memory(server) - before <= allowed + (8 << 20), 'the memory of the slow clients to come back')
            count = random_bytes(server, options.seconds, options.seed, check_memory)
            if server.stop() != 0:
                raise SystemExit(f'the server ended badly: {server.complaints()}')
            if 'Sanitizer' in server.complaints():
                raise SystemExit(server.complaints())
    print(f'{SLOW_CLIENTS} slow clients, {len(SMUGGLING)} smuggled requests and {count} random ones survived')
    return 0


if __name__ == '__main__':
    sys.exit(main())
