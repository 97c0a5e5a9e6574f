"""Creates the icon font: the subset of the Phosphor font in `qtawesome` that the program uses.

Run it after adding a name: `python packaging/icons.py`. It writes `resources/icons/phosphor.ttf`, with the
code points of the original, and `phosphor.json`, which maps each name to its code point.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ICONS = Path(__file__).resolve().parents[1] / "resources" / "icons"

FIELDS_AND_ITEMS = """
    text-t image-square speaker-high video-camera tag users-three article image list-bullets
    chat-centered-text note-pencil ruler paperclip lock-simple
"""
STAGES = """
    house house-fill table table-fill layout layout-fill play-circle play-circle-fill chart-bar
    chart-bar-fill cards cards-fill upload-simple upload-simple-fill activity activity-fill
"""
JOBS = """
    cloud-arrow-up list-plus stack arrows-clockwise tree-structure archive file-text users
"""
CONNECTIONS = "flask-fill broadcast broadcast-fill desktop link"
ACTIONS = """
    plus copy trash arrow-u-up-left arrow-u-up-right dots-six-vertical-bold dots-three-bold x
    magnifying-glass eye arrow-square-out download-simple pencil-simple arrow-clockwise eye-slash
    funnel-simple clock-counter-clockwise git-diff gear-six sun moon folder-open floppy-disk file
    file-plus sign-out scissors clipboard-text columns rows arrow-up arrow-down arrow-left
    arrow-right keyboard text-aa circle-half command arrows-out-cardinal arrow-bend-down-left
    question plus-circle minus-circle stop-circle monitor device-mobile user-plus
"""
FORMATTING = "text-bolder text-italic text-h quotes code arrows-out-simple"
CARETS = """
    caret-down-bold caret-up-bold caret-left-bold caret-right-bold caret-down caret-up caret-left
    caret-right check check-bold minus-bold
"""
STATUSES = """
    warning-circle-fill warning-fill check-circle-fill x-circle-fill info circle-dashed
    hourglass-medium clock pause-circle link-break wifi-slash warning-octagon prohibit circle
"""
TEMPLATES = "star shield-check translate list-numbers squares-four cursor brackets-curly film-strip"

NAMES = sorted(
    " ".join(
        (FIELDS_AND_ITEMS, STAGES, JOBS, CONNECTIONS, ACTIONS, FORMATTING, CARETS, STATUSES, TEMPLATES)
    ).split()
)


def source() -> Path:
    """The fonts of `qtawesome`, found without importing it, which would import Qt."""
    spec = find_spec("qtawesome")
    if spec is None or spec.origin is None:
        raise SystemExit("qtawesome is missing: install the group `dev`.")
    return Path(spec.origin).parent / "fonts"


def main() -> None:
    code_points = json.loads(next(source().glob("phosphor-charmap-*.json")).read_text(encoding="utf-8"))
    points = {name: int(code_points[name], 16) for name in NAMES}
    font = TTFont(next(source().glob("phosphor-*.ttf")))
    options = Options(layout_features=[], name_IDs=["*"], notdef_outline=True, recalc_timestamp=False)
    cutter = Subsetter(options)
    cutter.populate(unicodes=points.values())
    cutter.subset(font)
    font.save(ICONS / "phosphor.ttf")
    text = json.dumps(points, indent=1, sort_keys=True)
    (ICONS / "phosphor.json").write_text(f"{text}\n", encoding="utf-8")
    print(f"{len(points)} glyphs, {(ICONS / 'phosphor.ttf').stat().st_size} bytes")


if __name__ == "__main__":
    main()
