"""Sample exchanges as questions to the service, and whether an answer has the shape of the sample."""

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
"""Keys that wire.md lets an answer have or leave out."""

WORDED = frozenset({"detail", "message", "reason", "file_key", "email"})
"""Keys whose texts are free."""

_FORMS = [
    re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    re.compile(r"[0-9a-f]{24}"),
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"),
    re.compile(r"https?://\S+"),
]


def sample(file: str, number: int) -> Any:
    """One exchange, by the number of its file and its place in it."""
    (path,) = SAMPLES.glob(f"{file}-*.json")
    return json.loads(path.read_text(encoding="utf-8"))["exchanges"][number]


def differences(expected: Any, given: Any, place: str = "", worded: bool = False) -> list[str]:
    """Where an answer differs from the sample in more than ids, times, addresses and free words."""
    match expected, given:
        case dict(), dict():
            unlike = (expected.keys() ^ given.keys()) - OPTIONAL
            found = [f"{place}/{key}: in one only" for key in sorted(unlike)]
            for key in expected.keys() & given.keys():
                found += differences(expected[key], given[key], f"{place}/{key}", worded or key in WORDED)
            return found
        case list(), list():
            if len(expected) != len(given):
                return [f"{place}: {len(given)} entries, not {len(expected)}"]
            pairs = zip(expected, given, strict=True)
            return [one for n, pair in enumerate(pairs) for one in differences(*pair, f"{place}/{n}", worded)]
        case str(), str():
            same = worded or _form(expected) == _form(given)
        case _:
            same = type(expected) is type(given) and expected == given
    return [] if same else [f"{place}: {given!r}, not {expected!r}"]


def _form(text: str) -> str:
    """The text, or for ids, times and addresses which of these it is."""
    return next((form.pattern for form in _FORMS if form.fullmatch(text)), text.strip())
