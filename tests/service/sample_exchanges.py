"""Sample exchanges as requests to the service, and comparison of responses with the samples."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[2].parent / "shared" / "wire-examples"

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no sample exchanges beside the repository")

_OPTIONAL = {
    "username user_type currency_code balance available_balance",  # of a user
    "additional_information",
    "auto_sync_enabled tasks_per_group total_task_groups",
    "correlation_id",
    "item_count",
    "export_id",  # of an export that is complete
}
OPTIONAL = frozenset(" ".join(_OPTIONAL).split())
"""Keys that are optional in responses, according to the wire reference."""

WORDED = frozenset({"detail", "message", "reason", "file_key", "email"})
"""Keys with free text."""

_FORMS = [
    re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    re.compile(r"[0-9a-f]{24}"),
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"),
    re.compile(r"https?://\S+"),
]


def sample(file: str, number: int) -> Any:
    """One exchange, by the number of its file and its index in it."""
    (path,) = SAMPLES.glob(f"{file}-*.json")
    return json.loads(path.read_text(encoding="utf-8"))["exchanges"][number]


def differences(expected: Any, actual: Any, path: str = "", worded: bool = False) -> list[str]:
    """The differences between a response and the sample, other than ids, times, URLs and free text."""
    match expected, actual:
        case dict(), dict():
            unlike = (expected.keys() ^ actual.keys()) - OPTIONAL
            differing = [f"{path}/{key}: in one only" for key in sorted(unlike)]
            for key in expected.keys() & actual.keys():
                differing += differences(expected[key], actual[key], f"{path}/{key}", worded or key in WORDED)
            return differing
        case list(), list():
            if len(expected) != len(actual):
                return [f"{path}: {len(actual)} entries, not {len(expected)}"]
            pairs = zip(expected, actual, strict=True)
            return [
                difference
                for n, pair in enumerate(pairs)
                for difference in differences(*pair, f"{path}/{n}", worded)
            ]
        case str(), str():
            same = worded or _form(expected) == _form(actual)
        case _:
            same = type(expected) is type(actual) and expected == actual
    return [] if same else [f"{path}: {actual!r}, not {expected!r}"]


def _form(text: str) -> str:
    """The text, or for ids, times and URLs the kind of value."""
    return next((form.pattern for form in _FORMS if form.fullmatch(text)), text.strip())
