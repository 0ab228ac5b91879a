# ===- rows.py - Contracts as rows of the table -----------------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Reads the hand-written table and writes the generated one; docs/formats/contracts.md has the columns."""
import dataclasses

from contracts import STRICTNESS, Contract, by_base_name, merge_overloads, split_by_result
from operators import release_key

# Releases between two that were read: where a rule changed between them, the lenient one is taken to hold.
NEXT_RELEASE = {"1.13": "2.0"}


@dataclasses.dataclass
class Row:
    name: str  # With the overload's parameter: "max.other"
    contract: Contract
    since: str  # Empty: no bound
    until: str
    seen: list  # Releases that declare the operator

    def line(self):
        roles = " ".join(f"{n}:{r}" for n, r in self.contract.compared().items()) or "-"
        several = sum(role != "any" for role in self.contract.roles.values()) > 1
        is_list = roles != "-" and not several
        error = "same" if several or is_list else ""
        check = "op" if roles != "-" else "-"
        view = "view" if self.contract.view else ""
        results = ",".join(self.contract.results)
        source = f"{self.contract.why}; declared in {' '.join(self.seen)}"
        fields = [self.name, check, roles, results, "", "", view, self.contract.sync, error, self.since, self.until, source]
        return "\t".join(fields) + "\n"


def hand_rows(text):
    """{name as written: [{column: field}]} of Contracts.tsv."""
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", "!error"))]
    columns = lines[0].split("\t")
    rows = {}
    for line in lines[1:]:
        fields = line.split("\t")
        fields += [""] * (len(columns) - len(fields))
        rows.setdefault(fields[0], []).append(dict(zip(columns, fields)))
    return rows


def after(release):
    if release in NEXT_RELEASE:
        return NEXT_RELEASE[release]
    major, minor = release_key(release)
    return f"{major}.{minor + 1}"


def contracts_of_all(releases):
    """{row name: {release: Contract}}"""
    found = {}
    for release in sorted(releases, key=release_key):
        for base, overloads in by_base_name(releases[release]).items():
            for parameter, group in split_by_result(overloads).items():
                name = base + ("." + parameter if parameter else "")
                found.setdefault(name, {})[release] = merge_overloads(group)
    return found


def strictness(contract):
    return sum(len(STRICTNESS) - STRICTNESS.index(role) for role in contract.roles.values())


def agree(a, b):
    """Whether one row can stand for both: parameters that only one has, a renamed one for instance, do no harm."""
    shared = set(a.roles) & set(b.roles)
    return (
        all(a.roles[name] == b.roles[name] for name in shared)
        and a.results == b.results
        and a.view == b.view
    )


def segments(by_release):
    """[(Contract, releases)], neighbours merged where one row can stand for both."""
    parts = []
    for release in sorted(by_release, key=release_key):
        contract = by_release[release]
        if parts and agree(parts[-1][0], contract):
            known, seen = parts[-1]
            # A tag that an older release lacks was not thought of then: the kernels are the same.
            sync = known.sync if contract.sync == "?" else contract.sync
            merged = dataclasses.replace(contract, roles={**known.roles, **contract.roles}, sync=sync)
            parts[-1] = (merged, seen + [release])
        else:
            parts.append((contract, [release]))
    return parts


def rows_of(name, by_release):
    """The rows of a name, newest last. A change is dated so that the lenient rule covers the releases between."""
    parts = segments(by_release)
    rows = [Row(name, contract, "", "", seen) for contract, seen in parts]
    for older, newer in zip(rows, rows[1:]):
        is_lenient = strictness(newer.contract) <= strictness(older.contract)
        change = after(older.seen[-1]) if is_lenient else newer.seen[0]
        older.until = newer.since = change
    return rows


def covered_names(hand):
    """The base names of the hand-written table and of the forms that ContractTable derives from its rows."""
    names = set()
    for name, rows in hand.items():
        base = name.split(".")[0]
        names |= {base, base + "_out"}
        if any("self:" in row["roles"] or "arg(self)" in row["result"] for row in rows):
            names.add(base + "_")
    return names


def generated_rows(releases, hand):
    """Every Row that the hand-written table lacks, sorted by name."""
    found = contracts_of_all(releases)
    covered = covered_names(hand)
    rows = []
    for name in sorted(found):
        if name.split(".")[0] not in covered:
            rows += rows_of(name, found[name])
    return rows
