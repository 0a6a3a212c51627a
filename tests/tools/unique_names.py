#!/usr/bin/env python3
"""Fails if two source files, or two types in headers, have the same name.

usage: unique_names.py SOURCE_DIR INCLUDE_DIR     check a tree
       unique_names.py --self-test                prove that a duplicate is found

Types of public headers count too; the files do not: <sheaf/pull.h> cannot be mistaken for "sheaf/pull/pull.h".

A unique name can be searched for and talked about without its folder or namespace.
"""
import collections, os, pathlib, re, sys, tempfile

TYPE = re.compile(r'^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{', re.M)

# They never meet: decoding of compressed bytes (base) and of characters; levels of findings and of vector instructions.
ALLOWED_TYPES = {'Decoder', 'Level'}


def headers_outside_cli(root):
    for path in sorted(root.rglob('*.h')):
        if path.relative_to(root).parts[0] != 'cli' and not path.name.endswith('_internal.h'):
            yield path


def faults(root, include):
    top = os.path.commonpath([root.resolve(), include.resolve()])
    files = collections.defaultdict(list)
    for path in sorted(root.rglob('*')):
        if path.suffix in ('.h', '.cpp'):
            files[path.name].append(path)
    types = collections.defaultdict(list)
    for path in [*headers_outside_cli(root), *sorted(include.glob('*.h'))]:
        for name in TYPE.findall(path.read_text(encoding='utf-8')):
            types[name].append(path)
    for kind, names in (('file', files), ('type', types)):
        for name, paths in sorted(names.items()):
            if len(paths) > 1 and not (kind == 'type' and name in ALLOWED_TYPES):
                yield f'{kind} {name} exists {len(paths)} times: {", ".join(os.path.relpath(path, top) for path in paths)}'


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root, include = pathlib.Path(folder) / 'src', pathlib.Path(folder) / 'include'
        for name, text in {
            'base/plan.h': 'struct Plan {\n};\nclass Waiting;\n',
            'model/plan.h': 'class Waiting {\n};\n',
            'model/part.h': 'struct Plan final {\n};\n',
            'model/own.cpp': 'struct Plan {\n};\n',
            'model/own.h': 'enum class Kind : unsigned char { one };\n',
            'cli/options.h': 'struct Plan {\n};\n',
            '../include/plan.h': 'class Kind {\n};\n',
        }.items():
            path = root / name
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(text)
        found = list(faults(root, include))
        assert found == ['file plan.h exists 2 times: src/base/plan.h, src/model/plan.h',
                         'type Kind exists 2 times: src/model/own.h, include/plan.h',
                         'type Plan exists 2 times: src/base/plan.h, src/model/part.h'], found
    print('self-test passed')


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    found = list(faults(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


main()
