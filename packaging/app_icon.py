"""Draws the program icon and the icon of its files: `python3 packaging/app_icon.py` (needs PySide6).

A batch is a stack of tasks, and a task asks for a choice: sheets above each other, the first with two
answers. Each size is drawn on its own, with all edges on whole pixels, so that none of them is blurred.
"""

import os
import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
BUNDLED_SIZES = (16, 24, 32, 48, 64, 128, 256)
"""The sizes of the window's icon, in pixels."""
MENU_SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
"""The sizes that desktops look for in an icon theme."""
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
ICNS_TYPES = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}

_UNITS = 32
"""Width and height of the drawing."""
_CHECK_MARK_FROM = 32
"""Smaller icons have no check mark."""


class Grid:
    """Converts units of the drawing to whole pixels, symmetrically to the centre."""

    def __init__(self, size: int) -> None:
        self.size = size

    def at(self, unit: float) -> int:
        """The pixel at a unit."""
        if unit > _UNITS / 2:
            return self.size - self.at(_UNITS - unit)
        return int(unit * self.size / _UNITS + 0.5)

    def rectangle(
        self, edges: tuple[float, float, float, float], fill: str, *, radius: float = 0, opacity: float = 1
    ) -> str:
        """A filled rectangle from its left, top, right and bottom edge."""
        left, top, right, bottom = map(self.at, edges)
        corner = self.size * radius / _UNITS
        return (
            f'<rect x="{left}" y="{top}" width="{max(1, right - left)}" height="{max(1, bottom - top)}"'
            f' rx="{corner:g}" fill="{fill}" fill-opacity="{opacity:g}"/>'
        )


def program_icon(size: int) -> str:
    """The program icon as SVG, drawn for a size in pixels."""
    grid = Grid(size)
    tile = (0, 0, 32, 32) if size < 48 else (1, 1, 31, 31)
    shapes = [
        grid.rectangle(tile, "url(#tile)", radius=7),
        grid.rectangle((10, 4, 22, 6), "#fff", radius=0.9, opacity=0.45),
        grid.rectangle((8, 8, 24, 10), "#fff", radius=0.9, opacity=0.7),
        grid.rectangle((6, 12, 26, 26), "#fff", radius=2),
        *_answers(grid, (14, 24)),
    ]
    return _svg(size, shapes)


def file_icon(size: int) -> str:
    """The icon of study files as SVG, drawn for a size in pixels."""
    grid = Grid(size)
    sheet = [(4, 1), (20, 1), (28, 9), (28, 31), (4, 31)]
    fold = [(20, 1), (28, 9), (20, 9)]
    shapes = [
        _outlined(grid, sheet, "#fff"),
        _outlined(grid, fold, "#DDE1E8"),
        grid.rectangle((10, 11, 18, 13), "url(#tile)", radius=0.9, opacity=0.55),
        *_answers(grid, (16, 26)),
    ]
    return _svg(size, shapes)


def _answers(grid: Grid, rows: tuple[float, float]) -> list[str]:
    """Two answers beside each other, the left one selected."""
    top, bottom = rows
    shapes = [
        grid.rectangle((8, top, 14.9, bottom), "url(#tile)", radius=1),
        grid.rectangle((17.1, top, 24, bottom), "#C9D3F6", radius=1),
    ]
    if grid.size >= _CHECK_MARK_FROM:
        middle = (top + bottom) / 2
        mark = [(9.7, middle), (11, middle + 1.4), (13.2, middle - 1.6)]
        scale = grid.size / _UNITS
        points = " ".join(f"{x * scale:g},{y * scale:g}" for x, y in mark)
        line = f'stroke="#fff" stroke-width="{1.15 * scale:g}" stroke-linecap="round" stroke-linejoin="round"'
        shapes.append(f'<polyline points="{points}" fill="none" {line}/>')
    return shapes


def _outlined(grid: Grid, points: Sequence[tuple[float, float]], fill: str) -> str:
    """A polygon with a grey line, moved onto whole pixels if its width is odd."""
    width = max(1, round(grid.size / 64))
    move = ' transform="translate(0.5 0.5)"' if width % 2 else ""
    line = f'stroke="#8E949E" stroke-width="{width}" stroke-linejoin="round"'
    data = "M" + " ".join(f"{grid.at(x)},{grid.at(y)}" for x, y in points) + "Z"
    return f'<path d="{data}" fill="{fill}" {line}{move}/>'


def _svg(size: int, shapes: list[str]) -> str:
    gradient = (
        f'<linearGradient id="tile" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="{size}">'
        '<stop stop-color="#4B69DB"/><stop offset="1" stop-color="#2F48AC"/></linearGradient>'
    )
    body = "\n".join([f"<defs>{gradient}</defs>", *shapes])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"'
    return f'{head} viewBox="0 0 {size} {size}">\n{body}\n</svg>\n'


def png(svg: str) -> bytes:
    """A drawing as a PNG file of the drawing's size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QImage, QImageWriter, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(svg.encode()))
    image = QImage(renderer.defaultSize(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"PNG")).write(image)
    return bytes(buffer.data().data())


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """A Windows icon with PNG files by their size."""
    header, offset = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    entries = b""
    for size, content in pictures.items():
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(content), offset)
        offset += len(content)
    return header + entries + b"".join(pictures.values())


def icns(pictures: Mapping[bytes, bytes]) -> bytes:
    """A macOS icon with PNG files by their four-letter types."""
    entries = b"".join(
        kind + struct.pack(">I", 8 + len(content)) + content for kind, content in pictures.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(entries)) + entries


def write_for_installers(folder: Path) -> None:
    """Write the icons that the installers need: the PNG files by name and size, SVG, ICO and ICNS."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in (("batchwright", program_icon), ("batchwright-study", file_icon)):
        (folder / f"{name}.svg").write_text(draw(512), encoding="utf-8")
        for size in MENU_SIZES:
            (folder / f"{name}-{size}.png").write_bytes(png(draw(size)))
        (folder / f"{name}.ico").write_bytes(ico({size: png(draw(size)) for size in ICO_SIZES}))
        (folder / f"{name}.icns").write_bytes(
            icns({kind: png(draw(size)) for kind, size in ICNS_TYPES.items()})
        )


def write_bundled() -> None:
    """Write the icons that are part of the program."""
    folder = RESOURCES / "icons" / "app"
    folder.mkdir(parents=True, exist_ok=True)
    for size in BUNDLED_SIZES:
        (folder / f"{size}.png").write_bytes(png(program_icon(size)))
    (RESOURCES / "participant" / "icon.svg").write_text(program_icon(32), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_for_installers(Path(sys.argv[1]))
    else:
        write_bundled()
