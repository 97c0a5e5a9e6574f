"""The state of the Layout stage, without widgets: the layout, the selection, and how both are changed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QClipboard

from batchwright.base.i18n import N_, _, ngettext
from batchwright.layout.checking.fix_all import has_safe_fix
from batchwright.layout.editing.edits import Edit, Move
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.dataset_field import DatasetField
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath
from batchwright.layout.rules.problems import Problem
from batchwright.layout.searching.field_references import UsageCounts
from batchwright.schema.model import Schema
from batchwright.ui.editor.core.clipboard import LayoutClipboard, paste_edit
from batchwright.ui.editor.core.problem_signs import position_text, severity_rank
from batchwright.ui.editor.core.selection import SelectionModel, created_nodes
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.study.steps import RestoredStep
from batchwright.ui.study.study_model import Study


class EditorState(QObject):
    """The layout of the open study, the page in view, and the selected nodes.

    Every change goes through `apply`; `edit_rejected` gives the reason if an edit cannot be applied.
    """

    changed = Signal()
    """The layout, its problems, the schema, names, or the selection changed."""
    actions_changed = Signal()
    """The enabled actions may have changed."""
    edit_rejected = Signal(str)
    reveal_requested = Signal(str)
    """Scroll the node with this key into view."""
    highlight_requested = Signal(str)
    """Highlight the node with this key, because of a problem."""
    field_requested = Signal(object)
    """Focus the field of this problem."""
    message = Signal(str)
    """A message about a finished change."""

    def __init__(self, study: Study, selection: SelectionModel, clipboard: QClipboard) -> None:
        super().__init__()
        self.study, self.selection, self._clipboard = study, selection, LayoutClipboard(clipboard)
        self._last_page_index = 0
        self._previous = study.opening, study.layout
        """The study and its layout at the last change."""
        self._usage_counts = UsageCounts()
        self._paths_cache: tuple[Layout | None, tuple[str, ...], Mapping[str, NodePath]] = (None, (), {})
        """Cache of `paths` by layout and keys, because every action calls it on every refresh."""
        self._page_index_cache: tuple[Layout | None, str | None, int | None] = (None, None, None)
        """Cache of `_page_index_of`: layout, key and result."""
        self.last_problem: Problem | None = None
        self._last_problem_index = 0
        """The index of the last visited problem, sorted by severity."""
        self.has_editor_focus: Callable[[], bool] = lambda: True
        """Whether keys such as Delete apply to the layout; set by the stage, which knows the focus."""
        study.layout_changed.connect(self._on_study_changed)
        study.problems_changed.connect(self.changed)
        study.schema_changed.connect(self.changed)
        study.changed.connect(self._on_study_changed)
        study.step_restored.connect(self._on_step_restored)
        selection.changed.connect(self._on_selection_changed)
        self._on_study_changed()

    # Queries

    @property
    def layout(self) -> Layout:
        """The current layout."""
        return self.study.layout

    @property
    def schema(self) -> Schema | None:
        """The schema of the dataset; None when there is none."""
        return self.study.schema

    @property
    def page(self) -> Page | InvalidNode | None:
        """The page in view."""
        number = self.page_index
        return None if number is None else self.layout.pages[number]

    @property
    def page_index(self) -> int | None:
        """The index of the page in view; None without pages."""
        return self._page_index_of(self.selection.page)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the selected nodes on the page."""
        return self.selection.keys

    def paths(self) -> Mapping[str, NodePath]:
        """The paths of the selected nodes by key, in reading order."""
        layout, keys = self.layout, self.keys
        if self._paths_cache[0] is not layout or self._paths_cache[1] != keys:
            self._paths_cache = layout, keys, layout.paths(keys)
        return self._paths_cache[2]

    @property
    def targets(self) -> tuple[str, ...]:
        """What commands apply to: the selection, or else the selected pages."""
        return self.selection.targets

    def level(self) -> Level | None:
        """The level of the selected nodes; None without a selection."""
        return next((path.level for path in self.paths().values()), None)

    def page_name(self, key: str) -> str:
        """The internal name of a page; often empty."""
        return self.study.project.page_names.get(key, "")

    def pages_by_field(self) -> Mapping[str, tuple[int, ...]]:
        """For each dataset field the numbers of the pages that show it, counted from zero."""
        return self._usage_counts.pages_by_field(self.layout)

    def item_count(self) -> int:
        """The number of items on all pages."""
        return self._usage_counts.item_count(self.layout)

    def problems_by_key(self) -> Mapping[str, tuple[Problem, ...]]:
        """The problems of each node by key: the most severe first, among equals the last visited one.

        Problems of the layout as a whole are omitted.
        """
        return self._by_key(self.study.problems)

    def problems_in_view(self) -> Mapping[str, tuple[Problem, ...]]:
        """The same for the nodes of the page in view; there may be thousands of problems on other pages."""
        number = self.page_index
        return self._by_key(problem for problem in self.study.problems if problem.path.page == number)

    def problems_of_targets(self) -> Sequence[Problem]:
        """The problems of the selected nodes or pages, node by node."""
        paths = frozenset(self.layout.paths(self.targets).values())
        by_key = self._by_key(problem for problem in self.study.problems if problem.path in paths)
        return [problem for key in self.targets for problem in by_key.get(key, ())]

    def _by_key(self, problems: Iterable[Problem]) -> Mapping[str, tuple[Problem, ...]]:
        by_key: dict[str, list[Problem]] = defaultdict(list)
        for problem in problems:
            if problem.path.indices and (node := self._node_at(problem.path)) is not None:
                by_key[node.key].append(problem)
        last = self.last_problem

        def rank(problem: Problem) -> tuple[int, bool]:
            is_last = last is not None and last.path == problem.path and _index_of(last, (problem,)) == 0
            return severity_rank(problem), not is_last

        return {key: tuple(sorted(group, key=rank)) for key, group in by_key.items()}

    def selected_problem(self) -> Problem | None:
        """The last visited problem if its node is selected, or else the first problem of the selection."""
        problems = self.problems_of_targets()
        return self._matching_last_problem(problems) or next(iter(problems), None)

    def current_problem(self) -> Problem | None:
        """The current version of the last visited problem; None when its node is not selected."""
        return self._matching_last_problem(self.problems_of_targets())

    def error_count(self) -> int:
        """The number of errors, without fields still to be filled in."""
        return count_problems(self.study.problems).errors

    def unfilled_count(self) -> int:
        """The number of fields still to be filled in."""
        return count_problems(self.study.problems).unfilled

    # Commands

    def apply(self, edit: Edit, *, follows: bool = True, select_keys: Sequence[str] = ()) -> bool:
        """Apply an edit and select the nodes it created. Returns False if it was rejected.

        With `follows`, created or moved nodes are shown even if they are on another page.
        After a move, the nodes of `select_keys` are selected, by default the moved ones.
        """
        before = self.layout
        try:
            self.study.apply(edit)
        except EditRejected as error:
            self.edit_rejected.emit(error.reason)
            return False
        self._select_created(created_nodes(edit, before, self.layout), follows=follows)
        if follows and isinstance(edit, Move):
            self._reveal_moved(select_keys or edit.keys)
        return True

    def toggle_selected(self, key: str) -> None:
        """Toggle the selection of a node; nodes of another level or page are deselected."""
        if key in self.keys:
            self.selection.select(selected_key for selected_key in self.keys if selected_key != key)
            return
        paths = self.layout.paths((key, *self.keys))
        path = paths.get(key)
        if path is not None:
            compatible = [
                selected_key
                for selected_key in self.keys
                if _can_select_together(paths.get(selected_key), path)
            ]
            self.reveal(key, also=compatible)

    def select(self, keys: Sequence[str]) -> None:
        """Select several nodes, without those of another level or page than the last one."""
        paths = self.layout.paths(keys)
        last = paths.get(keys[-1]) if keys else None
        if last is not None:
            self.reveal(
                keys[-1], also=[key for key in keys[:-1] if _can_select_together(paths.get(key), last)]
            )

    def reveal(self, key: str, *, also: Iterable[str] = ()) -> None:
        """Select a node or a page and scroll it into view."""
        path = self.layout.paths((key,)).get(key)
        if path is None or path.page is None:
            return
        page = self.layout.pages[path.page].key
        if key == page:
            self.selection.select_pages((*also, key))
        else:
            self.selection.select((*also, key), page)
        self.reveal_requested.emit(key)

    def go_to_problem(self, problem: Problem) -> None:
        """Select and highlight the node of a problem."""
        self.last_problem = problem
        node = self._node_at(problem.path) if problem.path.indices else None
        if node is not None:
            self.reveal(node.key)
            self.highlight_requested.emit(node.key)

    def go_to_next_problem(self) -> None:
        """Focus the field of the next problem; after the last problem, of the first one.

        Errors come first, then fields to fill in, then hints. If the last visited problem was fixed, the next
        one has its index.
        """
        problems = sorted(self.study.problems, key=severity_rank)
        if not problems:
            return
        last = _index_of(self.last_problem, problems)
        self._last_problem_index = (self._last_problem_index if last is None else last + 1) % len(problems)
        problem = problems[self._last_problem_index]
        self.go_to_problem(problem)
        self.field_requested.emit(problem)

    def announce_problem(self, problem: Problem) -> None:
        """Emit a message about the visited problem, after the previous field has lost the focus."""
        position = position_text(problem, self.study.problems)
        self.message.emit(_("{position}: {message}").format(position=position, message=problem.message))

    def set_label(self, field: str, label: str) -> None:
        """Set the label of a dataset field, which participants read; empty for none."""
        schema = self.study.schema
        if schema is not None and field in schema.fields and (schema.fields[field].label or "") != label:
            self.study.set_schema(schema.with_label(field, label or None), N_("Change field label"))

    def labelled_field(self) -> str:
        """The key of the selected item that shows a field of the schema; empty without one such item."""
        schema, keys = self.study.schema, self.keys
        if schema is None or len(keys) != 1:
            return ""
        item = next((self._node_at(path) for path in self.paths().values()), None)
        return keys[0] if isinstance(item, DatasetField) and item.field in schema.fields else ""

    def fix(self, problem: Problem) -> None:
        """Apply the quick fix of a problem."""
        if problem.fix is not None:
            self.apply(problem.fix)

    def fix_all_like(self, problem: Problem) -> None:
        """Apply the fixes of all problems of the same rule as one undo step."""
        self._fix_several(self.study.fix_all_of_kind_edit(problem.code))

    def fix_all(self) -> None:
        """Apply all fixes that remove no nodes as one undo step."""
        self._fix_several(self.study.fix_all_edit())

    def can_fix_all(self) -> bool:
        """Whether there is a problem that `fix_all` can fix."""
        return any(map(has_safe_fix, self.study.problems))

    def copy(self) -> bool:
        """Copy the selection, or the selected pages, to the clipboard as `batch_items` JSON."""
        try:
            self._clipboard.copy(self.layout, self.targets)
        except EditRejected as error:
            self.edit_rejected.emit(error.reason)
            return False
        return True

    def paste(self, insertion_point_for: Callable[[Level], InsertionPoint]) -> None:
        """Insert the nodes of the clipboard; `insertion_point_for` returns where nodes of a level go."""
        try:
            clipped = self._clipboard.read()
        except InvalidLayoutFile as error:
            self.edit_rejected.emit(_with_position(error))
            return
        self.apply(paste_edit(clipped, self.layout, insertion_point_for(clipped.level)))

    def _matching_last_problem(self, problems: Sequence[Problem]) -> Problem | None:
        number = _index_of(self.last_problem, problems)
        return None if number is None else problems[number]

    def _fix_several(self, edit: Edit) -> None:
        """Apply an edit that fixes problems; emit a message with how many are fixed and remain."""
        before = len(self.study.problems)
        if not self.apply(edit):
            return
        remaining = len(self.study.problems)
        fixed = ngettext("Fixed {count} problem.", "Fixed {count} problems.", before - remaining)
        rest = ngettext(
            "{count} is left for you to decide.", "{count} are left for you to decide.", remaining
        )
        messages = [
            fixed.format(count=before - remaining),
            rest.format(count=remaining) if remaining else "",
        ]
        self.message.emit(" ".join(filter(None, messages)))

    # Updates after changes of the study

    def _reveal_moved(self, keys: Sequence[str]) -> None:
        """Select moved nodes and scroll to them."""
        paths = self.layout.paths(keys)
        for key, path in list(paths.items())[:1]:
            if path.level is not Level.PAGE:
                self.selection.select(paths, self.layout.pages[path.page or 0].key)
            self.reveal_requested.emit(key)

    def _on_study_changed(self) -> None:
        """Keep a page in view, and select what stands in place of nodes that are no longer on it."""
        (opening, before), self._previous = self._previous, (self.study.opening, self.layout)
        is_edited = before is not self.layout and opening == self.study.opening
        pages = self.layout.pages
        keys = (*self.keys, *(self._successors(before) if is_edited else ()))
        remaining = self.layout.paths((*keys, *self.selection.pages))
        page_keys = [key for key in self.selection.pages if key in remaining]
        if not page_keys and pages:
            page_keys = [pages[min(self._last_page_index, len(pages) - 1)].key]
        selected = [
            key for key in keys if key in remaining and pages[remaining[key].page or 0].key == page_keys[-1]
        ]
        if not selected and is_edited:
            selected = self._neighbours(before)
        if selected:
            self.selection.select(selected, page_keys[-1])
        else:
            self.selection.select_pages(page_keys)
        self.changed.emit()

    def _successors(self, before: Layout) -> Iterator[str]:
        """The new items in place of selected ones that are gone, as after undoing a change of type."""
        for path in before.paths(set(self.keys) - self.layout.paths(self.keys).keys()).values():
            node = self._node_at(path)
            if isinstance(node, Item) and before.find(node.key) is None:
                yield node.key

    def _neighbours(self, before: Layout) -> list[str]:
        """The node before the selected ones, which have left their page, or else the node after them.

        So a command that follows applies to a node like the last one, not to the whole page.
        """
        first = next(iter(before.paths(self.keys).values()), None)
        page = None if first is None else before.pages[first.page or 0]
        if first is None or not isinstance(page, Page):
            return []
        siblings = [node.key for path, node in page.nodes_with_paths() if path.level is first.level]
        number = next(n for n, key in enumerate(siblings) if key in self.keys)
        paths = self.layout.paths(siblings)
        on_page = (
            key
            for key in (*siblings[:number][::-1], *siblings[number:])
            if key in paths and self.layout.pages[paths[key].page or 0].key == page.key
        )
        return list(islice(on_page, 1))

    def _on_step_restored(self, step: RestoredStep) -> None:
        """Show the first page that an undo or redo has changed, unless one of them is in view."""
        pages = step.changed_pages
        if pages and self.selection.page not in pages:
            self.reveal(pages[0])

    def _on_selection_changed(self) -> None:
        self._last_page_index = self.page_index or 0
        self.changed.emit()

    def _page_index_of(self, key: str | None) -> int | None:
        if self._page_index_cache[0] is not self.layout or self._page_index_cache[1] != key:
            numbers = (number for number, page in enumerate(self.layout.pages) if page.key == key)
            self._page_index_cache = self.layout, key, next(numbers, None)
        return self._page_index_cache[2]

    def _node_at(self, path: NodePath) -> Node | None:
        try:
            return self.layout.at(path)
        except IndexError:
            return None

    def _select_created(self, new: Mapping[str, NodePath], *, follows: bool) -> None:
        """Select the nodes that an edit has created and scroll to them."""
        if not new:
            return
        first, path = next(iter(new.items()))
        page = self.layout.pages[path.page or 0].key
        if not follows and page != self.selection.page:
            return
        if path.level is Level.PAGE:
            self.selection.select_pages([*list(new)[1:], first])
        else:
            self.selection.select(new, page)
        self.reveal_requested.emit(first)


def _with_position(error: InvalidLayoutFile) -> str:
    """The reason, with line and column if known."""
    if error.line is None:
        return error.reason
    position = _("Line {line}, column {column}.").format(line=error.line, column=error.column)
    return f"{error.reason} {position}"


def _can_select_together(path: NodePath | None, last_path: NodePath) -> bool:
    """Whether both can be selected together: pages, or nodes of one level on one page."""
    if path is None or path.level is not last_path.level:
        return False
    return path.level is Level.PAGE or path.page == last_path.page


def _index_of(problem: Problem | None, problems: Sequence[Problem]) -> int | None:
    """The index of a problem among the current ones; its severity and fix may have changed."""
    if problem is None:
        return None
    identity = _identity(problem)
    return next(
        (number for number, candidate in enumerate(problems) if _identity(candidate) == identity), None
    )


def _identity(problem: Problem) -> tuple[object, ...]:
    return problem.code, problem.path, problem.attribute, problem.message
