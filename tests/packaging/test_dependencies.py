"""Every library that the program imports is declared in pyproject.toml, and no other one."""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
NOT_IMPORTED = {
    "httptools",  # the parser that uvicorn imports by its name
    "python-multipart",  # Starlette imports it to read forms
    "sniffio",  # httpcore imports it if it is there
}

PARTS = {"pydantic-core", "shiboken6"}
"""Distributions that pydantic and PySide6 require in exactly their own version."""


def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(text) for text in project["dependencies"]]


def imported_distributions() -> set[str]:
    """The names of the distributions that the sources import, also inside functions."""
    modules: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module)
    distributions = packages_distributions()
    new_in_python_3_14 = "compression"
    others = sys.stdlib_module_names | {"batchwright", "_typeshed", new_in_python_3_14}
    tops = {module.partition(".")[0] for module in modules} - others
    return {canonicalize_name(name) for top in tops for name in distributions[top]}


def test_imports_and_declarations_agree() -> None:
    names = {canonicalize_name(requirement.name) for requirement in declared()}
    found = imported_distributions()
    assert found - names == PARTS
    assert names - found - NOT_IMPORTED == set()


def test_a_library_whose_internals_are_subclassed_has_an_upper_bound() -> None:
    (uvicorn,) = [requirement for requirement in declared() if requirement.name == "uvicorn"]
    assert not uvicorn.specifier.contains("99.0")
