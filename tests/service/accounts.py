"""The file `accounts.json` of a service: more people than the owner of its data folder."""

import json
from pathlib import Path

ANN = {"id": "a" * 24, "email": "ann@example.org", "tokens": ["ann-1", "ann-2"], "workspaces": ["f" * 24]}
"""Somebody with a workspace of her own."""

BEA = {"id": "b" * 24, "email": "bea@example.org", "tokens": ["bea-1"], "workspaces": ["9" * 24]}
"""Somebody else, whose workspace fills up with things from one test to the next."""


def write_accounts(file: Path, users: list[object], workspaces: list[object]) -> None:
    """Put the file in place, whole."""
    written = file.with_suffix(".new")
    written.write_text(json.dumps({"users": users, "workspaces": workspaces}), encoding="utf-8")
    written.replace(file)
