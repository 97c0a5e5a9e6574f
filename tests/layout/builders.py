"""Layouts drawn with letters, so that a test shows the effect of an edit.

`"ab|c / d // e"` is two pages: the first contains a row with the items a and b next to c, and below it a
row with d; the second contains e. A `-` is a page without rows. Items have their letter as key and
`description`; a column has the key `c` and its first letter, a row `r`, a page `p`.
"""

from collections.abc import Iterator

from batchwright.layout.editing.edits import Edit
from batchwright.layout.item_types.registry import FreeText, Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Node


def sketch(drawing: str) -> Layout:
    """The layout of a drawing."""
    return Layout(tuple(_page(page.strip()) for page in drawing.split("//")))


def picture(layout: Layout) -> str:
    """The drawing of a layout; copies have the letter of their original."""
    return " // ".join(
        " / ".join("|".join("".join(_letters(column)) for column in row.children) for row in page.children)
        or "-"
        for page in layout.pages
    )


def after(edit: Edit, drawing: str) -> str:
    """The drawing after an edit of a drawn layout."""
    return picture(edit(sketch(drawing)))


def item(letter: str) -> FreeText:
    """An item as in a drawing."""
    return FreeText(letter, {"type": "free_text", "description": letter})


def _page(drawing: str) -> Page:
    rows = () if drawing == "-" else tuple(_row(row.strip()) for row in drawing.split("/"))
    return Page(f"p{drawing[0]}", {}, rows)


def _row(drawing: str) -> Row:
    return Row(f"r{drawing[0]}", {}, tuple(_column(column) for column in drawing.split("|")))


def _column(drawing: str) -> Column:
    return Column(f"c{drawing[0]}", {}, tuple(map(item, drawing)))


def _letters(column: Node) -> Iterator[str]:
    for inner in column.children:
        yield inner.text("description") if isinstance(inner, Item) else "?"
