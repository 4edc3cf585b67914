#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_schema.py ROOT MAPTOOL: strew-map/1's JSON Schema says of our maps what the reader says.

Every map that the reader takes without a warning fits the schema, and so does what maptool writes.
A map with a fault in its form does not. Faults that no schema can see are left out: what refers to
something else in the map, and what the parser refuses.
"""
import glob
import json
import os
import subprocess
import sys

from jsonschema import Draft202012Validator

# Cases whose faults are in the form of the document.
BROKEN = """
class-buckets device-members devices format-kind links members-missing members-of-the-map nodes
overrides pools rules steps stored types unplaced version weight-sets whole-class-buckets wrong-kinds
""".split()

# Read with a warning: members that aren't known.
WARNED = ("json-remarks-and-unknown-members",)

root, maptool = sys.argv[1:3]
os.chdir(root)
with open("doc/formats/strew-map.schema.json", encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
failed = 0


def is_ours(document):
    return isinstance(document, dict) and str(document.get("format", "")).startswith("strew-map/")


def load(path):
    with open(path, "rb") as text:
        try:
            return json.loads(text.read())
        except ValueError:
            return None


def expect(path, document, fits):
    global failed
    error = next(validator.iter_errors(document), None)
    if (error is None) == fits:
        return
    failed += 1
    if error is None:
        print(f"{path}: fits the schema, and should not")
    else:
        print(f"{path}: /{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")


def written(path):
    joined = [path.replace("input.json", "join.json"), path.replace(".crush.json", ".dump.json")]
    joins = [arg for name in joined if name != path and os.path.exists(name) for arg in ("--join", name)]
    run = subprocess.run([maptool, "convert", path, *joins], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True)
    return json.loads(run.stdout)


ours = glob.glob("maps/*.json") + glob.glob("tests/cases/maps/*.json")
ours += glob.glob("tests/formats/valid/*/*.json")
theirs = glob.glob("tests/golden/*/*.json")
for path in sorted(ours):
    if is_ours(load(path)):
        expect(path, load(path), path.split("/")[-2] not in WARNED)
for path in sorted(ours + theirs):
    if not path.endswith(("join.json", ".dump.json")):
        expect(f"{path}, written", written(path), True)
for name in BROKEN:
    path = f"tests/formats/invalid/json-{name}/input.json"
    expect(path, load(path), False)
print(f"{len(ours)} maps of our own, {len(theirs)} others, {len(BROKEN)} broken ones: {failed} failed")
sys.exit(failed != 0)
