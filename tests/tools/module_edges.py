#!/usr/bin/env python3
"""Fails on an #include "sheaf/X/..." that module X's users have not declared.

usage: module_edges.py MODULES_FILE SOURCE_DIR INCLUDE_DIR USER_DIR...     check a tree against the edges CMake wrote
       module_edges.py --self-test                                         prove that a forbidden include is found

A public header, include/sheaf/X.h, belongs to a module and may be included where that module may. It includes the standard
library and other public headers, and nothing else, because no other headers are installed. Programs in a USER_DIR use the library as
its users do: they include only public headers of sheaf.

Also checks that sources are ASCII outside strings, headers outside cli include no third-party header, nothing includes cli, and toml++ is
included by its wrapper only: its macros must be the same everywhere.
"""
import pathlib, re, sys, tempfile, unicodedata

STRING = re.compile(r'"(?:\\.|[^"\\])*"')
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
STANDARD = re.compile(r'^[a-z_]+$')  # <vector>, <cstdint>: no dot, no slash
C_STANDARD = {'stddef.h', 'stdint.h'}  # for the C header
INTRINSICS = ('emmintrin.h', 'immintrin.h')  # SIMD code is only allowed in text/


def read_edges(text):
    """Reads lines `module: others`."""
    edges = {}
    for line in text.splitlines():
        name, colon, rest = line.partition(':')
        if colon:
            edges[name.strip()] = set(rest.split())
    return edges


def read_owners(text):
    """Reads lines `header.h module`: the public headers and the modules that they belong to."""
    return dict(line.split() for line in text.splitlines() if line.strip() and ':' not in line)


def is_cli(module):
    return module.split('/')[0] == 'cli'


def is_shared_header(path, module):
    """Returns whether other modules may include a header. *_internal.h are for .cpp files of the same folder and may include libraries."""
    return path.suffix == '.h' and not is_cli(module) and not path.name.endswith('_internal.h')


def cycle(edges):
    """Returns a chain of modules that leads back to its start, or nothing."""
    done, path = set(), []

    def visit(module):
        if module in path:
            return path[path.index(module):] + [module]
        if module in done:
            return None
        path.append(module)
        for other in sorted(edges.get(module, ())):
            if found := visit(other):
                return found
        path.pop()
        done.add(module)
        return None

    return next((found for module in sorted(edges) if (found := visit(module))), None)


def characters(path, text):
    for number, content in enumerate(text.split('\n'), 1):
        # Words of other languages are allowed only in strings, and invisible characters not even there.
        if not STRING.sub('', content).isascii() or any(unicodedata.category(c) in ('Cf', 'Co', 'So') for c in content):
            yield f'{path}:{number}: characters outside ASCII belong in strings, and invisible ones nowhere'


def public_faults(edges, owners, include):
    for header in sorted(owners.keys() - {path.name for path in include.glob('*')}):
        yield f'{include / header}: declared in src/sheaf/CMakeLists.txt, but there is no such header'
    for path in sorted(include.rglob('*')):
        owner = owners.get(str(path.relative_to(include)))
        if not owner:
            yield f'{path}: not a public header of any module in src/sheaf/CMakeLists.txt'
            continue
        text = path.read_bytes().decode('utf-8', 'replace')
        yield from characters(path, text)
        for match in INCLUDE.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            quote, target = match.groups()
            other = owners.get(target.removeprefix('sheaf/')) if target.startswith('sheaf/') else None
            if quote == '"' or not (other or STANDARD.match(target) or target in C_STANDARD):
                yield f'{path}:{line}: {target} in a public header: only <sheaf/...> of include/sheaf and the standard library'
            elif other and other != owner and other not in edges[owner]:
                yield f'{path}:{line}: a header of {owner} may not include one of {other}'


def user_faults(owners, folder):
    for path in sorted(folder.rglob('*.cpp')):
        for _, target in INCLUDE.findall(path.read_text()):
            if target.startswith('sheaf/') and target.removeprefix('sheaf/') not in owners:
                yield f'{path}: {target} is not a public header'


def faults(edges, owners, root, include, users=()):
    if chain := cycle(edges):
        yield f'the modules form a cycle: {" -> ".join(chain)}'
    yield from public_faults(edges, owners, include)
    for folder in users:
        yield from user_faults(owners, folder)
    for path in sorted(root.rglob('*.[ch]*')):
        if path.suffix not in ('.h', '.cpp'):
            continue
        module = '/'.join(path.relative_to(root).parts[:-1])
        text = path.read_bytes().decode('utf-8', 'replace')
        yield from characters(path, text)
        if module not in edges:
            yield f'{path}: module {module} is not declared in src/sheaf/CMakeLists.txt'
            continue
        for match in INCLUDE.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            quote, target = match.groups()
            if target.startswith('sheaf/'):
                name = target.removeprefix('sheaf/')
                other = name.rpartition('/')[0] or owners.get(name)
                if not other or '/' not in name and quote == '"':
                    yield f'{path}:{line}: {target} is not a public header written <sheaf/...>'
                elif target.endswith('_internal.h') and (path.suffix == '.h' and not path.name.endswith('_internal.h') or other != module):
                    yield f'{path}:{line}: {target} is internal to {other}'
                elif is_cli(other) and not is_cli(module):
                    yield f'{path}:{line}: nothing may include cli'
                elif other != module and other not in edges[module]:
                    yield f'{path}:{line}: {module} may not include {other} (allowed: {" ".join(sorted(edges[module])) or "nothing"})'
            elif target.startswith('toml++/'):
                yield f'{path}:{line}: include <toml_library.h> instead of <{target}>'
            elif quote == '"':
                yield f'{path}:{line}: "{target}" must be written from the root: "sheaf/{module}/{target}"'
            elif is_shared_header(path, module) and not STANDARD.match(target) and not (module == 'text' and target in INTRINSICS):
                yield f'{path}:{line}: <{target}> in a header: third-party and system types stay in .cpp files'


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root, include = pathlib.Path(folder) / 'src', pathlib.Path(folder) / 'include'
        for name, text in {
            'base/good.h': '#include <vector>\n',
            'model/good.cpp': '#include "sheaf/base/good.h"\n#include <fmt/core.h>\n',
            'model/part/good.cpp': '#include "sheaf/model/good.h"\n',
            'model/part_up.cpp': '#include "sheaf/model/part/x.h"\n',
            'base/up.cpp': '#include "sheaf/model/x.h"\n',
            'model/cli.cpp': '#include "sheaf/cli/x.h"\n',
            'model/cli_part.cpp': '#include "sheaf/cli/output/x.h"\n',
            'cli/output/good.h': '#include <fmt/format.h>\n',
            'cli/output/up.cpp': '#include "sheaf/cli/x.h"\n',
            'cli/good.cpp': '#include "sheaf/cli/output/good.h"\n',
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
            'http/fetch/good.cpp': '#include "sheaf/base/good.h"\n',
            'http/fetch/sideways.cpp': '#include "sheaf/http/server/x.h"\n',
            'model/uses_public.h': '#include <sheaf/page.h>\n#include <sheaf/error.h>\n',
            'base/up_public.h': '#include <sheaf/page.h>\n',
            'model/no_such.h': '#include <sheaf/none.h>\n',
            'model/quoted.h': '#include "sheaf/page.h"\n',
            '../include/error.h': '#include <string>\n',
            '../include/page.h': '#include <sheaf/error.h>\n#include <string>\n',
            '../include/up.h': '#include <sheaf/page.h>\n',
            '../include/inner.h': '#include <sheaf/model/page.h>\n',
            '../include/inner_quoted.h': '#include "sheaf/model/page.h"\n',
            '../include/library.h': '#include <zstd.h>\n',
            '../include/undeclared.h': '',
            '../user/good.cpp': '#include <sheaf/page.h>\n#include "support/temp_dir.h"\n',
            '../user/inner.cpp': '#include "sheaf/model/page.h"\n',
        }.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding='utf-8')
        modules = ('base:\nerror.h base\nup.h base\nmodel: base\npage.h model\ninner.h model\ninner_quoted.h model\nlibrary.h model\n'
                   'missing.h model\nmodel/part: model\nhttp/fetch: base\ncli/output:\ncli: cli/output\n')
        found = list(faults(read_edges(modules), read_owners(modules), root, include, [root.parent / 'user']))
        expected = ['user/inner.cpp', 'base/up_public.h:1', 'model/no_such.h:1', 'model/quoted.h:1', 'include/up.h:1', 'include/inner.h:1',
                    'include/inner_quoted.h:1', 'include/library.h:1', 'include/undeclared.h', 'include/missing.h',
                    'base/up.cpp:1', 'http/fetch/sideways.cpp:1', 'model/accent.cpp:1', 'model/cli.cpp:1', 'model/cli_part.cpp:1', 'cli/output/up.cpp:1', 'model/hidden.cpp:1', 'model/leak.h:1', 'model/part_up.cpp:1', 'model/public.h:1', 'model/short.cpp:1', 'model/toml.cpp:1', 'stray/a.cpp']
        for name in expected:
            assert any(name in fault for fault in found), f'missed {name}: {found}'
        assert len(found) == len(expected), found
        assert cycle(read_edges('a: b\nb: c\nc: a\n')) == ['a', 'b', 'c', 'a']
        assert cycle(read_edges('a: b c\nb: c\nc:\n')) is None
    print('self-test passed')


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    modules = pathlib.Path(sys.argv[1]).read_text()
    found = list(faults(read_edges(modules), read_owners(modules), *map(pathlib.Path, sys.argv[2:4]), [pathlib.Path(folder) for folder in sys.argv[4:]]))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


main()
