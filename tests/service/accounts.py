"""Writes the accounts file (`accounts.json`) of a service, with accounts besides the owner."""

import json
from pathlib import Path

ANN = {"id": "a" * 24, "email": "ann@example.org", "tokens": ["ann-1", "ann-2"], "workspaces": ["f" * 24]}
"""A researcher with her own workspace."""

BEA = {"id": "b" * 24, "email": "bea@example.org", "tokens": ["bea-1"], "workspaces": ["9" * 24]}
"""A researcher whose workspace collects data from several tests."""


def write_accounts(file: Path, users: list[object], workspaces: list[object]) -> None:
    """Replace the accounts file atomically."""
    written = file.with_suffix(".new")
    written.write_text(json.dumps({"users": users, "workspaces": workspaces}), encoding="utf-8")
    written.replace(file)
