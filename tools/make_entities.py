#!/usr/bin/env python3
"""Writes src/sheaf/html/entity_table.cpp: the named character references of the HTML standard.

Python's html.entities.html5 holds the standard's list, all 2231 names. Usage: tools/make_entities.py > FILE
"""
import html.entities


def c_string(data: bytes) -> list[str]:
    """Returns C string literals of at most 96 characters. Non-ASCII bytes are three-digit octal, so that a digit that follows is not part of them."""
    lines, line = [], ""
    for byte in data:
        piece = chr(byte) if 0x20 < byte < 0x7F and byte not in b'"\\?' else f"\\{byte:03o}"
        if len(line) + len(piece) > 96:
            lines.append(line)
            line = ""
        line += piece
    return [f'    "{text}"' for text in lines + [line]]


def main() -> None:
    table = sorted(html.entities.html5.items())
    assert len(table) == 2231
    names, values, offsets, rows, letters = b"", b"", {}, [], {}
    for index, (name, value) in enumerate(table):
        text = value.encode()
        if text not in offsets:
            offsets[text] = len(values)
            values += text
        rows.append(f"{{{len(names)},{offsets[text]},{len(name)},{len(text)}}}")
        names += name.encode()
        letters.setdefault(ord(name[0]), index)
    first, index = [], len(table)
    for code in range(ord("z") + 1, ord("A") - 1, -1):
        index = letters.get(code, index)
        first.append(str(index))
    first.reverse()

    print("// Written by tools/make_entities.py; do not edit.")
    print('#include "sheaf/html/char_ref.h"\n\nnamespace sheaf::html {\n\n// clang-format off')
    print("const char kEntityNames[] =")
    print("\n".join(c_string(names)) + ";\n\nconst char kEntityValues[] =")
    print("\n".join(c_string(values)) + ";\n\nconst EntityRow kEntityRows[kEntityCount] = {")
    for at in range(0, len(rows), 6):
        print("    " + ", ".join(rows[at:at + 6]) + ",")
    print("};\n\nconst std::uint16_t kEntityFirst[kEntityLetters + 1] = {")
    for at in range(0, len(first), 16):
        print("    " + ", ".join(first[at:at + 16]) + ",")
    print("};\n// clang-format on\n\n}  // namespace sheaf::html")


if __name__ == "__main__":
    main()
