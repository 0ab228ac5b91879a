# ===- compare.py - The hand-written rows against the declarations ----------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Where Contracts.tsv says something else than what PyTorch's declarations say for certain."""
from contracts import by_base_name, contract_of
from operators import release_key

COLUMNS = ("overload", "releases", "difference", "right", "reason")


def read_known(text):
    """[(overload, releases, what)] of differences.tsv, which also has who is right, and why."""
    lines = text.splitlines()
    if not lines or lines[0].split("\t") != list(COLUMNS):
        raise ValueError("differences.tsv:1: expected the header line " + "<tab>".join(COLUMNS))
    known = []
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(COLUMNS) or not all(fields) or fields[3] not in ("row", "declaration"):
            raise ValueError(
                f"differences.tsv:{number}: expected {len(COLUMNS)} columns, none empty, with 'row' or 'declaration' "
                f"as the fourth, found '{line}'"
            )
        known.append(tuple(fields[:3]))
    return known


def holds_in(row, release):
    key = release_key(release)
    return (not row["since"] or release_key(row["since"]) <= key) and (
        not row["until"] or key < release_key(row["until"])
    )


def row_for(hand, base, facts, release):
    """The hand-written row that a call of this overload finds."""
    parameters = {a.name for a in facts.tensors + facts.out}
    own = [n for n in hand if n.startswith(base + ".") and n.split(".")[1] in parameters]
    out = [base + "_out"] if facts.out else []
    for name in out + own + [base]:
        for row in hand.get(name, []):
            if holds_in(row, release):
                return row
    return None


def roles_of(row):
    return {} if row["roles"] == "-" else dict(item.split(":") for item in row["roles"].split(" "))


def is_certain(contract, facts):
    return contract.why in ("wrapper", "TensorIterator") and bool(facts.tensors)


def difference_of(row, facts, contract):
    """What the row says otherwise about this overload's arguments; empty when nothing."""
    written = roles_of(row)
    wanted = contract.compared()
    words = []
    for argument in facts.tensors + facts.out:
        mine, theirs = written.get(argument.name, "any"), wanted.get(argument.name, "any")
        # Alone among the compared, an argument is compared with nothing.
        # Where nothing is tolerated, what is written is as strict as the rest.
        if not {"mix", "scalars"} & {*written.values(), *wanted.values()}:
            mine, theirs = mine.replace("out", "same"), theirs.replace("out", "same")
        if mine != theirs and not (len(wanted) == 1 and mine == "any"):
            words.append(f"{argument.name}: {mine}, declared {theirs}")
    return ", ".join(words)


def argument_names(releases):
    """{name in the table: names of its tensor arguments in any release}, for derived forms too."""
    names = {}
    for overloads in releases.values():
        for overload, facts in overloads.items():
            base = overload.split(".")[0]
            forms = {base, base + "_out", base + "_outf"}
            if base.endswith("_") and not base.endswith("__"):
                forms.add(base[:-1])
            for form in forms:
                names.setdefault(form, set()).update(a.name for a in facts.tensors + facts.out)
    return names


def roles_without_argument(releases, hand):
    """[(row, "any", what)]: a role under a name that no release declares does nothing."""
    declared = argument_names(releases)
    found = set()
    for name, rows in hand.items():
        base = name.split(".")[0]
        for row in rows if base in declared else []:
            for argument in set(roles_of(row)) - declared[base]:
                found.add((name, "any", f"{argument}: no argument of that name"))
    return sorted(found)


def differences(releases, hand):
    """[(overload, releases, what)]: certain declarations that the row of the overload contradicts, and vain roles."""
    found = {}
    for release in sorted(releases, key=release_key):
        for base, overloads in by_base_name(releases[release]).items():
            for name, facts in overloads.items():
                contract = contract_of(name, facts)
                row = row_for(hand, base, facts, release)
                if not row or not is_certain(contract, facts):
                    continue
                words = difference_of(row, facts, contract)
                if words:
                    found.setdefault((name, words), []).append(release)
    contradicted = [(name, " ".join(seen), words) for (name, words), seen in sorted(found.items())]
    return contradicted + roles_without_argument(releases, hand)
