#!/usr/bin/env python3
"""Installs a build and uses it the way a stranger would: through CMake, through pkg-config, from another folder.

usage: run.py --build FOLDER [--cmake CMAKE] [--cxx COMPILER]
"""
import argparse, os, pathlib, re, tempfile

from example_programs import ROOT, call, check, check_programs

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
STANDARD = re.compile(r'^[a-z_0-9]+$')  # <vector>, <cstdint>: no dot, no slash


def check_headers(include, compiler):
    headers = sorted(path.relative_to(include) for path in include.rglob('*') if path.is_file())
    check(pathlib.Path('sheaf/format/collection_reader.h') in headers, 'collection_reader.h is not installed')
    for header in headers:
        check(header.suffix == '.h' and not header.name.endswith('_internal.h') and header.parts[1] != 'cli', f'{header} must not be installed')
        for quote, target in INCLUDE.findall((include / header).read_text()):
            if quote == '"':
                check(pathlib.Path(target) in headers, f'{header} includes {target}, which is not installed')
            else:
                check(STANDARD.match(target), f'{header} includes <{target}>: a user would need another library')
    # Each must stand on its own and none may need a third-party header: one translation unit has them all.
    everything = ''.join(f'#include "{header}"\n' for header in headers)
    call(compiler, '-std=c++23', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-I', include, '-x', 'c++', '-', input=everything)
    return len(headers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, type=pathlib.Path)
    parser.add_argument('--cmake', default='cmake')
    parser.add_argument('--cxx', default='g++')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='sheaf-install-') as name:
        folder = pathlib.Path(name)
        call(arguments.cmake, '--install', arguments.build, '--prefix', folder / 'first')
        # Moved afterwards: nothing installed may know where it was put.
        prefix = folder / 'prefix'
        (folder / 'first').rename(prefix)
        count = check_headers(prefix / 'include', arguments.cxx)
        for path in prefix.rglob('*'):
            if path.suffix in ('.cmake', '.pc'):
                for secret in (str(folder), str(ROOT)):
                    check(secret not in path.read_text(), f'{path.name} names a folder of this machine: {secret}')

        for unit in ['sheaf-serve.service', 'sheaf-serve.socket']:
            check((prefix / 'lib/systemd/system' / unit).is_file(), f'{unit} is not installed')

        example = ROOT / 'examples/monday.scp'
        check(call(prefix / 'bin/sheaf', 'validate', example).startswith(f'{example}: valid\n'), 'the installed program does not work')

        programs = ROOT / 'examples/library'
        by_cmake = folder / 'by-cmake'
        call(arguments.cmake, '-S', programs, '-B', by_cmake, '-G', 'Ninja', f'-DCMAKE_PREFIX_PATH={prefix}',
             f'-DCMAKE_CXX_COMPILER={arguments.cxx}', '-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror', '-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF')
        call(arguments.cmake, '--build', by_cmake)

        [metadata] = prefix.rglob('sheaf.pc')
        env = {**os.environ, 'PKG_CONFIG_PATH': str(metadata.parent)}
        flags = call('pkg-config', '--cflags', '--libs', '--static', 'sheaf', env=env).split()
        call(arguments.cxx, '-std=c++23', programs / 'collect.cpp', '-o', folder / 'collect', *flags)

        (folder / 'work').mkdir()
        folder.chmod(0o755)
        check_programs(folder / 'collect', by_cmake / 'pack', prefix / 'bin/sheaf', folder / 'work')
    print(f'{count} headers, CMake package, pkg-config file and both example programs work')


if __name__ == '__main__':
    main()
