"""What Hatch does for a wheel beyond copying the package: compiles the catalogues and adds `resources`.

The source archive contains this script and what it imports, so that a wheel can be built from it.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

import translations


class WheelHook(BuildHookInterface[Any]):
    """Called by Hatch before it writes a wheel; an editable one contains no files, only the path of `src`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        translations.compile_changed()
        if version != "editable":
            build_data["force_include"].update(bundled_files())


def bundled_files() -> dict[str, str]:
    """The files of `resources` that the program reads, with their paths in the wheel."""
    folder = translations.ROOT / "resources"
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path): f"batchwright/bundled/{path.relative_to(folder).as_posix()}"
        for path in files
        if not translations.is_source(path)
    }
