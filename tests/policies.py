"""A policy of this computer for tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from batchwright.base import policy
from batchwright.base.policy import computer_policy

WritePolicy = Callable[[str], Path]
"""Writes the file of the policy, and returns its path."""


@pytest.fixture
def write_policy(tmp_path: Path) -> Iterator[WritePolicy]:
    """A function that makes a text the policy of this computer."""
    path = tmp_path / "policy.toml"

    def write(text: str) -> Path:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o644)
        patch.setattr(policy, "policy_paths", lambda: (path,))
        computer_policy.cache_clear()
        return path

    with pytest.MonkeyPatch.context() as patch:
        yield write
    computer_policy.cache_clear()
