"""The instructions of a legacy batch while they are edited. It knows no widgets."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.edits import AddPage, InsertionPoint, Remove
from batchwright.layout.ids import to_request
from batchwright.layout.item_types.registry import ITEM_TYPES, Item
from batchwright.layout.nodes import NodePath
from batchwright.layout.option_values import as_text
from batchwright.layout.rules import Problem, Severity
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.ui.study.study_model import Study
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite

TYPES: Sequence[type[Item]] = tuple(kind for kind in ITEM_TYPES.values() if kind.is_instruction)
"""What an instruction may be."""


class LegacyInstructionsState(QObject):
    """A study with a page for each of them: so the rules and forms of items are theirs, too."""

    changed = Signal()

    def __init__(self, records: Sequence[InstructionRecord], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.study = Study(self)
        layout = read([_page(record.item) for record in records], random_keys())
        self.study.open(Project("", layout), None)
        self._known = frozenset(record.id for record in records)
        self._before = layout
        self.study.changed.connect(self.changed)

    @property
    def items(self) -> tuple[Item, ...]:
        """The instructions, in their order."""
        return tuple(item for _place, item in self.study.layout.walk())

    @property
    def reason_not(self) -> str:
        """Why they cannot be written as they are; empty when they can."""
        if self.items and any(map(_is_error, self.study.problems)):
            return _("Fix what is marked first")
        return _("Nothing has changed yet") if self.study.layout == self._before else ""

    @property
    def removes_all(self) -> bool:
        """Whether there were instructions, and none is to stay."""
        return bool(self._before.pages) and not self.items

    def error_of(self, key: str) -> str:
        """The error of an instruction, in one sentence; empty without one."""
        place = self.study.layout.paths((key,)).get(key)
        found = (one.message for one in self.study.problems if one.path == place and _is_error(one))
        return next(found, "")

    def add(self, kind: type[Item]) -> str:
        """Add an instruction that is still to be filled in; returns its key."""
        (page,) = read([_page(kind.new_attributes())], random_keys()).pages
        self.study.apply(AddPage((page,), InsertionPoint(None, len(self.study.layout.pages))))
        return self.items[-1].key

    def remove(self, key: str) -> None:
        """Remove an instruction."""
        layout = self.study.layout
        page = layout.at(NodePath(layout.paths((key,))[key].page))
        self.study.apply(Remove((page.key,)))

    def wanted(self) -> InstructionsWrite:
        """What is to be there: those that the service has with their ids, and option values as texts."""
        pages = read(to_request(self.study.layout, {}, self._known), random_keys())
        items = [_with_texts(item.attributes) for _place, item in pages.walk()]
        return InstructionsWrite.model_validate({"instructions": items})


def _is_error(problem: Problem) -> bool:
    return problem.severity is not Severity.ADVICE  # what is not filled in would be refused, too


def _page(item: JsonObject) -> Json:
    return {"rows": [{"columns": [{"items": [item]}]}]}


def _with_texts(item: JsonObject) -> JsonObject:
    """An instruction whose option values are texts, as a request must have them."""
    options = item.get("options")
    if not is_array(options):
        return item
    return {**item, "options": [_with_text(option) for option in options]}


def _with_text(option: Json) -> Json:
    if not is_object(option) or "value" not in option:
        return option
    return {**option, "value": as_text(option["value"])}
