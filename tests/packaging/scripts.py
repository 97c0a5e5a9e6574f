"""Imports the scripts of the folder `packaging`, which are no package."""

import importlib.util
import sys
from types import ModuleType

from tests.flows.program import ROOT

FOLDER = ROOT / "packaging"


def load_script(name: str) -> ModuleType:
    """A new module of a script."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)  # dataclasses look up their module
    spec.loader.exec_module(module)
    return module
