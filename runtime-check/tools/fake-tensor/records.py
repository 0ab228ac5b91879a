# ===- records.py - The file of FakeTensor's answers ------------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Reads and writes data/fake-tensor-2.11.tsv (docs/formats/fake-tensor.md)."""
import collections
import os

from arrangements import trials

# Of an operator: whether it takes 'device', and for each sample the words for its arrangements; none where nothing works.
Answers = collections.namedtuple("Answers", "takes_device words")

HEADER = """# fake-tensor-{release}.tsv - What FakeTensor does with the samples
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Made by runtime-check/tools/fake-tensor/fake-tensor-oracle with PyTorch {version}.
# docs/formats/fake-tensor.md says how to read a line.
samples\t{samples}
"""


def compressed(words):
    """Runs of one word as "0*3", and none of words that nothing shows."""
    if not any(word != "-" for word in words):
        return "-"
    runs = []
    for word in words:
        if runs and runs[-1][0] == word:
            runs[-1][1] += 1
        else:
            runs.append([word, 1])
    return ",".join(word + (f"*{count}" if count > 1 else "") for word, count in runs)


def expanded(text):
    """Nothing where the sample shows nothing."""
    if text == "-":
        return None
    words = []
    for run in text.split(","):
        word, _, count = run.partition("*")
        words += [word] * int(count or 1)
    return words


def line_of(operator, answers):
    texts = [compressed(words) for words in answers.words]
    # Samples of other element types seldom differ.
    shown = ["=" if i and text == texts[i - 1] and text != "-" else text for i, text in enumerate(texts)]
    return "\t".join([operator, "device" if answers.takes_device else "-", *shown]) + "\n"


def write_fake(path, answers, version, samples):
    with open(f"{path}.tmp", "w") as file:
        file.write(HEADER.format(release=".".join(version.split(".")[:2]), version=version, samples=samples))
        for operator in sorted(answers):
            file.write(line_of(operator, answers[operator]))
    os.replace(f"{path}.tmp", path)


def read_fake(path, samples, fingerprint):
    """{operator: [[(trial, word)] of each sample]}, without trials that show nothing."""
    found = {}
    with open(path) as file:
        lines = [(number, line.rstrip("\n").split("\t")) for number, line in enumerate(file, 1) if line[0] != "#"]
    if not lines or lines[0][1][0] != "samples":
        raise ValueError(f"{path}: expected a line 'samples', a tab and which ones")
    if lines[0][1][1:] != [fingerprint]:
        raise ValueError(f"{path}:{lines[0][0]}: is from other samples, run fake-tensor-oracle ask")
    for number, (operator, device, *texts) in lines[1:]:
        if len(texts) != len(samples.get(operator, ())):
            raise ValueError(f"{path}:{number}: {operator} has {len(samples.get(operator, ()))} samples, found {len(texts)}")
        found[operator] = list(words_of(path, number, texts, samples[operator], device == "device"))
    return found


def words_of(path, number, texts, samples, takes_device):
    before = None
    for text, arguments in zip(texts, samples):
        before = before if text == "=" else text
        words, tried = expanded(before), list(trials(arguments, takes_device))
        if words is not None and len(words) != len(tried):
            raise ValueError(f"{path}:{number}: expected {len(tried)} words, found {len(words)}")
        yield [(trial, word) for trial, word in zip(tried, words or ()) if word != "-"]
