"""The checks of the open study: the rules, problems that a service has reported, and unfilled fields."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from batchwright.base.cooperative import yielding_gil
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout, Page
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.projects import Project, StudyKind
from batchwright.ui.study.problem_counts import Unfilled

if TYPE_CHECKING:  # rules are not needed before a study is open
    from batchwright.layout.checking.validator import LayoutChecker
    from batchwright.layout.rules import Problem
    from batchwright.layout.rules.problems import Fields
    from batchwright.ui.study.server_problems import ServerProblem


class StudyChecks:
    """Checks a study repeatedly while it is edited.

    Args:
        layout: the layout of the study when it is opened.
        checker: one that has already checked this layout, to avoid a second check.
        is_new: whether the study was just created, so that empty required fields are `UNFILLED`, not errors.
    """

    def __init__(
        self, layout: Layout, checker: "LayoutChecker | None" = None, *, is_new: bool = False
    ) -> None:
        self._checker: LayoutChecker | None = checker
        self._prepared: LayoutChecker | None = None
        self._server_problems: tuple[ServerProblem, ...] = ()
        self.unfilled = Unfilled(layout, is_new=is_new)

    def problems(self, project: Project, connection_name: str) -> "tuple[Problem, ...]":
        """The problems of the layout in reading order."""
        from batchwright.ui.study.server_problems import merge_problems

        layout = project.layout
        problems = self.checker(project, connection_name).check(layout)
        return self.unfilled.apply_to(layout, merge_problems(layout, problems, self._server_problems))

    def attach_server_problems(self, layout: Layout, problems: "Iterable[Problem]") -> None:
        """Attach the problems reported by the service to their items, until these items are changed."""
        from batchwright.ui.study.server_problems import attach_server_problems

        self._server_problems = attach_server_problems(layout, problems)

    def prepare(self, project: Project, connection_name: str) -> None:
        """Check the pages of a project and count their items in a thread, before it becomes the study."""
        count_items(project.layout)
        checker = self._checker_for(project, connection_name)
        checker.prepare(project.layout)
        self._prepared = checker

    def checker(self, project: Project, connection_name: str) -> "LayoutChecker":
        """The checker for the dataset fields of a project."""
        self._checker = self._checker_for(project, connection_name)
        return self._checker

    def _checker_for(self, project: Project, connection_name: str) -> "LayoutChecker":
        """The checker that was used or prepared for the dataset fields of a project, or a new one."""
        fields = fields_of(project, connection_name)
        checkers = [checker for checker in (self._checker, self._prepared) if checker is not None]
        found = next((checker for checker in checkers if checker.fields is fields), None)
        return found or checker_for(project, connection_name)


def count_items(layout: Layout) -> None:
    """Count items and collect keys in a thread, so that the window does not when it shows the layout."""
    for page in yielding_gil(layout.pages):
        if isinstance(page, Page):
            _ = page.items_by_type, page.keys
    layout.count(Item)


def checker_for(project: Project, connection_name: str = THIS_COMPUTER.name) -> "LayoutChecker":
    """A checker for the layout of a study at a connection."""
    from batchwright.layout.checking.validator import LayoutChecker

    return LayoutChecker(fields_of(project, connection_name))


def fields_of(project: Project, connection_name: str) -> "Fields":
    """The dataset fields that the layout may refer to at a connection.

    Like the service, this returns `NONE` if the dataset there has no schema. Without a schema and without
    such a dataset it is `UNKNOWN`, and references are not checked.
    """
    from batchwright.layout.rules import SchemaUnavailable

    if project.kind is StudyKind.COLLECTION:
        return SchemaUnavailable.COLLECTION
    remote = project.remotes.get(connection_name)
    if remote is not None and remote.dataset_id is not None and remote.lacks_schema:
        return SchemaUnavailable.NONE
    return SchemaUnavailable.UNKNOWN if project.schema is None else project.schema
