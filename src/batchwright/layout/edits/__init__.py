"""Edits: every change of a layout is a frozen value that maps a layout to the next one.

Nodes are identified by key, destinations by an insertion point (the key of the parent and an index).
"""

from batchwright.layout.edits.add import Add, AddItem, AddPage, AddRow, Copy, Duplicate, Paste
from batchwright.layout.edits.base import Edit
from batchwright.layout.edits.move import MoveColumns, MoveItems, MovePages, MoveRows
from batchwright.layout.edits.remove import Cut, Remove
from batchwright.layout.edits.set_attributes import SetAttributes
from batchwright.layout.edits.split_merge import MergeColumns, MergePages, SplitPage, SplitRow, SplitWideRow
from batchwright.layout.selection import EditRejected
from batchwright.layout.tree_edits import InsertionPoint

__all__ = [
    "Add",
    "AddItem",
    "AddPage",
    "AddRow",
    "Copy",
    "Cut",
    "Duplicate",
    "Edit",
    "EditRejected",
    "InsertionPoint",
    "MergeColumns",
    "MergePages",
    "MoveColumns",
    "MoveItems",
    "MovePages",
    "MoveRows",
    "Paste",
    "Remove",
    "SetAttributes",
    "SplitPage",
    "SplitRow",
    "SplitWideRow",
]
