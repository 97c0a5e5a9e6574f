"""Labels of fields that tell participants nothing about where a text comes from.

A label is derived from the name of a column, and columns of comparisons are often named after systems. A
participant who reads which model has written an answer no longer judges the answer alone.
"""

import re
from collections.abc import Mapping, Set
from itertools import chain, count
from string import ascii_uppercase

from batchwright.base.i18n import _

_WORDS = re.compile(r"[a-z]+")
_SYSTEMS = frozenset(
    {
        *("alpaca", "anthropic", "chatgpt", "claude", "cohere", "copilot", "deepl", "deepseek", "gemini"),
        *("gemma", "google", "gpt", "grok", "llama", "microsoft", "mistral", "mixtral", "openai", "qwen"),
        "vicuna",
    }
)
"""Names of models and vendors, in lower case."""


def names_system(text: str) -> bool:
    """Whether a text contains the name of a model or of its vendor as a word."""
    return not _SYSTEMS.isdisjoint(_WORDS.findall(text.casefold()))


def label_from_name(name: str) -> str:
    """Return the name of a column as a label."""
    label = name.replace("_", " ").strip()
    return label[:1].upper() + label[1:]


def neutral_labels(labels: Mapping[str, str | None]) -> dict[str, str]:
    """Return better labels for the fields whose labels name a system, or are the names of their columns.

    Args:
        labels: the labels of the fields that can be shown, by name; None without one.
    """
    used = {label or name for name, label in labels.items()}
    found: dict[str, str] = {}
    for name, label in labels.items():
        if label == name or names_system(label or name):
            better = label_from_name(name)
            if names_system(better) or better in used:
                better = _free_label(used)
            used.add(better)
            found[name] = better
    return found


def _free_label(used: Set[str]) -> str:
    """Return `Answer A`, or with the first other letter or number that no label has."""
    names = chain(ascii_uppercase, count(1))
    found = (_("Answer {name}").format(name=name) for name in names)
    return next(label for label in found if label not in used)
