"""The id line of a node: the id in the batch of the current connection, or when there will be one."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from batchwright.local.projects import RemoteBinding, StudyKind
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.inspector.forms import ServerIdView
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import ElidedLabel, Label
from tests.samples.each_type import WHY
from tests.ui.editor.inspector.conftest import InspectorHarness, Opened

pytestmark = pytest.mark.gui

ID = "65f0a1b2c3d4e5f607182930"


def view(harness: InspectorHarness) -> ServerIdView:
    found = harness.inspector.findChild(ServerIdView)
    assert found is not None
    return found


def id_texts(harness: InspectorHarness) -> list[str]:
    """What can be read in the id line, without its title."""
    labels: list[QWidget] = [*view(harness).findChildren(Label), *view(harness).findChildren(ElidedLabel)]
    shown = [label for label in labels if label.isVisibleTo(view(harness))]
    texts = [label.text() for label in shown if isinstance(label, (Label, ElidedLabel))]
    return [text for text in dict.fromkeys(texts) if text != "Id"]


def bind(harness: InspectorHarness, connection: str, **ids: str) -> None:
    harness.study.set_remote(connection, RemoteBinding(batch_id="b", ids=ids))


def test_the_id_of_the_current_connection_is_shown_and_copied(opened: Opened) -> None:
    harness = opened(WHY)
    key, study = harness.keys[0], harness.study
    assert id_texts(harness) == ["Assigned by the service when the batch is created"]
    bind(harness, study.connection, **{key: ID})
    assert id_texts(harness) == [ID]
    copy = view(harness).findChild(IconButton)
    assert copy is not None
    assert copy.accessibleName() == "Copy id"
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == ID
    bind(harness, "lab", **{key: "another"})
    assert id_texts(harness) == [ID]
    study.set_connection("lab")
    assert id_texts(harness) == ["another"]
    study.set_connection("elsewhere")
    assert id_texts(harness) == ["Assigned by the service when the batch is created"]


def test_an_item_that_the_batch_does_not_have_yet_gets_its_id_with_the_update(opened: Opened) -> None:
    harness = opened(WHY)
    bind(harness, harness.study.connection)
    assert id_texts(harness) == ["Assigned by the service when the batch is updated"]
    copy = view(harness).findChild(IconButton)
    assert copy is not None
    assert not copy.isVisibleTo(view(harness))


def test_an_id_from_a_file_is_marked_as_such_until_the_service_has_assigned_one(opened: Opened) -> None:
    harness = opened({**WHY, "id": "in-the-file"})
    shown, note = sorted(id_texts(harness), key=len)
    assert shown == "in-the-file"
    assert note.startswith("From the file.")
    bind(harness, harness.study.connection, **{harness.keys[0]: ID})
    assert id_texts(harness) == [ID]


def test_the_ids_of_a_collection_are_those_of_its_pages_and_items(opened: Opened) -> None:
    harness = opened(WHY)
    study = harness.study
    study.open(replace(study.project, kind=StudyKind.COLLECTION), None)
    key, page = harness.keys[0], study.layout.pages[0]
    harness.selection.select((key,), page.key)
    assert id_texts(harness) == ["Assigned by the service when the collection is created"]
    study.set_remote(study.connection, RemoteBinding(collection_id="c"))
    assert id_texts(harness) == ["Assigned by the service when the collection is updated"]
    study.set_remote(study.connection, RemoteBinding(collection_id="c", ids={key: ID}))
    assert id_texts(harness) == [ID]
    harness.selection.select((page.children[0].key,), page.key)
    assert visible_sections(harness) == 0
    study.open(replace(study.project, kind=StudyKind.BATCH), None)
    harness.inspector._rebuild()
    assert visible_sections(harness) == 1


def visible_sections(harness: InspectorHarness) -> int:
    """The number of collapsible sections; the form of a row has one with its id."""
    headers = harness.inspector.findChildren(CollapsibleHeader)
    return len([header for header in headers if header.isVisibleTo(harness.inspector)])
