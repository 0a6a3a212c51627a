#!/usr/bin/env python3
"""Fails on an #include "sheaf/X/..." that module X's users have not declared.

usage: module_edges.py MODULES_FILE SOURCE_DIR     check a tree against the edges CMake wrote
       module_edges.py --self-test                 prove that a forbidden include is found

Also checked: sources are ASCII outside strings, headers outside cli name no third-party header, nothing includes cli, and toml++ is
included by its wrapper only: its macros must be the same everywhere.
"""
import pathlib, re, sys, tempfile, unicodedata

STRING = re.compile(r'"(?:\\.|[^"\\])*"')
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
STANDARD = re.compile(r'^[a-z_]+$')  # <vector>, <cstdint>: no dot, no slash


def read_edges(text):
    edges = {}
    for line in text.splitlines():
        if line.strip():
            name, _, rest = line.partition(':')
            edges[name.strip()] = set(rest.split())
    return edges


def is_public_header(path, module):
    """A header that is installed. *_internal.h are for their own folder's .cpp files and may name libraries."""
    return path.suffix == '.h' and module != 'cli' and not path.name.endswith('_internal.h')


def faults(edges, root):
    for path in sorted(root.rglob('*.[ch]*')):
        if path.suffix not in ('.h', '.cpp'):
            continue
        module = path.relative_to(root).parts[0]
        text = path.read_bytes().decode('utf-8', 'replace')
        for number, content in enumerate(text.split('\n'), 1):
            # Words of other languages are data: they stand in strings, and nothing invisible with them.
            if not STRING.sub('', content).isascii() or any(unicodedata.category(c) in ('Cf', 'Co', 'So') for c in content):
                yield f'{path}:{number}: characters outside ASCII belong in strings, and invisible ones nowhere'
        if module not in edges:
            yield f'{path}: module {module} is not declared in src/sheaf/CMakeLists.txt'
            continue
        for match in INCLUDE.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            quote, target = match.groups()
            if target.startswith('sheaf/'):
                other = target.split('/')[1]
                if target.endswith('_internal.h') and (path.suffix == '.h' and not path.name.endswith('_internal.h') or other != module):
                    yield f'{path}:{line}: {target} is internal to {other}'
                elif other == 'cli' and module != 'cli':
                    yield f'{path}:{line}: nothing may include cli'
                elif other != module and other not in edges[module]:
                    yield f'{path}:{line}: {module} may not include {other} (allowed: {" ".join(sorted(edges[module])) or "nothing"})'
            elif target.startswith('toml++/'):
                yield f'{path}:{line}: include <toml_library.h> instead of <{target}>'
            elif quote == '"':
                yield f'{path}:{line}: "{target}" must be written from the root: "sheaf/{module}/{target}"'
            elif is_public_header(path, module) and not STANDARD.match(target):
                yield f'{path}:{line}: <{target}> in a header: third-party and system types stay in .cpp files'


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {
            'base/good.h': '#include <vector>\n',
            'model/good.cpp': '#include "sheaf/base/good.h"\n#include <fmt/core.h>\n',
            'base/up.cpp': '#include "sheaf/model/x.h"\n',
            'model/cli.cpp': '#include "sheaf/cli/x.h"\n',
            'model/leak.h': '#include <zstd.h>\n',
            'model/dom_internal.h': '#include <zstd.h>\n',
            'model/uses.cpp': '#include "sheaf/model/dom_internal.h"\n',
            'model/public.h': '#include "sheaf/model/dom_internal.h"\n',
            'model/short.cpp': '#include "page.h"\n',
            'model/accent.cpp': '// caf\u00e9\n',
            'model/word.cpp': 'auto word = "caf\u00e9";\n',
            'model/hidden.cpp': 'auto word = "a\u202eb";\n',
            'model/toml.cpp': '#include <toml++/toml.h>\n',
            'stray/a.cpp': '',
        }.items():
            path = root / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding='utf-8')
        found = list(faults(read_edges('base:\nmodel: base\n'), root))
        expected = ['base/up.cpp:1', 'model/accent.cpp:1', 'model/cli.cpp:1', 'model/hidden.cpp:1', 'model/leak.h:1', 'model/public.h:1', 'model/short.cpp:1', 'model/toml.cpp:1', 'stray/a.cpp']
        for name in expected:
            assert any(name in fault for fault in found), f'missed {name}: {found}'
        assert len(found) == len(expected), found
    print('self-test passed')


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    found = list(faults(read_edges(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


main()
