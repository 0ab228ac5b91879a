# ===- contracts.py - From declarations to contract rows --------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""What operators demand of devices, as far as their declarations say it for certain.

What they do not say has no roles and an unknown result. The rules are explained
in docs/contributing/generated-contracts.md.
"""
import dataclasses

# From the strictest to the most lenient. Where two overloads of a name differ, the row is the lenient one.
STRICTNESS = ("same", "out", "mix", "any")


@dataclasses.dataclass
class Contract:
    roles: dict  # {parameter: role}; a parameter without one is not compared
    results: tuple  # Rules of the column "result"
    view: bool
    why: str  # The rule that made it, for the column "source"
    sync: str = "?"  # The column "sync"

    def compared(self):
        return {name: role for name, role in self.roles.items() if role != "any"}


def results_of(facts, first):
    """FIRST is the rule for the first new tensor; where others of a tuple are is not declared."""
    if all(kind == "host" for kind in facts.returns):
        return ("none",)
    if "list" in facts.returns and (len(facts.returns) > 1 or len(facts.tensors) > 1):
        return ("unknown",)
    if len(facts.returns) == 1 or first == "unknown":
        return (first,)
    return (first,) + ("unknown",) * (len(facts.returns) - 1)


def written_result(facts):
    """The result of a form that writes: what it writes, in the order of the arguments."""
    written = [a for a in facts.positional + facts.out if a.is_written]
    if facts.returns and len(written) == len(facts.returns):
        return tuple(f"arg({a.name})" for a in written)
    return ("none",) if all(kind == "host" for kind in facts.returns) else ("unknown",)


def sync_of(name, facts):
    """Whether the host waits for the device, as far as it is declared."""
    if "sparse" in name:
        return "?"  # What is a view of dense tensors may look for elements in sparse ones.
    if "data_dependent_output" in facts.tags or "dynamic_output_shape" in facts.tags:
        return "yes"  # What the host returns, or allocates, depends on values that are on the device.
    is_view = facts.returns and all(kind == "view" for kind in facts.returns)
    if "view_copy" in facts.tags or facts.kernel == "iterator" or (is_view and not facts.device):
        return "no"
    return "?"


def merge_syncs(overloads):
    """Out forms compute as the functional ones do, and not all of them have their tags."""
    functional = {name: facts for name, facts in overloads.items() if not facts.out}
    found = {sync_of(name, facts) for name, facts in (functional or overloads).items()}
    if len(found) == 1:
        return found.pop()
    return "?" if "?" in found else "args"


def contract_of(name, facts):
    """The Contract of one overload."""
    writes = any(a.is_written for a in facts.tensors + facts.out)
    uncertain = written_result(facts) if writes else results_of(facts, "unknown")
    tensors = facts.tensors + facts.out
    if name.startswith("_foreach_"):
        # Lists are compared index by index, so each element has a device of its own.
        return Contract({}, ("none",) if not facts.returns else ("unknown",), False, "index by index")
    if not tensors:
        if facts.returns in ((), ("host",)):
            return Contract({}, ("none",), False, "schema")
        makes = facts.device and facts.returns == ("new",)
        return Contract({}, ("options",) if makes else uncertain, False, "schema")
    if facts.kernel == "checked" and (len(tensors) > 1 or tensors[0].is_list):
        roles = {a.name: "same" for a in facts.positional + facts.out}
        roles.update({a.name: "any" for a in facts.keyword})
        first = "common" if facts.positional else "unknown"
        return Contract(roles, written_result(facts) if writes else results_of(facts, first), False, "wrapper")
    if facts.kernel == "iterator" and len(facts.tensors) > 1:
        roles = {a.name: "out" if a.is_written else "mix" for a in tensors}
        return Contract(roles, written_result(facts) if writes else results_of(facts, "common"), False, "TensorIterator")
    if len(tensors) == 1 and not tensors[0].is_list and not writes:
        place = f"like({tensors[0].name})" if facts.device else f"arg({tensors[0].name})"
        is_view = "view" in facts.returns and not facts.device
        return Contract({}, results_of(facts, place), is_view, "schema")
    return Contract({a.name: "any" for a in tensors}, uncertain, False, "not certain")


def merge_roles(contracts):
    roles = {}
    for contract in contracts:
        for name, role in contract.roles.items():
            roles[name] = max(roles.get(name, role), role, key=STRICTNESS.index)
    return roles


def merge_results(contracts, roles):
    """One rule for all overloads: where some give the common device and others that of a compared argument, both do."""
    found = {contract.results for contract in contracts}
    if len(found) == 1:
        return found.pop()
    compared = {f"arg({name})" for name, role in roles.items() if role != "any"}
    firsts = {("common",) if r[0] in compared else r for r in found if len(r) == 1}
    return firsts.pop() if len(firsts) == 1 and len(found) > 1 and all(len(r) == 1 for r in found) else ("unknown",)


def first_parameter(facts):
    return facts.tensors[0].name if facts.tensors else ""


def split_by_result(overloads):
    """{"": most overloads, "input": those that have such a parameter}.

    Where the overloads of a name disagree about the result, those whose first tensor no other overload has get a row
    of their own, as the table names overloads by a parameter.
    """
    functional = {name: facts for name, facts in overloads.items() if not facts.out}
    results = {contract_of(name, facts).results for name, facts in functional.items()}
    firsts = sorted({first_parameter(facts) for facts in functional.values()} - {""})
    if len(results) < 2 or len(firsts) < 2:
        return {"": overloads}
    groups = {}
    for name, facts in overloads.items():
        own = first_parameter(facts)
        others = [f for f in functional.values() if first_parameter(f) != own]
        is_shared = any(own == a.name for f in others for a in f.tensors)
        groups.setdefault("" if is_shared or own in ("", "self") else own, {})[name] = facts
    return groups


def merge_overloads(overloads):
    """One Contract of {overload: Facts}. Out forms give roles; their result is made from the row."""
    contracts = {name: contract_of(name, facts) for name, facts in overloads.items()}
    functional = [contracts[name] for name in overloads if not overloads[name].out]
    roles = merge_roles(contracts.values())
    results = merge_results(functional, roles) if functional else ("unknown",)
    if results[0] == "common" and not any(role != "any" for role in roles.values()):
        results = ("unknown",)
    reasons = [contract.why for contract in contracts.values()]
    order = ("wrapper", "TensorIterator", "index by index", "not certain", "schema")
    is_view = any(contract.view for contract in functional)
    return Contract(roles, results, is_view, min(reasons, key=order.index), merge_syncs(overloads))


def by_base_name(overloads):
    """{base name: {overload: Facts}}"""
    names = {}
    for overload, facts in overloads.items():
        names.setdefault(overload.split(".")[0], {})[overload] = facts
    return names
