"""What a service refused, kept at its items until they are changed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from batchwright.layout.model import Layout
from batchwright.layout.nodes import Node, NodePath
from batchwright.layout.rules import Problem, Severity


@dataclass(frozen=True)
class ServerProblem:
    """A problem that a service found, and the entry that it found it at."""

    problem: Problem
    entry: Node


def is_server_problem(problem: Problem) -> bool:
    """Whether a service found a problem: its code is the status of the answer, no rule of ours."""
    return problem.code.isdecimal()


def attach_server_problems(layout: Layout, problems: Iterable[Problem]) -> tuple[ServerProblem, ...]:
    """The problems whose places are in a layout, each with what stands there."""
    return tuple(
        ServerProblem(problem, entry) for problem in problems if (entry := _at(layout, problem.path))
    )


def merge_problems(
    layout: Layout, problems: Iterable[Problem], refused: Iterable[ServerProblem]
) -> tuple[Problem, ...]:
    """All problems in reading order.

    What a service refused stays with its item wherever that is moved, and goes as soon as the item is another
    or a rule of ours finds fault with it too.
    """
    found = list(problems)
    at_fault = {problem.path for problem in found if problem.severity is Severity.ERROR}
    said = [problem for problem in _standing(layout, refused) if problem.path not in at_fault]
    return tuple(sorted([*found, *said], key=lambda one: one.path.indices)) if said else tuple(found)


def _standing(layout: Layout, refused: Iterable[ServerProblem]) -> Iterator[Problem]:
    for one in refused:
        path = layout.paths((one.entry.key,)).get(one.entry.key)
        if path is not None and layout.at(path) is one.entry:
            yield replace(one.problem, path=path)


def _at(layout: Layout, path: NodePath) -> Node | None:
    try:
        return layout.at(path)
    except (IndexError, ValueError):
        return None
