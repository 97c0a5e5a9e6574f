"""The file `accounts.json` of a service: more people than the owner of its data folder."""

import json
from pathlib import Path

ANN = {"id": "a" * 24, "email": "ann@example.org", "tokens": ["ann-1", "ann-2"], "workspaces": ["f" * 24]}
"""Somebody with a workspace of her own."""


def write_accounts(file: Path, users: list[object], workspaces: list[object]) -> None:
    """Put the file in place, whole."""
    written = file.with_suffix(".new")
    written.write_text(json.dumps({"users": users, "workspaces": workspaces}), encoding="utf-8")
    written.replace(file)
