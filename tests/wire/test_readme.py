"""The wire reference names every field of every model, every section that the code cites, and the tests that
show how doubtful sentences of the specification were read.
"""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import batchwright
import batchwright.wire
from batchwright.wire.base import Body, RequestBody, ResponseBody
from tests.wire.exchanges import ROUTES

SOURCE = Path(batchwright.__file__).parent
TESTS = Path(__file__).parents[1]
REFERENCE = (SOURCE / "wire" / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"```.*?```|`[^`]+`", REFERENCE, re.DOTALL)
NAMED = {word for code in CODE for word in re.findall(r"\w+", code)}
SECTIONS = set(re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", REFERENCE, re.MULTILINE))


def models() -> list[type[Body]]:
    """Every model of the package."""
    modules = [
        importlib.import_module(f"batchwright.wire.{item.name}")
        for item in pkgutil.iter_modules(batchwright.wire.__path__)
    ]
    actual = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Body)
    }
    generic_and_bases = {Body, RequestBody, ResponseBody}
    return sorted(actual - generic_and_bases, key=lambda model: model.__name__)


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_every_field_is_named_in_the_reference(model: type[Body]) -> None:
    fields = {field.alias or name for name, field in model.model_fields.items()}
    assert fields - NAMED == set()


def test_every_request_and_response_model_is_named_in_the_reference() -> None:
    bodies = {body for route in ROUTES for body in (route.requests, route.answers) if body is not None}
    names = {body.__name__.partition("[")[0] for body in bodies}
    assert names - NAMED == set()


CITATIONS = [
    (module or None, name)
    for group in re.findall(r"\((`[^()\n]*`[^()\n]*)\)", REFERENCE)
    for module, name in re.findall(r"`(?:([a-z_]+)\.)?([A-Za-z_]+)`", group)
    if module or re.match(r"[A-Z]+[a-z]+[A-Z]|[A-Z][a-z]+$", name)
]
"""What the reference names in parentheses beside a statement: `module.name`, or the class of a body."""


@pytest.mark.parametrize(("module", "name"), CITATIONS)
def test_every_citation_of_the_reference_exists(module: str | None, name: str) -> None:
    if module is None:
        assert name in {"RequestBody", "ResponseBody", *(model.__name__ for model in models())}
    else:
        assert hasattr(importlib.import_module(f"batchwright.wire.{module}"), name)


def test_citations_are_found() -> None:
    assert {("ids", "Uuid"), ("pagination", "Listing"), (None, "LayoutIssue")} <= set(CITATIONS)


def test_every_section_that_the_code_cites_exists() -> None:
    cited = {
        (file.relative_to(SOURCE).as_posix(), section)
        for file in SOURCE.rglob("*.py")
        for section in re.findall(
            r"wire\s+reference,\s+(?:section\s+)?(\d+(?:\.\d+)?)", file.read_text(encoding="utf-8")
        )
    }
    assert cited
    assert {(file, section) for file, section in cited if section not in SECTIONS} == set()


_DOUBTFUL = REFERENCE.partition("### 15.1 Doubtful readings")[2].partition("\n---\n")[0]
READINGS = [row.split(" | ") for row in re.findall(r"^\| (.*) \|$", _DOUBTFUL, re.MULTILINE)][1:]
"""The rows of the table of doubtful readings: sentence, readings, what was taken and why, and the tests."""


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading[0][:40])
def test_every_doubtful_reading_names_tests_that_exist(reading: list[str]) -> None:
    _sentence, _readings, _taken, shown_by = reading
    tests = re.findall(r"`([\w/]+\.py)::(test_\w+)`", shown_by)
    assert shown_by == ", ".join(f"`{file}::{name}`" for file, name in tests) != ""
    for file, name in tests:
        source = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {name}\(", source, re.MULTILINE), f"{file} has no {name}"


def test_doubtful_readings_are_found() -> None:
    assert len(READINGS) >= 12
