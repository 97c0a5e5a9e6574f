"""The questions before a study is sent: which version to keep if others have changed it, and the review."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _
from batchwright.client.content_review import MergedContent, Versions
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_lookup import DatasetLookup
from batchwright.client.published_content import details_for_study
from batchwright.layout.nodes import NodePath
from batchwright.local.projects import LastSent, Project, RemoteBinding, StudyContent
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.core.operations import Operation, OperationRunner
from batchwright.ui.review.conflict_dialog import ConflictDialog, ConflictsDialog, ConflictTexts, Decision
from batchwright.ui.review.conflict_list import Sides
from batchwright.ui.review.conflicts import ConflictRow, conflict_rows
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.review.rows import ChangeRow, change_rows, item_place_text, place_text
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.study.study_model import Study

_COUNTING = "count answers"
"""The key of the operation that counts answers."""

CountAnswers = Callable[[WorkflowContext], Awaitable[Mapping[str, int] | None]]


def sent_at_text(last: LastSent | None) -> str:
    """The time when a study was last sent; empty if that is unknown, or not valid in the study file."""
    try:
        return short_datetime(datetime.fromisoformat(last.at)) if last else ""
    except ValueError:
        return ""


@dataclass(frozen=True)
class TheirDataset:
    """The dataset that others have attached to the batch in place of that of the study."""

    id: str
    lookup: DatasetLookup | None
    """None if the token has no access to it: the study cannot use it then."""

    @property
    def text(self) -> str:
        """What becomes of the dataset with their version."""
        if self.lookup is None:
            return _(
                "Your token has no access to their dataset {id}, so the study cannot use it. Ask for access, "
                "or keep your version."
            ).format(id=self.id)
        return _("It replaces yours in the study, with their dataset and its schema. Undo brings yours back.")

    def attach(self, content: StudyContent, remote: RemoteBinding) -> tuple[StudyContent, RemoteBinding]:
        """What the study has with the dataset: the schema of the dataset, and the dataset with its data."""
        if self.lookup is None:
            return content, remote
        schema = self.lookup.schema or content.schema
        return replace(content, schema=schema), replace(self.lookup.attached_to(remote), delivered=None)


async def ask_for_version(
    host: QWidget,
    texts: ConflictTexts,
    versions: Versions,
    names: Mapping[str, str],
    *,
    place: Callable[[NodePath], str] = place_text,
    can_use_theirs: bool = True,
) -> tuple[Decision, MergedContent | None] | None:
    """Ask which version to keep after others have changed a resource.

    Args:
        host: the widget over whose window the dialog is shown.
        texts: the texts of the dialog.
        versions: both versions.
        names: the names of pages by key.
        place: returns the text for the place of a node.
        can_use_theirs: whether the version of the service can be used; if not, `texts` says why.

    Returns:
        The decision, and the content to be used: theirs or both combined, None for mine. None if the user
        cancelled.
    """
    conflicts = await asyncio.to_thread(_conflicts, versions, place) if can_use_theirs else None
    rows = await asyncio.to_thread(_their_rows, versions, names, place)
    decision, sides = await _decide(host, texts, conflicts, rows, can_use_theirs=can_use_theirs)
    if decision is None:
        return None
    content = None
    if decision is Decision.THEIRS:
        content = await asyncio.to_thread(versions.adopt_theirs)
    elif decision is Decision.MERGE:
        choices = {identity: side for identity, side in sides.items() if not isinstance(identity, str)}
        text_choices = {identity: side for identity, side in sides.items() if isinstance(identity, str)}
        content = await asyncio.to_thread(versions.merge, choices, text_choices)
    return decision, content


async def _decide(
    host: QWidget,
    texts: ConflictTexts,
    conflicts: Sequence[ConflictRow] | None,
    rows: Sequence[ChangeRow] | None,
    *,
    can_use_theirs: bool,
) -> tuple[Decision | None, Sides]:
    """Ask which version to keep, and for both combined which sides; a user who goes back is asked again.

    Returns:
        The decision, None if the user cancelled, and the sides that were chosen.
    """
    decision: Decision | None = None
    sides: Sides = {}
    while True:
        count = None if conflicts is None else len(conflicts)
        dialog = ConflictDialog(texts, count, rows, can_use_theirs=can_use_theirs)
        if decision is not None:
            dialog.choose(decision)
        decision = dialog.decision if await dialog.ask(host) else None
        if decision is not Decision.MERGE or not conflicts:
            return decision, sides
        if await ConflictsDialog(conflicts, sides).ask(host):
            return decision, sides


async def choose_version(
    host: QWidget,
    study: Study,
    connection: str,
    texts: ConflictTexts,
    versions: Versions,
    record: Callable[[MergedContent], LastSent],
    notify: Callable[[str, str], object],
    dataset: TheirDataset | None = None,
) -> Decision | None:
    """Ask which version to keep after others have changed the batch or collection.

    If it is theirs, or both combined, it is loaded into the study, as one step that can be undone.

    Args:
        host: the widget over whose window the dialog is shown.
        study: the open study.
        connection: the name of the connection.
        texts: the texts of the dialog.
        versions: both versions.
        record: returns the record of the last request for a study with their version.
        notify: shows a notice with a title and a text.
        dataset: the dataset that others have attached; None if they have not.

    Returns:
        None if the user cancelled, or another study is open by then, or if the combined version has errors
        that have to be fixed first.
    """
    opening, ids = study.opening, study.remote(connection).ids
    is_usable = dataset is None or dataset.lookup is not None
    if dataset is not None:
        texts = replace(texts, theirs_text=dataset.text)
    names = page_names(study.project, ids)
    place = item_place_text if study.is_collection else place_text
    choice = await ask_for_version(host, texts, versions, names, place=place, can_use_theirs=is_usable)
    if choice is None or opening != study.opening:
        return None
    decision, adopted = choice
    if adopted is None:
        return decision
    theirs = await asyncio.to_thread(versions.adopt_theirs)
    last_sent = await asyncio.to_thread(record, theirs)
    details = details_for_study(adopted.details, adopted.name, study.details)
    content = replace(study.content, name=adopted.name, details=details, layout=adopted.layout)
    remote = replace(study.remote(connection), ids=adopted.ids, last_sent=last_sent)
    if dataset is not None and dataset.id in adopted.dataset_ids:
        content, remote = dataset.attach(content, remote)
    if decision is Decision.THEIRS:
        study.adopt(content, connection, remote, N_("Load the version of the service"))
        notify(_("Their version is loaded"), _("Undo brings yours back."))
        return Decision.THEIRS
    study.adopt(content, connection, remote, N_("Combine with the version of the service"))
    if count_problems(study.problems):
        notify(_("Both versions are combined"), _("Fix the problems in the layout, then send it."))
        return None
    return Decision.MERGE


async def confirm_sending(
    host: QWidget, dialog: ReviewDialog, operations: OperationRunner, count: CountAnswers
) -> bool:
    """Show a review, and count the answers to the instructions that change while it is open."""
    if dialog.counts_answers:
        operation = Operation(_COUNTING, _("Counting the answers"), cancels_on_leave=True)
        operations.start(operation, lambda run: count(run.context), dialog.show_answers)
    try:
        return await dialog.ask(host)
    finally:
        operations.remove(_COUNTING)


def page_names(project: Project, ids: Mapping[str, str]) -> Mapping[str, str]:
    """The names that designers gave to the pages, by key and by id."""
    names = project.page_names
    return {**names, **{ids[key]: name for key, name in names.items() if key in ids}}


def overwrite_warning(changed_since: str | None, *, is_recorded: bool) -> str:
    """The warning about changes of others that are overwritten; empty if there are none.

    Args:
        changed_since: when the study was last sent, if others have changed its batch or collection since;
            empty if that time is unknown, None if nobody has changed it.
        is_recorded: whether the study has a record of what it sent last.
    """
    if changed_since:
        return _(
            "Someone else, or another copy of the study, has made changes since this study was last sent "
            "({time}). They are overwritten."
        ).format(time=changed_since)
    if changed_since is not None:
        return _("Someone else, or another copy of the study, has made changes. They are overwritten.")
    if not is_recorded:
        return _(
            "The study file does not record what was last sent. Changes that others have made are "
            "overwritten."
        )
    return ""


def _their_rows(
    versions: Versions, names: Mapping[str, str], place: Callable[[NodePath], str]
) -> tuple[ChangeRow, ...] | None:
    """The rows for what others have changed; None if that is not known."""
    changes = versions.their_changes
    return None if changes is None else change_rows(changes, names, is_done=True, place=place)


def _conflicts(versions: Versions, place: Callable[[NodePath], str]) -> tuple[ConflictRow, ...] | None:
    """The rows for the conflicts between both versions; None if they cannot be combined."""
    merged = versions.merge()
    return None if merged is None else conflict_rows(merged, versions, place)
