"""A contract of import-linter over files: no file of a package imports itself through others.

Imports for type checking and inside functions count, too. The contracts of import-linter itself compare
packages: one that imports another and is imported by it is a circle for them, whichever files do so.
"""

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from typing_extensions import override


class NoCirclesOfFiles(Contract):
    """No circle of imports goes through two files of one of the packages."""

    packages = fields.SetField(subfield=fields.StringField())

    @override
    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        circles = [
            circle_of(imports_of_files(graph, package)) for package in sorted(cast("set[str]", self.packages))
        ]
        found = sorted(circle for circle in circles if circle)
        return ContractCheck(kept=not found, metadata={"circles": found})

    @override
    def render_broken_contract(self, check: ContractCheck) -> None:
        for circle in check.metadata["circles"]:
            output.print_error(f"{circle[0]}\n" + "\n".join(f"    imports {name}" for name in circle[1:]))
            output.new_line()


def imports_of_files(graph: ImportGraph, package: str) -> Mapping[str, set[str]]:
    """The files of a package that each of its files imports."""
    files = graph.find_descendants(package) | {package}
    return {name: graph.find_modules_directly_imported_by(name) & files for name in files}


def circle_of(imports: Mapping[str, set[str]]) -> tuple[str, ...]:
    """The files of a circle, each imported by the one before; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return tuple(reversed(error.args[1]))
    return ()
