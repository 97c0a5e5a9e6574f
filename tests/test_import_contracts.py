"""The contract over files finds a circle within and across packages, and names its files."""

import pytest
from grimp import ImportGraph
from importlinter import output

from tests.import_contracts import NoCirclesOfFiles


def contract(package: str) -> NoCirclesOfFiles:
    return NoCirclesOfFiles("files", {}, {"packages": [package]})


def graph_of(*imports: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    graph.add_module("p")
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_packages_that_import_each_other_have_no_circle_if_their_files_have_none() -> None:
    graph = graph_of(("p.a.high", "p.b"), ("p.b", "p.a.low"), ("p.a.high", "p.a.low"))
    assert contract("p").check(graph, verbose=False).kept


def test_files_that_import_each_other_are_a_circle_which_is_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = graph_of(("p.a.one", "p.b"), ("p.b", "p.a.two"), ("p.a.two", "p.a.one"), ("p.c", "p.b"))
    printed: list[str] = []
    monkeypatch.setattr(output, "print_error", printed.append)
    check = contract("p").check(graph, verbose=False)
    assert not check.kept
    contract("p").render_broken_contract(check)
    assert all(printed[0].count(name) for name in ("p.a.one", "p.b", "p.a.two"))
    assert "p.c" not in printed[0]


def test_a_circle_through_another_package_is_no_circle_of_its_files() -> None:
    graph = graph_of(("p.a", "q"), ("q", "p.b"), ("p.b", "p.a"))
    assert contract("p").check(graph, verbose=False).kept
