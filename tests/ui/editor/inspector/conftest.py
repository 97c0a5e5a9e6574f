"""A study with one item of each type, and its inspector."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.schema.parsing import read_schema
from batchwright.ui.editor.core.selection import SelectionModel
from batchwright.ui.editor.inspector.panel import Inspector
from batchwright.ui.study.study_model import Study
from tests.samples.each_type import ALL

SCHEMA: dict[str, Any] = {"strict": True, "fields": {"prompt": {"type": "text", "label": "Prompt"}}}

Opened = Callable[..., "InspectorHarness"]


class InspectorHarness:
    """A study, its selection, and the inspector."""

    def __init__(self, qtbot: QtBot, items: Sequence[Json]) -> None:
        self.study, self.selection = Study(), SelectionModel()
        self.open(items)
        self.selection.select(self.keys[:1], self.page)
        self.inspector = Inspector(self.study, self.selection)
        qtbot.addWidget(self.inspector)
        self.inspector.resize(320, 800)
        self.inspector.show()
        self.inspector.activateWindow()
        qtbot.waitUntil(self.inspector.isActiveWindow)

    def open(self, items: Sequence[Json]) -> None:
        """Open a study with these items on one page."""
        pages: list[Json] = [{"rows": [{"columns": [{"items": list(items)}]}]}]
        schema = read_schema(SCHEMA)
        self.study.open(Project("Study", read(pages, random_keys()), schema=schema), None)
        self.page = self.study.layout.pages[0].key
        self.keys = [item.key for _path, item in self.study.layout.walk()]

    def item(self, number: int = 0) -> Any:
        """The current attributes of an item."""
        return [item.attributes for _path, item in self.study.layout.walk()][number]


@pytest.fixture
def opened(qtbot: QtBot) -> Opened:
    return lambda *items: InspectorHarness(qtbot, items or ALL)
