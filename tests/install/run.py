#!/usr/bin/env python3
"""Installs a build and uses it as a user would: through CMake, through pkg-config, from another folder.

usage: run.py --build FOLDER [--cmake CMAKE] [--cxx COMPILER]
"""
import argparse, os, pathlib, tempfile

from example_programs import PUBLIC_HEADERS, ROOT, call, check, check_programs

# A program needs only what the manual promises: one header, and one line of CMake or of pkg-config.
TEN_LINES = '''#include <sheaf/sheaf.h>

#include <cstdio>

int main(int argc, char** argv) {
  const auto report = sheaf::validate(argc == 2 ? argv[1] : "-");
  if (!report) return std::fprintf(stderr, "%s\\n", report.error().message.c_str()), 2;
  std::printf("%d pages\\n", static_cast<int>(report->pages));
  return report->is_valid() ? 0 : 1;
}
'''


# What a program links that only reads collections: no network, no database, and few of the objects.
NINE_LINES = '''#include <sheaf/reader.h>

int main(int argc, char** argv) {
  auto reader = sheaf::Reader::open(argc == 2 ? argv[1] : "-");
  while (reader) {
    const auto page = reader->next();
    if (!page || *page == nullptr) return page ? 0 : 1;
  }
  return 2;
}
'''
READER_LIBRARIES = {'libsimdjson', 'libzstd', 'libz', 'libisal', 'libdeflate', 'libcrypto', 'libfmt'}
RUNTIME = {'libstdc++', 'libm', 'libgcc_s', 'libc', 'ld-linux-x86-64', 'ld-linux-aarch64', 'linux-vdso'}
READER_BYTES = 2_000_000


def check_reader(program, example):
    call(program, example)
    loaded = {line.split()[0].rpartition('/')[2].partition('.so')[0] for line in call('ldd', program).splitlines()}
    other = loaded - RUNTIME
    check(other == READER_LIBRARIES, f'a program that reads collections also loads {sorted(other - READER_LIBRARIES)}, and not {sorted(READER_LIBRARIES - other)}')
    stripped = program.with_suffix('.stripped')
    call('strip', '-o', stripped, program)
    check(stripped.stat().st_size < READER_BYTES, f'a program that reads collections has {stripped.stat().st_size} bytes')
    return stripped.stat().st_size, len(loaded)


def check_headers(include, compiler):
    headers = {str(path.relative_to(include)) for path in include.rglob('*') if path.is_file()}
    check(headers == PUBLIC_HEADERS, f'not public, yet installed: {sorted(headers - PUBLIC_HEADERS)}; '
                                     f'public, yet not installed: {sorted(PUBLIC_HEADERS - headers)}')
    # The umbrella header includes all headers, and nothing outside this folder is needed.
    umbrella = (include / 'sheaf/sheaf.h').read_text()
    for header in sorted(headers - {'sheaf/sheaf.h', 'sheaf/sheaf_c.h'}):  # the C interface stands alone
        check(f'#include <{header}>\n' in umbrella, f'sheaf.h does not include {header}')
    for header in sorted(headers):
        call(compiler, '-std=c++23', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-I', include, '-x', 'c++', '-',
             input=f'#include <{header}>\n')
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
        # The tree is moved after the installation: no installed file may contain its path.
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
        (folder / 'nine_lines.cpp').write_text(NINE_LINES)
        reader_flags = call('pkg-config', '--cflags', '--libs', '--static', 'scp', env=env).split()
        call(arguments.cxx, '-std=c++23', folder / 'nine_lines.cpp', '-o', folder / 'nine_lines', '-Wl,--as-needed', *reader_flags)
        # Sources that are compiled as one are linked as one.
        is_packaged = 'CMAKE_UNITY_BUILD:BOOL=ON' not in (arguments.build / 'CMakeCache.txt').read_text().replace('UNINITIALIZED', 'BOOL')
        size, libraries = check_reader(folder / 'nine_lines', example) if is_packaged else (0, 0)
        (folder / 'ten_lines.cpp').write_text(TEN_LINES)
        call(arguments.cxx, '-std=c++23', folder / 'ten_lines.cpp', '-o', folder / 'ten_lines', *flags)
        check(call(folder / 'ten_lines', example) == '6 pages\n', 'the program of ten lines does not work')

        (folder / 'work').mkdir()
        folder.chmod(0o755)
        check_programs(folder / 'collect', by_cmake / 'pack', prefix / 'bin/sheaf', folder / 'work')
    reader = f'a program over reader.h has {size} bytes and loads {libraries} libraries' if size else 'the size of a program is not checked in this build'
    print(f'{count} headers, CMake package, pkg-config file and both example programs work; {reader}')


if __name__ == '__main__':
    main()
