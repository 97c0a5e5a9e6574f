"""Shows all components of the user interface, and writes screenshots of them.

python packaging/gallery.py                     opens the gallery in a window
python packaging/gallery.py --shots FOLDER      writes light and dark, at 100 % and 200 %, offscreen
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

WIDTH, HEIGHT = 1440, 780


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=Path, help="write screenshots into this folder")
    parser.add_argument("--one", nargs=2, metavar=("SCHEME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
        write_screenshots(options.shots)
    else:
        show(*(options.one or ("system", "")))


def write_screenshots(folder: Path) -> None:
    """Write every screenshot in its own process, since the scale of the screen is fixed when Qt starts."""
    for scale in ("1", "2"):
        for scheme in ("light", "dark"):
            name = f"components-{scheme}{'' if scale == '1' else '-200'}.png"
            environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
            command = [sys.executable, __file__, "--one", scheme, str(folder / name)]
            subprocess.run(command, env=environment, check=True)


def show(scheme: str, file: str) -> None:
    from PySide6.QtWidgets import QApplication

    from batchwright.ui.theme import ColorSchemePreference, Theme
    from batchwright.ui.theme.style import install

    app = QApplication([])
    theme = Theme(ColorSchemePreference(scheme), 100, animations_enabled=not file)
    install(theme)
    from gallery_parts import Gallery

    gallery = Gallery()
    gallery.resize(WIDTH, HEIGHT)
    gallery.show()
    app.processEvents()
    gallery.pose()
    app.processEvents()
    if file:
        gallery.grab().save(file)
    else:
        app.exec()


if __name__ == "__main__":
    main()
