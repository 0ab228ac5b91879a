# ===- operators.py - What PyTorch declares about its operators -------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Facts about operator overloads, out of PyTorch's native_functions.yaml.

operators.tsv keeps those of several releases, one line for each overload and
each set of facts: docs/contributing/generated-contracts.md has its columns.
Only what a contract can depend on is kept: tensors, and whether the caller
chooses a device.
"""
import dataclasses
import re

COLUMNS = ("overload", "releases", "positional", "keyword", "out", "device", "returns", "kernel", "tags")
# What a contract can depend on, of the tags that PyTorch gives to operators.
TAGS = ("data_dependent_output", "dynamic_output_shape", "view_copy")


@dataclasses.dataclass(frozen=True)
class Argument:
    """A tensor argument: "self", "self!" is written, "tensors[]" is a list, "bias?" may be absent."""

    name: str
    is_list: bool = False
    is_optional: bool = False
    is_written: bool = False

    def __str__(self):
        return self.name + "[]" * self.is_list + "?" * self.is_optional + "!" * self.is_written

    @staticmethod
    def parse(text):
        return Argument(re.match(r"\w+", text).group(), "[]" in text, "?" in text, "!" in text)


@dataclasses.dataclass(frozen=True)
class Facts:
    """What one release declares about an overload."""

    positional: tuple  # Arguments that the generated CUDA wrapper compares
    keyword: tuple  # Arguments after "*", which it does not see
    out: tuple  # Keyword arguments that are written
    device: bool  # The caller may choose a device
    returns: tuple  # "new", "view", "written", "list" for tensors, "host" for anything else
    kernel: str  # "checked", "iterator", "unchecked": a CUDA kernel; "none": there is none of its own
    tags: tuple = ()  # Those of TAGS that it has

    @property
    def tensors(self):
        return self.positional + self.keyword


def split_commas(text):
    """The parts of TEXT between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [part for part in parts + [text[start:].strip()] if part]


def parse_argument(text):
    """The Argument that TEXT declares; None when it is no tensor."""
    kind, name = text.split("=")[0].strip().rsplit(" ", 1)
    if not re.match(r"Tensor\b", kind):
        return None
    alias = re.search(r"\(([^)]*)\)", kind)
    plain = re.sub(r"\([^)]*\)", "", kind)
    return Argument(name, "[" in plain, "?" in plain, bool(alias) and "!" in alias.group(1))


def parse_return(text):
    kind = text.split(" ")[0]
    if not kind.startswith("Tensor"):
        return "host"
    if "[]" in re.sub(r"\([^)]*\)", "", kind):
        return "list"
    if "!" in kind:
        return "written"
    return "view" if "(" in kind else "new"


def parse_schema(schema):
    """'add.out(Tensor self, ..., *, Tensor(a!) out) -> Tensor(a!)' as a name and Facts without a kernel."""
    name, rest = schema.split("(", 1)
    arguments, returns = rest.rsplit(" -> ", 1)
    arguments = arguments.strip()[:-1]
    before, _, after = arguments.partition("*,")
    keyword = [parse_argument(text) for text in split_commas(after)]
    returns = returns.strip()
    if returns.startswith("("):
        returns = returns[1:-1]
    return name, Facts(
        positional=tuple(filter(None, map(parse_argument, split_commas(before)))),
        keyword=tuple(a for a in keyword if a and not a.is_written),
        out=tuple(a for a in keyword if a and a.is_written),
        device=bool(re.search(r"\bDevice\b", arguments)),
        returns=tuple(map(parse_return, split_commas(returns))),
        kernel="none",
    )


def read_entries(path):
    """The entries of a native_functions.yaml as dictionaries.

    A reader for this one file, which is regular: "- func: ...", then "  key: value" and a nested "  dispatch:".
    Backends of "dispatch" are joined with commas.
    """
    entries = []
    section = None
    with open(path) as lines:
        for line in lines:
            line = re.sub(r"(^|\s)#.*", "", line).rstrip()
            field = re.match(r"(- |  )(\w+):\s*(.*)$", line)
            nested = re.match(r"    +([\w, ]+):", line)
            if field:
                if field.group(1) == "- ":
                    entries.append({"dispatch": ""})
                section = field.group(2)
                if section != "dispatch":
                    entries[-1][section] = field.group(3).strip("'\"")
            elif nested and section == "dispatch":
                entries[-1]["dispatch"] += nested.group(1).replace(" ", "") + ","
    return entries


def kernel_of(entry, by_name):
    group = by_name.get(entry.get("structured_delegate"), entry)
    is_structured = "structured" in entry or "structured_delegate" in entry
    backends = entry["dispatch"].split(",")
    if is_structured:
        backends = backends + group["dispatch"].split(",")
    if "CUDA" not in backends and not (is_structured and "ufunc_inner_loop" in group):
        return "none"
    if entry.get("device_check") != "NoCheck":
        return "checked"
    is_iterator = is_structured and group.get("structured_inherits") == "TensorIteratorBase"
    return "iterator" if is_iterator else "unchecked"


def tags_of(entry):
    words = re.split(r"[\[\], ]+", entry.get("tags", ""))
    return tuple(tag for tag in TAGS if tag in words)


def functional_form(facts):
    """The form that PyTorch generates of an operator that only writes: it copies what is written, and returns the copy."""
    positional = tuple(dataclasses.replace(a, is_written=False) for a in facts.positional)
    # Several are copied, or what is copied is returned beside other results: which is which is not kept.
    returns = ("new",) if facts.returns == ("written",) else ("list", "list")
    return dataclasses.replace(facts, positional=positional, returns=returns)


def generated_forms(name, entry, facts):
    """{overload: Facts} of the functional forms that the entry says are generated. Generated out forms copy into out."""
    base = name.split(".")[0]
    forms = {}
    for form in entry.get("autogen", "").split(","):
        form = form.strip()
        if form and form.split(".")[0] != base and not form.endswith("out"):
            forms[form] = functional_form(facts)
    return forms


def read_yaml(path):
    """{overload: Facts} of a release."""
    entries = read_entries(path)
    by_name = {entry["func"].split("(")[0]: entry for entry in entries}
    facts = {}
    for entry in entries:
        name, parsed = parse_schema(entry["func"])
        facts[name] = dataclasses.replace(parsed, kernel=kernel_of(entry, by_name), tags=tags_of(entry))
        facts.update(generated_forms(name, entry, facts[name]))
    if not facts:
        raise ValueError(f"{path}: has no line '- func: ...', so it is no native_functions.yaml")
    return facts


def release_key(release):
    return tuple(map(int, release.split(".")))


def write_tsv(releases):
    """operators.tsv of {release: {overload: Facts}} as a string."""
    lines = {}
    for release in sorted(releases, key=release_key):
        for name, facts in releases[release].items():
            lines.setdefault((name, facts), []).append(release)
    text = "\t".join(COLUMNS) + "\n"
    for (name, facts), seen in sorted(lines.items(), key=lambda item: (item[0][0], release_key(item[1][0]))):
        words = [
            " ".join(map(str, arguments)) or "-"
            for arguments in (facts.positional, facts.keyword, facts.out)
        ]
        device = "device" if facts.device else "-"
        returns = " ".join(facts.returns) or "-"
        tags = " ".join(facts.tags) or "-"
        text += "\t".join([name, " ".join(seen), *words, device, returns, facts.kernel, tags]) + "\n"
    return text


def read_tsv(text):
    """{release: {overload: Facts}} of what write_tsv wrote."""
    lines = text.splitlines()
    if not lines or lines[0].split("\t") != list(COLUMNS):
        raise ValueError("operators.tsv:1: expected the header line " + "<tab>".join(COLUMNS))
    releases = {}
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(COLUMNS):
            raise ValueError(f"operators.tsv:{number}: expected {len(COLUMNS)} columns, found {len(fields)}")
        name, seen, *words, device, returns, kernel, tags = fields
        arguments = [() if w == "-" else tuple(map(Argument.parse, w.split(" "))) for w in words]
        returns, tags = (() if field == "-" else tuple(field.split(" ")) for field in (returns, tags))
        facts = Facts(*arguments, device == "device", returns, kernel, tags)
        for release in seen.split(" "):
            releases.setdefault(release, {})[name] = facts
    return releases
