"""Labels of fields that tell participants nothing about where a text comes from.

A label is derived from the name of a column, and columns of comparisons are often named after systems. A
participant who reads which model has written an answer no longer judges the answer alone.
"""

import re
from collections.abc import Iterable, Mapping, Set
from itertools import chain, count
from string import ascii_uppercase

from batchwright.base.i18n import _

_NUMBERED = re.compile(r"(?:^|[\W_])(?:\d+|[A-Za-z])$")
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


def comparison_labels(
    labels: Mapping[str, str | None], compared: Iterable[str], better: Mapping[str, str]
) -> dict[str, str]:
    """Add labels for those of the compared fields that are called as their columns are.

    Which column an answer is from often says which system has written it. A last letter or number, as in
    "Answer a", says nothing.

    Args:
        labels: the labels of the fields that can be shown, by name; None without one.
        compared: names of fields that participants compare.
        better: what `neutral_labels` returns for these labels.
    """
    derived = [name for name in compared if name in labels and _is_derived(name, labels[name])]
    found = dict(better)
    used = {*(label or name for name, label in labels.items()), *better.values()} if derived else set[str]()
    for name in derived:
        if name not in found:
            found[name] = _free_label(used)
            used.add(found[name])
    return found


def _is_derived(name: str, label: str | None) -> bool:
    """Whether a label is the name of its column, and says more than a letter or number."""
    is_name = label is None or label in (name, label_from_name(name))
    return is_name and not _NUMBERED.search(label or name)


def _free_label(used: Set[str]) -> str:
    """Return `Answer A`, or with the first other letter or number that no label has."""
    names = chain(ascii_uppercase, count(1))
    found = (_("Answer {name}").format(name=name) for name in names)
    return next(label for label in found if label not in used)
