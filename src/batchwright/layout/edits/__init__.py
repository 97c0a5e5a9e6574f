"""Every change of a layout is one edit: a frozen value that makes the next layout of the one before.

Entries are named by key, destinations by a gap (the key of the parent, and a position in it).
"""

from batchwright.layout.edits.adding import Add, AddItem, AddPage, AddRow, Copy, Duplicate, Paste
from batchwright.layout.edits.changing import SetAttributes
from batchwright.layout.edits.edit import Edit
from batchwright.layout.edits.moving import MoveColumns, MoveItems, MovePages, MoveRows
from batchwright.layout.edits.removing import Cut, Remove
from batchwright.layout.edits.splitting import MergeColumns, MergePages, SplitPage, SplitRow, SpreadRow
from batchwright.layout.grafting import Gap
from batchwright.layout.selection import EditRefused

__all__ = [
    "Add",
    "AddItem",
    "AddPage",
    "AddRow",
    "Copy",
    "Cut",
    "Duplicate",
    "Edit",
    "EditRefused",
    "Gap",
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
    "SpreadRow",
]
