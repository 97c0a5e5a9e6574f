"""Which dataset fields a page compares: those that the options of a question call A and B."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from batchwright.layout.item_types.choice import Choice
from batchwright.layout.nodes import NodePath

_LETTERS = (re.compile(r"\bA\b"), re.compile(r"\bB\b"))


def compared_fields(fields: Sequence[tuple[NodePath, str]], questions: Iterable[Choice]) -> tuple[str, ...]:
    """The fields that are compared, in reading order; empty without a comparison.

    These are the fields that are side by side in a row; if there are none, the fields of the page if there
    are two.

    Args:
        fields: the place of each field that the page shows, and its name.
        questions: the questions of the page; options of one have the letters A and B in a comparison.
    """
    if not any(map(_is_comparison, questions)):
        return ()
    columns = Counter(row for row, _column in {(path.row, path.column) for path, _name in fields})
    beside = [name for path, name in fields if columns[path.row] > 1]
    names = tuple(dict.fromkeys(beside or (name for _path, name in fields)))
    return names if beside or len(names) == 2 else ()


def _is_comparison(question: Choice) -> bool:
    labels = [str(option.get("label", "")) for option in question.options]
    return all(any(letter.search(label) for label in labels) for letter in _LETTERS)
