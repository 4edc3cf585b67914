# SPDX-License-Identifier: MIT
"""schema.py SCHEMA FILE...: each file holds the JSON that the schema describes, and no member that
an object described by it does not name."""

import json
import sys

import jsonschema


def close(schema):
    """Let no described object have members that are not named. What "if" looks at stays open."""
    if isinstance(schema, list):
        return [close(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: part if key == "if" else close(part) for key, part in schema.items()}
    if isinstance(schema.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


def main(path, *files):
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(close(schema))
    failed = False
    for name in files:
        with open(name, encoding="utf-8") as file:
            document = json.load(file)
        for error in validator.iter_errors(document):
            print(f"{name}: {error.json_path}: {error.message[:300]}")
            failed = True
    return failed


sys.exit(main(*sys.argv[1:]))
