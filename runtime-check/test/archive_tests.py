# ===- archive_tests.py - Tests of --archive -------------------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Archives that LibTorch itself made (MakeArchives.cpp), and damaged and hostile ones that are made here."""
import functools
import io
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile

from checking import ERROR, check

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
VALIDATOR = os.path.join(ROOT, "test/validate-json")
SCHEMA = os.path.join(ROOT, "docs/formats/archive.schema.json")


class Archives:
    """Real archives in a folder, made when they are first asked for."""

    def __init__(self, verifier):
        self.verifier = verifier
        self.maker = os.path.join(os.path.dirname(verifier.program), "tdl-make-archives")

    @functools.cached_property
    def folder(self):
        self.kept = tempfile.TemporaryDirectory()
        done = subprocess.run([self.maker, self.kept.name], capture_output=True, text=True, env=self.verifier.environment)
        check(done.returncode == 0, f"{self.maker}: exit status {done.returncode}: {done.stdout}{done.stderr}")
        return self.kept.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run(self, path, *words):
        """Exit status, text, and the report, which must fit its schema."""
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "report.json")
            done = self.verifier.run_plain("--archive", path, f"--json={target}", *words)
            check(done.returncode in (0, 1), f"exit status {done.returncode}: {done.stdout}{done.stderr}")
            checked = subprocess.run([sys.executable, VALIDATOR, SCHEMA, target], capture_output=True, text=True)
            check(checked.returncode == 0, checked.stdout + checked.stderr)
            with open(target) as file:
                report = json.load(file)
        check(done.returncode == (1 if report["devices"] else 0), f"exit status {done.returncode} with {report}")
        return done.returncode, done.stdout, report

    def refuses(self, content, *words):
        """Exit status 2 and one line, which names the file and is returned."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pt")
            with open(path, "wb") as file:
                file.write(content)
            done = self.verifier.run_plain("--archive", path, *words)
            check(os.listdir(folder) == ["model.pt"], f"files were made: {os.listdir(folder)}")
        check(done.returncode == 2 and not done.stdout, f"exit status {done.returncode}: {done.stdout}{done.stderr}")
        check(done.stderr.startswith(f"{ERROR}{path}: ") and done.stderr.count("\n") == 1, f"not one line: {done.stderr!r}")
        return done.stderr


def listed(report):
    return [(d["kind"], d.get("name", ""), d["device"], d["file"], d.get("line", 0)) for d in report["devices"]]


# ---- archives of LibTorch ---------------------------------------------------------------------------------------------

def code_line(report, number):
    return report["devices"][number]["code"]


def literals_test(archives):
    _, text, report = archives.run(archives.path("literals.pt"))
    devices = [d["device"] for d in report["devices"]]
    check(devices == ["cuda:0", "cpu", "cuda"], f"{devices}")
    check(all(d["kind"] == "literal" and d["file"].startswith("code/") for d in report["devices"]), report)
    check('torch.device("cuda:0")' in code_line(report, 0) and "arange" in code_line(report, 1), report)
    check(code_line(report, 2).startswith("return (torch.cuda(y)"), report)
    first = report["devices"][0]
    where = f"{archives.path('literals.pt')}:{first['file']}:{first['line']}:{first['column']}: warning: "
    check(text.startswith(where + "the code names the device 'cuda:0' [archive-literal]\n"), text)
    _, _, report = archives.run(archives.path("literals.pt"), "--device=cuda:0")
    check([d["device"] for d in report["devices"]] == ["cpu"], "'cuda' may be cuda:0")
    _, text, report = archives.run(archives.path("literals.pt"), "--device=cuda:1")
    check([d["device"] for d in report["devices"]] == ["cuda:0", "cpu"] and "not cuda:1 [" in text, text)


def plain_test(archives):
    code, text, report = archives.run(archives.path("plain.pt"))
    check(code == 0 and report["tensors"] == {"cpu": 2}, f"a comment and a string name no device: {report}")
    check(text == "no device to look at; tensors: 2 on cpu (torchscript)\n", text)
    _, _, report = archives.run(archives.path("plain.pt"), "--device=cuda")
    check([d[:3] for d in listed(report)] == [("parameter", "weight", "cpu"), ("buffer", "mean", "cpu")], report)


def buffers_test(archives):
    _, text, report = archives.run(archives.path("buffers.pt"))
    check([d[:3] for d in listed(report)] == [("buffer", "inner.mask", "cuda:0")], report)
    check(code_line(report, 0) == "mask : Tensor" and "(bool, {3}) is on cuda:0, most are on cpu" in text, text)
    _, text, _ = archives.run(archives.path("buffers.pt"), "--quiet")
    check(text.startswith("1 buffer to look at") and text.count("\n") == 1, text)
    _, _, report = archives.run(archives.path("buffers.pt"), "--device=cuda:0")
    check(sorted(d[1] for d in listed(report)) == ["bias", "inner.weight"], report)


def attributes_test(archives):
    """A list of tensors, a device; the weight is a parameter, and a 0-dim CPU tensor does no harm."""
    _, text, report = archives.run(archives.path("attributes.pt"))
    check([d[:3] for d in listed(report)] == [("attribute", "table", "cuda:0"), ("attribute", "where", "cuda:1"),
                                             ("attribute", "pieces[0]", "cpu")], report)
    check("attribute 'where' is the device 'cuda:1' [" in text and "moving the module leaves it there" in text, text)
    check(report["devices"][0]["sizes"] == [5, 3] and "sizes" not in report["devices"][1], report)


def constants_test(archives):
    _, text, report = archives.run(archives.path("constants.pt"))
    check(sorted(d[:3] for d in listed(report)) == [("constant", "c0", "cuda:0"), ("constant", "c1", "cpu")], report)
    check("CONSTANTS.c0" in code_line(report, 0) and "constant 'c0' (float, {4, 4}) is on cuda:0" in text, text)


def dictionary_test(archives):
    _, _, report = archives.run(archives.path("dictionary.pt"))
    check(listed(report) == [("tensor", "net.steps", "cpu", "data.pkl", 0)], report)
    check(report["format"] == "pickle" and report["tensors"] == {"cpu": 1, "cuda:0": 2}, report)


def model_json_test(archives):
    _, _, report = archives.run(archives.path("old.pt"))
    check(listed(report) == [("literal", "", "cuda:1", "code/old.py", 3),
                             ("buffer", "norm.mean", "cuda:1", "model.json", 0)], report)


def package_test(archives):
    _, text, report = archives.run(archives.path("package.pt2"))
    check(report["format"] == "aotinductor" and [d[:3] for d in listed(report)] == [
        ("package", "AOTI_DEVICE_KEY", "cuda"), ("tensor", "config.fc.weight.tensor_meta", "cuda:0")], report)
    check(report["notRead"] == ["data/aotinductor/model/cmodel.wrapper.so"] and "compiled for cuda" in text, text)
    _, _, report = archives.run(archives.path("package.pt2"), "--device=cuda")
    check([d[2] for d in listed(report)] == ["cpu"], report)


def same_bytes_test(archives):
    first, second = (archives.run(archives.path("constants.pt"))[1:] for _ in range(2))
    check(first == second, "two runs differ")


# ---- damaged and hostile ones -----------------------------------------------------------------------------------------

def packed(records, folder="m"):
    """A zip as LibTorch's reader wants it: everything in one folder, with a version."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"version": "3\n", **records}.items():
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}"), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def pickled(content):
    return packed({"data.pkl": content})


def declared(content, name, size):
    """The same with another uncompressed size of a file in both headers."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        local = archive.getinfo(name).header_offset
    central = content.index(b"PK\1\2")
    while content[central + 46:central + 46 + len(name)] != name.encode():
        central = content.index(b"PK\1\2", central + 4)
    content = bytearray(content)
    struct.pack_into("<I", content, local + 22, size)
    struct.pack_into("<I", content, central + 24, size)
    return bytes(content)


def text_of(text):
    return b"X" + struct.pack("<I", len(text)) + text


def storage(device, sizes=b")"):
    """The call that makes a tensor of a storage on a device."""
    return (b"ctorch._utils\n_rebuild_tensor_v2\n((" + text_of(b"storage") + b"ctorch\nFloatStorage\n" + text_of(b"0") +
            text_of(device) + b"K\x01tQK\x00" + sizes + b")\x89}tR")


def blanks(megabytes):
    """Blanks, which pack well and which code may hold."""
    return b" " * (megabytes << 20)


# Functions, because some take a second to make.
REFUSED = {
    "empty": (lambda: b"", "expected an archive"),
    "text": (lambda: b"PK but no archive", "expected an archive"),
    "not in a folder": (lambda: packed({"data.pkl": b"N."}).replace(b"m/", b"m_"), "expected an archive"),
    "nothing of a model": (lambda: packed({"readme": b"hello"}), "holds neither code, data.pkl nor model.json"),
    "a name that leaves the folder": (lambda: packed({"data.pkl": b"N.", "../../evil": b"x"}), "'../../evil', which is outside"),
    "a name with a backslash": (lambda: packed({"data.pkl": b"N.", "code\\..\\evil": b"x"}), "which is outside"),
    "a file in another folder": (lambda: packed({"data.pkl": b"N.", "x": b""}).replace(b"m/x", b"../"), "expected an archive"),
    "a zip bomb": (lambda: pickled(blanks(130)), "'data.pkl' is declared to have 136314880 bytes; at most 128 MiB"),
    "many zip bombs": (lambda: packed({f"code/{n}.py": blanks(120) for n in range(5)}), "512 MiB in all"),
    "a size that is a lie": (lambda: declared(pickled(b"N."), "m/data.pkl", 0xFFFFFFF0), "is declared to have 4294967280 bytes"),
    "a small lie": (lambda: declared(pickled(b"N." + b"x" * 98), "m/data.pkl", 150), "'data.pkl' cannot be read"),
    "no pickle": (lambda: pickled(b"\xff"), "unknown opcode 255 at byte 0"),
    "an empty pickle": (lambda: pickled(b""), "the pickle ends within a value at byte 0"),
    "a pickle that ends within a text": (lambda: pickled(b"X\xff\xff\xff\x7fabc"), "the pickle ends within a value"),
    "a pickle that ends within a line": (lambda: pickled(b"cos"), "the pickle ends within a line"),
    "a pickle without a stack": (lambda: pickled(b"R."), "finds no value at byte 0"),
    "a pickle without a mark": (lambda: pickled(b"t."), "finds no mark"),
    "a pickle that takes below a mark": (lambda: pickled(b"N(R."), "finds no value"),
    "a pickle of what was not kept": (lambda: pickled(b"h\x05."), "was not kept"),
    "a pickle of too many values": (lambda: pickled(b"]" * (9 << 20) + b"."), "more than 8388608 values"),
    "a pickle of too many marks": (lambda: pickled(b"(" * (9 << 20) + b"."), "more than 8388608 values"),
    "JSON that is none": (lambda: packed({"model.json": "{"}), "'model.json' is not the JSON"),
    "JSON of brackets": (lambda: packed({"model.json": "[" * 200000}), "'model.json' is not the JSON"),
}


def refused_test(archives, make, message):
    line = archives.refuses(make())
    check(message in line, f"lacks {message!r}: {line}")


NESTED = 1 << 20
READ = {
    "a pickle nested a million times": (b"]" * NESTED + b"a" * (NESTED - 1) + b".", []),
    "a pickle that holds itself": (b"]q\x00h\x00a.", []),
    "2 to the 40 lists": (b"]" + b"q\x00]h\x00ah\x00a" * 40 + b".", []),
    "a call": (b"cos\nsystem\n(S'touch evil'\ntR.", []),
    "a call with a state": (b"cbuiltins\neval\n" + text_of(b"1/0") + b"\x85R}b.", []),
    "a tensor within a million lists": (b"]" * 1000000 + storage(b"cuda:0") + b"a" * 1000000 + b".", []),
    "text for a terminal": (b"}(" + text_of(b"a\x1b[2J\n") + storage(b"cpu", b"K\x03\x85") + text_of(b"b") +
                            storage(b"cpu", b"K\x03\x85") + text_of(b"c\n") + storage(b"\x1b[31mcuda\n", b"K\x03\x85") + b"u.",
                            ["\x1b[31mcuda\n"]),
    "ill-formed UTF-8": (b"}(" + text_of(b"a") + storage(b"cpu", b"K\x03\x85") + text_of(b"b") +
                         storage(b"cpu", b"K\x03\x85") + text_of(b"\xff") + storage(b"\xfe", b"K\x03\x85") + b"u.", ["\ufffd"]),
}


def read_test(archives, content, devices):
    """Odd, and read to its end: nothing is called, nothing hangs."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        with open(path, "wb") as file:
            file.write(pickled(content))
        _, text, report = archives.run(path, "--timeout=60")
        check(os.listdir(folder) == ["model.pt"], f"files were made: {os.listdir(folder)}")
    check([d["device"] for d in report["devices"]] == devices, report)
    check("\x1b" not in text, f"a terminal would take it for a command: {text!r}")


def nested_json_test(archives):
    """Deep within, and everywhere of the wrong type."""
    deep = '{"a":' * 100000 + '{"dtype": 1, "device": "cuda:1"}' + "}" * 100000
    wrong = '{"mainModule": [1], "tensors": [3, [], {"device": 7, "dims": {"a": [1]}}]}'
    for records in ({"model.json": '{"tensors": [{"device": "cuda:1", "x": ' + deep + "}]}"},
                    {"model.json": wrong}, {"data.pkl": b"N.", "x.json": deep}):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pt")
            with open(path, "wb") as file:
                file.write(packed(records))
            archives.run(path)


def many_test(archives):
    """More than is told one by one; code on one line."""
    code = "def f(x):\n  " + " ".join(f'torch.device("cuda:{n}")' for n in range(20000))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        with open(path, "wb") as file:
            file.write(packed({"code/m.py": code, "data.pkl": b"N."}))
        _, text, report = archives.run(path)
    check(len(report["devices"]) == 10000 and report["more"] == 10000, f"{len(report['devices'])}")
    check(text.endswith("20000 literals to look at; tensors: none (torchscript)\n"), text[-100:])
    check(max(len(line) for line in text.splitlines()) < 400, "a line as long as the file")


def truncated_test(archives):
    """Wherever an archive is cut off, the end of it is missing."""
    whole = archives.bytes("constants.pt")
    for length in sorted({0, 1, 30, len(whole) - 1, *range(100, len(whole), 701)}):
        archives.refuses(whole[:length])


def mutations_test(archives):
    """Any byte may be another: a list or one error, never a crash."""
    source = random.Random(2)
    for name in ("attributes.pt", "constants.pt", "package.pt2"):
        whole = archives.bytes(name)
        for number in range(15):
            content = bytearray(whole)
            for _ in range(source.choice((1, 1, 8))):
                content[source.randrange(len(content))] = source.randrange(256)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.pt")
                with open(path, "wb") as file:
                    file.write(content)
                done = archives.verifier.run_plain("--archive", path)
            check(done.returncode in (0, 1, 2), f"{name}, mutation {number}: exit status {done.returncode}")
            check(done.returncode != 2 or done.stderr.count("\n") == 1, f"{name}, mutation {number}: {done.stderr!r}")
            check("crashed" not in done.stderr, f"{name}, mutation {number}: {done.stderr}")


def memory_test(archives):
    line = archives.refuses(pickled(b"]" * (8 << 20) + b"."), "--memory=64")
    check("memory" in line, line)


def usage_test(archives):
    for words, message in ((["--archive"], "--archive: expected --archive MODEL"),
                           (["--archive="], "--archive: expected --archive=MODEL"),
                           (["--archive", "a.pt", "b.pt"], "--archive takes no findings file"),
                           (["--archive=a.pt", "--replay-contracts"], "no --replay-contracts"),
                           (["--archive=a.pt", "--only=x"], "no --only"),
                           (["--archive=a.pt", "--device=sim"], "expected a device such as cpu or cuda:0"),
                           (["--archive=a.pt", "--device=cuda:x"], "expected a device such as cpu or cuda:0"),
                           (["--archive=/nonexistent/m.pt"], "/nonexistent/m.pt: cannot be opened"),
                           (["--archive", ROOT], "expected an archive"),
                           (["--archive", archives.path("plain.pt"), "--json=/nonexistent/x"], "cannot be written")):
        done = archives.verifier.run_plain(*words)
        check(done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1,
              f"{words}: lacks {message!r}: {done.stderr}")


def archive_tests(verifier):
    archives = Archives(verifier)
    for test in (literals_test, plain_test, buffers_test, attributes_test, constants_test, dictionary_test, model_json_test,
                 package_test, same_bytes_test, nested_json_test, many_test, truncated_test, mutations_test, memory_test,
                 usage_test):
        yield f"archive: {test.__name__}", lambda t=test: t(archives)
    for name, (make, message) in REFUSED.items():
        yield f"archive: {name}", lambda c=make, m=message: refused_test(archives, c, m)
    for name, (content, devices) in READ.items():
        yield f"archive: {name}", lambda c=content, d=devices: read_test(archives, c, d)
