#!/usr/bin/env python3
"""Sends requests to a running `sheaf serve` over a bare socket and compares the complete responses.

usage: conduct.py --sheaf PROGRAM [--update] [NAME...]    NAME: a file in conduct/; default: all
       conduct.py --self-test                             prove that a wrong answer is caught

A case in conduct/*.http:

    # A comment says what the case shows.
    --- name
    > GET /robots.txt HTTP/1.1
    > Host: site.example
    >
    < HTTP/1.1 200 OK
    < Content-Type: text/plain; charset=utf-8
    = User-agent: *\\nAllow: /\\n
    (kept)

`> ` is a line of the request and its CRLF, `>> ` bytes as they are. `< ` are the lines of an answer's head, all of them and in
order, but for Date, which must be there and be a date. `= ` is the body. Several answers may follow, for requests sent at once.
The end is (kept) when the connection goes on, which is tried with another request, or (closed). Escapes are those of Python's
bytes; {repeat:TEXT:N} in a request is the text N times. In answers {size:FILE} is a file's size, {bytes:FILE} and
{bytes:FILE:FIRST-LAST} its bytes, {*} any text within the line; {boundary} is the boundary that the head named.
A line `# serve: --rate 1` at the top of a file gives the server more options.

To add a case write the requests and run with --update, then read what it wrote.
"""
import argparse, ast, email.utils, pathlib, re, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import site_fixture

HERE = pathlib.Path(__file__).resolve().parent
PROBE = b'GET /robots.txt HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n'


def literal(text):
    return ast.literal_eval("b'" + text.replace("'", "\\'") + "'")


def as_literal(data):
    return repr(b'"' + data)[3:-1].replace("\\'", "'") if b"'" in data else repr(data)[2:-1]


class Case:
    def __init__(self, name, comments):
        self.name, self.comments, self.requests, self.expected = name, comments, [], []

    def request(self):
        data = b''
        for line in self.requests:
            raw = line.startswith('>> ')
            text = re.sub(r'\{repeat:(.*?):(\d+)\}', lambda m: m[1] * int(m[2]), line[3:] if raw else line[2:])
            data += literal(text) + (b'' if raw else b'\r\n')
        return data

    def methods(self):
        found = [re.match(r'>>? (\S+) .*HTTP/', line) for line in self.requests]
        return [match[1] for match in found if match]


def parse(text):
    cases, comments, options = [], [], []
    for line in text.splitlines():
        if line.startswith('# serve: '):
            options = line[9:].split()
            comments.append(line)
        elif line.startswith('--- '):
            cases.append(Case(line[4:], comments))
            comments = []
        elif line.startswith('#') or not line:
            comments.append(line)
        elif line.startswith('>'):
            cases[-1].requests.append(line if len(line) > 1 else '> ')
        else:
            cases[-1].expected.append(line if len(line) > 1 else line + ' ')
    return cases, options, comments


def render(cases, trailing):
    out = []
    for case in cases:
        out += [*case.comments, f'--- {case.name}', *[line.rstrip() if line in ('> ',) else line for line in case.requests], *case.expected]
    return '\n'.join([*out, *trailing]) + '\n'


def shown(answer, folder):
    """Returns a response as the lines of a case, and the fault of its Date."""
    status, headers, body = answer
    lines = ['< ' + status.decode('latin-1').rstrip('\r\n')]
    dates = 0
    for header in headers:
        if header.lower().startswith(b'date:'):
            dates += email.utils.parsedate(header[5:].decode()) is not None
        else:
            lines.append('< ' + as_literal(header.rstrip(b'\r\n')))
    if dates != 1:
        lines.append('< (no valid Date)')
    if body:
        lines.append('= ' + as_literal(body))
    return lines


def exchange(server, case):
    """Sends the requests of a case and returns the lines of the responses."""
    methods = case.methods()
    wanted = sum(line.startswith('< HTTP/') for line in case.expected) or max(1, len(methods))
    lines = []
    with server.connect() as connection:
        try:
            connection.sendall(case.request())
        except OSError:
            pass  # the server may close before everything was sent
        stream = connection.makefile('rb')
        try:
            for i in range(wanted):
                answer = site_fixture.read_answer(stream, methods[i] if i < len(methods) else 'GET')
                if answer is None:
                    break
                lines += shown(answer, None)
            lines.append(after(connection, stream))
        except ConnectionResetError:
            lines.append('(reset)')
        except TimeoutError:
            lines.append('(nothing more came)')
    return lines


def after(connection, stream):
    try:
        connection.sendall(PROBE)
        answer = site_fixture.read_answer(stream)
    except (BrokenPipeError, ConnectionResetError):
        return '(closed)'
    if answer is None:
        return '(closed)'
    well = answer[0] == b'HTTP/1.1 200 OK\r\n' and answer[2] == site_fixture.FILES['robots.txt']
    return '(kept)' if well or answer[0] == b'HTTP/1.1 429 Too Many Requests\r\n' else f'(then {answer})'


def expand(line, folder, boundary):
    """Returns the expected line as a pattern."""
    def value(match):
        kind, _, rest = match[1].partition(':')
        if kind == '*':
            return '.*'
        if kind == 'boundary':
            return re.escape(boundary)
        name, _, span = rest.partition(':')
        data = (folder / name).read_bytes()
        if kind == 'size':
            return str(len(data))
        first, _, last = span.partition('-')
        part = data[int(first):int(last) + 1] if span else data
        return re.escape(as_literal(part))
    parts = re.split(r'\{(\*|boundary|size:[^}]*|bytes:[^}]*)\}', line)
    return ''.join(re.escape(part) if i % 2 == 0 else value([None, part]) for i, part in enumerate(parts))


def agrees(expected, actual, folder):
    if len(expected) != len(actual):
        return False
    boundary = next((m[1] for line in actual if (m := re.search(r'boundary=(\S+)', line))), '')
    return all(re.fullmatch(expand(want, folder, boundary), line) for want, line in zip(expected, actual))


def masked(lines, case, folder):
    """Masks varying text, for --update: boundaries, and everything about files that a library compressed."""
    text = '\n'.join(lines)
    if found := re.search(r'boundary=(\S+)', text):
        text = text.replace(f'boundary={found[1]}', 'boundary={*}').replace(found[1], '{boundary}')
    for name in re.findall(r'/(\S+\.(?:gz|zst)) HTTP', '\n'.join(case.requests)):
        data = (folder / name).read_bytes()
        text = text.replace(f'Content-Length: {len(data)}', f'Content-Length: {{size:{name}}}')
        text = re.sub(rf'(bytes [-\d*]+)/{len(data)}', rf'\1/{{size:{name}}}', text).replace(f'= {as_literal(data)}', f'= {{bytes:{name}}}')
    return text.split('\n')


def run_file(path, sheaf, folder, update):
    cases, options, trailing = parse(path.read_text('ascii'))
    faults, count = [], 0
    with site_fixture.Server(sheaf, folder, *options) as server:
        for case in cases:
            actual = exchange(server, case)
            count += len(case.methods())
            if agrees(case.expected, actual, folder):
                continue
            if update:
                case.expected = masked(actual, case, folder)
            else:
                faults.append('\n'.join([f'{path.name}: {case.name}', *case.requests, *[f'- {line}' for line in case.expected], *[f'+ {line}' for line in actual]]))
        if (status := server.stop()) != 0:
            faults.append(f'{path.name}: the server ended with status {status}: {server.complaints()}')
    if update:
        path.write_text(render(cases, trailing), 'ascii')
    return faults, count


def self_test():
    case = parse('# Why.\n--- a\n> GET / HTTP/1.1\n>\n>> \\x00{repeat:x:3}\n< HTTP/1.1 200 OK\n< ETag: {*}\n= {bytes:f:1-2}\n(kept)\n')[0][0]
    assert case.request() == b'GET / HTTP/1.1\r\n\r\n\0xxx' and case.methods() == ['GET']
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'f').write_bytes(b'a\0b\n')
        good = ['< HTTP/1.1 200 OK', '< ETag: "1"', '= \\x00b', '(kept)']
        assert agrees(case.expected, good, folder)
        for i, wrong in [(0, '< HTTP/1.1 404 Not Found'), (1, '< Etag: "1"'), (2, '= \\x00c'), (3, '(closed)')]:
            assert not agrees(case.expected, [*good[:i], wrong, *good[i + 1:]], folder), wrong
        assert not agrees(case.expected, good[:-1], folder) and not agrees(case.expected, [*good, '(kept)'], folder)
    assert shown((b'HTTP/1.1 200 OK\r\n', [b'Date: soon\r\n'], b''), None)[-1] == '< (no valid Date)'
    print('wrong answers are caught')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--self-test', action='store_true')
    parser.add_argument('names', nargs='*')
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    paths = sorted(path for path in (HERE / 'conduct').glob('*.http') if not arguments.names or path.name in arguments.names or path.stem in arguments.names)
    faults, count = [], 0
    with tempfile.TemporaryDirectory(prefix='sheaf-conduct-') as name:
        base = pathlib.Path(name)
        base.chmod(0o755)
        (base / 'site').mkdir()
        site_fixture.make_site(arguments.sheaf, base / 'site')
        for path in paths:
            found, requests = run_file(path, arguments.sheaf, base / 'site', arguments.update)
            faults += found
            count += requests
    for fault in faults:
        print(fault, end='\n\n')
    print(f'{count} requests in {len(paths)} files, {len(faults)} wrong')
    if not arguments.names and count < 150:
        sys.exit('conduct.py: fewer than 150 requests; are files missing?')
    sys.exit(bool(faults))


if __name__ == '__main__':
    main()
