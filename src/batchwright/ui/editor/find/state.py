"""The state of find and replace: what is searched for, the matches, and which of them are replaced."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from batchwright.base.i18n import N_, _, ngettext
from batchwright.layout.nodes import NodePath
from batchwright.layout.searching.study_texts import StudyText, StudyTexts
from batchwright.layout.searching.text_search import (
    InvalidPattern,
    Match,
    Query,
    TextReplacement,
    find_spans,
    matches_of,
    replace_matches,
    searchable,
)
from batchwright.local.projects import StudyContent, study_name
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.study.study_model import Study

_DELAY_MS = 150
"""Time without typing before a search starts."""
_TIME_LIMIT_S = 5.0
"""Maximum time of a search for a regular expression, without the start of its process."""


class FindState(QObject):
    """Searches the texts of the open study whenever it or the query changes, while `is_active`.

    A text is searched in a thread, a regular expression in a process, which is ended after a time limit.
    """

    changed = Signal()
    matches_changed = Signal()
    replaced = Signal(str)
    """A replacement has ended; the argument is a message for the user."""

    def __init__(self, study: Study, tasks: Tasks) -> None:
        super().__init__()
        self._study, self._tasks = study, tasks
        self.query, self.template, self.with_values = Query(""), "", False
        self.matches: Sequence[Match] = ()
        self.text_count = 0
        """The number of texts with a match."""
        self.is_active = self.is_searching = self.is_replacing = False
        self._keeps_case = False
        self.query_error = self.template_error = ""
        self._excluded: set[tuple[object, ...]] = set()
        self._replacement: TextReplacement | None = None
        self._searched_content: object = None
        self._search_number = 0
        self._task_name = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)
        study.changed.connect(self._on_study_changed)

    def activate(self) -> None:
        """Start searching."""
        self.is_active = True
        self._search_soon()

    def deactivate(self) -> None:
        """End a running search, and search no more."""
        self.is_active = False
        self._cancel()

    def set_query(self, query: Query, *, with_values: bool) -> None:
        """Set what to search for, and whether option values and references are searched too."""
        if (query, with_values) == (self.query, self.with_values):
            return
        self.query, self.with_values = query, with_values
        self._excluded.clear()
        self._search_soon()

    def set_template(self, template: str) -> None:
        """Set the replacement."""
        self.template = template
        self._update_replacement()
        self.changed.emit()

    def set_keeps_case(self, *, keeps_case: bool) -> None:
        """Set whether replacements have capitals where the matches have them."""
        self._keeps_case = keeps_case
        self._update_replacement()
        self.changed.emit()

    def is_included(self, match: Match) -> bool:
        """Whether a match is to be replaced."""
        return _identity(match) not in self._excluded

    def include(self, match: Match, *, is_included: bool) -> None:
        """Include a match in the replacement, or exclude it."""
        (self._excluded.discard if is_included else self._excluded.add)(_identity(match))
        self.changed.emit()

    def include_all(self, *, is_included: bool) -> None:
        """Include all matches, or none."""
        self._excluded = set() if is_included else set(map(_identity, self.matches))
        self.changed.emit()

    @property
    def included_count(self) -> int:
        """The number of matches to be replaced."""
        return len(self.matches) - len(self._excluded)

    def replacement_of(self, match: Match) -> str | None:
        """The text in place of a match; None while nothing is entered as the replacement."""
        return self._replacement.text_for(match) if self.template and self._replacement else None

    def replace_all(self) -> None:
        """Replace all included matches as one undo step; `replaced` is emitted with the result."""
        if self._replacement is not None and not self.is_replacing:
            self.is_replacing = True
            self._tasks.start("replace texts", self._replace)
            self.changed.emit()

    async def _replace(self) -> None:
        try:
            self.replaced.emit(await self._replace_included())
        finally:
            self.is_replacing = False
            self.changed.emit()

    async def _replace_included(self) -> str:
        """Replace the included matches in a thread. Returns a message for the user."""
        replacement, content = self._replacement, self._study.content
        if replacement is None:
            return self.template_error
        included = [match for match in self.matches if self.is_included(match)]

        def replaced() -> tuple[StudyContent, int]:
            texts, count = replace_matches(texts_of(content), included, replacement)
            after = _with_texts(content, texts)
            self._study.prepare(after)
            return after, count

        after, count = await asyncio.to_thread(replaced)
        if self._study.content is not content:
            return _("Nothing was replaced, because the study has changed meanwhile.")
        self._study.restore(after, N_("Replace"))
        message = ngettext("Replaced {count} match.", "Replaced {count} matches.", count).format(count=count)
        left = len(included) - count
        if not left:
            return message
        rest = ngettext(
            "{count} was left: its text has changed, or a label would become too long.",
            "{count} were left: their texts have changed, or a label would become too long.",
            left,
        )
        return f"{message} {rest.format(count=left)}"

    def _search_soon(self) -> None:
        self._cancel()
        self._update_replacement()
        if self.is_active and self.query.text and not self.query_error:
            self.is_searching = True
            self._timer.start(_DELAY_MS)
        else:
            self._show((), 0)
        self.changed.emit()

    def _cancel(self) -> None:
        self._search_number += 1
        self._timer.stop()
        self._tasks.cancel(self._task_name)
        self.is_searching = False

    def _update_replacement(self) -> None:
        self.query_error = self.template_error = ""
        self._replacement = None
        try:
            self.query.pattern()
        except InvalidPattern as error:
            self.query_error = error.reason
            return
        try:
            self._replacement = TextReplacement(self.template, self.query, keeps_case=self._keeps_case)
        except InvalidPattern as error:
            self.template_error = error.reason

    def _start(self) -> None:
        self._task_name = f"find {self._search_number}"
        self._tasks.start(self._task_name, self._search)

    async def _search(self) -> None:
        number, query, content = self._search_number, self.query, self._study.content
        texts = await asyncio.to_thread(lambda: [*texts_of(content).texts(with_values=self.with_values)])
        try:
            matches = await _find(texts, query)
        except TimeoutError:
            matches = []
            self.query_error = _(
                "This regular expression takes too long, so the search was stopped. Simplify it, for example "
                "where repetitions are nested."
            )
        text_count = await asyncio.to_thread(lambda: len({match.text.location for match in matches}))
        if number == self._search_number:
            self._searched_content = content
            self.is_searching = False
            self._show(matches, text_count)
            self.changed.emit()

    def _show(self, matches: Sequence[Match], text_count: int) -> None:
        self.matches, self.text_count = matches, text_count
        if self._excluded:
            self._excluded &= set(map(_identity, matches))
        self.matches_changed.emit()

    def shown_path(self, path: NodePath) -> NodePath:
        """The path of a node as it is shown."""
        return self._study.shown_path(path)

    def _on_study_changed(self) -> None:
        if self.is_active and self._study.content is not self._searched_content and self.query.text:
            self._search_soon()


async def _find(texts: Sequence[StudyText], query: Query) -> list[Match]:
    """The matches in texts.

    Raises:
        TimeoutError: a regular expression takes too long.
    """
    if not query.is_regex:
        return await asyncio.to_thread(lambda: matches_of(texts, find_spans(searchable(texts), query)))
    loop, contents = asyncio.get_running_loop(), await asyncio.to_thread(searchable, texts)
    async with asyncio.timeout(None) as limit:
        spans = await run_in_process(
            find_spans,
            contents,
            query,
            on_progress=lambda: limit.reschedule(loop.time() + _TIME_LIMIT_S),
        )
    return await asyncio.to_thread(matches_of, texts, spans)


def texts_of(content: StudyContent) -> StudyTexts:
    """The texts of a study, with its name as it is shown."""
    details = {
        name: getattr(content.details, name) for name in ("task_name", "task_introduction", "task_steps")
    }
    return StudyTexts(study_name(content), details, content.schema, content.page_names, content.layout)


def _with_texts(content: StudyContent, texts: StudyTexts) -> StudyContent:
    return replace(
        content,
        name=content.name if texts.name == study_name(content) else texts.name,
        details=content.details.model_copy(update=dict(texts.details)),
        schema=texts.schema,
        page_names=texts.page_names,
        layout=texts.layout,
    )


def _identity(match: Match) -> tuple[object, ...]:
    return match.text.location, match.start, match.matched
