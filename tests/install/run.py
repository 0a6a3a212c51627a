#!/usr/bin/env python3
"""Installs a build and uses it the way a stranger would: through CMake, through pkg-config, from another folder.

usage: run.py --build FOLDER [--cmake CMAKE] [--cxx COMPILER]
"""
import argparse, os, pathlib, re, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
STANDARD = re.compile(r'^[a-z_0-9]+$')  # <vector>, <cstdint>: no dot, no slash


def call(*command, **how):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
    if done.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}\n{done.stdout}\nexit status {done.returncode}')
    return done.stdout


def check(condition, complaint):
    if not condition:
        sys.exit(complaint)


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

        by_cmake = folder / 'by-cmake'
        call(arguments.cmake, '-S', HERE / 'consumer', '-B', by_cmake, '-G', 'Ninja', f'-DCMAKE_PREFIX_PATH={prefix}',
             f'-DCMAKE_CXX_COMPILER={arguments.cxx}', '-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF')
        call(arguments.cmake, '--build', by_cmake)
        check(call(by_cmake / 'consumer', example) == '6 pages\n', 'the consumer built with CMake miscounts')

        [metadata] = prefix.rglob('sheaf.pc')
        env = {**os.environ, 'PKG_CONFIG_PATH': str(metadata.parent)}
        flags = call('pkg-config', '--cflags', '--libs', '--static', 'sheaf', env=env).split()
        call(arguments.cxx, '-std=c++23', HERE / 'consumer/main.cpp', '-o', folder / 'by-pkg-config', *flags)
        check(call(folder / 'by-pkg-config', example) == '6 pages\n', 'the consumer built with pkg-config miscounts')
    print(f'{count} headers, CMake package and pkg-config file work')


if __name__ == '__main__':
    main()
