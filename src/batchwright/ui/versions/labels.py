"""Texts about versions and what differs between them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.base.local_time import local_time
from batchwright.layout.comparing.comparison import Change, NodeComparison
from batchwright.layout.nodes import Level
from batchwright.local.projects import StudyKind, study_name
from batchwright.local.versions import Version, VersionCause
from batchwright.schema.model import Field, Schema
from batchwright.ui.core.formatting import clock, day, number
from batchwright.ui.data.labels import type_name
from batchwright.ui.editor.core.item_labels import count_phrase
from batchwright.ui.review.rows import ValueRow, attribute_row, value_row
from batchwright.ui.versions.comparison import PageComparison, StudyComparison
from batchwright.ui.widgets.statuses import Status

CAUSES: Mapping[VersionCause, tuple[str, str]] = {
    VersionCause.SAVED: (N_("Saved"), "floppy-disk"),
    VersionCause.CREATED: (N_("Sent"), "upload-simple"),
    VersionCause.UPDATED: (N_("Update sent"), "arrows-clockwise"),
    VersionCause.SET_UP: (N_("Setup started"), "stack"),
    VersionCause.ON_DISK: (N_("Changed by another program"), "file-text"),
}
"""Title (translated where shown) and glyph of each cause."""

STATUSES: Mapping[Change, Status] = {
    Change.ADDED: Status("ok", "plus-circle", N_("Added")),
    Change.REMOVED: Status("err", "minus-circle", N_("Removed")),
    Change.MOVED: Status("question", "arrows-out-cardinal", N_("Moved")),
    Change.CHANGED: Status("warn", "pencil-simple", N_("Changed")),
}

_ATTRIBUTES = {
    "name": N_("name changed"),
    "details": N_("task details changed"),
    "schema": N_("schema changed"),
    "page_names": N_("page names changed"),
    "language": N_("language of the participants changed"),
    "translations": N_("translations changed"),
    "tasks_per_group": N_("tasks per group changed"),
    "kind": N_("converted"),
}


def version_time(version: Version, now: datetime | None = None) -> str:
    """When a version was stored, as “Today, 14:03”, “Yesterday, 14:03” or “Nov 22, 2026, 14:03”."""
    return _time(version, now, (_("Today"), _("Yesterday")))


def time_phrase(version: Version, now: datetime | None = None) -> str:
    """When a version was stored, within a sentence, as “today, 14:03”."""
    return _time(version, now, (_("today"), _("yesterday")))


def _time(version: Version, now: datetime | None, latest_days: tuple[str, str]) -> str:
    """Day and time of a version; `latest_days` are the names of today and yesterday."""
    today = local_time(now or datetime.now(UTC)).date()
    age = (today - local_time(version.at).date()).days
    name = latest_days[age] if age in (0, 1) else day(version.at)
    return _("{day}, {time}").format(day=name, time=clock(version.at))


def version_title(version: Version) -> str:
    """Time and cause of a version, as “Today, 14:03, saved”."""
    cause, _glyph = CAUSES[version.cause]
    return _("{time} · {cause}").format(time=version_time(version), cause=_(cause))


def restore_label(version: Version) -> str:
    """The undo text of restoring a version."""
    return _("Restore the version of {time}").format(time=time_phrase(version))


def summary(comparison: StudyComparison) -> str:
    """What differs, as “1 page added, 3 items changed, schema changed”."""
    phrases = list(_layout_phrases(comparison))
    phrases += [_(text) for name, text in _ATTRIBUTES.items() if name in comparison.attributes]
    return joined(phrases) or _("No changes")


def page_title(page: PageComparison) -> str:
    """Number and name of a page after, or before if it was removed."""
    path = page.page.path_after or page.page.path_before
    text = _("Page {number}").format(number=number((path.page or 0) + 1 if path is not None else 1))
    name = page.name_after or page.name_before
    return f"{text}, {name}" if name else text


def page_summary(page: PageComparison) -> str:
    """What differs on a page, as “added” or “1 item changed, 2 items moved”."""
    texts = {
        Change.ADDED: _("added"),
        Change.REMOVED: _("removed"),
        Change.MOVED: _("moved"),
        Change.CHANGED: _("changed"),
    }
    phrases = [texts[change] for change in page.page.changes if change in texts]
    if not {Change.ADDED, Change.REMOVED} & set(page.page.changes):
        if page.name_before != page.name_after:
            phrases.append(_("renamed"))
        phrases += _phrases(
            {level: _counts(page.nodes, level) for level in (Level.ITEM, Level.ROW, Level.COLUMN)}
        )
    return joined(phrases) or _("unchanged")


@dataclass(frozen=True)
class ComparedPart:
    """A part of a comparison to choose: a page, or what differs besides the pages if `page` is None."""

    text: str
    page: PageComparison | None
    is_changed: bool


def parts_of(comparison: StudyComparison) -> tuple[ComparedPart, ...]:
    """The parts of a comparison: what differs besides the pages, if anything, then all pages."""
    template = _("{page}: {changes}")
    study = ComparedPart(template.format(page=_("Study"), changes=_("changed")), None, is_changed=True)
    pages = (
        ComparedPart(
            template.format(page=page_title(page), changes=page_summary(page)),
            page,
            is_changed=not page.is_unchanged,
        )
        for page in comparison.pages
    )
    return (*((study,) if study_differences(comparison) else ()), *pages)


def move_text(node: NodeComparison, comparison: StudyComparison, *, is_before: bool) -> str:
    """Where a moved node came from or went to."""
    path = comparison.path_after(node) if is_before else comparison.path_before(node)
    if path is None:
        return ""
    text = _("Moved to {place}") if is_before else _("Moved from {place}")
    return text.format(place=path.label)


def node_differences(node: NodeComparison) -> list[ValueRow]:
    """The changed attributes of a node that both contents have."""
    if node.after is None:
        return []
    return [attribute_row(node, node.after, change) for change in node.attributes]


def page_differences(page: PageComparison) -> list[ValueRow]:
    """What differs in a page itself: its name and its attributes."""
    differences = node_differences(page.page)
    has_both = page.page.before is not None and page.page.after is not None
    if has_both and page.name_before != page.name_after:
        differences.insert(0, value_row(_("Page name"), page.name_before, page.name_after))
    return differences


def study_differences(comparison: StudyComparison) -> list[ValueRow]:
    """What differs besides the pages."""
    before, after = comparison.before, comparison.after
    texts = [
        (_("Name of the study"), study_name(before), study_name(after)),
        (_("Name of the task"), before.details.task_name, after.details.task_name),
        (_("Introduction"), before.details.task_introduction, after.details.task_introduction),
        (_("Steps"), before.details.task_steps, after.details.task_steps),
        (_("Language of the participants"), before.language, after.language),
        (_("Tasks in a group"), number(before.tasks_per_group), number(after.tasks_per_group)),
        (_("Kind"), _kind_text(before.kind), _kind_text(after.kind)),
        (_("Every field must be filled"), _strict_text(before.schema), _strict_text(after.schema)),
    ]
    differences = [value_row(*text) for text in texts if text[1] != text[2]]
    differences += _field_differences(before.schema, after.schema)
    if not differences and "schema" in comparison.attributes:
        differences.append(value_row(_("Schema"), _("other keys"), _("other keys")))
    return differences


def _layout_phrases(comparison: StudyComparison) -> Iterator[str]:
    counts = {
        level: {change: comparison.layout.count(level, change) for change in STATUSES} for level in Level
    }
    yield from _phrases(counts)


def _counts(nodes: tuple[NodeComparison, ...], level: Level) -> dict[Change, int]:
    found = [change for node in nodes if node.level is level for change in node.changes]
    return {change: found.count(change) for change in STATUSES}


def _phrases(counts: Mapping[Level, Mapping[Change, int]]) -> list[str]:
    """The phrases for pages and items; those for rows and columns only where nothing else would be said."""
    templates = {
        Change.ADDED: _("{things} added"),
        Change.REMOVED: _("{things} removed"),
        Change.MOVED: _("{things} moved"),
        Change.CHANGED: _("{things} changed"),
    }

    def phrases(*levels: Level) -> list[str]:
        return [
            templates[change].format(things=count_phrase(level, count))
            for level in levels
            for change, count in counts.get(level, {}).items()
            if count
        ]

    return phrases(Level.PAGE, Level.ITEM) or phrases(Level.ROW, Level.COLUMN)


def _field_differences(before: Schema | None, after: Schema | None) -> Iterator[ValueRow]:
    old, new = (schema.fields if schema is not None else {} for schema in (before, after))
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            title = _("Field “{name}”").format(name=name)
            yield value_row(title, _field_text(old.get(name)), _field_text(new.get(name)))
    common = old.keys() & new.keys()
    if [name for name in old if name in common] != [name for name in new if name in common]:
        yield value_row(_("Order of the fields"), joined(old), joined(new))


def _field_text(field: Field | None) -> str:
    if field is None:
        return ""
    if not field.label:
        return type_name(field.type)
    return _("{type}, label “{label}”").format(type=type_name(field.type), label=field.label)


def _kind_text(kind: StudyKind) -> str:
    return _("Collection") if kind is StudyKind.COLLECTION else _("Batch")


def _strict_text(schema: Schema | None) -> str:
    if schema is None:
        return ""
    return _("Yes") if schema.strict else _("No")
