"""Images, recordings and videos in the preview: of the layout, and of a record with its answers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from batchwright.base.json_values import Json
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import Project
from batchwright.schema.parsing import read_schema
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.web_images import WebImages
from batchwright.ui.core.web_media import ImageView, PreviewMedia
from batchwright.ui.editor.core.sample_records import SampleRecords
from batchwright.ui.editor.preview.answered import create_preview
from batchwright.ui.editor.preview.panel import PreviewPanel
from batchwright.ui.study.answered_record import AnsweredRecord
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import Theme
from tests.fakes.image_server import SLOW, ImageServer
from tests.ui.accessibility import unnamed_controls
from tests.ui.conftest import activate_window, focused, until
from tests.ui.core.test_web_images import encoded
from tests.ui.image_fixtures import web_images
from tests.ui.window_fixtures import press

pytestmark = pytest.mark.gui

SCHEMA = read_schema(
    {
        "strict": False,
        "fields": {"photo": {"type": "image_url", "label": "Photo"}, "song": {"type": "audio_url"}},
    }
)
ANSWERED: list[Json] = [
    {
        "rows": [
            {
                "columns": [
                    {
                        "items": [
                            {"type": "dataset_field", "field": "photo"},
                            {"type": "dataset_field", "field": "song"},
                            {"type": "free_text", "id": "why", "description": "Why?"},
                        ]
                    }
                ]
            }
        ]
    }
]
"""A page with a photo, a song and a question."""


@dataclass
class Harness:
    """A server of images, and previews that load them."""

    server: ImageServer
    images: WebImages
    opened: list[str] = field(default_factory=list)

    @property
    def media(self) -> PreviewMedia:
        return PreviewMedia(self.images, self.opened.append)

    def preview_of(self, *records: dict[str, Json]) -> PreviewPanel:
        """The preview of the editor with these records, which is visible."""
        study, sample = Study(), SampleRecords()
        study.open(Project("Study", read(ANSWERED, sequential_keys()), schema=SCHEMA), None)
        sample.set_records(records)
        preview = PreviewPanel(study, study.layout.pages[0].key, sample, self.media)
        study.setParent(preview)
        preview.resize(900, 700)
        preview.show()
        activate_window(preview)
        return preview


@pytest.fixture
def harness(tmp_path: Path, tasks: Tasks) -> Iterator[Harness]:
    with ImageServer(tmp_path) as server:
        yield Harness(server, web_images(server, tasks))


def only_image(preview: QWidget) -> ImageView:
    """The image that is shown."""
    (view,) = [view for view in preview.findChildren(ImageView) if view.isVisible()]
    return view


def texts(preview: QWidget) -> set[str]:
    """The visible texts."""
    return {label.text() for label in preview.findChildren(QLabel) if label.isVisible()}


async def test_an_answered_record_shows_its_image(harness: Harness) -> None:
    url = harness.server.serve("/photo.png", encoded("png", 1200, 400))
    layout = read(ANSWERED, sequential_keys())
    answered = AnsweredRecord("Study", layout, SCHEMA, {"photo": url}, "why", "Answers of a participant")
    preview = create_preview(answered, lambda: None, harness.media)
    preview.resize(900, 700)
    preview.show()
    view = only_image(preview)
    await until(lambda: not view.image.picture.isNull())
    canvas = view.canvas
    shown = canvas._shown_size(canvas.width())
    assert shown.width() == canvas.width() < 1200
    assert shown.height() == canvas.height() == shown.width() // 3
    ratio = canvas.devicePixelRatioF()
    assert round(shown.width() * ratio) <= view.image.picture.width() <= 900, "it is not enlarged"
    middle = canvas.grab().toImage()
    assert middle.pixelColor(middle.width() // 4, middle.height() // 2).red() > 240
    interface = QAccessible.queryAccessibleInterface(canvas)
    assert (interface.role(), interface.text(QAccessible.Text.Name)) == (
        QAccessible.Role.Graphic,
        "Photo",
    )
    assert unnamed_controls(preview) == []
    press(preview, "Open Photo in browser")
    assert harness.opened == [url]
    preview.deleteLater()


async def test_an_image_has_its_own_size_or_that_of_the_page(harness: Harness, theme: Theme) -> None:
    small = harness.server.serve("/small.png", encoded("png", 40, 20))
    tall = harness.server.serve("/tall.png", encoded("png", 200, 2000))
    preview = harness.preview_of({"photo": small}, {"photo": tall})
    await until(lambda: not only_image(preview).image.picture.isNull())
    assert only_image(preview).canvas.height() == 20
    theme.set_text_size(150)
    await until(lambda: only_image(preview).canvas.height() == 30)
    theme.set_text_size(100)
    preview.state.records.step(1)
    await until(lambda: not only_image(preview).image.picture.isNull())
    assert only_image(preview).canvas.height() == 640
    preview.deleteLater()


async def test_the_next_record_cancels_the_image_of_the_last_one(harness: Harness) -> None:
    url = harness.server.serve("/next.png", encoded("png"))
    preview = harness.preview_of({"photo": f"{harness.server.url}{SLOW}"}, {"photo": url})
    await until(lambda: harness.server.paths == [SLOW])
    preview._refresh()
    later = harness.images.show(harness.server.serve("/later.png", encoded("png")), preview)
    await until(lambda: not later.size.isEmpty())
    assert harness.server.abandoned == 0, "the same record is shown"
    preview.state.records.step(1)
    await until(lambda: harness.server.abandoned == 1)
    await until(lambda: not only_image(preview).image.picture.isNull())
    preview.state.records.step(-1)
    preview.state.records.step(1)
    assert not only_image(preview).image.picture.isNull(), "it is cached"
    assert harness.server.paths.count("/next.png") == 1
    preview.deleteLater()


async def test_a_missing_image_says_so_and_can_be_loaded_again(harness: Harness) -> None:
    preview = harness.preview_of({"photo": f"{harness.server.url}/photo.png"})
    await until(lambda: only_image(preview).image.error is not None)
    await until(lambda: "There is no image at this address. Check the address." in texts(preview))
    assert unnamed_controls(preview) == []
    harness.server.serve("/photo.png", encoded("jpeg"))
    retry = only_image(preview)._retry
    retry.setFocus()
    QTest.keyClick(retry, Qt.Key.Key_Space)
    await until(lambda: not only_image(preview).image.picture.isNull())
    assert not retry.isVisible()
    button = focused()
    assert isinstance(button, QAbstractButton)
    assert button.accessibleName() == "Open Photo in browser", "the focus is not lost"
    preview.deleteLater()


async def test_a_recording_is_opened_with_the_keyboard(harness: Harness) -> None:
    preview = harness.preview_of({"song": "https://a.example/a.mp3"})
    assert "https://a.example/a.mp3" in texts(preview)
    (button,) = [
        button
        for button in preview.findChildren(QAbstractButton)
        if button.accessibleName() == "Open song in browser"
    ]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert harness.opened == ["https://a.example/a.mp3"]
    preview.deleteLater()
