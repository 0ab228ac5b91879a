#===- room-arrows.py - Holds the rooms' includes against their DEPENDS -----===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   room-arrows.py LIB
#
# LIB/CMakeLists.txt lists the rooms, lowest first; LIB/<room>/CMakeLists.txt
# says with `tdl_add_room(<room> ... DEPENDS a b)` what a room stands on. Prints
# each include of another room's header that this does not allow, and each
# DEPENDS on a room that is not lower. Static linking would not notice either.
#
#===------------------------------------------------------------------------===#

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z]+)/[^"]+"', re.MULTILINE)


def without_comments(text):
    return re.sub(r"#.*", "", text)


def room_order(lib):
    text = without_comments((lib / "CMakeLists.txt").read_text())
    return re.findall(r"add_subdirectory\((\w+)\)", text)


def declared_dependencies(lib, room):
    text = without_comments((lib / room / "CMakeLists.txt").read_text())
    call = re.search(r"tdl_add_room\(([^)]*)\)", text)
    words = call.group(1).split() if call else []
    if "DEPENDS" not in words:
        return []
    after = words[words.index("DEPENDS") + 1 :]
    return [word for word in after if word.islower()]


def include_problems(lib, room, allowed, rooms):
    for path in sorted((lib / room).glob("*")):
        if path.suffix not in (".h", ".cpp", ".def"):
            continue
        for other in sorted(set(INCLUDE.findall(path.read_text()))):
            if other in rooms and other not in allowed:
                yield f"{room}/{path.name}: includes a header of '{other}', which '{room}' does not depend on"


def problems(lib):
    rooms = room_order(lib)
    reachable = {}
    for position, room in enumerate(rooms):
        reachable[room] = {room}
        for below in declared_dependencies(lib, room):
            if below not in rooms[:position]:
                yield f"{room}/CMakeLists.txt: depends on '{below}', which is not below it"
                continue
            reachable[room] |= reachable[below]
        yield from include_problems(lib, room, reachable[room], rooms)


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "all arrows go down")
    sys.exit(1 if found else 0)


main()
