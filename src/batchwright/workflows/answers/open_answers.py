"""Opens a file with answers: an export, answers saved as JSON or JSONL, or a table. Needs no connection.

Answers name questions by id only. Their texts and options come from the archive, from the open study, from a
layout that the user chooses, or from the columns of a table.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.analysis.store.answer_files import SavedAnswers, read_saved_answers
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.questions import QuestionKind, questions_in
from batchwright.analysis.store.table_questions import ProposedQuestion, UnreadableValues
from batchwright.base.i18n import _
from batchwright.client.checkpoint import file_sha256
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.ids import to_request
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import Project
from batchwright.local.study_files.study_file import read_study


@dataclass(frozen=True, eq=False)
class OpenedAnswers:
    """The answers in a file, and the layout with the ids that they name; empty if it is not known."""

    path: Path
    digest: str
    """The SHA-256 of the file."""
    store: AnswerStore
    layout: Layout
    proposed: tuple[ProposedQuestion, ...] = ()
    """Questions of a table whose values were taken for options; none if the open study has the questions."""
    unreadable: tuple[UnreadableValues, ...] = ()
    """Values of a table that statistics leave out."""

    @property
    def has_questions(self) -> bool:
        """Whether texts and options of questions are known; without them, answers are shown as texts."""
        return bool(questions_in(self.layout))


OnPage = Callable[[OpenedAnswers | None], object]
"""Called repeatedly with the answers that have been read so far, None before the first ones.

An error that it raises ends the reading.
"""


def open_answers(
    path: Path,
    study: Project,
    on_page: OnPage = lambda _opened: None,
    kinds: Mapping[str, QuestionKind] | None = None,
) -> OpenedAnswers:
    """Read all answers in a file; the questions are those of its layout, or else of the open study.

    The layout is known with the first answers. `kinds` has kinds of questions of a table by id; the open
    study has those of its questions.

    Raises:
        UnreadableFile: it has no answers, or is damaged.
        OSError: it cannot be opened.
    """
    opened: OpenedAnswers | None = None

    def on_saved(saved: SavedAnswers) -> None:
        nonlocal opened
        if opened is None and len(saved.store):
            opened = OpenedAnswers(
                path, file_sha256(path), saved.store, saved.layout, saved.proposed, saved.unreadable
            )
            if saved.is_layout_derived or not opened.has_questions:
                opened = _with_layout(opened, study)
        if opened is not None:
            opened.store.mark_all_seen()
        on_page(opened)

    saved = read_saved_answers(path, on_saved, {**_kinds_in(study), **(kinds or {})})
    return opened or OpenedAnswers(path, file_sha256(path), saved.store, saved.layout)


def _kinds_in(study: Project) -> dict[str, QuestionKind]:
    """The kinds of the questions of a study by each of their ids."""
    return {
        question.id: question.kind
        for layout in _layouts(study)
        for question in questions_in(layout)
        if question.id
    }


def use_layout(answers: OpenedAnswers, path: Path) -> OpenedAnswers:
    """Use the questions in a file with a layout, a collection or a study.

    Raises:
        UnreadableFile: none of its questions has the id of a question with answers.
        InvalidProjectFile: the file is of another kind.
        OSError: it cannot be opened.
    """
    require_regular(path)
    project, _file = read_study(path)
    found = _with_layout(answers, project)
    if not found.has_questions:
        raise UnreadableFile(
            _("The answers belong to none of the questions in the file."),
            _("Choose the layout that was downloaded from the service, or the study of the batch."),
        )
    return found


def _with_layout(answers: OpenedAnswers, study: Project) -> OpenedAnswers:
    """Use the layout of a study if its questions have answers."""
    layout = matching_layout(study, frozenset(question.id for question in answers.store.questions))
    if not questions_in(layout):
        return answers
    answers.store.set_questions(questions_in(layout))
    return replace(answers, layout=layout)


def _layouts(study: Project) -> list[Layout]:
    """The layout of a study with the ids that it was read with, and with those that it has elsewhere.

    The batch of a language has ids of its own, and its texts are in that language.
    """
    return [
        study.layout,
        *(
            read(to_request(study.in_language(language).layout, ids), sequential_keys())
            for remote in study.remotes.values()
            for language in ("", *remote.languages)
            if (ids := remote.in_language(language).ids)
        ),
    ]


def matching_layout(study: Project, ids: Set[str]) -> Layout:
    """The layout of a study with the ids that most answers have; empty if no id matches.

    A study has other ids at each connection and in each language, and those that its layout was read with.
    """
    layouts = _layouts(study)
    counts = [sum(question.id in ids for question in questions_in(layout)) for layout in layouts]
    return layouts[counts.index(max(counts))] if max(counts) else Layout()
