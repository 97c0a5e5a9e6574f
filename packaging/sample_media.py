"""Generates the media of the templates: pictures painted with Qt, recordings made with flite and lame.

python packaging/sample_media.py     writes resources/samples/media; flite and lame are Debian packages
"""

import os
import random
import subprocess
import tempfile
import wave
from array import array
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QLinearGradient, QPainter, QPen, QPolygonF

MEDIA = Path(__file__).resolve().parents[1] / "resources" / "samples" / "media"
WIDTH, HEIGHT = 600, 400
CLIPS = (
    ("The next train leaves from platform four.", "slt", "kal16"),
    ("I would rather have tea, if there is any left.", "awb", "slt"),
    ("Mind the step.", "kal16", "rms"),
    ("Did you really walk the whole way?", "rms", "awb"),
    ("It will be cloudy, with a little sun in the afternoon.", "slt", "rms"),
    ("Nobody told us about the party.", "kal16", "slt"),
)
"""Spoken text, and the voices of clip A and clip B."""
RECORDINGS = (
    ("kitchen", "Put the onions in first, then wait until they are soft.", "slt", 0),
    ("market", "Three for two today, and the cherries are from this morning.", "rms", 900),
    ("phone", "Hello, um, I am calling about the room on the second floor.", "awb", 300),
    ("station", "The train to the coast is delayed by twenty minutes.", "slt", 1800),
    ("lecture", "So what happens if we leave the window open over night?", "rms", 300),
    ("garden", "The roses want water, er, but not in the sun.", "awb", 600),
)
"""Name, spoken text, voice, and volume of the noise."""


def main() -> None:
    application = QGuiApplication([])
    for name, draw in PICTURES.items():
        save(MEDIA / "pictures" / f"{name}.png", SPOILT.get(name, _as_it_is)(painted(draw)))
    for name, draw in DRAWINGS.items():
        save(MEDIA / "drawings" / f"{name}.png", painted(partial(_measured, paint=draw)))
    for number, (sentence, first, second) in enumerate(CLIPS, start=1):
        speak(MEDIA / "voices" / "a" / f"{number:02}.mp3", sentence, first)
        speak(MEDIA / "voices" / "b" / f"{number:02}.mp3", sentence, second)
    for name, sentence, voice, hiss in RECORDINGS:
        speak(MEDIA / "recordings" / f"{name}.mp3", sentence, voice, hiss)
    application.quit()


def speak(path: Path, sentence: str, voice: str, hiss: int = 0) -> None:
    """Write a recording of a sentence in a voice, with noise of the given volume."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        spoken = Path(name) / "spoken.wav"
        subprocess.run(["flite", "-voice", voice, "-t", sentence, "-o", spoken], check=True)
        _add_hiss(spoken, hiss)
        subprocess.run(["lame", "--quiet", "-m", "m", "-b", "32", spoken, path], check=True)


def _add_hiss(path: Path, loudness: int) -> None:
    with wave.open(str(path)) as file:
        settings, samples = file.getparams(), array("h", file.readframes(file.getnframes()))
    chance = random.Random(path.name)
    noisy = (sample + round(chance.gauss(0, loudness)) for sample in samples)
    with wave.open(str(path), "wb") as file:
        file.setparams(settings)
        file.writeframes(array("h", (max(-32768, min(32767, sample)) for sample in noisy)).tobytes())


def painted(paint: Callable[[QPainter], None]) -> QImage:
    """Create a picture by calling a drawing function on a paper-coloured background."""
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor("#f4efe4"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    paint(painter)
    painter.end()
    return image


def save(path: Path, image: QImage) -> None:
    """Write a picture as PNG with the strongest compression."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(str(path), b"PNG", 0)


def _box(painter: QPainter, colour: str, x: float, y: float, width: float, height: float) -> None:
    painter.fillRect(QRectF(x, y, width, height), QColor(colour))


def _shape(painter: QPainter, colour: str, *points: tuple[float, float]) -> None:
    painter.setBrush(QColor(colour))
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))


def _disc(painter: QPainter, colour: str, x: float, y: float, across: float, down: float = 0) -> None:
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QPointF(x, y), across, down or across)


def _sky(painter: QPainter, above: str, below: str, to: float) -> None:
    shade = QLinearGradient(0, 0, 0, to)
    shade.setColorAt(0, QColor(above))
    shade.setColorAt(1, QColor(below))
    painter.fillRect(QRectF(0, 0, WIDTH, to), shade)


def _harbour(painter: QPainter) -> None:
    _sky(painter, "#f6c78f", "#fbe6c4", 210)
    _disc(painter, "#f2925a", 420, 200, 46)
    _box(painter, "#3f6f86", 0, 205, WIDTH, 195)
    for number in range(5):
        _box(painter, "#5a8aa0", 40 + 110 * number, 240 + 26 * number, 90, 4)
    for x, y, hull, sail in ((130, 270, "#7d3b2e", "#f7f1e2"), (320, 310, "#2e4a5e", "#e9d9b6")):
        _shape(painter, hull, (x - 70, y), (x + 70, y), (x + 48, y + 34), (x - 52, y + 34))
        _box(painter, "#4b3a2c", x - 3, y - 120, 6, 120)
        _shape(painter, sail, (x + 6, y - 116), (x + 64, y - 14), (x + 6, y - 14))


def _street(painter: QPainter) -> None:
    _sky(painter, "#8a97a3", "#c3cbd1", HEIGHT)
    _box(painter, "#59636b", 0, 330, WIDTH, 70)
    for x, height, colour in ((0, 190, "#77818a"), (120, 240, "#69737c"), (470, 220, "#737d86")):
        _box(painter, colour, x, 330 - height, 118, height)
        for row in range(3):
            _box(painter, "#d8cf9f", x + 22, 350 - height + 50 * row, 22, 28)
            _box(painter, "#d8cf9f", x + 70, 350 - height + 50 * row, 22, 28)
    _box(painter, "#3c4349", 322, 120, 10, 220)
    _box(painter, "#1f5f9a", 260, 90, 136, 48)
    painter.setPen(QColor("#ffffff"))
    painter.setFont(QFont("Inter", 22, QFont.Weight.Bold))
    painter.drawText(QRectF(260, 90, 136, 48), Qt.AlignmentFlag.AlignCenter, "MILL ST")
    chance = random.Random(7)
    painter.setPen(QPen(QColor("#eef2f5"), 1.6))
    for _drop in range(170):
        left, top = chance.uniform(0, WIDTH), chance.uniform(0, HEIGHT)
        painter.drawLine(QPointF(left, top), QPointF(left - 5, top + 18))


def _bread(painter: QPainter) -> None:
    _sky(painter, "#e9e1d2", "#d9cdb6", HEIGHT)
    _box(painter, "#9a6b3f", 60, 270, 480, 34)
    _box(painter, "#855a33", 60, 304, 480, 12)
    _disc(painter, "#b9763a", 300, 216, 170, 74)
    _disc(painter, "#cf8f4d", 300, 204, 160, 60)
    for number in range(4):
        x = 190 + 64 * number
        _shape(painter, "#f0cd93", (x, 176), (x + 14, 172), (x + 38, 236), (x + 24, 240))


def _dog(painter: QPainter) -> None:
    _sky(painter, "#a9d3ee", "#dff0f7", 300)
    _box(painter, "#79a858", 0, 290, WIDTH, 110)
    for number in range(7):
        _box(painter, "#c9a87a", 20 + 90 * number, 210, 16, 130)
    _box(painter, "#b8956a", 0, 236, WIDTH, 12)
    _box(painter, "#b8956a", 0, 290, WIDTH, 12)
    _disc(painter, "#8a5a33", 310, 130, 92, 38)
    _disc(painter, "#8a5a33", 418, 96, 34, 30)
    _shape(painter, "#6f4526", (404, 74), (392, 40), (424, 66))
    _shape(painter, "#8a5a33", (230, 140), (196, 186), (212, 192), (262, 160))
    _shape(painter, "#8a5a33", (380, 150), (424, 186), (436, 174), (400, 132))
    _shape(painter, "#8a5a33", (226, 116), (168, 84), (174, 74), (240, 104))
    _disc(painter, "#2c1d12", 442, 98, 7)
    _disc(painter, "#2c1d12", 424, 88, 4)


def _tram(painter: QPainter) -> None:
    _sky(painter, "#8fc1e3", "#e6f2f8", HEIGHT)
    _shape(painter, "#8f9a6c", (0, 400), (0, 330), (WIDTH, 210), (WIDTH, 400))
    painter.save()
    painter.translate(300, 268)
    painter.rotate(-11.3)
    _box(painter, "#f2c230", -150, -120, 300, 104)
    _box(painter, "#fbf6e6", -150, -138, 300, 22)
    for number in range(5):
        _box(painter, "#5f7f94", -134 + 56 * number, -106, 42, 44)
    _box(painter, "#3c4349", -150, -16, 300, 8)
    for x in (-90, 90):
        _disc(painter, "#2c3136", x, -4, 18)
    painter.setPen(QPen(QColor("#3c4349"), 4))
    painter.drawLine(QPointF(0, -138), QPointF(36, -190))
    painter.restore()


def _as_it_is(image: QImage) -> QImage:
    return image


def _blurred(image: QImage) -> QImage:
    mode = Qt.TransformationMode.SmoothTransformation
    return image.scaled(60, 40, mode=mode).scaled(WIDTH, HEIGHT, mode=mode)


def _dark(image: QImage) -> QImage:
    painter = QPainter(image)
    painter.fillRect(image.rect(), QColor(0, 0, 0, 190))
    painter.end()
    return image


def _cropped(image: QImage) -> QImage:
    cropped = image.copy(130, 60, 210, 140)
    return cropped.scaled(WIDTH, HEIGHT, mode=Qt.TransformationMode.SmoothTransformation)


PICTURES = {
    "harbour": _harbour,
    "street": _street,
    "bread": _bread,
    "dog": _dog,
    "library": _bread,
    "tram": _tram,
}
SPOILT = {"street": _blurred, "bread": _dark, "dog": _cropped}
"""Deliberate errors in some pictures, so that there is something to rate; "library" shows no library."""


def _measured(painter: QPainter, paint: Callable[[QPainter], None]) -> None:
    """Draw a picture with rulers in centimetres at its edges: 2.4 pixels per centimetre."""
    painter.setPen(QPen(QColor("#2c3136"), 2))
    painter.setFont(QFont("Inter", 10))
    for position in range(0, 221, 10):
        x, y, tick = 50 + 2.4 * position, 370 - 2.4 * position, 10 if position % 50 == 0 else 5
        painter.drawLine(QPointF(x, 370), QPointF(x, 370 + tick))
        if y > 10:
            painter.drawLine(QPointF(50, y), QPointF(50 - tick, y))
        if position % 50 == 0:
            painter.drawText(QRectF(x - 20, 380, 40, 16), Qt.AlignmentFlag.AlignCenter, str(position))
            painter.drawText(
                QRectF(4, y - 8, 32, 16), Qt.AlignmentFlag.AlignRight, str(position) if y > 10 else ""
            )
    painter.drawLine(QPointF(50, 370), QPointF(580, 370))
    painter.drawLine(QPointF(50, 370), QPointF(50, 10))
    painter.setPen(QPen(QColor("#1f4e79"), 3))
    painter.setBrush(QColor("#e3ecf5"))
    paint(painter)


def _rect(painter: QPainter, x: float, y: float, width: float, height: float) -> None:
    """Draw a rectangle in centimetres, from its lower left corner."""
    painter.drawRect(QRectF(50 + 2.4 * x, 370 - 2.4 * (y + height), 2.4 * width, 2.4 * height))


def _chair(painter: QPainter) -> None:
    for x in (60, 105):
        _rect(painter, x, 0, 5, 45)
    _rect(painter, 58, 45, 54, 6)
    _rect(painter, 105, 51, 6, 49)


def _table(painter: QPainter) -> None:
    for x in (30, 180):
        _rect(painter, x, 0, 8, 70)
    _rect(painter, 20, 70, 180, 5)


def _lamp(painter: QPainter) -> None:
    _rect(painter, 85, 0, 40, 4)
    _rect(painter, 103, 4, 4, 100)
    left, right = 50 + 2.4 * 80, 50 + 2.4 * 130
    top, bottom = 370 - 2.4 * 135, 370 - 2.4 * 100
    corners = ((left, bottom), (right, bottom), (right - 36, top), (left + 36, top))
    painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


def _shelf(painter: QPainter) -> None:
    for x in (40, 136):
        _rect(painter, x, 0, 4, 130)
    for y in (10, 50, 90, 126):
        _rect(painter, 44, y, 92, 3)


def _door(painter: QPainter) -> None:
    _rect(painter, 60, 0, 80, 140)
    _rect(painter, 72, 15, 56, 50)
    _rect(painter, 72, 78, 56, 50)
    _rect(painter, 122, 68, 14, 3)


def _window(painter: QPainter) -> None:
    _rect(painter, 50, 20, 120, 100)
    _rect(painter, 56, 26, 52, 88)
    _rect(painter, 112, 26, 52, 88)


DRAWINGS = {
    "chair": _chair,
    "table": _table,
    "lamp": _lamp,
    "shelf": _shelf,
    "door": _door,
    "window": _window,
}


if __name__ == "__main__":
    main()
