"""The columns of sets of items, of which participants choose the best and the worst."""

from collections.abc import Collection
from itertools import takewhile
from string import ascii_lowercase

SET_ID = "META_SET_ID"
"""The column with the number of the set."""
SMALLEST_SET, LARGEST_SET = 3, 5
"""The number of items in a set."""


def identity_column(letter: str) -> str:
    """The column that says which item stands at a place, such as `META_ITEM_A` for `a`."""
    return f"META_ITEM_{letter.upper()}"


IDENTITY_COLUMNS = tuple(map(identity_column, ascii_lowercase[:LARGEST_SET]))
"""The columns that say which item stands at each place of the largest sets."""


def shown_column(column: str, letter: str) -> str:
    """The column with what participants see of the item at a place, such as `text_a` for `text` and `a`."""
    return f"{column}_{letter}"


def letters_of(columns: Collection[str]) -> str:
    """The letters of the places of which columns identify the items; empty if they are no sets."""
    letters = "".join(
        takewhile(lambda letter: identity_column(letter) in columns, ascii_lowercase[:LARGEST_SET])
    )
    return letters if len(letters) >= SMALLEST_SET else ""
