#!/usr/bin/env python3
"""Compiles and runs the examples in the public headers.

usage: header_examples.py --write FOLDER HEADER...                    a .cpp for each header, and main.cpp
       header_examples.py --run PROGRAM --sheaf SHEAF HEADER...       runs each example; it must exit with 0
       header_examples.py --self-test

The opening comment of include/sheaf/X.h has one example: its lines are indented by four spaces more than the text. It is a whole
program that includes nothing but <sheaf/...> and the standard library, its own header first: so the header compiles alone.
An example runs in a folder of its own with copies of what is in examples/. One whose main takes arguments gets the URL of a
served site.
"""
import argparse, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = re.compile(r'^#include (.*)$', re.M)
ALLOWED = re.compile(r'<(?:sheaf/\w+\.h|[a-z_0-9]+|std\w+\.h)>')
MAIN = re.compile(r'^int main\((int argc, char\*\* argv)?\) \{$', re.M)
MOST_LINES = 25
SERVED = 'https://tarnvane.example'


def example(header, text):
    """Returns (source, whether it takes arguments) of the example in a header."""
    lines = []
    for line in text.split('\n#pragma once')[0].splitlines():
        if line.startswith('//     '):
            lines.append(line.removeprefix('//     '))
        elif line == '//' and lines and lines[-1] != '':
            lines.append('')
    source = '\n'.join(lines).strip() + '\n'
    mains = MAIN.findall(source)
    if len(mains) != 1:
        raise ValueError(f'{header}: needs one example with an `int main()` before #pragma once')
    includes = INCLUDE.findall(source)
    if includes[0] != f'<sheaf/{header}>':
        raise ValueError(f'{header}: the example must include <sheaf/{header}> first')
    for include in includes:
        if not ALLOWED.fullmatch(include):
            raise ValueError(f'{header}: the example includes {include}')
    body = source[source.index('int main('):].count('\n')
    if body > MOST_LINES:
        raise ValueError(f'{header}: {body} lines are too many for an example')
    return source, bool(mains[0])


def function_name(header):
    return 'example_' + header.removesuffix('.h')


def write(folder, headers):
    folder.mkdir(parents=True, exist_ok=True)
    declarations, calls = [], []
    for header in headers:
        source, takes_arguments = example(header.name, header.read_text())
        name = function_name(header.name)
        # A function of another program in the same binary may have the same name.
        source = source.replace('int main(', f'int {name}(')
        last_include = [match.end() for match in INCLUDE.finditer(source)][-1]
        declaration = f'int {name}({"int argc, char** argv" if takes_arguments else ""});\n'
        before, _, after = source[last_include:].partition(f'int {name}(')
        helpers = f'namespace {{{before}}}  // namespace\n\n' if before.strip() else '\n'
        text = f'{source[:last_include]}\n\n{declaration}{helpers}int {name}({after}'
        (folder / f'{header.stem}.cpp').write_text(text)
        declarations.append(declaration)
        calls.append(f'  if (std::strcmp(argv[1], "{header.stem}") == 0) return {name}({"argc - 1, argv + 1" if takes_arguments else ""});\n')
    (folder / 'main.cpp').write_text('#include <cstring>\n\n' + ''.join(declarations) + '\nint main(int argc, char** argv) {\n  if (argc < 2) return 99;\n' +
                                     ''.join(calls) + '  return 99;\n}\n')


def run(program, sheaf, headers):
    wrong = 0
    for header in headers:
        _, takes_arguments = example(header.name, header.read_text())
        with tempfile.TemporaryDirectory(prefix='sheaf-example-') as name:
            folder = pathlib.Path(name)
            folder.chmod(0o755)  # started as root, `sheaf serve` becomes another user
            for file in sorted((ROOT / 'examples').glob('*')):
                (shutil.copytree if file.is_dir() else shutil.copy)(file, folder / file.name)
            done = call_with_site(program, sheaf, header.stem, folder) if takes_arguments else call(program, header.stem, folder)
        if done.returncode != 0:
            print(f'{header.name}: exit status {done.returncode}\n{done.stdout}')
            wrong += 1
    print(f'{wrong} examples fail' if wrong else f'{len(headers)} examples work')
    return wrong


def call(program, name, folder, *arguments):
    return subprocess.run([program, name, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', timeout=300)


def call_with_site(program, sheaf, name, folder):
    sys.path.insert(0, str(ROOT / 'tests/serve'))
    import site_fixture
    site = folder / 'site'
    with site_fixture.Server(sheaf, site) as server:
        for file in site.rglob('*.*'):
            if file.suffix in ('.html', '.xml', '.txt'):
                file.write_text(file.read_text().replace(SERVED, server.url))
        subprocess.run([sheaf, 'publish', site, '--base', server.url, '--out', site / 'scp'], check=True, stdout=subprocess.DEVNULL)
        return call(program, name, folder, server.url)


def self_test():
    good = ('// sheaf/x.h - x\n//\n//     #include <sheaf/x.h>\n//\n//     #include <cstdio>\n//\n//     int help() { return 0; }\n//\n'
            '//     int main() {\n//       return help();\n//     }\n//\n// More.\n#pragma once\n//     int main() {\n')
    source, takes_arguments = example('x.h', good)
    assert source == '#include <sheaf/x.h>\n\n#include <cstdio>\n\nint help() { return 0; }\n\nint main() {\n  return help();\n}\n', source
    assert not takes_arguments and example('x.h', good.replace('main()', 'main(int argc, char** argv)'))[1]
    for wrong in (good.replace('int main', 'int mine'), good.replace('<cstdio>', '<zstd.h>'), good.replace('<cstdio>', '"sheaf/base/x.h"'),
                  good.replace('<sheaf/x.h>', '<sheaf/y.h>'), good.replace('//       return', '//\n//       x\n' * 30 + '//       return')):
        try:
            example('x.h', wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'x.h').write_text(good)
        write(folder, [folder / 'x.h'])
        assert 'int example_x();\nnamespace {\n\nint help()' in (folder / 'x.cpp').read_text(), (folder / 'x.cpp').read_text()
        assert 'return example_x();' in (folder / 'main.cpp').read_text()
    print('self-test passed')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--write', type=pathlib.Path)
    parser.add_argument('--run', type=pathlib.Path)
    parser.add_argument('--sheaf', type=pathlib.Path)
    parser.add_argument('--self-test', action='store_true')
    parser.add_argument('headers', nargs='*', type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.write:
        return write(arguments.write, arguments.headers)
    sys.exit(bool(run(arguments.run.resolve(), arguments.sheaf.resolve(), arguments.headers)))


if __name__ == '__main__':
    main()
