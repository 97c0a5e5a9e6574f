"""Images from the web, loaded while a widget shows them.

A preview requests the images of its page here. Each is loaded after a short pause, so that passing through
records or typing an address does not load every image on the way. If no widget shows an image any more, its
loading is cancelled. Loaded images are cached until they take too much memory.

Qt cannot stop decoding. So an image that would take long is not decoded, one is decoded at a time, and those
that nothing shows any more are not decoded when it is their turn.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Final, TypeVar

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from batchwright.base.local_media import is_local_medium
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.workflows.image_errors import ImageProblem, ImageUnavailable

T = TypeVar("T")

FORMATS: Final = frozenset({"gif", "jpeg", "png", "webp"})
"""The formats that are shown. Others that Qt can read are not shown by every browser."""
MAX_PIXELS: Final = 50_000_000
"""Pixels of the largest image that is shown; decoded, these are 200 MB."""
MAX_SCANNED_PIXELS: Final = 1_000_000_000
"""Pixels times scans of a JPEG, each of which passes over all pixels: about five seconds of decoding."""
_MAX_COMPRESSED_TEXTS: Final = 32
"""Compressed texts and profiles in a PNG, each of which can be decompressed to several megabytes."""
_MAX_CACHED_BYTES = 100_000_000
"""Memory of images that nothing shows any more."""
_MAX_PARALLEL = 6
_PAUSE_S = 0.3
"""Seconds that an image is waited with before it is requested."""

_SCAN = b"\xff\xda"
"""The start of a scan; within one, this does not occur."""
_COMPRESSED_TEXTS = (b"zTXt", b"iTXt", b"iCCP")

FetchImage = Callable[[str], Awaitable[bytes]]
"""Fetches the content of an image by its address; raises an error with a message for the user."""


class WebImage(QObject):
    """An image by its address: being loaded, failed if it has an `error`, or loaded if it has a `size`."""

    changed = Signal()

    def __init__(self, address: str, number: int) -> None:
        super().__init__()
        self.address, self.number = address, number
        self.size = QSize()
        """The size in pixels, in the orientation in which it is shown; empty until it is loaded."""
        self.error: TaskMessage | None = None
        self.picture = QImage()
        """The image in about the requested width; null until it has been decoded."""
        self.content = b""
        self.width = 0
        """The width in device pixels in which it is shown."""
        self.viewers = 0

    @property
    def is_scaled(self) -> bool:
        """Whether the picture is large enough for the width, and not so much larger that it looks jagged."""
        return self.width <= self.picture.width() <= 2 * self.width

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return len(self.content) + self.picture.sizeInBytes()


class WebImages:
    """The images that the previews of a window show, and a cache of the latest ones."""

    def __init__(self, fetch: FetchImage, tasks: Tasks, pause_s: float = _PAUSE_S) -> None:
        self._fetch, self._tasks, self._pause_s = fetch, tasks, pause_s
        self._images: dict[str, WebImage] = {}
        """By address, the latest shown last."""
        self._numbers = count(1)
        self._requests, self._decoder = (
            asyncio.Semaphore(_MAX_PARALLEL),
            ThreadPoolExecutor(1, "decode images"),
        )

    def show(self, address: str, viewer: QObject) -> WebImage:
        """An image, which is loaded unless it is cached; `viewer` shows it until it is destroyed."""
        image = self._images.pop(address, None) or WebImage(address, next(self._numbers))
        self._images[address] = image
        image.viewers += 1
        viewer.destroyed.connect(partial(self._on_viewer_destroyed, image))
        if image.size.isEmpty() and image.error is None:
            self._start(image)
        return image

    def retry(self, image: WebImage) -> None:
        """Load an image again that could not be loaded."""
        if image.error is not None:
            image.error = None
            image.changed.emit()
            self._start(image, pause_s=0)

    def forget_local(self) -> None:
        """Load the pictures of this computer again that are shown from now on: their files have changed."""
        for address in [address for address in self._images if is_local_medium(address)]:
            if not self._images[address].viewers:
                del self._images[address]

    def scale(self, image: WebImage, width: int) -> None:
        """Decode a loaded image for a width in device pixels; it is never larger than it is."""
        image.width = min(width, image.size.width())
        if not image.is_scaled and image.error is None:
            self._tasks.start(f"scale image {image.number}", partial(self._scale, image))

    def _start(self, image: WebImage, *, pause_s: float | None = None) -> None:
        pause = self._pause_s if pause_s is None else pause_s
        self._tasks.start(f"load image {image.number}", partial(self._load, image, pause))

    async def _load(self, image: WebImage, pause_s: float) -> None:
        await asyncio.sleep(pause_s)
        try:
            async with self._requests:
                content = await self._fetch(image.address)
            image.size = await self._in_turn(image_size, content)
            image.content = content
        except Exception as error:
            self._fail(image, error)
        image.changed.emit()

    async def _scale(self, image: WebImage) -> None:
        while not image.is_scaled:
            width = image.width
            try:
                image.picture = await self._in_turn(decode, image.content, width)
            except ImageUnavailable as error:
                self._fail(image, error)
                image.size, image.content = QSize(), b""
            image.changed.emit()
            if image.error is not None:
                return

    async def _in_turn(self, work: Callable[..., T], *arguments: object) -> T:
        """Call a function when all earlier calls have ended; if it is cancelled before that, not at all."""
        return await asyncio.get_running_loop().run_in_executor(self._decoder, work, *arguments)

    def _fail(self, image: WebImage, error: Exception) -> None:
        image.error = self._tasks.message(error)
        if image.error.is_bug:
            self._tasks.report("load image", error)

    def _on_viewer_destroyed(self, image: WebImage) -> None:
        image.viewers -= 1
        if image.viewers:
            return
        self._tasks.cancel(f"load image {image.number}")
        self._tasks.cancel(f"scale image {image.number}")
        if image.size.isEmpty():
            self._images.pop(image.address, None)
        unused = [image for image in self._images.values() if not image.viewers]
        excess = sum(image.bytes for image in unused) - _MAX_CACHED_BYTES
        for oldest in unused:
            if excess <= 0:
                return
            excess -= oldest.bytes
            del self._images[oldest.address]


def missing_formats() -> frozenset[str]:
    """The formats that this installation of Qt cannot read: their plug-ins are missing."""
    return FORMATS - {bytes(name.data()).decode() for name in QImageReader.supportedImageFormats()}


def image_size(content: bytes) -> QSize:
    """Read the size of an image in pixels, in the orientation in which it is shown.

    Raises:
        ImageUnavailable: it has another format, or too many pixels, or decoding it would take too long.
    """
    if sum(map(content.count, _COMPRESSED_TEXTS)) > _MAX_COMPRESSED_TEXTS:
        raise ImageUnavailable(ImageProblem.TOO_SLOW)
    buffer = _buffer(content)
    reader = QImageReader(buffer)
    size = reader.size() if bytes(reader.format().data()).decode() in FORMATS else QSize()
    if size.isEmpty():
        raise ImageUnavailable(ImageProblem.NOT_AN_IMAGE)
    if size.width() * size.height() > MAX_PIXELS:
        raise ImageUnavailable(ImageProblem.TOO_LARGE)
    if size.width() * size.height() * content.count(_SCAN) > MAX_SCANNED_PIXELS:
        raise ImageUnavailable(ImageProblem.TOO_SLOW)
    return size.transposed() if _is_turned(reader) else size


def decode(content: bytes, width: int) -> QImage:
    """Decode an image, scaled to a width in pixels; only the first picture of an animation.

    Raises:
        ImageUnavailable: it is damaged.
    """
    buffer = _buffer(content)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    highest = QSize(width, MAX_PIXELS)
    size = image_size(content).scaled(highest, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
    reader.setScaledSize(size.transposed() if _is_turned(reader) else size)
    image = reader.read()
    if image.isNull():
        raise ImageUnavailable(ImageProblem.NOT_AN_IMAGE)
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _buffer(content: bytes) -> QBuffer:
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return buffer


def _is_turned(reader: QImageReader) -> bool:
    """Whether the picture is stored lying on its side, as cameras do."""
    return bool(reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90)
