"""Images from the web: loaded while something shows them, decoded in threads, and cached."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QObject, QSize
from PySide6.QtGui import QColor, QImage, QImageWriter
from shiboken6 import delete

from batchwright.base.local_media import MediaFolder
from batchwright.base.network_settings import NetworkSettings
from batchwright.ui.core import web_images as module
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.web_images import FORMATS, WebImages, decode, image_size
from batchwright.workflows.image_errors import ImageProblem, ImageUnavailable
from batchwright.workflows.load_image import load_image
from batchwright.workflows.messages import describe
from tests.fakes.image_server import SLOW, ImageServer
from tests.ui.conftest import until
from tests.ui.image_fixtures import web_images

pytestmark = pytest.mark.gui


def encoded(kind: str, width: int = 300, height: int = 200) -> bytes:
    """A red image with a blue right half in a format that Qt can write."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    for x in range(width // 2, width):
        for y in range(height):
            image.setPixelColor(x, y, QColor("blue"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind.upper())  # type: ignore[call-overload]  # a format name is a str
    return bytes(buffer.data().data())


GIF = (
    b"GIF89a\x03\x00\x02\x00\x80\x01\x00\xff\x00\x00\x00\x00\xff!\xf9\x04\x00\x0a\x00\x00\x00"
    b",\x00\x00\x00\x00\x03\x00\x02\x00\x00\x02\x03\x84\x6f\x05\x00;"
)
"""An image of 3 x 2 pixels; Qt cannot write this format."""

TURNED = bytes.fromhex("ffe1002245786966000049492a0008000000010012010300010000000600000000000000")
"""An EXIF segment of JPEG: the camera was turned by 90 degrees."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ImageServer]:
    with ImageServer(tmp_path) as server:
        yield server


@pytest.fixture
def images(server: ImageServer, tasks: Tasks) -> WebImages:
    return web_images(server, tasks)


@pytest.mark.parametrize("kind", sorted(FORMATS - {"gif"}))
async def test_an_image_is_decoded_in_the_requested_width(
    server: ImageServer, images: WebImages, kind: str
) -> None:
    viewer = QObject()
    image = images.show(server.serve("/a", encoded(kind)), viewer)
    await until(lambda: not image.size.isEmpty())
    assert image.size == QSize(300, 200)
    images.scale(image, 150)
    await until(lambda: not image.picture.isNull())
    assert image.picture.size() == QSize(150, 100)
    images.scale(image, 5000)
    await until(lambda: image.picture.width() == 300)
    left, right = image.picture.pixelColor(20, 100), image.picture.pixelColor(280, 100)
    assert left.red() > 240 > right.red()


def test_the_first_picture_of_a_gif_is_decoded() -> None:
    assert image_size(GIF) == QSize(3, 2)
    assert decode(GIF, 3).size() == QSize(3, 2)


def test_a_photo_is_turned_like_the_camera() -> None:
    photo = encoded("jpeg")
    photo = photo[:2] + TURNED + photo[2:]
    assert image_size(photo) == QSize(200, 300)
    picture = decode(photo, 100)
    assert picture.size() == QSize(100, 150)
    assert picture.pixelColor(50, 10).red() > 240, "the left half is at the top"


@pytest.mark.parametrize("content", [b"", b"<html>", encoded("bmp"), encoded("png")[:20]])
def test_what_is_no_image_is_not_shown(content: bytes) -> None:
    with pytest.raises(ImageUnavailable) as caught:
        image_size(content)
    assert caught.value.problem is ImageProblem.NOT_AN_IMAGE


def test_an_image_with_too_many_pixels_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PIXELS", 59_999)
    with pytest.raises(ImageUnavailable) as caught:
        image_size(encoded("png"))
    assert caught.value.problem is ImageProblem.TOO_LARGE


def progressive(scans: int) -> bytes:
    """A JPEG of 2000 x 2000 pixels whose last scan is repeated."""
    image = QImage(2000, 2000, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, b"jpeg")
    writer.setProgressiveScanWrite(True)
    assert writer.write(image)
    content = bytes(buffer.data().data())
    last = content[content.rindex(b"\xff\xda") : -2]
    return content[:-2] + last * (scans - content.count(b"\xff\xda")) + content[-2:]


@pytest.mark.parametrize(
    "content",
    [progressive(1500), (png := encoded("png"))[:33] + b"\0\0\0\0zTXt\0\0\0\0" * 33 + png[33:]],
    ids=["scans", "texts"],
)
def test_an_image_that_takes_long_to_decode_is_not_decoded(content: bytes) -> None:
    with pytest.raises(ImageUnavailable) as caught:
        image_size(content)
    assert caught.value.problem is ImageProblem.TOO_SLOW


def test_a_progressive_photo_is_decoded() -> None:
    assert decode(progressive(10), 100).size() == QSize(100, 100)


async def test_an_image_that_nothing_shows_any_more_is_not_decoded(
    server: ImageServer, images: WebImages, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, may_end, decoded = threading.Event(), threading.Event(), []

    def slow(content: bytes, width: int) -> QImage:
        decoded.append(width)
        started.set()
        may_end.wait(10)
        return decode(content, width)

    viewers = [QObject() for _image in range(3)]
    shown = [images.show(server.serve(f"/{n}", encoded("png")), each) for n, each in enumerate(viewers)]
    await until(lambda: all(not image.size.isEmpty() for image in shown))
    monkeypatch.setattr(module, "decode", slow)
    for width, image in enumerate(shown, 100):
        images.scale(image, width)
    await until(started.is_set)
    delete(viewers[1])
    await asyncio.sleep(0)
    may_end.set()
    await until(lambda: not shown[2].picture.isNull())
    assert decoded == [100, 102]


async def test_an_error_is_shown_until_the_image_is_loaded_again(
    server: ImageServer, images: WebImages
) -> None:
    viewer = QObject()
    image = images.show(f"{server.url}/a.png", viewer)
    await until(lambda: image.error is not None)
    assert image.error is not None
    assert image.error.what == "There is no image at this address."
    server.serve("/a.png", encoded("png"))
    images.retry(image)
    await until(lambda: not image.size.isEmpty())
    assert image.error is None


async def test_an_image_that_is_damaged_behind_its_head_is_an_error(
    server: ImageServer, images: WebImages
) -> None:
    viewer = QObject()
    image = images.show(server.serve("/a.png", encoded("webp")[:60]), viewer)
    await until(lambda: not image.size.isEmpty())
    images.scale(image, 100)
    await until(lambda: image.error is not None)
    assert image.error is not None
    assert "damaged" in image.error.what


async def test_loading_is_cancelled_when_nothing_shows_the_image_any_more(
    server: ImageServer, images: WebImages
) -> None:
    first, second = QObject(), QObject()
    image = images.show(f"{server.url}{SLOW}", first)
    await until(lambda: server.paths == [SLOW])
    assert images.show(f"{server.url}{SLOW}", second) is image
    delete(first)
    later = images.show(server.serve("/later.png", encoded("png")), second)
    await until(lambda: not later.size.isEmpty())
    assert not server.abandoned, "the second one waits for it"
    delete(second)
    await until(lambda: server.abandoned == 1)
    assert server.paths == [SLOW, "/later.png"]


async def test_an_image_that_is_shown_for_a_moment_is_not_requested() -> None:
    requested: list[str] = []

    async def fetch(address: str) -> bytes:
        requested.append(address)
        return encoded("png")

    tasks = Tasks(describe)
    images = WebImages(fetch, tasks, pause_s=1)
    for number in range(5):
        viewer = QObject()
        images.show(f"https://a.example/{number}", viewer)
        await asyncio.sleep(0.01)
        delete(viewer)
    viewer = QObject()
    last = images.show("https://a.example/last", viewer)
    await until(lambda: not last.size.isEmpty())
    await tasks.aclose()
    assert requested == ["https://a.example/last"]


async def test_an_image_is_requested_once_until_the_cache_is_full(
    server: ImageServer, images: WebImages, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = encoded("png")
    monkeypatch.setattr(module, "_MAX_CACHED_BYTES", 2 * len(content))

    async def show(path: str) -> None:
        viewer = QObject()
        image = images.show(f"{server.url}{path}", viewer)
        await until(lambda: not image.size.isEmpty())
        delete(viewer)

    for path in ("/a", "/b", "/c"):
        server.serve(path, content)
    for path in ("/a", "/b", "/a", "/c", "/a", "/b"):
        await show(path)
    assert server.paths == ["/a", "/b", "/c", "/b"], "the one shown longest ago is discarded"


async def test_the_pictures_of_the_templates_are_not_requested() -> None:
    content = await load_image("https://media.batchwright.invalid/pictures/dog.png", NetworkSettings())
    assert image_size(content) == QSize(600, 400)


async def test_pictures_of_a_folder_are_shown_from_this_computer(tmp_path: Path) -> None:
    (tmp_path / "a b.png").write_bytes(encoded("png"))
    media, settings = MediaFolder(tmp_path), NetworkSettings()
    address = f"{media.base_address}a%20b.png"
    assert await load_image(address, settings, media=media) == encoded("png")
    for other in (None, MediaFolder(tmp_path, ("c.png",))):
        with pytest.raises(ImageUnavailable) as raised:
            await load_image(address, settings, media=other)
        assert raised.value.problem is ImageProblem.NOT_FOUND


async def test_pictures_of_this_computer_are_loaded_again_after_a_change(
    tmp_path: Path, tasks: Tasks
) -> None:
    media, path = MediaFolder(tmp_path), tmp_path / "a.png"
    images = WebImages(lambda url: load_image(url, NetworkSettings(), media=media), tasks, pause_s=0)

    async def size_of() -> QSize:
        viewer = QObject()
        image = images.show(f"{media.base_address}a.png", viewer)
        await until(lambda: not image.size.isEmpty())
        delete(viewer)
        return image.size

    for width in (30, 40):
        path.write_bytes(encoded("png", width, 20))
        images.forget_local()
        assert await size_of() == QSize(width, 20)
    path.write_bytes(encoded("png", 50, 20))
    assert await size_of() == QSize(40, 20), "it is cached"
