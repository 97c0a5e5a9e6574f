"""Labels of fields that tell participants nothing about where a text comes from.

A label is derived from the name of a column, and columns of comparisons are often named after systems. A
participant who reads which model has written an answer no longer judges the answer alone.
"""

import re
from collections.abc import Iterable, Mapping, Set
from itertools import chain, count
from string import ascii_uppercase

from batchwright.base.i18n import _

_CHARACTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Those of Japanese, Chinese and Korean; one of them can be a word, such as 新, "new"."""
_COUNTED = r"\d+|[A-Za-zＡ-Ｚ甲乙丙丁]"
_NUMBERED = re.compile(rf"(?:(?:^|[\W_])(?:{_COUNTED}|[^\W\d_{_CHARACTERS}])|[{_CHARACTERS}](?:{_COUNTED}))$")
"""A number or a single letter at the end; Japanese and Chinese have no space before it."""
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
    """The name of a column as a label."""
    label = name.replace("_", " ").strip()
    return label[:1].upper() + label[1:]


def neutral_labels(labels: Mapping[str, str | None]) -> dict[str, str]:
    """Better labels for the fields whose labels name a system, or are column names not written as words.

    Args:
        labels: the labels of the fields that can be shown, by name; None without one.
    """
    used = {label or name for name, label in labels.items()}
    found: dict[str, str] = {}
    for name, label in labels.items():
        better = label_from_name(name)
        if names_system(label or name) or (label == name and label != better):
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
    "Answer a", says nothing, unless another of the compared fields has a label of another kind: "Answer A"
    beside "Reply b" distinguishes them.

    Args:
        labels: the labels of the fields that can be shown, by name; None without one.
        compared: names of fields that participants compare.
        better: what `neutral_labels` returns for these labels.
    """
    shown = {name: labels[name] for name in compared if name in labels}
    derived = {name: label for name, label in shown.items() if label in (None, name, label_from_name(name))}
    is_neutral = all(_NUMBERED.search(label or name) for name, label in derived.items())
    is_alike = not any(name in better or label in _lettered() for name, label in shown.items())
    found = dict(better)
    if is_neutral and is_alike:
        return found
    used = {*(label or name for name, label in labels.items()), *better.values()}
    for name in derived:
        if name not in found:
            found[name] = _free_label(used)
            used.add(found[name])
    return found


def _free_label(used: Set[str]) -> str:
    """`Answer A`, or with the first other letter or number that no label has."""
    numbered = (_numbered(str(number)) for number in count(1))
    return next(label for label in chain(_lettered(), numbered) if label not in used)


def _lettered() -> list[str]:
    return [_numbered(letter) for letter in ascii_uppercase]


def _numbered(name: str) -> str:
    return _("Answer {name}").format(name=name)
